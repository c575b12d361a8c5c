"""Where everybody stands."""

from tests.reviewing import item, items, said

from biasscope.review.board import Board, Progress
from biasscope.reviews import ADJUDICATOR

SOME = items(8)


def test_everybody_has_all_items_in_an_order_of_their_own():
    board = Board(SOME, [])
    orders = {name: [i.id for i in board.queue(name)] for name in ("ana", "ben", "cy")}

    assert all(sorted(o) == sorted(i.id for i in SOME) for o in orders.values())
    assert len({tuple(o) for o in orders.values()}) == 3
    assert orders["ana"] == [i.id for i in Board(SOME[::-1], []).queue("ana")]


def test_an_item_that_is_added_changes_no_other_items_order():
    before = [i.id for i in Board(SOME, []).queue("ana")]
    after = [i.id for i in Board([*SOME, item(99)], []).queue("ana")]

    assert [i for i in after if i != item(99).id] == before


def test_what_follows_is_the_first_that_is_neither_answered_nor_skipped():
    board = Board(SOME, [])
    order = board.queue("ana")
    assert board.following("ana") == order[0]

    board.record(said("ana", order[0]))
    board.record(said("ana", order[1], None, None, None, kind="skip"))
    board.record(said("ana", order[2], "1", None, None))
    board.record(said("ben", order[3]))
    assert board.following("ana") == order[2]  # begun is not answered
    assert board.progress("ana") == Progress(12, 1, 1, 0)
    assert board.skipped("ana") == [order[1]]

    for one in order[2:]:
        board.record(said("ana", one))
    assert board.following("ana") is None
    assert board.progress("ana") == Progress(12, 11, 1, 0)


def test_undo_goes_back_step_by_step():
    board = Board(SOME, [])
    one, two, *_ = board.queue("ana")
    board.record(said("ana", one, "1"))
    board.record(said("ana", two, "1"))
    board.record(said("ben", two, "1"))
    board.record(said("ana", one, "2"))  # said again: the latest word
    assert board.last("ana") == one

    board.record(said("ana", one, None, None, None, kind="undo"))
    assert board.last("ana") == two
    assert board.standing("ana", one.id) is None
    assert board.version("ana", one.id) == 3
    assert board.following("ana") == one

    board.record(said("ana", two, None, None, None, kind="undo"))
    assert board.last("ana") is None
    assert board.last("ben") == two


def test_a_board_that_is_set_up_again_from_what_was_said_is_the_same():
    reviews = [said(who, one, b) for one in SOME[:5] for who, b in (("ana", "1"), ("ben", "2"))]
    reviews.insert(4, said("ana", SOME[0], None, None, None, kind="undo"))
    board, again = Board(SOME, []), Board(SOME, reviews)
    for review in reviews:
        board.record(review)

    for name in ("ana", "ben", ADJUDICATOR):
        assert board.progress(name) == again.progress(name)
        assert board.following(name) == again.following(name)
        assert board.last(name) == again.last(name)
        assert [board.version(name, i.id) for i in SOME] == [again.version(name, i.id) for i in SOME]


def test_numbers_are_those_of_the_persons_own_order():
    board = Board(SOME, [])

    assert [board.number("ana", i.id) for i in board.queue("ana")] == list(range(1, 13))


def test_the_adjudicator_has_what_reviewers_differ_on_and_hears_them_without_names():
    board = Board(SOME, [])
    assert board.queue(ADJUDICATOR) == []
    assert board.following(ADJUDICATOR) is None
    for one in SOME:
        board.record(said("ana", one, "1"))
        board.record(said("ben", one, "2" if one in SOME[:2] else "1"))
    board.record(said("cy", SOME[5], None, None, None, kind="skip", flag=True, note="odd"))

    assert {i.id for i in board.queue(ADJUDICATOR)} == {SOME[0].id, SOME[1].id, SOME[5].id}
    assert {r.reviewer for r in board.of_reviewers(SOME[0].id)} == {"ana", "ben"}
    assert [r.note for r in board.of_reviewers(SOME[5].id) if r.flag] == ["odd"]
    firsts = {board.of_reviewers(one.id)[0].reviewer for one in SOME}
    assert firsts >= {"ana", "ben"}  # who stands first tells nothing
    board.record(said(ADJUDICATOR, SOME[0], "tie"))
    assert board.progress(ADJUDICATOR) == Progress(3, 1, 0, 0)
    assert len(board.of_reviewers(SOME[0].id)) == 2


def test_what_was_flagged_is_listed():
    board = Board(SOME, [said("ana", SOME[3], flag=True)])

    assert board.flagged("ana") == [SOME[3]]
    assert board.progress("ana").flagged == 1
