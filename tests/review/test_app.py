"""The review app in this process: what people see, what is stored, and who is kept out."""

import re

import pytest
from tests.review.visiting import HERE, Visitor, in_app
from tests.reviewing import SECRETS, items

from biasscope.errors import RunError
from biasscope.review.board import Board
from biasscope.review.desk import Desk
from biasscope.review.links import open_links
from biasscope.reviews import ADJUDICATOR

pytestmark = pytest.mark.local

SOME = items(4)


class Journal(list):
    """Keeps what is stored, and fails when told to."""

    fails = False

    def append(self, record):
        if self.fails:
            raise RunError("cannot use reviews.jsonl: No space left on device")
        super().append(record)


class Review:
    """The app with its links, its journal, and visitors."""

    def __init__(self, folder, secure=False):
        pytest.importorskip("starlette", reason="needs the extra review")
        from biasscope.review.app import review_app

        self.links = open_links(folder, ("ana", "ben"))
        self.journal = Journal()
        self.board = Board(SOME, [])
        self.told = []
        self.app = review_app(
            Desk(self.board, self.journal), self.links, {HERE}, tell=self.told.append, secure=secure
        )

    def path(self, name):
        return f"/r/{self.links.tokens[name]}"

    def stranger(self, host=HERE):
        return Visitor(in_app(self.app), host)

    async def person(self, name):
        """Somebody who has begun, with the first page."""
        visitor = self.stranger()
        return visitor, await visitor.begin(self.path(name))


@pytest.fixture
def review(tmp_path):
    return Review(tmp_path)


# --- answering --------------------------------------------------------------------------------------------


async def test_a_reviewer_goes_from_the_link_to_the_end(review):
    ana, page = await review.person("ana")
    seen = []
    while page.path != "/done":
        seen.append(page.heading)
        page = await ana.say(page, "1")

    assert seen == [f"Item {n}" for n in range(1, 7)]
    assert "All done" in page.text
    assert "6 of 6 answered" in page.text
    assert [(r.reviewer, r.better, r.whole) for r in review.journal] == [("ana", "1", True)] * 6
    assert {r.item for r in review.journal} == {i.id for i in SOME}


async def test_nothing_hidden_is_on_any_page(review):
    pages = []
    for name in ("ana", "ben", ADJUDICATOR):
        visitor, page = await review.person(name)
        pages += [await visitor.get(review.path(name)), page]
        while page.path != "/done":
            page = await visitor.say(page, "1" if name == "ana" else "2", flag="yes")
            pages.append(page)

    assert len(pages) == 24
    assert [word for page in pages for word in SECRETS if word in page.text + str(page.headers)] == []


async def test_an_answer_that_is_not_whole_is_stored_and_shown_again(review):
    ana, page = await review.person("ana")
    again = await ana.say(page, "2", None, None)

    assert again.path == page.path
    assert "2 questions are still open" in again.text
    assert again.chosen == {"better": "2"}
    assert [r.whole for r in review.journal] == [False]
    assert (await ana.say(again, "2")).path != page.path


async def test_each_answer_is_stored_as_it_is_given(review):
    ana, page = await review.person("ana")
    told = await ana.say(page, "1", None, None, do="keep", **{})
    assert told.status == 200
    reply = await ana.ask(
        "POST",
        page.path,
        told.hidden | {"better": "1", "same_answer": "no", "do": "keep"},
        Accept="application/json",
    )

    assert reply.json == {"saved": True, "open": 1, "version": 2}
    assert (await ana.get(page.path)).chosen == {"better": "1", "same_answer": "no"}


async def test_a_script_is_told_where_to_go_next(review):
    ana, page = await review.person("ana")
    whole = page.hidden | {"better": "1", "same_answer": "no", "same_content": "no", "do": "save"}
    reply = await ana.ask("POST", page.path, whole, Accept="application/json")

    assert reply.json == {"saved": True, "open": 0, "version": 1, "next": "/next"}
    assert reply.headers["content-type"] == "application/json"


async def test_what_was_skipped_comes_back_at_the_end(review):
    ana, page = await review.person("ana")
    first = page.path
    page = await ana.say(page, None, None, None, do="skip")
    while page.path != "/done":
        page = await ana.say(page)

    assert "5 of 6 answered, 1 skipped" in page.text
    assert f'<a href="{first}">Item 1</a>' in page.text
    page = await ana.say(await ana.get(first), "1")
    assert "All done" in page.text


