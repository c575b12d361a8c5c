"""Null controls: neutral arms against each other, and sham candidates."""

import math

import numpy as np
import pytest

from biasscope.stats import nulls
from biasscope.stats.paired import exact_p, sign_flip_p

NAN = math.nan


def test_each_neutral_arm_is_tested_like_a_candidate_against_the_others():
    arms = [[1.0, 1.0, 1.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 0.0]]
    found = nulls.leave_one_out(np.array(arms), ["a", "b", "c"], graded=False)

    assert [f.arm for f in found] == ["a", "b", "c"]
    assert [f.p for f in found] == [exact_p(arms[k], [arms[j] for j in range(3) if j != k]) for k in range(3)]
    # 1, 1, .5, 0 above the mean of b and c
    assert found[0].effect.value == pytest.approx(0.625)
    assert sum(f.effect.value for f in found) == pytest.approx(0)


def test_margins_are_tested_by_sign_flips():
    arms = np.random.default_rng(1).normal(size=(2, 40))
    found = nulls.leave_one_out(arms, ["a", "b"], graded=True)

    assert found[0].p == sign_flip_p(arms[0] - arms[1])
    assert found[0].p + found[1].p == pytest.approx(1, abs=1e-6)


def test_items_beyond_the_plan_and_missing_ones_are_left_out_and_counted():
    arms = np.array([[1.0, 0.0, 1.0, NAN], [0.0, 0.0, 1.0, 1.0], [0.0, NAN, NAN, NAN]])
    found = nulls.leave_one_out(arms, ["a", "b", "c"], graded=False)

    assert [f.effect.n for f in found] == [3, 3, 1]


def test_one_neutral_arm_says_nothing_about_wording():
    assert nulls.leave_one_out(np.zeros((1, 5)), ["a"], graded=False) == ()
    with pytest.raises(ValueError, match="one name per neutral arm"):
        nulls.leave_one_out(np.zeros((2, 5)), ["a"], graded=False)
    apart = np.array([[1.0, NAN], [NAN, 1.0]])
    assert nulls.leave_one_out(apart, ["a", "b"], graded=False) == ()


def test_neutral_arms_have_small_p_values_no_more_often_than_the_level_says():
    rng = np.random.default_rng(2)
    small = [
        f.p <= 0.05
        for _ in range(200)
        for f in nulls.leave_one_out(rng.binomial(2, 0.4, (3, 60)) / 2, "abc", graded=False)
    ]

    # the three of one draw share data: at most 200 independent ones
    assert np.mean(small) <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 200)


def test_an_odd_neutral_arm_is_seen():
    rng = np.random.default_rng(3)
    arms = rng.binomial(2, [[0.6], [0.4], [0.4]], (3, 200)) / 2
    found = nulls.leave_one_out(arms, "abc", graded=False)

    assert found[0].p < 0.001 < 0.5 < min(found[1].p, found[2].p)


@pytest.mark.parametrize(("accepted", "verdict"), [(0, "pass"), (1, "warn"), (2, "fail"), (5, "fail")])
def test_the_verdict_counts_accepted_shams(accepted, verdict):
    differences = np.random.default_rng(4).normal(0, 0.1, (5, 30))
    found = nulls.sham_control(differences, [True] * accepted + [False] * (5 - accepted))

    assert (found.verdict, found.accepted, found.shams) == (verdict, accepted, 5)


def shams(rng, count, n, instruction=0.0, neutrals=3):
    """Differences of sham candidates from neutral arms that all of them share."""
    neutral = rng.binomial(2, 0.4, (neutrals, n)).mean(axis=0) / 2
    pull = rng.normal(0, instruction, count)
    return rng.binomial(2, np.clip(0.4 + pull, 0, 1)[:, None], (count, n)) / 2 - neutral


def test_the_mean_sham_effect_is_near_zero_as_often_as_its_standard_error_says():
    rng = np.random.default_rng(5)
    draws = [shams(rng, 20, 80) for _ in range(300)]
    centred = np.mean([nulls.sham_control(d, [False] * 20).centred for d in draws])
    # taking the shams for independent forgets the neutral arms they share
    naive = np.mean([abs(d.mean()) <= 2 * d.std() / math.sqrt(d.size) for d in draws])

    assert centred == pytest.approx(0.955, abs=0.035)
    assert naive < 0.8


def test_a_pipeline_that_favours_every_candidate_is_not_centred():
    differences = shams(np.random.default_rng(6), 20, 200) + 0.08

    assert nulls.sham_control(differences, [False] * 20).centred is False


def test_instruction_sd_by_hand():
    # variance of 0, .04, .08 is .0016; mean square of the standard errors .0004
    assert nulls.instruction_sd([0.0, 0.04, 0.08], [0.02] * 3) == pytest.approx(math.sqrt(0.0012))
    assert nulls.instruction_sd([0.0, 0.01], [0.5, 0.5]) == 0.0
    assert nulls.instruction_sd([0.1], [0.1]) is None
    with pytest.raises(ValueError, match="one standard error per effect"):
        nulls.instruction_sd([0.1, 0.2], [0.1])


def test_instruction_sd_is_found_beneath_the_noise_of_shared_neutral_arms():
    rng = np.random.default_rng(7)
    found = {
        tau: np.sqrt(
            np.mean(
                [
                    nulls.sham_control(shams(rng, 20, 300, tau), [False] * 20).instruction_sd ** 2
                    for _ in range(60)
                ]
            )
        )
        for tau in (0.0, 0.05)
    }

    assert found[0.0] < 0.01
    assert found[0.05] == pytest.approx(0.05, abs=0.006)


def test_wide_instructions_are_flagged_for_errors_and_not_for_margins():
    rng = np.random.default_rng(8)
    wide = shams(rng, 20, 400, 0.08)

    assert nulls.sham_control(wide, [False] * 20).wide is True
    assert nulls.sham_control(shams(rng, 20, 4000), [False] * 20).wide is False
    assert nulls.sham_control(wide, [False] * 20, scale="log-odds").wide is None


def test_shams_that_stopped_early_and_no_shams_at_all():
    differences = shams(np.random.default_rng(9), 4, 50)
    differences[0, 10:] = NAN
    found = nulls.sham_control(differences, [False] * 4)

    assert found.mean.n == 50
    assert found.instruction_sd is not None
    nothing = nulls.sham_control(np.empty((0, 5)), [])
    assert (nothing.verdict, nothing.mean, nothing.centred, nothing.instruction_sd) == ("pass", None, None, None)
    with pytest.raises(ValueError, match="one decision per sham"):
        nulls.sham_control(differences, [False])


def test_the_order_of_items_and_shams_does_not_matter():
    differences = shams(np.random.default_rng(10), 6, 40)
    turned = differences[::-1, ::-1]
    one, two = (nulls.sham_control(d, [False] * 6) for d in (differences, turned))

    assert one.mean.value == pytest.approx(two.mean.value, abs=1e-12)
    assert one.instruction_sd == pytest.approx(two.instruction_sd, abs=1e-12)
