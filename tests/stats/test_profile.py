"""The feature profile of a bias."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biasscope.stats.profile import profile

NAN = math.nan


def test_shifts_by_hand():
    values = np.array([[3.0, 4.0, NAN], [1.0, 2.0, 3.0], [1.0, 4.0, NAN]])
    scores = np.zeros((3, 3))
    found = profile({"headings": values}, scores)
    sd = np.std([1, 2, 3, 1, 4], ddof=1)

    # gaps 2 and 1; the third item has no biased rewrite
    assert found.features[0].gap == pytest.approx(1.5)
    assert found.features[0].shift == pytest.approx(1.5 / sd)
    assert found.bundled == ("headings",)


def texts(rng, n, shift):
    values = rng.normal(0, 1, n) + rng.normal(0, 1, (3, n))
    values[0] += shift * math.sqrt(2)
    return values


def test_only_what_moves_by_more_than_three_tenths_is_bundled_and_the_trait_itself_is_not():
    rng = np.random.default_rng(1)
    features = {"still": texts(rng, 3000, 0.2), "moved": texts(rng, 3000, 0.4), "trait": texts(rng, 3000, 2.0)}
    features["fewer"] = texts(rng, 3000, -0.4)
    found = profile(features, rng.normal(size=(3, 3000)), own=["trait"])

    assert [s.feature for s in found.features] == ["fewer", "moved", "still", "trait"]
    assert [s.moved for s in found.features] == [True, True, False, True]
    assert found.bundled == ("fewer", "moved")
    assert [s.name for s in found.adjusted.slopes] == ["fewer", "moved"]


def test_the_effect_is_adjusted_for_what_moved():
    rng = np.random.default_rng(2)
    bold = texts(rng, 800, 1.0)
    scores = 0.1 * bold + rng.normal(0, 0.2, (3, 800))
    scores[0] += 0.05
    found = profile({"bold": bold}, scores)

    assert found.adjusted.raw.value > 0.12
    assert found.adjusted.adjusted.low < 0.05 < found.adjusted.adjusted.high


def test_a_pure_trait_has_nothing_bundled_and_nothing_adjusted():
    rng = np.random.default_rng(3)
    found = profile({"still": texts(rng, 500, 0.0)}, rng.normal(size=(3, 500)))

    assert (found.bundled, found.adjusted) == ((), None)


def test_a_feature_that_only_the_bias_brings_has_moved_without_a_scale():
    values = np.array([[1.0, 0.0, 2.0], [0.0, 0.0, 0.0]])
    shift = profile({"emoji": values}, np.zeros((2, 3))).features[0]

    assert (shift.gap, shift.shift, shift.moved) == (1.0, None, True)
    still = profile({"emoji": np.zeros((2, 3))}, np.zeros((2, 3))).features[0]
    assert (still.gap, still.shift, still.moved) == (0.0, None, False)


@given(st.lists(st.tuples(*[st.integers(0, 9)] * 3), min_size=2, max_size=20), st.sampled_from([0.5, 3.0, 10.0]))
def test_the_unit_of_a_feature_does_not_matter(rows, unit):
    values = np.array(rows, dtype=float).T
    one, two = (profile({"f": v}, np.zeros_like(values)).features[0] for v in (values, unit * values))

    assert (one.shift is None) == (two.shift is None)
    assert one.moved == two.moved or abs(abs(one.shift) - 0.3) < 1e-9
    assert one.shift is None or two.shift == pytest.approx(one.shift)


def test_a_feature_never_seen_in_both_arms_is_left_out_and_other_shapes_are_refused():
    assert profile({"f": np.array([[NAN, 1.0], [1.0, NAN]])}, np.zeros((2, 2))).features == ()
    with pytest.raises(ValueError, match="features"):
        profile({"f": np.zeros((2, 3))}, np.zeros((2, 2)))
