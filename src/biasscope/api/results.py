"""From what was measured to what is told: the output of a measurement, with its gate and what it took."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from biasscope import __version__
from biasscope.config import GatePolicy, JudgeSpec, MeasureConfig, ModelExecution
from biasscope.engine import Count
from biasscope.quantities import Sides
from biasscope.records import PreferencePair
from biasscope.report.compared import comparison_out
from biasscope.report.measured import (
    JudgeCallsOut,
    JudgedOut,
    MeasuredOut,
    SampleOut,
    judge_names,
    judged_out,
)
from biasscope.report.summarising import calls_out
from biasscope.steps.preference import pull_and_asymmetry
from biasscope.workflows.compare import compare_judges
from biasscope.workflows.gate import judge_gate, worst
from biasscope.workflows.measure import Measurement
from biasscope.workflows.sample import Sample


@dataclass(frozen=True, slots=True)
class Result:
    """One judge: what was measured, its calls in this start, and the biases that were discovered on it."""

    spec: JudgeSpec
    found: Measurement
    calls: Count
    discovered: frozenset[str]


def measured_out(
    run: Path,
    config: MeasureConfig,
    results: Sequence[Result],
    calls: tuple[Count, Count],
    policy: GatePolicy | None,
    *,
    sample: Sample | None,
    pairs: Sequence[PreferencePair],
    available: int,
    skipped: int,
) -> MeasuredOut:
    """The measurement so far as one object; `complete` once every judge was measured. `calls` are all and the teacher's."""
    identity, labelled = config.identity, all(p.labelled for p in pairs)
    names = judge_names(identity.judges)
    judges = tuple(
        _judged(name, r, config.execution.of(r.spec), policy, labelled=labelled)
        for name, r in zip(names, results, strict=False)
    )
    complete = len(results) == len(identity.judges)
    comparison = None
    if complete and len(results) > 1:
        titles = {e.bias: e.name for j in judges for e in j.effects}
        compared = compare_judges([r.found for r in results], pairs, q=identity.q)
        comparison = comparison_out(compared, names, titles, [r.discovered for r in results])
    outcomes = [j.gate for j in judges if j.gate is not None]
    return MeasuredOut(
        version=__version__,
        run=str(run),
        complete=complete,
        gate=None if policy is None else worst(outcomes),
        policy=policy,
        judges=judges,
        teacher=None if identity.teacher is None else identity.teacher.spec,
        rewrites=identity.supplied or identity.rewrites,
        sides=identity.sides,
        rule=identity.rule,
        q=identity.q,
        seed=identity.seed,
        pairs=SampleOut(
            measured=len(pairs),
            available=available,
            skipped=skipped,
            labelled=labelled,
            minutes=identity.minutes,
            seconds_per_pair=None if sample is None else sample.seconds_per_pair,
        ),
        calls=calls_out(*calls),
        comparison=comparison,
    )


def judge_calls(calls: Count, execution: ModelExecution) -> JudgeCallsOut:
    """What one judge took in this start, priced where the price of its tokens is declared."""
    price = None
    if execution.price is not None:
        price = (calls.input_tokens * execution.price[0] + calls.output_tokens * execution.price[1]) / 1e6
    return JudgeCallsOut(
        paid=calls.paid,
        replayed=calls.replayed,
        input_tokens=calls.input_tokens,
        output_tokens=calls.output_tokens,
        price=price,
    )


def _judged(
    name: str, result: Result, execution: ModelExecution, policy: GatePolicy | None, *, labelled: bool
) -> JudgedOut:
    found = result.found
    return judged_out(
        name,
        result.spec,
        found,
        None if policy is None else judge_gate(found, policy),
        judge_calls(result.calls, execution),
        labelled=labelled,
        sides=[_sides(found, number, labelled=labelled) for number in range(len(found.tested))],
        discovered=result.discovered,
    )


def _sides(found: Measurement, number: int, *, labelled: bool) -> Sides | None:
    if found.sides != "both":
        return None
    error = found.baseline.error_rate if found.baseline is not None and labelled else None
    return pull_and_asymmetry(found.table, found.tested[number], baseline_error=error, labelled=labelled)
