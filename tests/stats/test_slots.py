"""A preference for a place from verdicts in both orders, and from one order per pair."""

import itertools

import numpy as np
import pytest

from biasscope.stats.slots import both_orders_preference, one_order_preference


def test_p_is_that_of_every_pattern_of_signs():
    first = np.array([0.5, 0.5, 0.5, -0.5, 0.25, 0.0, 0.5])
    found = both_orders_preference(first, np.arange(7))
    moved = first[first != 0]
    sums = [
        sum(s * x for s, x in zip(signs, abs(moved), strict=True))
        for signs in itertools.product((1, -1), repeat=6)
    ]
    assert found.p == pytest.approx(2 * np.mean([s >= moved.sum() for s in sums]))
    assert found.value == pytest.approx(1.75 / 7)


def test_clusters_flip_as_one():
    first, clusters = np.full(12, 0.5), np.repeat([0, 1, 2], 4)
    assert both_orders_preference(first, np.arange(12)).p == pytest.approx(2 / 2**12)
    assert both_orders_preference(first, clusters).p == pytest.approx(2 / 2**3)


def test_where_nothing_leans_there_is_no_interval_and_p_is_1():
    found = both_orders_preference(np.zeros(30), np.arange(30))
    assert (found.value, found.se, found.low, found.high, found.p) == (0.0, 0.0, None, None, 1.0)


def test_an_interval_ends_where_a_preference_does():
    first = np.array([0.5] * 9 + [-0.5])
    found = both_orders_preference(first, np.arange(10))
    assert found.high == 0.5
    assert found.low == pytest.approx(0.4 - 2.262157 * np.sqrt(0.1 / 10))


def test_both_verdicts_of_one_pair_in_the_strata_are_one_draw():
    first = np.array([0.5, -0.5] * 20)
    ahead = np.array([True, False] * 20)
    apart = one_order_preference(first, ahead, np.arange(40))
    assert (apart.value, apart.se, apart.low, apart.p) == (0.0, 0.0, None, 1.0)
    noisy = np.where(np.arange(40) % 8 < 2, -first, first)
    alone = one_order_preference(noisy, ahead, np.arange(40))
    paired = one_order_preference(noisy, ahead, np.arange(40) // 2)
    assert alone.value == paired.value == 0.0
    assert alone.se > 0.05
    # Within a pair the two deviations cancel, as the liking for its better response does.
    assert paired.se == pytest.approx(0.0, abs=1e-12)


def test_what_cannot_be_estimated_is_refused():
    with pytest.raises(ValueError, match="both orders"):
        both_orders_preference(np.array([]), np.array([], dtype=int))
    with pytest.raises(ValueError, match="first and with it second"):
        one_order_preference(np.zeros(3), np.ones(3, dtype=bool), np.arange(3))