async def test_going_on_from_an_answered_item_takes_nothing_back(review):
    ana, page = await review.person("ana")
    await ana.say(page, "1")
    await ana.say(await ana.get(page.path), None, None, None, do="skip")

    assert review.board.progress("ana").answered == 1
    assert len(review.journal) == 1


async def test_a_flag_and_its_note_are_kept_and_listed(review):
    ana, page = await review.person("ana")
    await ana.say(page, "1", flag="yes", note="the second <b> is cut off")
    done = await ana.get("/done")

    assert "Item 1</a>: the second &lt;b&gt; is cut off" in done.text
    assert "checked> <span>Flag" in (await ana.get(page.path)).text


async def test_undo_returns_to_the_latest_answer(review):
    ana, page = await review.person("ana")
    second = await ana.say(page, "1")
    back = await ana.post("/undo", {"key": second.key})

    assert back.path == page.path
    assert back.chosen == {}
    assert [r.kind for r in review.journal] == ["answer", "undo"]
    assert (
        await ana.post("/undo", {"key": back.key})
    ).path == page.path  # nothing stands: the first that is open
    assert len(review.journal) == 2


async def test_the_adjudicator_sees_both_answers_and_decides(review):
    ana, page = await review.person("ana")
    await ana.say(page, "1", same_content="no")
    ben, _ = await review.person("ben")
    judge, nothing = await review.person(ADJUDICATOR)
    assert "Nothing to decide yet" in nothing.text

    await ben.say(await ben.get(page.path), "2")
    dispute = await judge.get("/next")
    assert dispute.path == page.path
    cells = re.findall(
        r"<th scope=\"row\">(Reviewer \d)</th><td>(.*?)</td><td>(.*?)</td><td>(.*?)</td>", dispute.text
    )
    assert sorted(c[1:] for c in cells) == [("response 1", "yes", "no"), ("response 2", "yes", "yes")]
    assert "ana" not in dispute.text
    assert "ben" not in dispute.text

    end = await judge.say(dispute, "tie")
    assert "1 of 1 decided" in end.text
    assert review.journal[-1].reviewer == ADJUDICATOR
    assert "Reviewer" not in (await ana.get(page.path)).text


# --- two pages, two people --------------------------------------------------------------------------------


async def test_a_stale_page_loses_neither_what_is_stored_nor_what_was_said(review):
    ana, page = await review.person("ana")
    await ana.say(page, "1")
    stale = await ana.ask(
        "POST", page.path, page.hidden | {"better": "2", "same_answer": "no", "same_content": "no"}
    )

    assert stale.status == 409
    assert "out of date" in stale.text
    assert review.board.standing("ana", review.journal[0].item).better == "1"
    assert stale.chosen == {"better": "2", "same_answer": "no", "same_content": "no"}
    assert (await ana.say(stale, "2", "no", "no")).status == 200  # saved again, from this page
    assert review.board.standing("ana", review.journal[0].item).better == "2"
    reply = await ana.ask("POST", page.path, page.hidden | {"better": "tie"}, Accept="application/json")
    assert (reply.status, reply.json["saved"]) == (409, False)


async def test_sending_twice_is_saying_once(review):
    ana, page = await review.person("ana")
    pages = [await ana.say(page, "1") for _ in range(3)]

    assert len({p.path for p in pages}) == 1
    assert len(review.journal) == 1


async def test_two_links_in_one_browser_do_not_mix(review):
    both, page = await review.person("ana")
    await both.begin(review.path("ben"))
    mixed = await both.say(page, "1")

    assert mixed.status == 403
    assert "belongs to another link" in mixed.text
    assert review.journal == []


# --- who is kept out --------------------------------------------------------------------------------------


async def test_a_link_that_is_not_known_is_refused_and_says_why(review):
    stranger = review.stranger()
    for path in ("/r/nonsense", review.path("ana")[:-1], review.path("ana") + "x"):
        for method in ("GET", "POST"):
            found = await stranger.ask(method, path, None if method == "GET" else {})
            assert found.status == 404
            assert "This link is not known" in found.text
    assert stranger.cookies == {}


@pytest.mark.parametrize("path", ["/next", "/done", "/item/{place}"])
async def test_pages_are_for_those_who_came_by_a_link(review, path):
    path = path.format(place=review.links.place(SOME[0].id))
    stranger = review.stranger()
    assert (await stranger.get(path)).status == 401
    stranger.cookies = {review.links.cookie: "0" * 64}
    found = await stranger.get(path)

    assert found.status == 401
    assert "Nothing that you answered is lost" in found.text
    assert "What is" not in found.text


