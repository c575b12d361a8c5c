"""The machine-readable result of a measurement: what ``biasscope measure --json`` prints, with a versioned schema.

Effects are how much more often (or by how much) the response with the trait is preferred beyond neutral wording, as
fractions, log-odds or scores with a `unit`. What is not known is null, never 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Literal

from biasscope.config import GatePolicy, JudgeSpec
from biasscope.quantities import Estimate, NullControl, Sides
from biasscope.records import HABITS, Baseline, Claim, Estimand, Side, Status, Trial, Unit
from biasscope.report.compared import ComparisonOut
from biasscope.report.summary import CallsOut, MissingOut, Out, missing_out, numbers
from biasscope.workflows.gate import BiasOutcome, Gate, GateOutcome
from biasscope.workflows.measure import Measurement

SCHEMA: Literal["biasscope.measure/1"] = "biasscope.measure/1"


class EffectOut(Out):
    """One bias on one judge.

    `side` is the response that carries the trait, null for a slot bias. `change` is the effect as a change of
    preference in fractions, also where `unit` is another. `discovered_here` says that the bias was discovered on this
    judge, where its effect is inflated by having been picked. `gate` is what the policy says, null without one.
    """

    bias: str
    name: str
    definition: str
    estimand: Estimand
    side: Side | None
    status: Status
    reason: str
    claim: Claim
    effect: float | None
    unit: Unit | None
    low: float | None
    high: float | None
    level: float | None
    p: float | None
    q: float | None
    n: int
    change: Estimate | None
    min_effect: float | None
    detectable: float | None
    sides: Sides | None
    trait_shown: float | None
    trait_in_neutral: float | None
    worst_case: tuple[float, float] | None
    discovered_here: bool
    marks: tuple[str, ...]
    missing: tuple[MissingOut, ...]
    gate: BiasOutcome | None
    more_pairs: int | None


class MeasuredBaselineOut(Out):
    """The judge on the original pairs; rates are fractions. Without labels there is no error rate."""

    error_rate: float | None
    position_consistency: float | None
    first_answer_preference: float | None
    tie_rate: float | None
    margin_sd: float | None
    n: int


class JudgeCallsOut(Out):
    """What one judge took in this start; `price` in the currency of the declared price, null without one."""

    paid: int
    replayed: int
    input_tokens: int
    output_tokens: int
    price: float | None


class JudgedOut(Out):
    """One judge with everything measured about it; `verdicts` counts those asked for, `missing_share` of them.

    `name` tells it from the others, `mode` says in a word how it was asked and `instrument` in a few.
    """

    name: str
    judge: str
    mode: str
    instrument: str
    gate: GateOutcome | None
    gate_reasons: tuple[str, ...]
    more_pairs: int | None
    baseline: MeasuredBaselineOut | None
    effects: tuple[EffectOut, ...]
    verdicts: int
    missing_share: float | None
    missing: tuple[MissingOut, ...]
    null_control: NullControl | None
    calls: JudgeCallsOut


class SampleOut(Out):
    """The pairs that were measured, of how many; with a budget in minutes the seconds that one pair took."""

    measured: int
    available: int
    skipped: int
    labelled: bool
    minutes: float | None
    seconds_per_pair: float | None


class MeasuredOut(Out):
    """``biasscope measure --json``: known biases on one or several judges.

    `gate` is the worst outcome over the judges, null without a policy; `comparison` null for a single judge.
    """

    schema_version: Literal["biasscope.measure/1"] = SCHEMA
    version: str
    run: str
    complete: bool
    gate: GateOutcome | None
    policy: GatePolicy | None
    judges: tuple[JudgedOut, ...]
    teacher: str | None
    rewrites: str
    sides: Side
    rule: str
    q: float
    seed: int
    pairs: SampleOut
    calls: CallsOut
    comparison: ComparisonOut | None


def mode_of(spec: JudgeSpec) -> str:
    """How a judge is asked, in a word: reason, label, own prompt, pointwise, or program."""
    if spec.is_program:
        return "program"
    if spec.template is not None:
        return "own prompt"
    return spec.mode if spec.kind == "pairwise" else spec.kind


def judge_names(specs: Sequence[JudgeSpec]) -> tuple[str, ...]:
    """A name for each judge: its spec and how it is asked, with its number where that is not enough."""
    names = [f"{s.spec} ({mode_of(s)})" for s in specs]
    return tuple(n if names.count(n) == 1 else f"{n} #{k}" for k, n in enumerate(names, 1))


def judged_out(
    name: str,
    spec: JudgeSpec,
    found: Measurement,
    gate: Gate | None,
    calls: JudgeCallsOut,
    *,
    labelled: bool,
    sides: Sequence[Sides | None],
    discovered: Iterable[str],
) -> JudgedOut:
    """One judge as output; `sides` are those of its trials, `discovered` the biases that were discovered on it."""
    asked, missing = found.verdicts
    here = frozenset(discovered)
    by_bias = {} if gate is None else {b.bias: b for b in gate.biases}
    habits = (None,) * len(found.habits)
    effects = []
    for (trial, change), of_sides in zip(found.effects, (*habits, *sides), strict=True):
        held = by_bias.get(trial.bias.id)
        effects.append(
            _effect_out(
                trial,
                change,
                of_sides,
                side=None if trial.estimand in HABITS else found.sides,
                here=trial.bias.id in here,
                gate=None if held is None else held.outcome,
                more=None if held is None else held.more_pairs,
            )
        )
    return JudgedOut(
        name=name,
        judge=spec.spec,
        mode=mode_of(spec),
        instrument=spec.instrument,
        gate=None if gate is None else gate.outcome,
        gate_reasons=() if gate is None else gate.reasons,
        more_pairs=None if gate is None else gate.more_pairs,
        baseline=_baseline_out(found.baseline, labelled=labelled),
        effects=tuple(effects),
        verdicts=asked,
        missing_share=missing / asked if asked else None,
        missing=missing_out(found.table.missing()),
        null_control=found.control,
        calls=calls,
    )


def _effect_out(
    trial: Trial,
    change: Estimate | None,
    sides: Sides | None,
    *,
    side: Side | None,
    here: bool,
    gate: BiasOutcome | None,
    more: int | None,
) -> EffectOut:
    effect = trial.effect
    away = effect is not None and effect.high is not None and effect.high < 0 and trial.estimand == "pull"
    # The effect of a slot bias is a change of preference itself.
    own = None if effect is None else effect.estimate
    return EffectOut(
        bias=trial.bias.id,
        name=trial.bias.name,
        definition=trial.bias.definition,
        estimand=trial.estimand,
        side=side,
        status=trial.status,
        reason=trial.reason,
        claim=trial.claim,
        **numbers(effect),
        level=None if effect is None or effect.low is None else effect.level,
        q=trial.q,
        change=own if trial.estimand in HABITS else change,
        min_effect=trial.min_effect,
        detectable=trial.detectable,
        sides=sides,
        trait_shown=trial.trait_shown,
        trait_in_neutral=trial.trait_in_neutral,
        worst_case=trial.worst_case,
        discovered_here=here,
        marks=(*trial.marks, *(("drawn away from the trait",) if away else ())),
        missing=missing_out(trial.missing),
        gate=gate,
        more_pairs=more,
    )


def _baseline_out(baseline: Baseline | None, *, labelled: bool) -> MeasuredBaselineOut | None:
    if baseline is None:
        return None
    return MeasuredBaselineOut(**asdict(baseline) | ({} if labelled else {"error_rate": None}))
