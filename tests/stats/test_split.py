"""The split of a rewrite's whole effect."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_rel

from biasscope.stats.split import split

NAN = math.nan
GRID = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0, NAN])


def test_the_split_by_hand():
    original = np.array([0.0, 0.5, 0.0, 1.0])
    biased = np.array([1.0, 1.0, 0.5, NAN])
    neutrals = np.array([[0.5, 0.5, 0.0, 0.0], [0.0, NAN, 0.5, 0.0]])
    found = split(original, biased, neutrals)

    # neutral means .25, .5, .25
    assert found.total.value == pytest.approx((1 + 0.5 + 0.5) / 3)
    assert found.specific.value == pytest.approx((0.75 + 0.5 + 0.25) / 3)
    assert found.generic.value == pytest.approx((0.25 + 0 + 0.25) / 3)
    assert found.specific.se == pytest.approx(0.25 / math.sqrt(3))
    assert found.total.n == found.specific.n == found.generic.n == 3


@given(st.lists(st.tuples(GRID, GRID, GRID, GRID), min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_the_parts_add_up_in_any_order_of_items(rows, random):
    original, biased, *neutrals = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    found = split(original, biased, np.stack(neutrals))
    order = list(range(len(rows)))
    random.shuffle(order)
    other = split(original[order], biased[order], np.stack(neutrals)[::-1, order])

    assert found == other
    if found is not None:
        assert found.total.value == pytest.approx(found.specific.value + found.generic.value, abs=1e-12)


def test_each_part_is_a_paired_t():
    rng = np.random.default_rng(1)
    original, biased, neutral = rng.normal(size=(3, 50))
    found = split(original, biased, neutral[None])

    for part, (a, b) in (
        (found.total, (biased, original)),
        (found.specific, (biased, neutral)),
        (found.generic, (neutral, original)),
    ):
        assert part.value / part.se == pytest.approx(ttest_rel(a, b).statistic)


def test_a_rewrite_that_only_rewords_has_a_generic_effect_and_no_specific_one():
    # who compares with the original instead would find a bias
    rng = np.random.default_rng(2)
    original = rng.binomial(2, 0.3, 500) / 2
    biased, neutrals = rng.binomial(2, 0.45, 500) / 2, rng.binomial(2, 0.45, (3, 500)) / 2
    found = split(original, biased, neutrals, limit=1.0)

    assert found.total.low > 0
    assert found.generic.low > 0
    assert found.specific.low < 0 < found.specific.high


def test_no_common_item_one_item_and_arms_of_other_length():
    assert split(np.array([NAN]), np.zeros(1), np.zeros((1, 1))) is None
    one = split(np.zeros(1), np.ones(1), np.zeros((1, 1)))
    assert (one.total.value, one.total.se, one.total.low) == (1.0, None, None)
    with pytest.raises(ValueError, match="originals"):
        split(np.zeros(2), np.zeros(3), np.zeros((1, 3)))
    with pytest.raises(ValueError, match="neutral arms"):
        split(np.zeros(3), np.zeros(3), np.zeros((1, 2)))