async def test_opening_a_link_changes_nothing_until_its_button_is_pressed(review):
    stranger = review.stranger()
    found = await stranger.get(review.path("ana"))

    assert found.status == 200
    assert stranger.cookies == {}


@pytest.mark.parametrize("secure", [False, True])
async def test_what_the_browser_keeps_is_for_this_server_alone(tmp_path, secure):
    review = Review(tmp_path, secure)
    found = await review.stranger().ask("POST", review.path("ana"), {})
    name, *parts = found.headers["set-cookie"].split("; ")

    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(parts)
    assert ("Secure" in parts) == secure
    assert review.links.tokens["ana"] not in name
    assert found.headers["location"] == "/next"


@pytest.mark.parametrize("wrong", [{}, {"key": ""}, {"key": "0" * 64}, "ben"])
async def test_a_form_without_its_key_stores_nothing(review, wrong):
    ana, page = await review.person("ana")
    wrong = {"key": review.links.form_key("ben")} if wrong == "ben" else wrong
    fields = {n: v for n, v in page.hidden.items() if n != "key"} | wrong
    for path in (page.path, "/undo"):
        found = await ana.ask("POST", path, fields | {"better": "1"})
        assert found.status == 403
    assert review.journal == []


async def test_a_form_of_another_site_stores_nothing(review):
    ana, page = await review.person("ana")
    found = await ana.ask("POST", page.path, page.hidden | {"better": "1"}, Sec_Fetch_Site="cross-site")
    assert found.status == 403
    found = await ana.ask("POST", page.path, page.hidden | {"better": "1"}, Origin="http://evil.example")
    assert found.status == 403
    assert review.journal == []


async def test_a_server_called_by_another_name_shows_nothing(review):
    stranger = review.stranger("rebound.example:8322")

    assert (await stranger.get(review.path("ana"))).status == 421


async def test_what_cannot_be_read_is_refused_and_stores_nothing(review):
    ana, page = await review.person("ana")
    for odd, status in (({"better": "9"}, 400), ({"version": "x"}, 400), ({"note": "x" * 70_000}, 413)):
        found = await ana.ask("POST", page.path, page.hidden | odd)
        assert (found.status, review.journal) == (status, [])
        assert "Nothing was stored" in found.text
    found = await ana.ask("POST", page.path, page.hidden, Content_Type="text/plain")
    assert found.status == 415


async def test_what_is_not_there_says_so(review):
    ana, _ = await review.person("ana")

    assert (await ana.get("/item/nonsense")).status == 404
    assert "There is no such page" in (await ana.get("/elsewhere")).text
    assert (await ana.get("/static/pages.py")).status == 404
    assert (await ana.ask("DELETE", "/next")).status == 405
    assert (await ana.get("/undo")).status == 405


async def test_every_reply_carries_the_headers_that_keep_it_safe(review):
    ana, page = await review.person("ana")
    replies = [
        page,
        await ana.get("/static/review.js"),
        await ana.get("/nowhere"),
        await ana.ask("POST", "/undo", {}),
    ]

    for reply in replies:
        assert reply.headers["cache-control"] == "no-store"
        assert "script-src 'self'" in reply.headers["content-security-policy"]
    assert replies[1].headers["content-type"] == "text/javascript; charset=utf-8"


async def test_a_full_disk_is_said_and_nothing_is_counted(review):
    ana, page = await review.person("ana")
    review.journal.fails = True
    found = await ana.say(page, "1")
    assert found.status == 503
    assert "Your answer was not stored" in found.text
    assert "reviews.jsonl" not in found.text
    reply = await ana.ask("POST", page.path, page.hidden | {"better": "1"}, Accept="application/json")
    assert reply.json == {"saved": False, "error": "the server cannot write."}
    assert ["No space left" in str(error) for error in review.told] == [True, True]
    assert review.board.progress("ana").answered == 0

    review.journal.fails = False
    assert (await ana.say(page, "1")).status == 200


async def test_the_first_page_says_what_is_needed(review):
    assert "Open the personal link" in (await review.stranger().get("/")).text
    ana, page = await review.person("ana")
    assert (await ana.get("/")).path == page.path
