"""The final decision over everything tried in a run: what it accepts, drops, leaves open and marks."""

from dataclasses import replace

import numpy as np
import pytest

from biasscope.stats.decision import decide, interval, unsettled
from biasscope.stats.normal import upper_quantile
from biasscope.stats.reading import Reading
from biasscope.stats.rules import RULES
from biasscope.stats.standing import Stopped

from .played import PLAIN, arms, decided, noisy, play

Z_95, Z_80 = 1.959964, 0.841621


def stop(p=0.001, *, value=0.1, se=0.02, status="not_shown", unit="fraction", **changes):
    """Where a candidate stopped, by its numbers alone."""
    reading = Reading(
        unit=unit, value=value, se=se, n=200, p=p, min_effect=0.05, moves=True, supports=True, beyond_wording=True,
        candidate=0.5, neutral=0.4, live=90,
    )  # fmt: skip
    of = {name: changes.pop(name) for name in ("moves", "supports", "beyond_wording") if name in changes}
    return replace(
        Stopped(
            name="c", status=status, reason="as it was", p=p, look=1, looks=1, visited=200,
            reading=replace(reading, **of), valid=True, missing=(), worst_case=(0.05, 0.15), futile=False, rule="x",
        ),
        **changes,
    )  # fmt: skip


def statuses(*stopped, q=0.05):
    return [d.status for d in decide(stopped, q=q)]


# --- one correction ---------------------------------------------------------------------------------------


def test_everything_tried_counts_in_the_correction():
    many = decide([stop(0.0004), *[stop(1.0, status="dropped", futile=True)] * 20], q=0.05)

    # a lone finding is held to a fifth of the level
    assert many[0].q == pytest.approx(5 * 21 * 0.0004)
    assert many[0].effect.level == pytest.approx(1 - 0.05 / 21)


@pytest.mark.parametrize(
    "without",
    [
        {"futile": True, "status": "dropped"},
        {"valid": False, "status": "invalid"},
        {"valid": False},
        {"status": "no_signal"},
        {"status": "no_signal", "reading": None},
        {"moves": False},
        {"supports": False},
        {"beyond_wording": False},
    ],
)
def test_what_was_given_up_or_cannot_be_judged_counts_with_a_p_of_one_however_small_its_own(without):
    strong, given_up = decide([stop(0.006), stop(1e-9, **without)], q=0.05)

    # by itself .006 is .03, beside one that counts with 1 it is .06
    assert (strong.status, strong.q) == ("not_shown", pytest.approx(0.06))
    assert given_up.status == without.get("status", "not_shown")
    assert given_up.q == 1.0


def test_what_held_in_its_iteration_may_fail_over_the_run_and_says_so():
    (alone,) = decide([stop(0.008, status="accepted")], q=0.05)
    crowded = decide([stop(0.008, status="accepted"), *[stop(1.0)] * 7], q=0.05)[0]

    assert alone.status == "accepted"
    assert (crowded.status, crowded.reason) == (
        "not_shown",
        "it held in its iteration, but not over everything that was tried",
    )


def test_a_lone_finding_is_held_to_a_fifth_of_the_level_and_a_few_to_half():
    (alone,) = decide([stop(0.03, status="accepted")], q=0.05)

    assert (alone.status, alone.q) == ("not_shown", pytest.approx(0.15))
    assert alone.reason == "not enough for a finding that stands almost alone"
    assert statuses(*[stop(0.03)] * 4) == ["not_shown"] * 4
    assert statuses(*[stop(0.03)] * 5) == ["accepted"] * 5


def test_what_was_left_open_in_its_iteration_may_hold_among_stronger_ones():
    open_one = stop(0.04)

    assert statuses(open_one, stop(0.5)) == ["not_shown", "not_shown"]
    assert statuses(open_one, *[stop(1e-6)] * 7) == ["accepted"] * 8


@pytest.mark.parametrize(
    ("first", "due"),
    [
        ({"status": "accepted", "look": 1, "looks": 3}, [0]),
        ({"status": "accepted", "look": 3, "looks": 3}, []),  # all pairs are seen
        ({"status": "not_shown", "look": 1, "looks": 3}, []),
        ({"status": "accepted", "look": 1, "looks": 3, "p": 1e-6}, []),  # it holds
        ({"status": "accepted", "look": 1, "looks": 3, "valid": False}, [0]),
    ],
)
def test_an_acceptance_that_does_not_hold_over_the_run_is_unsettled_while_looks_are_left(first, due):
    others = [stop(1.0, status="dropped", futile=True)] * 3

    assert unsettled([replace(stop(0.03), **first), *others], q=0.05) == due


def test_other_reasons_stay_as_they_were():
    dropped = decide([stop(1.0, status="dropped", futile=True, reason="too small")], q=0.05)[0]

    assert (dropped.status, dropped.reason) == ("dropped", "too small")


def test_nothing_tried_is_nothing_decided():
    assert decide([], q=0.05) == []


# --- intervals --------------------------------------------------------------------------------------------


def test_the_interval_of_what_holds_is_at_the_false_coverage_level():
    held, open_one = decide([stop(0.001), stop(0.5, value=0.01)], q=0.05)

    reach = upper_quantile(0.05 / 2 / 2) * 0.02
    assert (held.effect.level, held.effect.low, held.effect.high) == pytest.approx(
        (0.975, 0.1 - reach, 0.1 + reach)
    )
    assert (open_one.effect.level, open_one.effect.low) == pytest.approx((0.95, 0.01 - Z_95 * 0.02))
    assert held.effect.p == 0.001


