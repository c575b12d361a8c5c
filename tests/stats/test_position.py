"""Position consistency and first-answer preference by arm."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biasscope.stats.position import consistent, first_answer, position_use

NAN = math.nan
CELL = st.tuples(*[st.sampled_from([0.0, 0.5, 1.0])] * 2)


def test_ties_by_hand():
    # chosen shown first, then rejected shown first
    cells = np.array([[0, 0], [1, 1], [0, 1], [1, 0], [0.5, 0.5], [0.5, 1], [0, 0.5], [0, NAN]], float)

    assert consistent(cells).tolist()[:7] == [1, 1, 0, 0, 1, 0, 0]
    # both orders for the first answer: +.5; a tie is half a choice
    assert first_answer(cells).tolist()[:7] == [0, 0, 0.5, -0.5, 0, 0.25, 0.25]
    assert math.isnan(consistent(cells)[7])
    assert math.isnan(first_answer(cells)[7])


def test_the_arms_and_their_changes_by_hand():
    biased = np.array([[0, 1], [0, 1], [1, 1], [NAN, 0]], float)
    neutrals = np.array([[[0, 0], [0, 1], [1, 1], [0, 0]], [[0, 1], [NAN, 0], [0, 1], [0, 0]]], float)
    original = np.array([[0, 0], [NAN, 0], [0, 1], [0, 1]], float)
    found = position_use(biased, neutrals, original)

    assert (found.biased.consistency, found.biased.first_answer_preference) == pytest.approx((1 / 3, 1 / 3))
    # item by item: consistent .5, 0, .5; first answer .25, .5, .25
    assert (found.neutral.consistency, found.neutral.first_answer_preference) == pytest.approx((1 / 3, 1 / 3))
    assert (found.original.consistency, found.original.first_answer_preference, found.original.n) == (
        0.5,
        0.25,
        2,
    )
    assert found.consistency_change.value == pytest.approx(0)
    # differences -.5, 0, .5
    assert found.consistency_change.se == pytest.approx(0.5 / math.sqrt(3))
    assert found.preference_change.n == found.biased.n == 3


@given(st.lists(st.tuples(CELL, CELL, CELL), min_size=1, max_size=20))
def test_changes_are_the_differences_of_the_printed_numbers(rows):
    biased, *neutrals = (np.array(column) for column in zip(*rows, strict=True))
    found = position_use(biased, np.stack(neutrals))

    change = found.biased.consistency - found.neutral.consistency
    assert found.consistency_change.value == pytest.approx(change, abs=1e-12)
    change = found.biased.first_answer_preference - found.neutral.first_answer_preference
    assert found.preference_change.value == pytest.approx(change, abs=1e-12)
    assert found.original is None


@given(st.lists(st.tuples(CELL, CELL), min_size=1, max_size=20))
def test_showing_everything_the_other_way_round_turns_preferences_and_keeps_consistency(rows):
    biased, neutral = (np.array(column) for column in zip(*rows, strict=True))
    here, there = position_use(biased, neutral[None]), position_use(biased[:, ::-1], neutral[None, :, ::-1])

    assert here.biased.consistency == there.biased.consistency
    assert here.biased.first_answer_preference == pytest.approx(-there.biased.first_answer_preference)


def test_originals_are_counted_verdict_by_verdict():
    # one error per verdict, first-answer choices counted over single verdicts
    cells = np.array([[0, 0], [0.5, 0], [1, 1], [0, 1], [0.5, 0.5]], float)
    first = [1 - cells[:, 0], cells[:, 1]]
    found = position_use(cells, cells[None], cells).original

    assert found.first_answer_preference == pytest.approx(np.mean(first) - 0.5)
    assert found.consistency == pytest.approx(3 / 5)


def test_a_bias_that_makes_the_judge_go_by_position_is_seen():
    rng = np.random.default_rng(1)
    neutrals = (rng.random((2, 400, 1)) < 0.4).astype(float).repeat(2, axis=2)
    biased = neutrals[0].copy()
    biased[rng.random(400) < 0.3] = [0, 1]
    found = position_use(biased, neutrals)

    assert found.consistency_change.high < 0 < found.preference_change.low


def test_no_common_item_and_shapes_that_do_not_fit():
    assert position_use(np.array([[0.0, NAN]]), np.zeros((1, 1, 2))) is None
    assert position_use(np.zeros((1, 2)), np.zeros((1, 1, 2)), np.full((1, 2), NAN)).original is None
    with pytest.raises(ValueError, match="originals"):
        position_use(np.zeros((3, 2)), np.zeros((1, 3, 2)), np.zeros((2, 2)))
