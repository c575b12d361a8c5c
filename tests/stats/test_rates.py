"""Rates over items in clusters: by hand, as properties, and how often their intervals hold the truth."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as distributions

from biasscope.stats.effects import wilson
from biasscope.stats.rates import clustered_mean, clustered_rate, mean_gap

NAN = math.nan
GRID = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0, NAN])


def alone(n):
    """Every item its own cluster."""
    return np.arange(n)


def test_a_rate_by_hand():
    scores = np.array([1.0, 1.0, 0.0, 0.0, 0.5, NAN])
    found = clustered_rate(scores, np.array([7, 7, 3, 3, 9, 9]))

    # sums of deviations from .5 by cluster: 1, -1, 0
    assert (found.value, found.n, found.clusters) == (0.5, 5, 3)
    assert found.se == pytest.approx(math.sqrt(2 * 3 / 2) / 5)
    t, n = distributions.t.ppf(0.975, 2), 0.25 / found.se**2
    half = t * math.sqrt(0.25 / n + t**2 / (4 * n**2)) / (1 + t**2 / n)
    assert (found.low, found.high) == pytest.approx((0.5 - half, 0.5 + half))


def test_with_many_items_that_stand_alone_it_is_wilsons_interval():
    scores = np.array([1.0] * 130 + [0.0] * 870)
    found = clustered_rate(scores, alone(1000))

    assert (found.low, found.high) == pytest.approx(wilson(130, 1000), abs=2e-4)


def test_a_judge_that_never_errs_is_bounded_by_its_clusters_and_not_by_their_items():
    never = clustered_rate(np.zeros(100), np.arange(100) // 10)
    always = clustered_rate(np.ones(100), np.arange(100) // 10)
    singly = clustered_rate(np.zeros(100), alone(100))

    assert (never.low, never.se, never.clusters) == (0.0, 0.0, 10)
    assert never.high > 0.25 > 0.05 > singly.high > 0.03
    assert (always.low, always.high) == pytest.approx((1 - never.high, 1.0))


def test_what_nothing_bounds_has_no_interval():
    slot = clustered_rate(np.full(50, 0.5), alone(50))
    one = clustered_rate(np.array([1.0, 0.0, 0.5]), np.zeros(3, dtype=int))

    assert (slot.value, slot.se, slot.low, slot.high) == (0.5, 0.0, None, None)
    assert (one.value, one.se, one.low, one.clusters) == (0.5, None, None, 1)
    assert clustered_rate(np.array([NAN, NAN]), alone(2)) is None
    assert clustered_mean(np.array([NAN]), alone(1)) is None
    assert mean_gap(np.array([NAN]), alone(1), np.ones(3), alone(3)) is None


@pytest.mark.parametrize("wrong", [-0.1, 1.5])
def test_a_score_that_is_no_rate_and_a_level_that_is_none_are_refused(wrong):
    with pytest.raises(ValueError, match="scores in"):
        clustered_rate(np.array([0.5, wrong]), alone(2))
    for function in (clustered_rate, clustered_mean):
        with pytest.raises(ValueError, match="level"):
            function(np.array([0.5, 0.2]), alone(2), level=wrong)


@given(st.lists(st.tuples(GRID, st.integers(0, 4)), min_size=1, max_size=30))
def test_an_interval_holds_its_rate_and_turns_with_it_whatever_the_order_of_the_items(rows):
    scores, clusters = np.array([r[0] for r in rows]), np.array([r[1] for r in rows])
    found = clustered_rate(scores, clusters)
    back = clustered_rate(scores[::-1], clusters[::-1])
    turned = clustered_rate(1 - scores, clusters)

    if found is None:
        assert back is turned is None
        return
    assert turned.value == pytest.approx(1 - found.value)
    assert (back.value, back.n) == (found.value, found.n)
    if found.low is None:
        assert turned.high is None
    else:
        assert 0 <= found.low <= found.value <= found.high <= 1
        assert turned.high == pytest.approx(1 - found.low)
        assert back.high == pytest.approx(found.high)


def clustered(rng, groups, size, rate, alike):
    """Errors of items in clusters that are `alike`: that share of items has the score of their cluster."""
    shared = np.repeat(rng.random(groups) < rate, size)
    own = rng.random(groups * size) < rate
    return np.where(rng.random(groups * size) < alike, shared, own).astype(float)


@pytest.mark.parametrize(("rate", "alike"), [(0.4, 0.8), (0.08, 0.8), (0.3, 0.0)])
def test_intervals_hold_the_truth_as_often_as_they_say_where_items_of_a_cluster_are_alike(rate, alike):
    rng = np.random.default_rng(3)
    groups, size, runs = 60, 10, 800
    clusters = np.repeat(np.arange(groups), size)
    found = [clustered_rate(clustered(rng, groups, size, rate, alike), clusters) for _ in range(runs)]
    covered = np.mean([f.low <= rate <= f.high for f in found])

    # three Monte-Carlo errors of .95 are .023
    assert 0.925 <= covered <= 0.985
    if alike:
        blind = [
            clustered_rate(np.array(clustered(rng, groups, size, rate, alike)), alone(600)) for _ in range(200)
        ]
        assert np.mean([f.low <= rate <= f.high for f in blind]) < 0.8


def test_a_mean_by_hand_and_cut_where_it_cannot_be_larger():
    values, clusters = np.array([1.0, 1.0, 0.5, NAN]), np.array([1, 1, 2, 2])
    found = clustered_mean(values, clusters, limit=1.0)

    # sums of deviations from 5/6: 1/3, -1/3
    se = math.sqrt(2 / 9 * 2) / 3
    assert (found.value, found.se, found.n) == pytest.approx((5 / 6, se, 3))
    assert (found.low, found.high) == pytest.approx((max(-1, 5 / 6 - distributions.t.ppf(0.975, 1) * se), 1.0))


def test_a_gap_between_sets_that_share_clusters_is_surer_than_between_strangers():
    rng = np.random.default_rng(5)
    level = rng.random(40)
    one, other = level + rng.normal(0, 0.02, 40) + 0.1, level + rng.normal(0, 0.02, 40)
    shared = mean_gap(one, alone(40), other, alone(40))
    strangers = mean_gap(one, alone(40), other, alone(40) + 100)

    assert shared.value == strangers.value == pytest.approx(0.1, abs=0.02)
    assert shared.se < strangers.se / 5
    # of equal sets it is the standard error of the mean of differences
    assert shared.se == pytest.approx((one - other).std(ddof=1) / math.sqrt(40))
    # of strangers that of two means, each cluster counted once
    assert strangers.se == pytest.approx(math.sqrt((one.var() + other.var()) / 40 * 80 / 79))
