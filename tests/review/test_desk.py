"""Taking answers: what is stored, what is refused as out of date, and what a failure leaves."""

import asyncio

import pytest
from tests.reviewing import items

from biasscope.errors import RunError
from biasscope.review.board import Board
from biasscope.review.desk import MOST_NOTE, Desk, Said

SOME = items(4)
ONE = SOME[0]
WHOLE = Said("1", True, False)


class Journal:
    """Keeps what is appended, and fails when told to."""

    def __init__(self):
        self.lines = []
        self.fails = False

    def append(self, record):
        if self.fails:
            raise RunError("cannot use reviews.jsonl: No space left on device")
        self.lines.append(record)


@pytest.fixture
def journal():
    return Journal()


@pytest.fixture
def desk(journal):
    return Desk(Board(SOME, []), journal)


async def put(desk, said=WHOLE, *, person="ana", item=ONE, kind="answer", version=0, shown=None):
    return await desk.put(person, item, said, kind=kind, version=version, shown=shown or item.shown)


async def test_what_is_said_is_written_down_and_stands(desk, journal):
    assert await put(desk, Said("tie", True, None, True, "odd")) == "saved"
    (line,) = journal.lines

    assert (line.reviewer, line.item, line.shown, line.kind) == ("ana", ONE.id, ONE.shown, "answer")
    assert (line.better, line.same_answer, line.same_content, line.flag, line.note) == (
        "tie",
        True,
        None,
        True,
        "odd",
    )
    assert line.at.endswith("+00:00")
    assert Said.of(desk.board.standing("ana", ONE.id)) == Said("tie", True, None, True, "odd")


async def test_a_page_that_heard_no_reply_may_send_again(desk, journal):
    assert [await put(desk) for _ in range(3)] == ["saved"] * 3
    assert len(journal.lines) == 1


async def test_a_page_that_is_out_of_date_changes_nothing(desk, journal):
    await put(desk)
    assert await put(desk, Said("2", True, True), version=0) == "stale"
    assert await put(desk, Said("2", True, True), version=2) == "stale"
    assert desk.board.standing("ana", ONE.id).better == "1"
    assert await put(desk, Said("2", True, True), version=1) == "saved"
    assert [line.better for line in journal.lines] == ["1", "2"]


async def test_a_page_that_shows_other_texts_changes_nothing(desk, journal):
    assert await put(desk, shown="0" * 16) == "stale"
    assert journal.lines == []


async def test_people_do_not_stand_in_each_others_way(desk, journal):
    said = [
        put(desk, Said(b, True, True), person=p, item=i) for p, b in (("ana", "1"), ("ben", "2")) for i in SOME
    ]
    assert set(await asyncio.gather(*said)) == {"saved"}
    assert len(journal.lines) == 12
    assert desk.board.progress("ana").answered == desk.board.progress("ben").answered == 6


async def test_two_tabs_of_one_person_at_once_store_one_and_tell_the_other(desk, journal):
    found = await asyncio.gather(*(put(desk, Said(b, True, True)) for b in ("1", "2")))

    assert sorted(found) == ["saved", "stale"]
    assert len(journal.lines) == 1


async def test_an_empty_form_is_no_answer_and_a_skip_is_one(desk, journal):
    assert await put(desk, Said()) == "saved"
    assert journal.lines == []
    assert await put(desk, Said(), kind="skip") == "saved"
    assert [line.kind for line in journal.lines] == ["skip"]
    assert await put(desk, Said(), kind="skip", version=0) == "saved"  # a second press of the key


async def test_what_was_skipped_can_be_answered(desk):
    await put(desk, Said(), kind="skip")
    assert await put(desk, version=1) == "saved"
    assert desk.board.standing("ana", ONE.id).whole


async def test_undo_takes_back_the_latest_word(desk, journal):
    await put(desk)
    await put(desk, item=SOME[1])

    assert await desk.undo("ana") == SOME[1]
    assert await desk.undo("ana") == ONE
    assert await desk.undo("ana") is None
    assert [line.kind for line in journal.lines] == ["answer", "answer", "undo", "undo"]
    assert await put(desk, version=2) == "saved"


async def test_what_could_not_be_written_does_not_count(desk, journal):
    journal.fails = True
    with pytest.raises(RunError, match="No space"):
        await put(desk)
    assert desk.board.standing("ana", ONE.id) is None

    journal.fails = False
    assert await put(desk) == "saved"


async def test_a_note_is_cut_where_it_is_too_long(desk, journal):
    await put(desk, Said("1", True, True, False, "x" * (MOST_NOTE + 5)))

    assert len(journal.lines[0].note) == MOST_NOTE
