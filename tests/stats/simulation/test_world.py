"""Simulated judges: what is drawn is what the world says."""

from dataclasses import replace

import numpy as np
import pytest

from biasscope.stats.simulation.world import MIDDLE, NEUTRALS, SUITES, JudgeWorld, Suite, draw

SUITE = Suite("few", (2, 1, 1, 1))


def test_equal_arguments_give_equal_draws_and_another_seed_gives_others():
    one, same, other = (draw(MIDDLE, SUITE, pairs=60, seed=seed) for seed in (1, 1, 2))

    for name in (
        "shifts",
        "wrong",
        "margins",
        "unreadable",
        "refused",
        "file_order",
        "shuffled",
        "single",
        "arrival",
    ):
        assert np.array_equal(getattr(one, name), getattr(same, name)), name
    assert not np.array_equal(one.wrong, other.wrong)


def test_a_suite_has_the_sizes_of_its_name():
    drawn = draw(MIDDLE, SUITES["30-12-5-3"], pairs=30, seed=0)

    assert drawn.wrong.shape == (1 + NEUTRALS + 50, 30, 2)
    assert [drawn.suite.sizes.count(s) for s in ("null", "small", "medium", "large")] == [30, 12, 5, 3]
    assert (drawn.shifts[:30] == 0).all()
    assert ((drawn.shifts[30:42] >= 0.1) & (drawn.shifts[30:42] <= 0.2)).all()
    assert drawn.shifts[42:].tolist() == [0.4] * 5 + [0.8] * 3


def test_candidates_with_an_effect_arrive_first():
    drawn = draw(MIDDLE, SUITE, pairs=30, seed=0)

    assert sorted(drawn.arrival) == [0, 1, 2, 3, 4]
    assert (drawn.shifts[drawn.arrival] > 0).tolist() == [True, True, True, False, False]


def test_every_prefix_has_nearly_the_domain_mix_of_the_whole():
    drawn = draw(MIDDLE, SUITE, pairs=620, seed=3)

    for size in (50, 100, 300, 620):
        counts = np.bincount(drawn.domains[:size], minlength=4)
        assert np.abs(counts - size * np.asarray(MIDDLE.domain_shares)).max() <= 1.5


def test_scores_are_the_mean_of_both_orders_and_missing_where_either_or_the_rewrite_is():
    drawn = draw(replace(MIDDLE, unreadable=0.2), SUITE, pairs=200, seed=4)
    scores, graded = drawn.scores(), drawn.scores(graded=True)
    gone = drawn.refused | drawn.unreadable[..., 0] | drawn.unreadable[..., 1]

    assert np.array_equal(np.isnan(scores), gone)
    assert np.array_equal(np.isnan(graded), gone)
    assert set(np.unique(scores[~gone])) == {0.0, 0.5, 1.0}
    assert np.allclose(graded[~gone], -drawn.margins.mean(axis=2)[~gone], atol=1e-5)


def test_errors_of_one_order_are_those_of_that_order():
    drawn = draw(replace(MIDDLE, unreadable=0.2), SUITE, pairs=200, seed=5)
    orders = np.arange(200) % 2
    errors, unchecked = drawn.errors(orders), drawn.errors(orders, checked=False)

    for item in (0, 1, 50, 51):
        expected = np.where(drawn.unreadable[:, item, item % 2], np.nan, drawn.wrong[:, item, item % 2])
        assert np.array_equal(unchecked[:, item], expected, equal_nan=True)
    assert np.array_equal(np.isnan(errors), np.isnan(unchecked) | drawn.refused)


def test_originals_are_never_refused_and_rewrites_about_as_often_as_they_fail_and_are_seen_to():
    drawn = draw(MIDDLE, Suite("nulls", (1, 0, 0, 0)), pairs=20_000, seed=6)

    assert not drawn.refused[0].any()
    # Four standard errors of 100,000 rewrites that fail with 5 % and are seen to with 90 %.
    assert drawn.refused[1 : 1 + NEUTRALS].mean() == pytest.approx(0.045, abs=0.0026)


def test_rewording_turns_about_29_percent_of_the_verdicts_of_the_middle_judge():
    drawn = draw(MIDDLE, Suite("none", (1, 0, 0, 0)), pairs=20_000, seed=7)

    assert (drawn.wrong[1] != drawn.wrong[2]).mean() == pytest.approx(0.292, abs=0.012)


def test_the_file_lists_the_chosen_response_first_a_little_more_often_and_the_shuffle_does_not():
    drawn = draw(MIDDLE, SUITE, pairs=40_000, seed=8)

    assert (drawn.file_order == 0).mean() == pytest.approx(0.542, abs=0.01)
    assert (drawn.shuffled == 0).mean() == pytest.approx(0.5, abs=0.01)
    assert np.corrcoef(drawn.file_order, drawn.shuffled)[0, 1] == pytest.approx(0, abs=0.02)


def test_each_phrasing_of_an_instruction_has_a_pull_of_its_own():
    still = JudgeWorld(item_sd=0, slot_habit_sd=0, wording_sd=0, wording=0, score_noise=0, stickiness=0,
                       answer_fixed=0, answer_changed=0, instruction_sd=0.1, phrasings=3)  # fmt: skip
    drawn = draw(still, Suite("null", (1, 0, 0, 0)), pairs=120, seed=9)
    pulls = drawn.margins.mean(axis=2) - drawn.margins.mean(axis=2)[0]

    for phrasing in range(3):
        assert np.ptp(pulls[:, phrasing::3], axis=1).max() < 1e-5
    assert np.unique(pulls[1:, :3].round(5)).size == 6 * 3
