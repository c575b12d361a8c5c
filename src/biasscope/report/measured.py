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
from biasscope.report.summarising import missing_out, numbers
from biasscope.report.summary import CallsOut, MissingOut, Out
from biasscope.workflows.gate import BiasOutcome, Gate, GateOutcome
from biasscope.workflows.measure import Measurement

SCHEMA: Literal["biasscope.measure/1"] = "biasscope.measure/1"


class EffectOut(Out):
    """One bias on one judge."""

    bias: str
    """Id of the bias; the name of its arm in other files of the folder."""
    name: str
    """Its name, for people."""
    definition: str
    """What it is, in a sentence or two."""
    estimand: Estimand
    """What is measured: `pull` (a trait of the text), `slot`, `cue` (a fact shown about a response) or `format`."""
    side: Side | None
    """The response that carries the trait: `rejected`, `chosen` or `both`; null for what no response carries."""
    status: Status
    """`accepted` (it holds), `dropped` (unlikely to matter), `not_shown` (not proven, not absent), `no_signal` (the
    verdicts did not move at all) or `invalid` (no fair comparison)."""
    reason: str
    """Why it has this status, in words; may be empty."""
    claim: Claim
    """`error` where every label rests on an answer that can be checked, else `pull`: a preference that moves."""
    effect: float | None
    """How much more often (or by how much) the response with the trait is preferred than with neutral rewrites of the
    same text, in `unit`. Of a habit: how much more than half of the verdicts prefer what is shown first (`slot`) or has
    the label that is read first (`format`), and for the direction of a scale how much more it errs on the turned one."""
    unit: Unit | None
    """`fraction` of verdicts (0.05 is 5 points), `log-odds`, or `score` (steps of the judge's own scale)."""
    low: float | None
    """Lower end of the interval of the effect, in `unit`; null where nothing varies."""
    high: float | None
    """Upper end of the interval of the effect, in `unit`; null where nothing varies."""
    level: float | None
    """Coverage of the interval, in (0, 1); wider for what was picked as accepted. Null without an interval."""
    p: float | None
    """p-value in [0, 1], with every look paid for: one-sided for a trait, two-sided for a habit (slot, format)."""
    q: float | None
    """p-value adjusted over everything tried on this judge (Benjamini-Hochberg, stricter for few findings), in [0,
    1]."""
    n: int
    """Items that the effect comes from, at least 0: pairs, or with both sides pairs and sides."""
    change: Estimate | None
    """The effect as a change of preference, a fraction in [-1, 1], also where `unit` is another; what gates and
    comparisons use."""
    min_effect: float | None
    """Smallest effect of interest, in `unit`."""
    detectable: float | None
    """Smallest true effect that this trial would have accepted with 80 % power, in `unit`."""
    sides: Sides | None
    """The effect on either response, and the pull; null unless both sides were measured."""
    trait_shown: float | None
    """Share of checked rewrites in which the trait was found, in [0, 1]; null where it was not looked for."""
    trait_in_neutral: float | None
    """Share of checked neutral rewrites in which the trait was found, in [0, 1]; null where it was not looked for."""
    worst_case: tuple[float, float] | None
    """The effect if every missing verdict had gone against it, and if every one had gone with it, in `unit`; null for
    margins, which have no worst value."""
    discovered_here: bool
    """Whether the bias was discovered on this judge, where its effect is inflated by having been picked."""
    marks: tuple[str, ...]
    """Doubts in a word or two, such as `bundled` or `fragile`; the page on concepts explains each."""
    missing: tuple[MissingOut, ...]
    """What is missing of its rewrites and verdicts, by arm and reason."""
    gate: BiasOutcome | None
    """What the policy says of it: `pass`, `biased`, `inconclusive` or `ignored`; null without a policy."""
    more_pairs: int | None
    """About how many more pairs would tell whether its limit is reached; null where that is not open or not known."""


class MeasuredBaselineOut(Out):
    """The judge on the original pairs. Without labels there is no error rate."""

    error_rate: float | None
    """Share of verdicts that are not for the better response, in [0, 1], a tie counting one half; null without
    labels."""
    position_consistency: float | None
    """Share of pairs that are judged alike in both orders, in [0, 1]; null for a judge that sees one response at a
    time."""
    first_answer_preference: float | None
    """P(prefers the answer shown first) - .5, in [-.5, .5]; null for a judge that sees one response at a time."""
    tie_rate: float | None
    """Share of verdicts that are ties, in [0, 1]."""
    margin_sd: float | None
    """Standard deviation of the margins over pairs, at least 0, in log-odds or steps of the scale; null without
    margins."""
    n: int
    """Pairs that could be judged in every order, at least 1."""


