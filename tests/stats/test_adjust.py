"""Effects adjusted for other differences between rewrites."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biasscope.stats.adjust import adjusted_effect
from biasscope.stats.estimates import mean_estimate

NAN = math.nan


def draw(rng, n, effect, slopes, gaps, neutrals=3, noise=0.3):
    """Scores [1 + neutrals, n] that follow covariates, whose biased arm is shifted by `gaps`."""
    item = rng.normal(0, 1, n)
    covariates = {}
    scores = item + rng.normal(0, noise, (1 + neutrals, n))
    scores[0] += effect
    for name, slope in slopes.items():
        x = rng.normal(0, 1, n) + rng.normal(0, 0.5, (1 + neutrals, n))
        x[0] += gaps[name]
        scores += slope * x
        covariates[name] = x
    return scores, covariates


def by_dummies(scores, x):
    """Slopes of a regression with a dummy for every item and arm, the long way."""
    arms, items = scores.shape
    rows, y = [], []
    for k in range(arms):
        for i in range(items):
            if not math.isnan(scores[k, i]):
                rows.append([*np.eye(items)[i], *np.eye(arms)[k][1:], *(v[k, i] for v in x)])
                y.append(scores[k, i])
    return np.linalg.lstsq(np.array(rows), np.array(y), rcond=None)[0][-len(x) :]


def test_two_arms_by_hand():
    # one neutral: score differences against gaps, .1 per unit; the slope is that of a regression with intercept
    scores = np.array([[0.5, 0.9, 0.7, 1.1], [0.0, 0.0, 0.0, 0.0]])
    x = np.array([[1.0, 3.0, 2.0, 4.0], [0.0, 0.0, 0.0, 0.0]])
    found = adjusted_effect(scores, {"x": x})

    assert found.raw.value == pytest.approx(0.8)
    assert (found.slopes[0].value, found.slopes[0].gap) == (pytest.approx(0.2), 2.5)
    assert found.adjusted.value == pytest.approx(0.3)
    assert found.share == pytest.approx(0.5)


def test_slopes_agree_with_a_regression_on_dummies_also_with_gaps():
    rng = np.random.default_rng(1)
    scores, covariates = draw(rng, 25, 0.2, {"a": 0.5, "b": -0.3}, {"a": 0.4, "b": 0.1})
    scores[rng.random(scores.shape) < 0.15] = NAN
    found = adjusted_effect(scores, covariates)
    usable = ~np.isnan(scores[0]) & ~np.isnan(scores[1:]).all(axis=0)
    expected = by_dummies(scores[:, usable], [covariates["a"][:, usable], covariates["b"][:, usable]])

    assert [s.value for s in found.slopes] == pytest.approx(list(expected))


def test_the_variance_of_the_slope_is_the_sandwich_over_items():
    rng = np.random.default_rng(2)
    scores, covariates = draw(rng, 30, 0.2, {"a": 0.5}, {"a": 0.4}, neutrals=2)
    found = adjusted_effect(scores, covariates).slopes[0]

    def beside(values):
        return values - values.mean(axis=0) - values.mean(axis=1, keepdims=True) + values.mean()

    x, y = beside(covariates["a"]), beside(scores)
    residuals = y - found.value * x
    by_item = (x * residuals).sum(axis=0)
    assert found.se == pytest.approx(math.sqrt((by_item**2).sum() * 30 / 29) / (x**2).sum())


def test_a_planted_effect_is_found_beneath_what_goes_with_the_covariates():
    rng = np.random.default_rng(3)
    found = adjusted_effect(*draw(rng, 600, 0.2, {"a": 0.5, "b": -0.3}, {"a": 0.6, "b": 0.4}))

    assert found.raw.value == pytest.approx(0.2 + 0.3 - 0.12, abs=0.05)
    assert found.adjusted.low < 0.2 < found.adjusted.high
    assert found.share == pytest.approx(found.raw.value - found.adjusted.value)


def test_nulls_that_differ_in_a_covariate_are_rejected_about_as_often_as_the_level_says():
    rng = np.random.default_rng(4)
    draws = [adjusted_effect(*draw(rng, 60, 0.0, {"a": 0.3}, {"a": 0.4}, neutrals=2)) for _ in range(400)]
    rejected = np.mean([not d.adjusted.low < 0 < d.adjusted.high for d in draws])
    raw = np.mean([not d.raw.low < 0 < d.raw.high for d in draws])

    assert rejected == pytest.approx(0.05, abs=0.04)
    assert raw > 0.3


def test_forgetting_the_items_finds_another_slope():
    # between items the covariate goes with the score by accident; within them it does nothing
    rng = np.random.default_rng(5)
    item = rng.normal(0, 1, 300)
    x = item + rng.normal(0, 0.3, (3, 300))
    scores = 2 * item + rng.normal(0, 0.3, (3, 300))
    found = adjusted_effect(scores, {"a": x})

    assert abs(found.slopes[0].value) < 0.2
    assert np.polyfit(x.ravel(), scores.ravel(), 1)[0] > 1.5


@given(st.integers(0, 10_000), st.floats(-3, 3), st.floats(0.1, 10))
def test_order_of_items_and_the_zero_and_unit_of_a_covariate_do_not_matter(seed, zero, unit):
    rng = np.random.default_rng(seed)
    scores, covariates = draw(rng, 12, 0.2, {"a": 0.5}, {"a": 0.4}, neutrals=2)
    order = rng.permutation(12)
    one = adjusted_effect(scores, covariates)
    two = adjusted_effect(scores[:, order], {"a": zero + unit * covariates["a"][:, order]})

    assert two.adjusted.value == pytest.approx(one.adjusted.value, abs=1e-8)
    assert two.adjusted.se == pytest.approx(one.adjusted.se, rel=1e-6)
    assert two.slopes[0].value == pytest.approx(one.slopes[0].value / unit, rel=1e-6)


def test_a_covariate_that_does_not_go_with_the_score_leaves_the_effect_nearly_alone():
    rng = np.random.default_rng(6)
    found = adjusted_effect(*draw(rng, 2000, 0.2, {"a": 0.0}, {"a": 0.4}))

    assert found.adjusted.value == pytest.approx(found.raw.value, abs=3 * 0.4 * found.slopes[0].se)


@pytest.mark.parametrize(
    "covariates",
    [
        {"same": np.ones((3, 8))},
        {"arm": np.arange(3.0)[:, None] * np.ones(8)},
        {"item": np.ones((3, 1)) * np.arange(8.0)},
        {"both": np.arange(3.0)[:, None] + np.arange(8.0)},
    ],
)
def test_what_does_not_vary_within_items_and_arms_cannot_be_adjusted_for(covariates):
    scores = np.random.default_rng(7).normal(size=(3, 8))
    found = adjusted_effect(scores, covariates)

    assert (found.adjusted, found.share, found.slopes) == (None, None, ())
    assert next(iter(covariates)) in found.reason
    assert found.raw == mean_estimate(scores[0] - scores[1:].mean(axis=0))


def test_two_covariates_that_are_one_cannot_be_told_apart():
    rng = np.random.default_rng(8)
    scores, covariates = draw(rng, 20, 0.2, {"a": 0.5}, {"a": 0.4})
    found = adjusted_effect(scores, {"a": covariates["a"], "twin": 3 - 2 * covariates["a"]})

    assert found.adjusted is None
    assert "a and twin" in found.reason


def test_scores_without_their_covariate_are_left_out():
    rng = np.random.default_rng(9)
    scores, covariates = draw(rng, 20, 0.2, {"a": 0.5}, {"a": 0.4})
    covariates["a"][0, :5] = NAN
    found = adjusted_effect(scores, covariates)
    rest = adjusted_effect(scores[:, 5:], {"a": covariates["a"][:, 5:]})

    assert found.raw.n == 15
    assert found.adjusted.value == pytest.approx(rest.adjusted.value)


def test_nothing_to_adjust_one_item_and_shapes_that_do_not_fit():
    assert adjusted_effect(np.array([[NAN], [1.0]]), {"a": np.ones((2, 1))}) is None
    one = adjusted_effect(np.array([[1.0], [0.0]]), {"a": np.array([[2.0], [1.0]])})
    assert (one.raw.value, one.raw.se, one.adjusted) == (1.0, None, None)
    with pytest.raises(ValueError, match="covariates of shape"):
        adjusted_effect(np.zeros((2, 3)), {"a": np.zeros((2, 4))})
    with pytest.raises(ValueError, match="covariates of shape"):
        adjusted_effect(np.zeros((2, 3)), {})
    with pytest.raises(ValueError, match="at least one neutral"):
        adjusted_effect(np.zeros((1, 3)), {"a": np.zeros((1, 3))})
