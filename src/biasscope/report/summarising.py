"""From records to the summary of a run: what was found as output."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from biasscope.engine import Count
from biasscope.records import Baseline, Bias, BiasLibrary, Effect, Iteration, LibraryEffect, Trial
from biasscope.report.summary import (
    BaselineOut,
    BiasOut,
    CallsOut,
    IterationOut,
    LibraryEffectOut,
    MissingOut,
    RunStatus,
    TrialOut,
)
from biasscope.stats.effects import wilson


def numbers(effect: Effect | None) -> dict[str, Any]:
    """The fields of an effect, null where there is none, from no pairs then."""
    if effect is None:
        return {"effect": None, "unit": None, "low": None, "high": None, "p": None, "n": 0}
    return {
        "effect": effect.value,
        "unit": effect.unit,
        "low": effect.low,
        "high": effect.high,
        "p": effect.p,
        "n": effect.n,
    }


def _words(bias: Bias) -> dict[str, object]:
    return {
        "id": bias.id,
        "name": bias.name,
        "definition": bias.definition,
        "origin": bias.origin,
        "estimand": bias.estimand,
    }


def trial_out(trial: Trial) -> TrialOut:
    """A trial as output."""
    return TrialOut.model_validate(
        _words(trial.bias)
        | numbers(trial.effect)
        | {
            "status": trial.status,
            "iteration": trial.iteration,
            "provisional": trial.provisional,
            "claim": trial.claim,
            "reason": trial.reason,
            "level": None if trial.effect is None or trial.effect.low is None else trial.effect.level,
            "q": trial.q,
            "detectable": trial.detectable,
            "min_effect": trial.min_effect,
            "look": trial.look,
            "looks": trial.looks,
            "visited": trial.visited,
            "error_original": trial.error_original,
            "error_biased": trial.error_biased,
            "error_neutral": trial.error_neutral,
            "harm": trial.harm,
            "rescue": trial.rescue,
            "noise_floor": trial.noise_floor,
            "trait_shown": trial.trait_shown,
            "trait_in_neutral": trial.trait_in_neutral,
            "worst_case": trial.worst_case,
            "marks": trial.marks,
            "evidence": trial.bias.evidence,
            "details": trial.details,
        }
    )


def library_out(library: BiasLibrary, trials: Sequence[Trial], *, signal: bool = True) -> tuple[BiasOut, ...]:
    """The library with the numbers of its trials; seeds that were not tested say so."""
    untested = "not_tested" if signal else "no_signal"
    tried = {t.bias.id: t for t in trials}
    out = []
    for bias in library.biases:
        trial = tried.get(bias.id)
        effect = None if trial is None else trial.effect
        status = untested if trial is None else trial.status
        out.append(BiasOut.model_validate(_words(bias) | numbers(effect) | {"status": status}))
    return tuple(out)


def has_signal(iterations: Sequence[Iteration], min_effect: float) -> bool:
    """Whether the verdicts moved at all under rewriting, neutral or biased, in the discovery pairs.

    They did not when no pair was judged differently in any arm, or when the upper end of the 95 % interval of
    that share is below the smallest effect of interest. True where it was not looked at.
    """
    judged = max((i.judged for i in iterations), default=0)
    moved = max((i.moved for i in iterations), default=0)
    return judged == 0 or (moved > 0 and wilson(moved, judged)[1] >= min_effect)


def run_status(trials: Sequence[Trial], *, complete: bool, signal: bool) -> RunStatus:
    """The run in one word."""
    if not complete:
        return "unfinished"
    if any(t.status == "accepted" for t in trials):
        return "found"
    if not signal or (trials and all(t.status == "no_signal" for t in trials)):
        return "no_signal"
    return "nothing_shown" if trials else "nothing_named"


def iteration_out(iteration: Iteration) -> IterationOut:
    """An iteration as output; `accepted` are the ids that held inside it (provisionally)."""
    told = {name: getattr(iteration, name) for name in IterationOut.model_fields if name != "accepted"}
    return IterationOut.model_validate(
        told
        | {
            "candidates": tuple(b.id for b in iteration.candidates),
            "accepted": tuple(t.bias.id for t in iteration.trials if t.status == "accepted"),
        }
    )


def baseline_out(baseline: Baseline | None) -> BaselineOut | None:
    """A baseline as output."""
    return None if baseline is None else BaselineOut(**asdict(baseline))


def library_effect_out(effect: LibraryEffect | None) -> LibraryEffectOut | None:
    """A library effect as output."""
    if effect is None:
        return None
    return LibraryEffectOut(
        before=effect.before,
        neutral=effect.neutral,
        after=effect.after,
        gain=effect.gain.value,
        low=effect.gain.low,
        high=effect.gain.high,
        unit=effect.gain.unit,
        n=effect.gain.n,
        paper=effect.paper,
        notes=effect.notes,
    )


def missing_out(missing: Sequence[tuple[str, str, int]]) -> tuple[MissingOut, ...]:
    """Missing counts as output."""
    return tuple(MissingOut(arm=arm, reason=reason, count=count) for arm, reason, count in missing)


def calls_out(every: Count, teacher: Count) -> CallsOut:
    """Calls as output: those of everyone, and those of the teacher among them; the rest are the judges'."""
    return CallsOut(
        judge=every.paid - teacher.paid,
        teacher=teacher.paid,
        replayed=every.replayed,
        input_tokens=every.input_tokens,
        output_tokens=every.output_tokens,
    )