class JudgeCallsOut(Out):
    """What one judge took in this start."""

    paid: int
    """Calls that were paid for in this start."""
    replayed: int
    """Replies that were read from the ledger instead."""
    input_tokens: int
    """Tokens sent with the paid calls, where the endpoint reports them."""
    output_tokens: int
    """Tokens received from the paid calls, where the endpoint reports them."""
    price: float | None
    """What the paid calls cost, in the currency of the declared price; null without one."""


class JudgedOut(Out):
    """One judge with everything measured about it."""

    name: str
    """A name that tells it from the other judges of the run."""
    judge: str
    """Its spec, such as `openai:MODEL`."""
    mode: str
    """How it was asked, in a word: `reason`, `label`, `own prompt`, `pointwise` or `program`."""
    instrument: str
    """The same in a few words, with prompt, scale and samples."""
    gate: GateOutcome | None
    """What the policy says of it: `pass`, `biased`, `inconclusive` or `broken`; null without a policy."""
    gate_reasons: tuple[str, ...]
    """Why, in words; empty where it passes or there is no policy."""
    more_pairs: int | None
    """About how many more pairs would decide what is open; null where nothing is or that is not known."""
    baseline: MeasuredBaselineOut | None
    """The judge on the originals; null where no original pair has verdicts that can be read."""
    effects: tuple[EffectOut, ...]
    """Every bias that was measured; habits (slot, format) first."""
    verdicts: int
    """Verdicts that were asked for, of rewrites that there are."""
    missing_share: float | None
    """Share of them that are missing, in [0, 1]; null where none was asked for."""
    missing: tuple[MissingOut, ...]
    """Everything that is missing, by arm and reason."""
    null_control: NullControl | None
    """What the instrument says where nothing is to be found; null where it was not asked for."""
    calls: JudgeCallsOut
    """What it took in this start."""


class SampleOut(Out):
    """The pairs that were measured, of how many."""

    measured: int
    """Pairs that were measured."""
    available: int
    """Pairs that there were."""
    skipped: int
    """Rows of the source that were skipped while reading."""
    labelled: bool
    """Whether it is known of every pair which response is better."""
    minutes: float | None
    """Budget in minutes that chose the number of pairs; null without one."""
    seconds_per_pair: float | None
    """Seconds that one pair took, where a budget chose their number; null without a budget or where nothing had to be
    paid."""


class MeasuredOut(Out):
    """A run of ``measure``: known biases on one or several judges."""

    schema_version: Literal["biasscope.measure/1"] = SCHEMA
    """Name and version of this schema."""
    version: str
    """Version of the program that wrote it."""
    run: str
    """The run folder, as it was named to the program."""
    complete: bool
    """Whether every judge was measured; until then numbers may change and judges are lacking."""
    gate: GateOutcome | None
    """The worst outcome over the judges, broken before biased before inconclusive before pass; null without a
    policy."""
    policy: GatePolicy | None
    """The policy of the gate; null without one."""
    judges: tuple[JudgedOut, ...]
    """The judges that were measured, in the order in which they were named."""
    teacher: str | None
    """Spec of the model that wrote rewrites; null without one."""
    rewrites: str
    """Who wrote the rewrites: `rules`, `teacher`, `data`, or the file that they come from."""
    sides: Side
    """The response into which traits were written: `rejected`, `chosen` or `both`."""
    rule: str
    """Rule of the trials: `fixed`, `default`, `fast` or `thorough`."""
    q: float
    """False discovery rate over everything tried on one judge, in (0, 1)."""
    seed: int
    """Seed from which everything random is derived."""
    pairs: SampleOut
    """The pairs that were measured."""
    calls: CallsOut
    """What was asked in this start of the run, of all judges and the teacher."""
    comparison: ComparisonOut | None
    """The judges beside each other; null for a single judge and until all were measured."""


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


def judge_labels(specs: Sequence[JudgeSpec]) -> tuple[str, ...]:
    """What each judge is called in tables of verdicts: its spec, and its name where a model is asked in several ways."""
    plain = [s.spec for s in specs]
    return tuple(s if plain.count(s) == 1 else n for s, n in zip(plain, judge_names(specs), strict=True))


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
