"""What could have been seen, and the pairs it takes."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from biasscope import seeds
from biasscope.stats import power
from biasscope.stats.paired import exact_p_of

MIDDLE = power.HardNoise(error=0.449, change=0.29, neutrals=3)
"""The judge for which the published figures were simulated."""


def test_detectable_effect_by_hand():
    # 1.6449 + .8416
    assert power.detectable(0.01) == pytest.approx(0.024865, abs=1e-5)
    with pytest.raises(ValueError, match="standard error"):
        power.detectable(-1)


def test_the_level_of_a_single_test_is_its_share_of_what_was_tried():
    assert power.single_level(0.05, tried=50, accepted=8) == pytest.approx(0.008)
    assert power.single_level(0.05, tried=1) == pytest.approx(0.01)  # a lone finding is held to a fifth of it
    assert power.single_level(0.05, tried=10, accepted=2) == pytest.approx(0.005)
    with pytest.raises(ValueError, match="accepted"):
        power.single_level(0.05, tried=2, accepted=3)


@pytest.mark.parametrize(("pairs", "points"), [(620, 4.5), (310, 6.4), (200, 7.9)])
def test_the_figures_of_the_simulation_study_are_met_within_two_percent(pairs, points):
    # 8 of 50 candidates have an effect of the size looked for; 90.5 % of the pairs had verdicts in both arms
    alpha = power.single_level(0.05, tried=50, accepted=8)
    found = power.smallest_effect(round(0.905 * pairs), MIDDLE, alpha=alpha)

    assert 100 * found == pytest.approx(points, rel=0.02)


def test_the_noise_of_hard_verdicts_by_hand():
    # a draw has variance .29/2; the neutral mean of three a third of it; two orders correlated .07 average
    assert MIDDLE.sd(0) == pytest.approx(math.sqrt(0.145 * 4 / 3 * 1.07 / 2))
    one = power.HardNoise(error=0.449, change=0.29, neutrals=3, orders=1)
    assert one.sd(0) == pytest.approx(math.sqrt(0.145 * 4 / 3))


def judge(rng, n, effect, noise):
    """Arms [1 + neutrals, n] of a judge whose pairs and orders have error probabilities of their own."""
    spread = noise.error * (1 - noise.error) - noise.change / 2
    scale = noise.error * (1 - noise.error) / spread - 1
    wrong = rng.beta(noise.error * scale, (1 - noise.error) * scale, (n, noise.orders))
    cells = rng.random((1 + noise.neutrals, n, noise.orders)) < wrong
    cells[0] |= rng.random((n, noise.orders)) < effect / (1 - noise.error)
    return cells.mean(axis=2)


@pytest.mark.parametrize("noise", [power.HardNoise(0.4, 0.25, 3, 2, 0.0), power.HardNoise(0.25, 0.2, 2, 1)])
def test_the_standard_deviation_is_that_of_a_simulated_judge(noise):
    rng = np.random.default_rng(1)
    for effect in (0.0, 0.1, 0.3):
        arms = judge(rng, 60_000, effect, noise)
        differences = arms[0] - arms[1:].mean(axis=0)

        assert differences.mean() == pytest.approx(effect, abs=0.008)
        assert differences.std() == pytest.approx(noise.sd(effect), rel=0.02)


def test_the_exact_test_shows_the_smallest_effect_about_as_often_as_promised():
    rng = np.random.default_rng(2)
    noise = power.HardNoise(0.4, 0.25, 3, 2, 0.0)
    effect = power.smallest_effect(200, noise, alpha=0.01)
    shown = np.mean([exact_p_of(judge(rng, 200, effect, noise)) <= 0.01 for _ in range(500)])

    # the exact test is a little conservative and the law not quite normal
    assert shown == pytest.approx(0.8, abs=0.05)


@given(st.integers(5, 5000), st.sampled_from([1, 2, 3, 5]), st.sampled_from([1, 2]), st.floats(0.0005, 0.1))
def test_pairs_needed_undoes_the_smallest_effect(n, neutrals, orders, alpha):
    noise = power.HardNoise(0.4, 0.25, neutrals, orders)
    effect = power.smallest_effect(n, noise, alpha=alpha)

    if effect is not None:
        assert power.pairs_needed(effect * (1 + 1e-9), noise, alpha=alpha) in (n, n + 1)
        assert power.pairs_needed(effect * 0.99, noise, alpha=alpha) >= n


def test_more_pairs_more_neutrals_both_orders_and_a_laxer_level_see_smaller_effects():
    base = power.smallest_effect(200, power.HardNoise(0.4, 0.25, 2, 1), alpha=0.01)
    better = [
        power.smallest_effect(400, power.HardNoise(0.4, 0.25, 2, 1), alpha=0.01),
        power.smallest_effect(200, power.HardNoise(0.4, 0.25, 3, 1), alpha=0.01),
        power.smallest_effect(200, power.HardNoise(0.4, 0.25, 2, 2), alpha=0.01),
        power.smallest_effect(200, power.HardNoise(0.4, 0.25, 2, 1), alpha=0.05),
        power.smallest_effect(200, power.HardNoise(0.4, 0.15, 2, 1), alpha=0.01),
    ]

    assert max(better) < base


def test_too_few_pairs_see_nothing_at_all():
    assert power.smallest_effect(3, power.HardNoise(0.8, 0.3, 1, 1), alpha=0.001) is None
    assert power.pairs_needed(0.3, power.HardNoise(0.8, 0.3, 1, 1)) is None


def test_a_judge_whose_verdicts_never_change_still_needs_pairs_to_turn():
    still = power.HardNoise(0.4, 0.0, 3)

    assert still.sd(0) == 0
    assert power.smallest_effect(100, still) > 0


def test_margins_by_hand():
    noise = power.GradedNoise(spread=0.2, neutrals=3)

    # one draw has variance .02, the candidate against the mean of three 4/3 of it
    assert noise.sd(0.5) == pytest.approx(math.sqrt(0.02 * 4 / 3))
    expected = (norm.isf(0.05) + norm.isf(0.2)) * noise.sd(0) / 10
    assert power.smallest_effect(100, noise) == pytest.approx(expected)
    assert power.pairs_needed(expected, noise) == 100


def test_what_cannot_be_is_refused():
    with pytest.raises(ValueError, match="error rate"):
        power.HardNoise(1.0, 0.2, 3)
    with pytest.raises(ValueError, match="neutral"):
        power.HardNoise(0.3, 0.2, 0)
    with pytest.raises(ValueError, match="spread"):
        power.GradedNoise(0.0, 3)
    with pytest.raises(ValueError, match="positive effect"):
        power.pairs_needed(0, MIDDLE)
    with pytest.raises(ValueError, match="at least one pair"):
        power.smallest_effect(0, MIDDLE)
    with pytest.raises(ValueError, match="power"):
        power.smallest_effect(10, MIDDLE, power=0.2)


def test_pairs_that_differ_often_take_more_of_them_and_as_many_as_mcnemars_test_by_the_book():
    # Connor (1987): (1.960 sqrt(share) + 0.842 sqrt(share - difference^2))^2 / difference^2
    assert power.pairs_needed(0.01, power.DiscordantNoise(0.1), alpha=0.025) == pytest.approx(7845, abs=5)
    assert power.pairs_needed(0.1, power.DiscordantNoise(0.3), alpha=0.025) == pytest.approx(234, abs=2)
    assert power.pairs_needed(0.01, power.DiscordantNoise(0.3), alpha=0.025) > 20_000
    assert power.pairs_needed(0.2, power.DiscordantNoise(0.1), alpha=0.025) is None
    with pytest.raises(ValueError, match="a share"):
        power.DiscordantNoise(0.0)


def test_so_many_pairs_show_the_difference_as_often_as_was_promised():
    rng = seeds.generator("discordant")
    n = power.pairs_needed(0.05, power.DiscordantNoise(0.15), alpha=0.025)
    drawn = rng.choice([1.0, -1.0, 0.0], p=[0.10, 0.05, 0.85], size=(4000, n))
    z = drawn.mean(axis=1) / (drawn.std(axis=1) / np.sqrt(n))
    assert (z > 1.96).mean() == pytest.approx(0.8, abs=0.03)
