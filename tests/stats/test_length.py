"""Length: the adjusted effect, and the difference in differences at equal length."""

import math

import numpy as np
import pytest
from scipy.stats import ttest_rel

from biasscope.stats.adjust import adjusted_effect
from biasscope.stats.length import equal_length, length_adjusted

NAN = math.nan


def judge(rng, n, effect, longer, price=0.8):
    """Errors of a judge that pays `price` logits per log unit of length; the biased rewrites are `longer`."""
    item = rng.normal(0.3, 1.5, n)
    lengths = np.exp(rng.normal(5, 0.5, n) + rng.normal(0, 0.15, (4, n)))
    lengths[0] *= 1 + longer
    logits = -item + price * (np.log(lengths) - 5)
    logits[0] += effect
    return (rng.random((2, 4, n)) < 1 / (1 + np.exp(-logits))).mean(axis=0), lengths


def test_a_null_that_is_only_longer_is_cleared_by_adjusting():
    rng = np.random.default_rng(1)
    found = [length_adjusted(*judge(rng, 600, 0.0, 0.6)) for _ in range(60)]

    assert np.mean([f.raw.value for f in found]) > 0.04
    assert np.mean([f.adjusted.value for f in found]) == pytest.approx(0, abs=0.01)
    assert np.mean([f.adjusted.low < 0 < f.adjusted.high for f in found]) > 0.85


def test_an_effect_beyond_length_stays():
    rng = np.random.default_rng(2)
    plain = np.mean([length_adjusted(*judge(rng, 600, 0.6, 0.0)).raw.value for _ in range(40)])
    longer = [length_adjusted(*judge(rng, 600, 0.6, 0.4)) for _ in range(40)]

    assert np.mean([f.raw.value for f in longer]) > plain + 0.02
    assert np.mean([f.adjusted.value for f in longer]) == pytest.approx(plain, abs=0.015)


def test_it_is_the_adjustment_for_the_log_so_that_the_unit_of_length_does_not_matter():
    scores, lengths = judge(np.random.default_rng(3), 40, 0.2, 0.3)
    tokens, characters = length_adjusted(scores, lengths), length_adjusted(scores, 4 * lengths)

    assert tokens.adjusted.value == pytest.approx(characters.adjusted.value)
    assert tokens.adjusted == adjusted_effect(scores, {"x": np.log(lengths)}).adjusted
    assert tokens.slopes[0].gap == pytest.approx(math.log(1.3), abs=0.1)


def test_lengths_that_differ_between_arms_alone_cannot_be_adjusted_for():
    lengths = np.array([[130.0] * 6, [100.0] * 6])
    found = length_adjusted(np.random.default_rng(4).normal(size=(2, 6)), lengths)

    assert found.adjusted is None
    assert "log length" in found.reason


def test_a_length_of_nothing_is_refused():
    with pytest.raises(ValueError, match="positive"):
        length_adjusted(np.zeros((2, 3)), np.array([[1.0, 0.0, NAN], [1.0, 1.0, 1.0]]))


def test_the_difference_in_differences_by_hand():
    found = equal_length(
        np.array([0.5, 1.0, NAN, 0.0]),
        np.array([[0.0, 1.0, 0.0, 0.0]]),
        np.array([1.0, 1.0, 1.0, 0.5]),
        np.array([[0.0, 0.5, 0.0, 0.0], [0.0, 0.5, 0.0, NAN]]),
    )

    # equal .5, 0, 0; free 1, .5, .5; each item loses .5
    assert (found.equal.value, found.free.value) == pytest.approx((0.5 / 3, 2 / 3))
    assert (found.difference.value, found.difference.se, found.difference.n) == (-0.5, 0.0, 3)
    assert found.difference.low is None


def test_the_difference_is_paired_by_item():
    rng = np.random.default_rng(5)
    hard = rng.normal(0, 1, 80)
    equal, free = hard + rng.normal(0, 0.1, 80), hard + 0.1 + rng.normal(0, 0.1, 80)
    none = np.zeros((1, 80))
    found = equal_length(equal, none, free, none)
    mispaired = equal_length(equal, none, np.roll(free, 1), none)

    assert found.difference.value / found.difference.se == pytest.approx(ttest_rel(equal, free).statistic)
    assert found.difference.high < 0
    assert mispaired.difference.low < 0 < mispaired.difference.high


def test_cutting_hurts_whatever_the_trait_so_that_its_own_neutral_is_needed():
    rng = np.random.default_rng(6)
    cut = 0.2
    free, neutral_free = rng.normal(0.3, 0.2, 200), rng.normal(0.2, 0.2, (2, 200))
    equal, neutral_equal = rng.normal(0.3 - cut, 0.2, 200), rng.normal(0.2 - cut, 0.2, (2, 200))
    right = equal_length(equal, neutral_equal, free, neutral_free)
    against_free_neutral = equal_length(equal, neutral_free, free, neutral_free)

    assert right.difference.low < 0 < right.difference.high
    assert against_free_neutral.difference.high < -0.1


def test_no_common_item_and_other_items():
    assert equal_length(np.array([NAN]), np.zeros((1, 1)), np.zeros(1), np.zeros((1, 1))) is None
    with pytest.raises(ValueError, match="same items"):
        equal_length(np.zeros(2), np.zeros((1, 2)), np.zeros(3), np.zeros((1, 3)))
