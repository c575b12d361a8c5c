"""Pages show what they are given, whatever it is, and nothing of what is hidden."""

import itertools
import re
from html.parser import HTMLParser

import pytest
from tests.reviewing import item, said

from biasscope.review.board import Progress
from biasscope.review.desk import Said
from biasscope.review.pages import (
    FILES,
    Differences,
    Done,
    Form,
    ItemView,
    Listed,
    Message,
    Welcome,
    file,
    heard,
    questions,
    render,
)  # fmt: skip

NASTY = '</textarea></div><script>alert(1)</script><img src=x onerror=alert(1)>" onload="alert(1)\' {{ 7 * 7 }} \u202e\u0000'
PROGRESS = Progress(12, 5, 2, 1)


class Reader(HTMLParser):
    """The elements of a page, its text, and that every element is closed."""

    VOID = frozenset({"meta", "link", "input", "br"})

    def __init__(self, page):
        super().__init__()
        self.open, self.elements, self.words = [], [], []
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)

    def all(self, tag):
        return [attrs for name, attrs in self.elements if name == tag]

    @property
    def text(self):
        return " ".join("".join(self.words).split())


def view(one=None, who="ana", *, answers=None, adjudicator=False, reviews=(), notice="", note="", undo=True):
    one = one or item(1)
    answers = answers or Said(note=note)
    form = Form("/item/abc", "k" * 64, 3, one.shown, questions(answers), answers.flag, answers.note, False, undo)
    columns, alike = Differences().of(one), one.response_1 == one.response_2
    return ItemView(
        "Item 4", who, adjudicator, 4, PROGRESS, one.prompt, columns, alike, heard(reviews), form, notice
    )


PAGES = {
    "message": lambda text: Message("Who are you?", text),
    "welcome": lambda text: Welcome("Review", text, False, "/r/token", PROGRESS),
    "adjudication": lambda text: Welcome("Adjudication", text, True, "/r/token", PROGRESS),
    "done": lambda text: Done(
        "Review", text, False, PROGRESS, (Listed(3, "/item/x"),), (Listed(4, "/item/y", text),), True, "k"
    ),
    "nothing": lambda text: Done("Adjudication", text, True, Progress(0, 0, 0, 0), (), (), False, "k"),
    "item": lambda text: view(
        item(1, original=text, rewrite=text + " more", prompt=text), text, note=text, notice=text
    ),
    "disputed": lambda text: view(
        who=text, adjudicator=True, reviews=[said("ana", item(1), "1", flag=True, note=text)]
    ),
}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_whole_and_runs_nothing_of_a_text(name):
    quiet, hostile = (Reader(render(PAGES[name](text))) for text in ("plain", NASTY))

    assert [tag for tag, _ in hostile.elements if tag != "mark"] == [
        tag for tag, _ in quiet.elements if tag != "mark"
    ]
    assert hostile.all("img") == []
    for _, attrs in hostile.elements:
        assert not [a for a in attrs if a.startswith("on") or a == "style"]
    assert {a.get("src") for a in hostile.all("script")} <= {"/static/review.js"}
    assert "49" not in hostile.text


@pytest.mark.parametrize("name", PAGES)
def test_a_page_can_be_read_by_a_screen_reader(name):
    page = Reader(render(PAGES[name]("plain")))
    ids = {attrs["id"] for _, attrs in page.elements if "id" in attrs}

    assert page.all("html")[0]["lang"] == "en"
    assert len(page.all("h1")) == len(page.all("main")) == 1
    headings = [int(tag[1]) for tag, _ in page.elements if re.fullmatch("h[1-6]", tag)]
    assert all(after - before <= 1 for before, after in itertools.pairwise(headings))
    for _, attrs in page.elements:
        for name in ("aria-labelledby", "for", "form"):
            assert attrs.get(name) in {None, *ids}
    assert len(ids) == len([1 for _, attrs in page.elements if "id" in attrs])
    fields = [a for a in page.all("input") if a["type"] != "hidden"]
    assert len(page.all("legend")) == len(page.all("fieldset"))
    assert len(page.all("label")) >= len(fields) + len(page.all("textarea"))


def test_the_words_that_one_response_has_alone_are_marked():
    page = render(view(item(1, original="It is 12.", rewrite="It is, as all know, 12.")))

    assert re.findall("<mark>(.*?)</mark>", page) == [", as all know,", "Marked"]


@pytest.mark.parametrize("number", range(6))
def test_each_response_is_shown_whole_in_its_own_place(number):
    one = item(number, original="One  two\n\tthree <b>", rewrite="One\n two  four & five")
    shown = re.findall(r'<div class="text" dir="auto">(.*?)</div>', render(view(one)), re.DOTALL)
    plain = [Reader(f"<p>{re.sub('</?mark>', '', text)}</p>").words for text in shown]

    assert ["".join(words) for words in plain] == [one.response_1, one.response_2]


def test_two_texts_that_are_the_same_are_said_to_be():
    assert "the same, letter by letter" in render(view(item(1, original="a", rewrite="a")))


def test_the_form_holds_what_was_said_and_from_which_page_it_comes():
    page = Reader(render(view(answers=Said("2", False, None, True, "odd"))))
    chosen = {(a["name"], a["value"]) for a in page.all("input") if "checked" in a}
    hidden = {a["name"]: a["value"] for a in page.all("input") if a["type"] == "hidden"}

    assert chosen == {("better", "2"), ("same_answer", "no"), ("flag", "yes")}
    assert (hidden["version"], hidden["shown"], hidden["key"]) == ("3", item(1).shown, "k" * 64)
    assert "open" in page.all("details")[0]


def test_a_reviewer_hears_nobody_and_the_adjudicator_everybody_without_a_name():
    reviews = [said("ana", item(1), "1", note="see line 2"), said("ben", item(1), "2", False, flag=True)]
    alone, together = (
        Reader(render(view(who="cy", adjudicator=a, reviews=reviews if a else ()))) for a in (False, True)
    )

    assert "What reviewers said" not in alone.text
    assert "Reviewer 1response 1yesyessee line 2" in together.text
    assert "Reviewer 2response 2noyesflagged" in together.text
    assert not {"ana", "ben"} & set(together.text.split())


def test_what_there_is_to_undo_can_be_undone():
    assert 'action="/undo"' in render(view())
    assert "/undo" not in render(view(undo=False))


@pytest.mark.parametrize(
    ("progress", "heading"),
    [((12, 12, 0), "All done"), ((12, 10, 2), "Nothing open but what you skipped"), ((12, 3, 2), "7 still open")],
)
def test_the_end_says_whether_it_is_one(progress, heading):
    total, answered, skipped = progress
    page = Reader(render(Done("Review", "ana", False, Progress(total, answered, skipped, 0), (), (), True, "k")))

    assert heading in page.text
    assert f"{answered} of {total} answered" in page.text


def test_long_texts_are_compared_once(monkeypatch):
    from biasscope.review import pages

    calls = []
    real = pages.compare
    monkeypatch.setattr(pages, "compare", lambda *texts: calls.append(texts) or real(*texts))
    made = Differences()

    assert made.of(item(1)) == made.of(item(1))
    assert len(calls) == 2


@pytest.mark.parametrize("name", FILES)
def test_files_beside_the_pages_load_nothing_from_elsewhere(name):
    text = file(name).decode()

    assert re.findall(r"url\(|@import|https?://(?!www\.w3\.org/2000/svg)|eval\(|innerHTML", text) == []
