"""Effects by group."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2, f_oneway

from biasscope.stats.groups import group_effects


def test_raw_effects_and_their_pooled_intervals_by_hand():
    found = group_effects(np.array([0.0, 1.0, 0.5, -0.5, 0.0, math.nan]), ["b", "b", "a", "a", "a", "a"])
    a, b = found.groups

    # squares within: b .5, a .5; three degrees of freedom
    sd = math.sqrt(1 / 3)
    assert (a.group, a.effect.value, a.effect.n) == ("a", 0.0, 3)
    assert a.effect.se == pytest.approx(sd / math.sqrt(3))
    assert (b.effect.value, b.effect.se) == (0.5, pytest.approx(sd / math.sqrt(2)))
    assert b.effect.high == pytest.approx(0.5 + 1.959964 * b.effect.se, rel=1e-5)


def test_cochrans_q_is_the_f_of_an_analysis_of_variance_times_its_degrees_of_freedom():
    rng = np.random.default_rng(1)
    groups = [rng.normal(m, 1, n) for m, n in ((0, 5), (0.5, 30), (1, 12))]
    found = group_effects(np.concatenate(groups), ["x"] * 5 + ["y"] * 30 + ["z"] * 12)

    assert found.heterogeneity_q == pytest.approx(2 * f_oneway(*groups).statistic)
    assert found.heterogeneity_p == pytest.approx(chi2.sf(found.heterogeneity_q, 2))


def test_the_variance_between_groups_by_hand():
    # two groups of equal size: tau^2 = (difference^2 - 2 se^2) / 2
    differences = np.array([0.1, -0.1, 0.1, -0.1, 1.1, 0.9, 1.1, 0.9])
    found = group_effects(differences, ["a"] * 4 + ["b"] * 4)
    se2 = (0.08 / 6) / 4
    tau2 = (1 - 2 * se2) / 2

    assert found.between_sd == pytest.approx(math.sqrt(tau2))
    assert found.groups[0].shrunk == pytest.approx(0.5 - 0.5 * tau2 / (tau2 + se2))


@given(
    st.lists(
        st.tuples(st.integers(-100, 100), st.sampled_from(["code", "math", "law"])), min_size=1, max_size=40
    ),
    st.randoms(use_true_random=False),
)
def test_shrunk_points_lie_among_the_raw_ones_and_order_does_not_matter(rows, random):
    shuffled = list(rows)
    random.shuffle(shuffled)
    one, two = (group_effects(np.array([d / 100 for d, _ in r]), [g for _, g in r]) for r in (rows, shuffled))

    raw = [g.effect.value for g in one.groups]
    assert all(g.shrunk is None or min(raw) - 1e-9 <= g.shrunk <= max(raw) + 1e-9 for g in one.groups)
    assert [g.group for g in one.groups] == sorted({g for _, g in rows})
    assert [g.effect for g in one.groups] == [g.effect for g in two.groups]


def test_groups_that_do_not_differ_are_shrunk_to_one_point():
    differences = np.array([0.1, 0.3, 0.2, 0.2, 0.0, 0.4])
    found = group_effects(differences, ["a", "a", "b", "b", "c", "c"])

    assert found.between_sd == 0.0
    assert [g.shrunk for g in found.groups] == pytest.approx([0.2] * 3)
    assert found.heterogeneity_p == pytest.approx(1.0)


def test_a_group_of_one_item_has_an_interval_from_what_the_others_vary():
    found = group_effects(np.array([1.0, 0.0, 0.5, 0.0]), ["lone", "b", "b", "b"])

    assert found.groups[1].effect.n == 1
    assert found.groups[1].effect.se == pytest.approx(math.sqrt(1 / 12))


def test_what_cannot_be_known_is_none():
    alone = group_effects(np.array([1.0, 0.0]), ["a", "b"])
    assert [(g.effect.se, g.effect.low, g.shrunk) for g in alone.groups] == [(None, None, None)] * 2
    assert (alone.between_sd, alone.heterogeneity_p) == (None, None)

    single = group_effects(np.array([0.2, 0.4]), ["a", "a"])
    assert (single.groups[0].shrunk, single.heterogeneity_p) == (None, None)
    assert single.groups[0].effect.se == pytest.approx(0.1)

    still = group_effects(np.array([1.0, 1.0, 0.0, 0.0]), ["a", "a", "b", "b"])
    assert (still.groups[0].effect.se, still.groups[0].effect.low, still.heterogeneity_p) == (0.0, None, None)

    assert group_effects(np.array([math.nan]), ["a"]).groups == ()


def test_errors_cannot_move_by_more_than_one():
    found = group_effects(np.array([1.0, 1.0, 0.0]), ["a", "b", "b"], limit=1.0)

    assert found.groups[0].effect.high == 1.0


def test_groups_that_share_one_effect_are_found_to_differ_as_often_as_the_level_says():
    rng = np.random.default_rng(2)
    labels = ["a"] * 60 + ["b"] * 30 + ["c"] * 110
    hits = [group_effects(rng.binomial(2, 0.4, 200) / 2, labels).heterogeneity_p <= 0.05 for _ in range(400)]

    assert np.mean(hits) == pytest.approx(0.05, abs=0.035)


def test_labels_are_needed_for_every_item():
    with pytest.raises(ValueError, match="one label per item"):
        group_effects(np.zeros(3), ["a"])
