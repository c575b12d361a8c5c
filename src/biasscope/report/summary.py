"""The machine-readable summary of a run: what ``--json`` prints, with a versioned schema.

Rates and effects are fractions or log-odds with a `unit`; only faces turn them into points. A field that is
not known is null, never 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from biasscope.engine import Count
from biasscope.quantities import FeatureProposals, NullControl, TrialDetails
from biasscope.records import (
    Baseline,
    Bias,
    BiasLibrary,
    Claim,
    Effect,
    Estimand,
    Iteration,
    LibraryEffect,
    Origin,
    Status,
    Trial,
    Unit,
)
from biasscope.stats.effects import wilson

SCHEMA: Literal["biasscope.discover/1"] = "biasscope.discover/1"


class Out(BaseModel):
    """What is printed as JSON: a field that is not known is refused, and no value changes afterwards."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class BiasOut(Out):
    """One bias of the library.

    `status` is ``not_tested`` for a seed that no trial of this run tested, and ``no_signal`` for one where the
    verdicts of the judge did not move at all when texts were rewritten with it or neutrally.
    """

    id: str
    name: str
    definition: str
    origin: Origin
    estimand: Estimand
    status: Status | Literal["not_tested"]
    effect: float | None
    unit: Unit | None
    low: float | None
    high: float | None
    p: float | None
    n: int


class TrialOut(BiasOut):
    """One candidate that was tried, with everything measured about it."""

    iteration: int
    provisional: bool
    claim: Claim
    reason: str
    level: float | None
    q: float | None
    detectable: float | None
    min_effect: float | None
    look: int | None
    looks: int | None
    visited: int
    error_original: float | None
    error_biased: float | None
    error_neutral: float | None
    harm: float | None
    rescue: float | None
    noise_floor: float | None
    trait_shown: float | None
    trait_in_neutral: float | None
    worst_case: tuple[float, float] | None
    marks: tuple[str, ...]
    evidence: tuple[str, ...]
    details: TrialDetails | None


class IterationOut(Out):
    """One pass of the loop in counts; `merged` maps a proposed name to the bias it repeats.

    `features` holds what features of the texts proposed in it, null where they were not asked."""

    index: int
    perturbed: int
    judged: int
    moved: int
    shifts: int
    expected_noise: float | None
    decoys: int
    decoys_named: int
    named: int
    merged: tuple[tuple[str, str], ...]
    candidates: tuple[str, ...]
    accepted: tuple[str, ...]
    features: FeatureProposals | None = None


class NamedOut(Out):
    """A candidate that was named and whose turn did not come before the loop ended."""

    id: str
    name: str


class CallsOut(Out):
    """Calls paid for in this start of the run, by role, and replies read from the ledger instead."""

    judge: int
    teacher: int
    replayed: int
    input_tokens: int
    output_tokens: int


class MissingOut(Out):
    """How often something is missing, by arm (or step) and reason."""

    arm: str
    reason: str
    count: int


class BaselineOut(Out):
    """The judge on the original validation pairs; rates are fractions."""

    error_rate: float
    position_consistency: float | None
    first_answer_preference: float | None
    tie_rate: float | None
    margin_sd: float | None
    n: int


class LibraryEffectOut(Out):
    """Accepted biases together on pairs that selected none of them: error rates and their gain."""

    before: float
    neutral: float
    after: float
    gain: float
    low: float | None
    high: float | None
    unit: Unit
    n: int
    paper: float | None
    notes: tuple[str, ...]


class PairsOut(Out):
    """How many pairs each role had, and how many were left out of discovery as twins of validation pairs."""

    discovery: int
    validation: int
    holdout: int
    shared_left_out: int
    skipped: int


RunStatus = Literal["unfinished", "found", "nothing_shown", "no_signal", "nothing_named"]
"""The run in one word: biases held; none could be shown; verdicts never moved; no candidate was named."""


class Summary(Out):
    """A run of ``discover``: what was found about one judge, with everything needed to doubt it."""

    schema_version: Literal["biasscope.discover/1"] = SCHEMA
    version: str
    run: str
    complete: bool
    status: RunStatus
    judge: str
    judge_mode: str
    instrument: str
    teacher: str | None
    rule: str
    preset: str
    q: float
    seed: int
    stopped: str
    pairs: PairsOut
    library: tuple[BiasOut, ...]
    trials: tuple[TrialOut, ...]
    untried: tuple[NamedOut, ...]
    iterations: tuple[IterationOut, ...]
    calls: CallsOut
    missing: tuple[MissingOut, ...]
    baseline: BaselineOut | None
    library_effect: LibraryEffectOut | None
    null_control: NullControl | None


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
