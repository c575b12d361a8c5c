"""Runs that were made before, beside each other; from their folders, without a call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from biasscope import __version__
from biasscope.config import AnyConfig, MeasureConfig, RunConfig
from biasscope.errors import DataError, UsageError
from biasscope.records import Trial
from biasscope.report.measured import judge_labels
from biasscope.report.run_comparison import CompareOut, comparison_out
from biasscope.rundir import RunDir
from biasscope.rundir.folder import identity_changes
from biasscope.workflows.compare_runs import Subject, compare_runs


@dataclass(frozen=True, slots=True)
class _Source:
    """One judge of one run folder; `judge` is what its table of verdicts calls it."""

    run: Path
    config: AnyConfig
    judge: str
    trials: str


def compare(runs: Sequence[Path]) -> CompareOut:
    """Compare every judge of these runs with the first judge of the first, pair by pair.

    Raises UsageError for fewer than two judges or a folder of another kind, DataError for a run without a result and
    for judges that share too few pairs.
    """
    sources = [source for run in runs for source in _sources(Path(run))]
    if len(sources) < 2:
        raise UsageError(
            "one judge cannot be compared", hint="Name two runs, or one that measured several judges."
        )
    names = Counter(source.judge for source in sources)
    subjects = [_subject(source, unique=names[source.judge] == 1) for source in sources]
    discoveries = [
        s.label for s, of in zip(subjects, sources, strict=True) if not isinstance(of.config, MeasureConfig)
    ]
    first, *others = zip(subjects, sources, strict=True)
    return CompareOut(
        version=__version__,
        runs=tuple(str(run) for run in runs),
        comparisons=tuple(
            comparison_out(
                first[0], subject, compare_runs(first[0], subject), _settings(first[1], source), discoveries
            )
            for subject, source in others
        ),
    )


def _sources(run: Path) -> list[_Source]:
    config = RunDir.read(run).config
    if isinstance(config, MeasureConfig):
        labels = judge_labels(config.identity.judges)
        return [_Source(run, config, label, f"trials-{n}") for n, label in enumerate(labels, 1)]
    if not isinstance(config, RunConfig):
        raise UsageError(
            f"{run} is no run of trials",
            hint="Name folders of discover or measure; a ranking compares its judges itself.",
        )
    return [_Source(run, config, config.identity.judge.spec, "trials")]


def _subject(source: _Source, *, unique: bool) -> Subject:
    folder = RunDir.read(source.run)
    if not (source.run / f"{source.trials}.jsonl").exists():
        raise DataError(
            f"{source.run} holds no result yet", hint="Run the same command with it again to continue."
        )
    trials = folder.read_records(source.trials, Trial)
    verdicts = folder.read_verdicts()
    label = source.judge if unique else f"{source.judge} in {source.run}"
    return Subject(label, verdicts.filter(verdicts["judge"] == source.judge), {t.bias.id: t for t in trials})


def _settings(one: _Source, other: _Source) -> list[str]:
    """The settings in which two runs of one command differ; their judges are what is compared."""
    if one.run == other.run:
        return []
    if type(one.config) is not type(other.config):
        return ["the command: one discovered its biases, the other measured known ones"]
    return [change for change in identity_changes(one.config, other.config) if not change.startswith("judge")]
