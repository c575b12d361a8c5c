"""Trials on margins, and twins: what wording alone does is the scale, and a question counts once."""

from dataclasses import replace

import numpy as np
import pytest

from biasscope.stats.rules import RULES

from .played import TWICE, arms, play

# --- margins -----------------------------------------------------------------------------------------------


def margins(seed, n, *, candidates, neutrals, noise=0.02):
    """Negated margins: items differ a lot, arms by the given shifts and a little noise."""
    rng = np.random.default_rng(seed)
    items = rng.normal(0, 1, n)
    shifts = {f"c{i}": s for i, s in enumerate(candidates)} | {f"n{i}": s for i, s in enumerate(neutrals)}
    return {arm: items + shift + rng.normal(0, noise, n) for arm, shift in shifts.items()}


def test_margins_find_an_effect_that_is_small_in_log_odds():
    (at,) = play(margins(6, 100, candidates=[0.03], neutrals=[0, 0], noise=0.03), graded=True)[0].values()

    assert (at.status, at.reading.unit, at.worst_case) == ("accepted", "log-odds", None)


def test_margins_without_an_effect_are_dropped_by_their_own_smallest_effect():
    scores = margins(5, 400, candidates=[-0.01], neutrals=[0, 0])
    (at,) = play(scores, graded=True)[0].values()
    seen = slice(0, at.visited)

    # a quarter of the deviation of neutral-neutral differences, which is about .02 times the square root of 2
    assert at.reading.min_effect == pytest.approx(0.25 * np.std(scores["n0"][seen] - scores["n1"][seen]))
    assert (at.status, at.futile, at.look) == ("dropped", True, 1)


def test_a_graded_effect_no_larger_than_one_neutral_phrasing_is_not_shown():
    # .1 above the mean of the neutrals, which lie .2 apart
    (at,) = play(margins(7, 100, candidates=[0.2], neutrals=[0, 0.2]), graded=True)[0].values()

    assert at.reading.p < 1e-6
    assert at.status == "not_shown"
    assert "neutral phrasing" in at.reason


def test_neutral_arms_of_other_candidates_count_for_what_wording_does_but_not_for_the_contrast():
    scores = margins(8, 100, candidates=[0.1, 0.0], neutrals=[0, 0, 0.3])
    alone = play(scores, groups={"c0": ("n0", "n1")}, graded=True)[0]["c0"]
    beside = play(scores, groups={"c0": ("n0", "n1"), "c1": ("n2",)}, graded=True)[0]["c0"]

    assert alone.status == "accepted"
    assert beside.status == "not_shown"
    assert alone.reading.value == pytest.approx(0.1, abs=0.02)
    assert beside.reading.value == pytest.approx(0.1, abs=0.02)


def test_the_scale_of_wording_stays_when_the_other_candidates_have_stopped():
    scores = margins(9, 40, candidates=[0.0, 3.0], neutrals=[0, 0])
    stopped, _ = play(scores, groups={"c0": ("n0",), "c1": ("n1",)}, rule=TWICE, graded=True)

    assert (stopped["c1"].status, stopped["c1"].look) == ("accepted", 1)
    assert (stopped["c0"].status, stopped["c0"].look) == ("not_shown", 2)


def test_margins_without_a_scale_say_so():
    scores = margins(10, 40, candidates=[0.5], neutrals=[0])
    still = {"c": np.arange(40.0), "n0": np.arange(40.0), "n1": np.arange(40.0)}

    (one,) = play(scores, graded=True)[0].values()
    (none,) = play(still, graded=True)[0].values()
    assert (one.status, none.status) == ("no_signal", "no_signal")
    assert "no two neutral rewrites differ" in one.reason
    assert "do not move at all" in none.reason


def test_margins_that_stand_still_on_a_few_early_items_may_move_later():
    scores = margins(11, 100, candidates=[0.1], neutrals=[0, 0])
    scores["c0"][1:40] = np.nan
    (at,) = play(scores, graded=True)[0].values()

    assert at.status == "accepted"


def test_an_effect_that_one_phrasing_carries_is_not_shown_for_the_trait():
    scores = margins(12, 90, candidates=[0.0], neutrals=[0, 0])
    phrasings = np.arange(90) % 3
    scores["c0"] += np.where(phrasings == 0, 0.3, 0.0)
    rule = replace(RULES["default"], futility=None)

    assert play(scores, rule=rule, graded=True)[0]["c0"].status == "accepted"
    assert play(scores, rule=rule, phrasings={"c0": phrasings}, graded=True)[0]["c0"].status == "not_shown"


# --- twins -------------------------------------------------------------------------------------------------


def test_pairs_that_ask_the_same_question_count_as_one_for_the_precision():
    scores = arms(60, candidates=[0.6], neutrals=[0.4] * 3, seed=13)
    twice = {a: np.repeat(s, 2) for a, s in scores.items()}
    once, _ = play(scores, rule=RULES["fixed"])
    twins, _ = play(twice, rule=RULES["fixed"], clusters=np.repeat(np.arange(60), 2))
    strangers, _ = play(twice, rule=RULES["fixed"])

    assert twins["c0"].reading.se == pytest.approx(once["c0"].reading.se)
    assert strangers["c0"].reading.se == pytest.approx(once["c0"].reading.se / 2**0.5, rel=0.02)


def test_twins_flip_the_signs_of_their_margins_together():
    scores = margins(14, 30, candidates=[0.01], neutrals=[0, 0])
    twice = {a: np.repeat(s, 2) for a, s in scores.items()}
    rule = replace(RULES["fixed"], neutral_plan=((1.0, 2),))
    once, _ = play(scores, rule=rule, graded=True)
    twins, _ = play(twice, rule=rule, clusters=np.repeat(np.arange(30), 2), graded=True)

    assert twins["c0"].p == pytest.approx(once["c0"].p, rel=1e-6)
    assert play(twice, rule=rule, graded=True)[0]["c0"].p < once["c0"].p
