"""From records to the summary object: what is not known is null, and the run has one word."""

from dataclasses import replace

import pytest
from pydantic import ValidationError

from biasscope.catalogue.known import seed_library
from biasscope.records import Baseline, BiasLibrary, Effect, Iteration, LibraryEffect, Trial
from biasscope.report.summarising import (
    baseline_out,
    has_signal,
    iteration_out,
    library_effect_out,
    library_out,
    missing_out,
    run_status,
    trial_out,
)

from ..fakes import bias

CALM = bias(evidence=("p1", "p2"))
EFFECT = Effect(0.2, 0.05, 0.1, 0.3, 40, "fraction", level=0.975, p=0.001)


def trial(status="accepted", effect=EFFECT, of=CALM, **fields):
    return Trial(of, 1, "pull", "fraction", status, fields.pop("reason", ""), effect, **fields)


def iteration(**fields):
    counts = {"perturbed": 40, "judged": 40, "moved": 10, "shifts": 4, "expected_noise": 0.5}
    counts |= {"decoys": 1, "decoys_named": 0, "named": 3, "merged": (("Calm", "calm_bias"),)}
    return Iteration(**{"index": 1, "candidates": (CALM,), "trials": (trial(),)} | counts | fields)


def test_a_trial_keeps_every_number_and_mark():
    out = trial_out(
        trial(
            q=0.002,
            detectable=0.1,
            provisional=True,
            error_original=0.1,
            error_biased=0.3,
            error_neutral=0.1,
            harm=0.25,
            rescue=0.05,
            noise_floor=0.02,
            trait_shown=0.9,
            trait_in_neutral=0.0,
            worst_case=(-0.1, 0.4),
            marks=("fragile",),
        )
    )

    assert (out.id, out.name, out.origin, out.evidence) == ("calm_bias", "Calm bias", "discovered", ("p1", "p2"))
    assert (out.effect, out.low, out.high, out.level, out.p, out.n) == (0.2, 0.1, 0.3, 0.975, 0.001, 40)
    assert (out.q, out.detectable, out.provisional) == (0.002, 0.1, True)
    assert (out.error_original, out.error_biased, out.error_neutral) == (0.1, 0.3, 0.1)
    assert (out.harm, out.rescue, out.noise_floor) == (0.25, 0.05, 0.02)
    assert (out.trait_shown, out.trait_in_neutral) == (0.9, 0.0)
    assert (out.worst_case, out.marks) == ((-0.1, 0.4), ("fragile",))


def test_what_was_not_measured_is_null_and_not_nought():
    out = trial_out(trial("no_signal", None, reason="no verdict"))

    assert (out.effect, out.unit, out.low, out.high, out.p, out.level, out.q) == (None,) * 7
    assert (out.n, out.status, out.reason) == (0, "no_signal", "no verdict")


def test_an_effect_without_an_interval_has_no_level():
    assert trial_out(trial(effect=replace(EFFECT, low=None, high=None))).level is None


def test_a_seed_that_was_not_tried_says_so():
    library = BiasLibrary((*seed_library().biases, CALM))
    out = library_out(library, [trial()])

    assert [b.status for b in out] == ["not_tested"] * 7 + ["accepted"]
    assert (out[-1].effect, out[-1].n) == (0.2, 40)
    assert (out[0].effect, out[0].n) == (None, 0)
    assert {b.status for b in library_out(seed_library(), [], signal=False)} == {"no_signal"}


@pytest.mark.parametrize(
    ("judged", "moved", "signal"),
    [
        (0, 0, True),  # not looked at
        (5, 0, False),
        (400, 0, False),
        (400, 1, False),  # Wilson's upper end for 1 of 400 is .014
        (400, 20, True),
        (10, 1, True),
    ],
)
def test_a_judge_gives_a_signal_when_its_verdicts_move_at_all(judged, moved, signal):
    assert has_signal([iteration(judged=judged, moved=moved)], 0.05) is signal


def test_the_signal_is_that_of_the_iteration_that_moved_most():
    still, lively = iteration(judged=40, moved=0), iteration(judged=40, moved=20)

    assert has_signal([still, lively], 0.05)
    assert has_signal([], 0.05)


@pytest.mark.parametrize(
    ("statuses", "complete", "signal", "word"),
    [
        ((), False, True, "unfinished"),
        (("accepted",), False, True, "unfinished"),
        (("dropped", "accepted"), True, True, "found"),
        (("not_shown", "dropped"), True, True, "nothing_shown"),
        (("no_signal", "no_signal"), True, True, "no_signal"),
        (("no_signal", "not_shown"), True, True, "nothing_shown"),
        (("not_shown",), True, False, "no_signal"),
        ((), True, False, "no_signal"),
        ((), True, True, "nothing_named"),
    ],
)
def test_the_run_in_one_word(statuses, complete, signal, word):
    assert run_status([trial(s) for s in statuses], complete=complete, signal=signal) == word


def test_an_iteration_names_candidates_and_what_held_by_id():
    other = bias("Loud bias")
    out = iteration_out(
        iteration(candidates=(CALM, other), trials=(trial(), trial("dropped", of=other)), merged=())
    )

    assert (out.candidates, out.accepted, out.merged) == (("calm_bias", "loud_bias"), ("calm_bias",), ())
    assert (out.index, out.perturbed, out.judged, out.moved, out.shifts) == (1, 40, 40, 10, 4)
    assert (out.expected_noise, out.decoys, out.decoys_named, out.named) == (0.5, 1, 0, 3)


def test_a_baseline_that_was_not_measured_stays_null():
    assert baseline_out(None) is None
    out = baseline_out(Baseline(0.25, None, None, None, 30))

    assert (out.error_rate, out.position_consistency, out.tie_rate, out.n) == (0.25, None, None, 30)


def test_a_library_effect_carries_its_gain_with_unit_and_interval():
    gain = Effect(0.2, 0.1, 0.004, 0.396, 25, "fraction")
    out = library_effect_out(LibraryEffect(0.1, 0.15, 0.35, gain, paper=0.4, notes=("note",)))

    assert (out.before, out.neutral, out.after) == (0.1, 0.15, 0.35)
    assert (out.gain, out.low, out.high, out.unit, out.n) == (0.2, 0.004, 0.396, "fraction", 25)
    assert (out.paper, out.notes) == (0.4, ("note",))
    assert library_effect_out(None) is None


def test_missing_counts_keep_arm_reason_and_count():
    (out,) = missing_out([("calm_bias", "verdict: refused", 3)])

    assert (out.arm, out.reason, out.count) == ("calm_bias", "verdict: refused", 3)


def test_output_can_be_read_back_and_unknown_fields_are_refused():
    out = trial_out(trial(marks=("fragile",), worst_case=(-0.1, 0.4)))

    assert type(out).model_validate_json(out.model_dump_json()) == out
    with pytest.raises(ValidationError):
        type(out).model_validate(out.model_dump() | {"surprise": 1})
