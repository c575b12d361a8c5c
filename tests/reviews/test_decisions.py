"""What stands of what was said, and what reviewers decide together."""

from dataclasses import replace

import pytest
from tests.reviewing import item, said

from biasscope.reviews import ADJUDICATOR, decide, open_disputes, standing

ONE, TWO = item(1), item(2)


def decided(*reviews, about=ONE):
    return decide([about], standing(reviews))[0]


def test_the_last_word_of_a_reviewer_on_an_item_stands():
    stand = standing(
        [said("ana", ONE, "1"), said("ben", ONE, "2"), said("ana", ONE, "tie"), said("ana", TWO, "1")]
    )

    assert {key: r.better for key, r in stand.items()} == {
        ("ana", ONE.id): "tie", ("ben", ONE.id): "2", ("ana", TWO.id): "1",
    }  # fmt: skip


def test_what_was_taken_back_does_not_stand():
    back = said("ana", ONE, None, None, None, kind="undo")

    assert standing([said("ana", ONE, "1"), back]) == {}
    assert standing([back, said("ana", ONE, "1")])[("ana", ONE.id)].better == "1"


def test_a_review_is_whole_with_three_answers_and_valid_with_both_kept():
    assert said("ana", ONE).whole
    assert not said("ana", ONE, None).whole
    assert not said("ana", ONE, same_answer=None).whole
    assert not said("ana", ONE, kind="skip").whole
    kept = {(a, c): said("ana", ONE, "1", a, c).valid for a in (True, False, None) for c in (True, False, None)}
    assert [key for key, valid in kept.items() if valid] == [(True, True)]
    assert {key for key, valid in kept.items() if valid is None} == {k for k in kept if None in k}


def test_more_than_half_decide():
    found = decided(said("ana", ONE, "1"), said("ben", ONE, "1", same_content=False), said("cy", ONE, "tie"))

    assert (found.answers, found.better, found.same_answer, found.same_content) == (3, "1", True, True)
    assert (found.majority_valid, found.valid, found.adjudicated) == (True, True, False)
    assert found.disputed == ("better", "same_content")


def test_half_is_no_majority():
    found = decided(said("ana", ONE, "1"), said("ben", ONE, "2", same_answer=False))

    assert (found.better, found.same_answer, found.same_content) == (None, None, True)
    assert (found.majority_valid, found.valid) == (None, None)


def test_one_answer_decides_nothing():
    found = decided(said("ana", ONE, "1"), said("ben", ONE, "1", None), said("cy", ONE, kind="skip"))

    assert (found.answers, found.better, found.valid, found.disputed) == (1, None, None, ())


def test_valid_is_what_most_say_of_both_questions_together():
    # each question has a majority for yes, and no reviewer but one says yes to both
    found = decided(said("ana", ONE), said("ben", ONE, same_answer=False), said("cy", ONE, same_content=False))

    assert (found.same_answer, found.same_content, found.majority_valid) == (True, True, False)


def test_the_adjudicator_decides_and_does_not_change_what_the_majority_said():
    found = decided(
        said("ana", ONE, "1"),
        said("ben", ONE, "1"),
        said("cy", ONE, "2"),
        said(ADJUDICATOR, ONE, "2", True, False),
    )

    assert (found.better, found.valid, found.majority_valid) == ("2", False, True)
    assert (found.answers, found.adjudicated) == (3, True)


def test_an_adjudicator_who_only_began_decides_nothing():
    found = decided(said("ana", ONE, "1"), said("ben", ONE, "1"), said(ADJUDICATOR, ONE, "2", None))

    assert (found.better, found.adjudicated) == ("1", False)


def test_what_was_said_of_other_texts_counts_for_nothing():
    old = replace(ONE, prompt="another question")
    found = decided(said("ana", old), said("ben", ONE), said("cy", TWO))

    assert found.answers == 1


def test_open_is_what_reviewers_differ_on_or_flagged():
    three, four = item(3), item(4)
    stand = standing(
        [said("ana", ONE, "1"), said("ben", ONE, "1"), said("ana", TWO, "1"), said("ben", TWO, "2"),
         said("ana", three, None, None, None, flag=True), said("ana", four, "1"), said("ben", four, "2", None)]
    )  # fmt: skip

    assert [d.item for d in open_disputes(decide([ONE, TWO, three, four], stand))] == [TWO, three]


@pytest.mark.parametrize("kind", ["skip", "answer"])
def test_a_flag_counts_also_with_an_item_that_was_skipped(kind):
    assert decided(said("ana", ONE, None, None, None, kind=kind, flag=True)).flags == 1
