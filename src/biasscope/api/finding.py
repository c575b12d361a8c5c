"""What an earlier run found on a judge, and which questions had a part in that: where a mitigation begins. Asks nobody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from biasscope.api.known import catalogue_with
from biasscope.ask import digest
from biasscope.catalogue.known import Catalogue, built_in
from biasscope.config import JudgeSpec, MeasureConfig, ModelExecution, ModelSpec, RunConfig
from biasscope.errors import DataError, UsageError
from biasscope.records import HABITS, Bias, Trial
from biasscope.report.measured import judge_labels
from biasscope.rundir import RunDir


@dataclass(frozen=True, slots=True)
class Found:
    """What a run found on one judge.

    `accepted` are biases of the text that hold, `known` those that were tried, `slot` the sign of a slot habit that holds
    (1 first, -1 second, 0 none). `used` are hashes of the questions that had a part in finding them. `data` is the source of
    pairs that has others left, None where there is none. `teacher` and `writers` wrote, `rewrites` says who writes what.
    """

    run: Path
    judge: JudgeSpec
    execution: ModelExecution
    accepted: tuple[Bias, ...]
    known: tuple[Bias, ...]
    slot: int
    used: frozenset[str]
    data: str | None
    limit: int | None
    catalogue: Catalogue
    rewrites: str
    teacher: ModelSpec | None
    writers: tuple[ModelSpec, ...]
    writing: ModelExecution
    sha256: str


def read_found(run: Path | str, judge: str | None = None) -> Found:
    """Read the folder of a discovery or a measurement; `judge` names one of several by its spec.

    Raises UsageError for a folder of another kind or a judge that is not in it, DataError for a run that is not finished.
    """
    folder = RunDir.read(run)
    config = folder.config
    if isinstance(config, RunConfig):
        number, spec, execution = None, config.identity.judge, config.execution.judge
        if judge not in (None, spec.spec):
            raise _other(judge, [spec])
        label, trials = judge_labels([spec])[0], "trials"
        catalogue = built_in()
    elif isinstance(config, MeasureConfig):
        number = _number(config.identity.judges, judge)
        spec = config.identity.judges[number]
        execution = config.execution.of(spec)
        label, trials = judge_labels(config.identity.judges)[number], f"trials-{number + 1}"
        catalogue = catalogue_with(config.identity.biases)
    else:
        raise UsageError(
            f"{run} holds no biases that were found", hint="Name the folder of biasscope discover or measure."
        )
    stored = folder.path / f"{trials}.jsonl"
    if not stored.exists():
        raise DataError(
            f"{run} is not finished: it does not say yet what was found",
            hint="Run the same command with it again; nothing is paid twice.",
        )
    tried = folder.read_records(trials, Trial)
    text = [t for t in tried if t.estimand not in HABITS and t.bias.origin != "sham"]
    slot = next((t for t in tried if t.estimand == "slot" and t.status == "accepted" and t.effect), None)
    rewrites = config.identity.rewrites if config.identity.rewrites == "teacher" else "rules"
    identity = config.identity
    return Found(
        run=folder.path,
        judge=spec,
        execution=execution,
        accepted=tuple(t.bias for t in text if t.status == "accepted"),
        known=tuple(t.bias for t in text),
        slot=0 if slot is None or slot.effect is None else 1 if slot.effect.value > 0 else -1,
        used=_used(folder, label),
        data=_source(config),
        limit=config.identity.limit if isinstance(config, MeasureConfig) else config.identity.data.limit,
        catalogue=catalogue,
        rewrites=rewrites,
        teacher=identity.teacher,
        writers=identity.writers,
        writing=config.execution.teacher,
        sha256=digest(stored.read_text(encoding="utf-8")),
    )


def _number(judges: Sequence[JudgeSpec], judge: str | None) -> int:
    if judge is None and len(judges) == 1:
        return 0
    named = [k for k, spec in enumerate(judges) if spec.spec == judge]
    if len(named) == 1:
        return named[0]
    raise _other(judge, judges)


def _other(judge: str | None, judges: Sequence[JudgeSpec]) -> UsageError:
    listed = ", ".join(spec.spec for spec in judges)
    if judge is None:
        return UsageError("the run has several judges", hint=f"Name one of them with --judge: {listed}.")
    return UsageError(
        f"{judge} is no judge of the run, or not the only one of that name", hint=f"It has {listed}."
    )


def _used(folder: RunDir, label: str) -> frozenset[str]:
    """Hashes of the questions with a verdict that had a part in what was found."""
    frame = folder.read_verdicts()
    rows = frame.filter((frame["judge"] == label) & (frame["role"] != "holdout"))
    return frozenset(rows["question"].to_list())


def _source(config: RunConfig | MeasureConfig) -> str | None:
    if isinstance(config, MeasureConfig):
        return config.identity.data
    return config.identity.data.data or config.identity.data.validation
