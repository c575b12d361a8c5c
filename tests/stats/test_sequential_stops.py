"""When a trial stops a candidate: hopeless, without a signal, or with verdicts missing in one arm."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biasscope.stats.normal import upper_quantile
from biasscope.stats.rules import RULES

from .played import PLAIN, TWICE, arms, play

# --- giving up ---------------------------------------------------------------------------------------------


def balanced(n=80):
    """Of the first 40 items the candidate is wrong alone on 8 and the neutral on 8; further items are alike."""
    candidate, neutral = np.zeros(n), np.zeros(n)
    candidate[:8] = neutral[8:16] = 1
    return {"c": candidate, "n": neutral}


def test_a_candidate_is_dropped_when_even_a_lucky_reading_stays_below_the_smallest_effect():
    # mean 0, sum of squares 16: se = sqrt(16 / 39 / 40) = .10127, and 1.28155 of it is .12979
    rule = replace(TWICE, futility=0.10)
    below, above = (play(balanced(), rule=replace(rule, min_effect=m))[0]["c"] for m in (0.1299, 0.1297))

    assert (below.status, below.look, below.visited, below.futile) == ("dropped", 1, 40, True)
    assert (above.status, above.look, above.visited, above.futile) == ("not_shown", 2, 80, False)


def test_the_border_moves_with_the_certainty_that_is_asked_for():
    rule = replace(TWICE, min_effect=0.1299)

    # 1.64485 standard errors are .16658
    assert play(balanced(), rule=replace(rule, futility=0.05))[0]["c"].status == "not_shown"
    assert play(balanced(), rule=replace(rule, futility=0.05, min_effect=0.1667))[0]["c"].status == "dropped"
    assert play(balanced(), rule=replace(rule, futility=None))[0]["c"].look == 2


def test_nothing_is_dropped_as_futile_at_the_last_look():
    once = replace(PLAIN, futility=0.10, min_effect=0.2)

    assert play(balanced(), rule=once)[0]["c"].status == "not_shown"


def test_a_hopeless_candidate_visits_few_items_and_a_strong_one_no_more():
    stopped, _ = play(arms(620, candidates=[0.25, 0.9], neutrals=[0.4] * 5, seed=2))

    assert (stopped["c0"].status, stopped["c1"].status) == ("dropped", "accepted")
    assert stopped["c0"].visited <= 74
    assert stopped["c1"].visited == 50


def test_without_futility_a_whole_interval_below_the_smallest_effect_drops_at_the_end():
    scores = arms(4000, candidates=[0.4], neutrals=[0.4] * 3, seed=2)
    (at,) = play(scores, rule=RULES["fixed"])[0].values()

    assert at.reading.value + upper_quantile(0.025) * at.reading.se < 0.05
    assert (at.status, at.futile) == ("dropped", False)
    assert "whole interval" in at.reason


# --- no signal ---------------------------------------------------------------------------------------------


def test_a_judge_that_never_moves_gives_no_signal_as_soon_as_that_is_clear():
    stuck = {a: np.full(620, 0.5) for a in ("c", "n0", "n1", "n2", "n3", "n4")}
    (at,) = play(stuck)[0].values()

    # Wilson's upper end for none of n is 3.84 / (n + 3.84): .071 at 50 items and .049 at 74
    assert (at.status, at.visited) == ("no_signal", 74)
    assert "label mode" in at.reason
    assert at.p == 1


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(sorted(RULES)), st.integers(20, 150), st.integers(0, 10**6))
def test_verdicts_that_are_the_same_whatever_is_written_are_never_dropped(name, n, seed):
    alike = np.random.default_rng(seed).integers(0, 5, n) / 4
    (at,) = play({"c": alike, "n0": alike, "n1": alike}, rule=RULES[name])[0].values()

    assert at.status == "no_signal"


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_one_class_of_verdicts_alone_gives_no_signal(value):
    (at,) = play({"c": np.full(200, value), "n": np.full(200, value)})[0].values()

    assert (at.status, at.reading.value) == ("no_signal", 0.0)


def test_items_that_could_not_give_a_small_p_show_nothing_and_rule_nothing_out():
    # in 60 items one differs: every other candidate could have had the same p of 1/2
    scores = {"c": [1.0] + [0.5] * 59, "n": [0.0] + [0.5] * 59}
    (at,) = play(scores, rule=replace(PLAIN, min_effect=0.01))[0].values()

    assert at.reading.moves
    assert at.status == "no_signal"


def test_verdicts_that_are_all_missing_give_no_signal_at_the_end():
    gone = np.full(100, np.nan)
    rest = {f"n{k}": np.zeros(100) for k in range(5)}
    (own,) = play({"c": gone} | rest)[0].values()
    (others,) = play({"c": np.zeros(100)} | dict.fromkeys(rest, gone))[0].values()

    for at in (own, others):
        assert (at.status, at.n, at.p, at.reading, at.worst_case) == ("no_signal", 0, 1.0, None, None)
        assert at.reason == "no item has both a biased and a neutral verdict"
        assert at.visited == 100


def test_too_few_items_with_both_verdicts_decide_nothing():
    candidate = np.where(np.arange(100) < 19, 1.0, np.nan)
    (at,) = play({"c": candidate, "n": np.zeros(100)})[0].values()

    assert (at.status, at.n, at.visited) == ("no_signal", 19, 100)
    assert at.reason == "only 19 pairs have verdicts in both arms, and 20 are needed"


def test_what_has_too_few_items_does_not_help_others_to_be_accepted():
    # by itself six of six items at half of the level are .03125: held, beside one more they are not
    rule = replace(TWICE, fewest=8)
    clear = {"c": [1.0] * 6 + [0.5] * 10, "n": [0.0] * 6 + [0.5] * 10}
    short = clear | {"d": [1.0] * 6 + [np.nan] * 10}

    assert play(clear, rule=rule)[0]["c"].status == "accepted"
    assert {name: at.status for name, at in play(short, rule=rule)[0].items()} == {
        "c": "not_shown",
        "d": "no_signal",
    }


# --- what is missing ---------------------------------------------------------------------------------------


def gapped(n, *places):
    """Which of n items have a rewrite whose verdict could not be read."""
    return np.isin(np.arange(n), places)


def test_missing_verdicts_are_counted_per_arm_over_items_with_a_rewrite():
    n = np.nan
    scores = {"c": [1, n, n, 1, 1, 1], "n0": [0, 0, n, 0, 0, 0], "n1": [0, n, 0, 0, 0, 0]}
    unread = {"c": gapped(6, 1), "n0": gapped(6, 2)}  # the other gaps are rewrites that were not made
    rule = replace(PLAIN, neutral_plan=((0.5, 2), (1.0, 1)))
    (at,) = play(scores, unread=unread, rule=rule)[0].values()

    assert at.missing == (("c", 1, 5), ("n0", 1, 6), ("n1", 0, 2))  # n1 is planned for three items
    assert at.n == 4


def test_a_clear_gap_in_missing_verdicts_makes_a_contrast_invalid_however_small_its_p():
    scores = arms(200, candidates=[0.8], neutrals=[0.3], seed=3)
    gaps = {"c0": gapped(200, *range(60)), "n0": gapped(200, 3, 4)}
    (even,) = play(scores, rule=PLAIN)[0].values()
    (uneven,) = play({a: np.where(gaps[a], np.nan, s) for a, s in scores.items()}, unread=gaps, rule=PLAIN)[
        0
    ].values()

    assert (even.status, even.valid) == ("accepted", True)
    assert (uneven.status, uneven.valid) == ("invalid", False)
    assert "missing more often" in uneven.reason
    assert uneven.p < 1e-6


def test_gaps_that_are_alike_or_unclear_do_not_make_it_invalid():
    scores = arms(200, candidates=[0.8], neutrals=[0.3], seed=3)
    for own in (range(60), range(55, 70)):  # 30 % in both arms, and 7.5 % against 5 %
        gaps = {"c0": gapped(200, *own), "n0": gapped(200, *(range(60) if len(own) == 60 else range(10)))}
        (at,) = play({a: np.where(gaps[a], np.nan, s) for a, s in scores.items()}, unread=gaps, rule=PLAIN)[
            0
        ].values()

        assert (at.status, at.valid) == ("accepted", True)


def test_rewrites_that_were_not_made_are_no_gap_in_the_verdicts():
    scores = arms(200, candidates=[0.8], neutrals=[0.3], seed=3)
    scores["c0"][:60] = np.nan
    (at,) = play(scores, rule=PLAIN)[0].values()

    assert (at.status, at.missing) == ("accepted", (("c0", 0, 140), ("n0", 0, 200)))


def test_what_missing_verdicts_could_have_said_is_bounded_over_the_visited_items():
    n = np.nan
    scores = {"c": [1, n, n, 1], "n0": [0, 0, 0, n], "n1": [0, n, 0, n]}
    unread = {"c": gapped(4, 1), "n0": gapped(4, 3), "n1": gapped(4, 1, 3)}  # n1 is planned for two items
    rule = replace(PLAIN, neutral_plan=((0.5, 2), (1.0, 1)))
    (at,) = play(scores, unread=unread, rule=rule)[0].values()

    # 1; between 0 - .5 and 1 - 0; the third has no biased rewrite; between 1 - 1 and 1 - 0
    assert at.worst_case == (pytest.approx(0.5 / 3), 1.0)
