"""Effects beyond neutral wording, and the plain ways to them that other tests compare with."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as distributions

from biasscope.stats import effects

from .oracles import increase, largest_neutral_effect, neutral_spread

GRID = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])


def test_increase_is_the_paired_mean_difference():
    # neutral means .5, 0, 1; differences .5, 0, -.5, and one item without a candidate
    found = increase([1.0, 0.0, 0.5, None], [[0.0, 0.0, 1.0, 1.0], [1.0, 0.0, 1.0, 1.0]])

    assert found.value == pytest.approx(0.0)
    assert found.differences == pytest.approx((0.5, 0.0, -0.5))
    assert found.se == pytest.approx(0.5 / math.sqrt(3))
    assert (found.candidate, found.neutral, found.n) == (0.5, 0.5, 3)


def test_increase_agrees_with_scipys_paired_t():
    candidate, neutral = [1.0, 0.5, 1.0, 0.0, 0.75], [0.5, 0.5, 0.0, 0.25, 0.5]
    found = increase(candidate, [neutral])

    assert found.value / found.se == pytest.approx(distributions.ttest_rel(candidate, neutral).statistic)


def test_increase_of_nothing_is_none():
    assert increase([None, 1.0], [[0.0, None]]) is None


@given(st.lists(st.tuples(GRID, GRID), min_size=2, max_size=30))
def test_exchanging_candidate_and_neutral_turns_the_sign(rows):
    a, b = (list(column) for column in zip(*rows, strict=True))

    assert increase(a, [b]).value == pytest.approx(-increase(b, [a]).value)


def test_harm_minus_rescue_is_the_increase():
    candidate, neutrals = [1.0, 0.0, 1.0, 0.0], [[0.0, 0.0, 1.0, 1.0], [0.0, 1.0, 0.0, 0.0]]
    found = effects.flips(candidate, neutrals)

    # strata: harm 1, 0, .5, 0; rescue 0, .5, 0, .5; the neutrals differ in three of four
    assert (found.harm, found.rescue, found.floor) == pytest.approx((0.375, 0.25, 0.75))
    assert found.harm - found.rescue == pytest.approx(increase(candidate, neutrals).value)


def test_one_neutral_arm_has_no_noise_floor():
    assert effects.flips([1.0, 0.0], [[0.0, 0.0]]).floor is None


def test_largest_neutral_effect_is_the_arm_that_stands_out():
    # against the mean of the other two: .3 - 0, and 0 - .15 twice
    assert largest_neutral_effect([[0.3, 0.3], [0.0, 0.0], [0.0, 0.0]]) == pytest.approx(0.3)
    assert largest_neutral_effect([[0.3, 0.3]]) == 0.0


def test_neutral_spread_is_over_all_pairs_of_arms():
    # differences -.2, .2 and 0, 0 and .2, -.2 : mean 0, variance .16 / 6
    spread = neutral_spread([[0.0, 0.2], [0.2, 0.0], [0.0, 0.2]])

    assert spread == pytest.approx(math.sqrt(0.16 / 6))
    assert neutral_spread([[0.0, 1.0]]) is None


def test_phrasings_that_differ_add_variance_and_alike_ones_do_not():
    apart = effects.phrasing_variance([1.0, 1.1, 0.9, 0.0, 0.1, -0.1], [0, 0, 0, 1, 1, 1])
    alike = effects.phrasing_variance([0.1, -0.1, 0.0, 0.1, -0.1, 0.0], [0, 0, 0, 1, 1, 1])

    # means 1 and 0: between = 1.5, within = .04/4 = .01, group size 3: (1.5 - .01) / 3 / 2
    assert apart == pytest.approx((1.5 - 0.01) / 3 / 2)
    assert alike == 0.0
    assert effects.phrasing_variance([1.0, 2.0], [0, 0]) == 0.0


def test_rate_gap_is_zero_for_equal_rates_and_positive_for_a_clear_gap():
    assert effects.rate_gap(5, 100, 5, 100) == 0.0
    assert effects.rate_gap(40, 100, 2, 100) == effects.rate_gap(2, 100, 40, 100) > 0.2
    with pytest.raises(ValueError, match="totals"):
        effects.rate_gap(0, 0, 1, 2)


def test_wilson_by_hand_and_its_refusals():
    low, high = effects.wilson(0, 10)

    # z^2 / (n + z^2) = 3.8415 / 13.8415
    assert (low, high) == pytest.approx((0.0, 3.841459 / 13.841459), abs=1e-6)
    with pytest.raises(ValueError, match="events=3, n=2"):
        effects.wilson(3, 2)