def test_errors_have_an_interval_within_what_errors_can_be_and_margins_have_none_such():
    wide = stop(value=0.9, se=0.2).reading

    assert interval(wide, 0.95).high == 1.0
    assert interval(replace(wide, value=-0.9), 0.95).low == -1.0
    assert interval(replace(wide, unit="log-odds"), 0.95).high == pytest.approx(0.9 + Z_95 * 0.2)


def test_no_interval_is_made_from_a_standard_error_of_zero():
    bare = interval(stop(value=1.0, se=0.0).reading, 0.95)

    assert (bare.value, bare.se, bare.low, bare.high, bare.n) == (1.0, 0.0, None, None, 200)


def test_what_could_have_been_seen_allows_for_everything_that_was_tried():
    alone, crowd = decide([stop(0.5)], q=0.05)[0], decide([stop(0.5)] * 10, q=0.05)[0]

    # a lone finding is held to .01, among ten to .001
    assert alone.detectable == pytest.approx((2.326348 + Z_80) * 0.02, rel=1e-4)
    assert crowd.detectable == pytest.approx((3.090232 + Z_80) * 0.02, rel=1e-4)
    assert decide([stop(se=0.0)], q=0.05)[0].detectable is None


def test_without_a_reading_there_is_neither_effect_nor_anything_that_could_have_been_seen():
    (bare,) = decide([stop(1.0, status="no_signal", reading=None)], q=0.05)

    assert (bare.status, bare.effect, bare.detectable, bare.q) == ("no_signal", None, None, 1.0)


# --- marks ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("worst", "marks"), [((-0.01, 0.3), ("fragile",)), ((0.0, 0.3), ("fragile",)), ((0.01, 0.3), ()), (None, ())]
)
def test_an_acceptance_that_missing_verdicts_could_undo_is_fragile(worst, marks):
    assert decide([stop(worst_case=worst)], q=0.05)[0].marks == marks


def test_a_finding_whose_interval_includes_no_effect_is_marked():
    # 20 of 30 changed items point to the bias: a one-sided exact p just under 5 %, 1.83 standard errors
    scores = {"c": [1.0] * 20 + [0.0] * 10 + [0.5] * 570, "n": [0.0] * 20 + [1.0] * 10 + [0.5] * 570}
    stopped = play(scores, rule=replace(PLAIN, min_effect=0.01))[0]["c"]
    weak = decide([stopped, *[stop(1e-6)] * 7], q=0.05)[0]

    assert weak.effect.p == pytest.approx(0.0494, abs=1e-4)
    assert weak.effect.value == pytest.approx(1.83 * weak.effect.se, rel=0.01)
    assert (weak.status, weak.marks) == ("accepted", ("interval reaches 0",))


def test_only_what_holds_is_marked():
    assert decide([stop(0.9, value=0.01, worst_case=(-0.1, 0.1))], q=0.05)[0].marks == ()


# --- whole trials -----------------------------------------------------------------------------------------


def test_a_large_effect_is_accepted_with_an_interval_above_zero():
    (found,) = decided(arms(300, candidates=[0.6], neutrals=[0.4] * 3, seed=1)).values()

    assert found.status == "accepted"
    assert 0 < found.effect.low < found.effect.value < found.effect.high
    assert found.marks == ()


def test_a_null_on_many_items_is_dropped_and_on_few_items_left_open():
    (many,) = decided(arms(4000, candidates=[0.4], neutrals=[0.4] * 3, seed=2)).values()
    few = {"c": [1.0, 0.0] * 10 + [0.5] * 20, "n": [0.0, 1.0] * 10 + [0.5] * 20}
    (open_one,) = decided(few, rule=PLAIN).values()

    assert many.status == "dropped"
    assert open_one.status == "not_shown"


def test_a_judge_whose_verdicts_never_change_gives_no_signal_and_no_interval():
    (found,) = decided({a: np.full(200, 0.5) for a in ("c", "n0", "n1", "n2")}).values()

    assert found.status == "no_signal"
    assert found.effect.low is None
    assert "label mode" in found.reason


def test_verdicts_that_hardly_ever_change_cannot_rule_an_effect_out():
    still = [0.5] * 308
    neutrals = {f"n{k}": [*still, 0, 1, 1] for k in range(3)}
    (found,) = decided({"c": [*still, 1, 0, 0]} | neutrals).values()

    assert found.status == "no_signal"


def test_a_judge_that_falls_for_it_every_time_is_accepted_without_an_interval():
    (found,) = decided({"c": np.ones(50)} | dict.fromkeys(("n0", "n1", "n2"), np.zeros(50))).values()

    assert found.status == "accepted"
    assert (found.effect.value, found.effect.low) == (1.0, None)


@pytest.mark.parametrize("rule", [RULES["fixed"], RULES["default"]])
def test_nulls_are_accepted_about_as_rarely_as_the_level_says(rule):
    rng = np.random.default_rng(5)
    runs = 250
    hits = 0
    for _ in range(runs):
        scores = {"c": noisy(rng, 60, 0.4)} | {f"n{k}": noisy(rng, 60, 0.4) for k in range(rule.neutrals)}
        hits += decided(scores, rule=rule)["c"].status == "accepted"

    # exact test: at most 5 %; three standard errors above it
    assert hits / runs <= 0.05 + 3 * (0.05 * 0.95 / runs) ** 0.5


def test_within_one_iteration_that_finds_more_than_a_few_the_final_decision_is_that_of_the_trial():
    for seed in range(4):
        scores = arms(300, candidates=[*[0.75] * 8, 0.5, 0.45, 0.4, 0.35], neutrals=[0.4] * 5, seed=seed)
        stopped, _ = play(scores)

        assert sum(s.status == "accepted" for s in stopped.values()) >= 8
        assert [d.status for d in decide(list(stopped.values()), q=0.05)] == [s.status for s in stopped.values()]
