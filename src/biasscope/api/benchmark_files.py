"""The files of a benchmark as one value: read, summed up, and written after every step. Asks nobody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from biasscope.api.known import catalogue_with
from biasscope.benchmarks import BenchmarkItem
from biasscope.benchmarks.funnel import Tally
from biasscope.benchmarks.keeping import parse_rule
from biasscope.config import BenchmarkConfig
from biasscope.errors import UsageError
from biasscope.report import benchmark_page
from biasscope.report.benchmark_summary import BuildFacts, Filtering, FilterRun, benchmark_out
from biasscope.report.benchmarked import BenchmarkOut
from biasscope.report.summary import CallsOut
from biasscope.reviews import ReviewItem
from biasscope.rundir import RunDir
from biasscope.rundir.benchmarks import BUILD, FILTER, FUNNEL, ITEMS, OUTCOMES, read_funnel, read_items
from biasscope.rundir.files import read_records
from biasscope.rundir.reviews import ANSWERS, read_review
from biasscope.rundir.reviews import ITEMS as REVIEW_ITEMS
from biasscope.seeds import derive_seed
from biasscope.workflows.benchmark_filter import VariantOutcome, keep
from biasscope.workflows.benchmark_review import items_to_review

REVIEWED = 100
"""Variants whose rewrites are put before reviewers, unless another number is wanted."""


@dataclass(frozen=True, slots=True)
class BenchmarkFiles:
    """What the folder of a benchmark holds: items with the marks of its filter, counts of the build, the filter if one ran."""

    folder: RunDir
    config: BenchmarkConfig
    facts: BuildFacts
    items: tuple[BenchmarkItem, ...]
    tallies: tuple[Tally, ...]
    filtering: Filtering | None


def require_benchmark(run: Path) -> None:
    """Raise UsageError, with what to do, for a folder in which no benchmark was built."""
    if not (run / "config.json").is_file():
        raise UsageError(f"{run} holds no benchmark", hint=f"Build one: biasscope benchmark build {run}")
    benchmark_config_of(RunDir.read(run))


def benchmark_config_of(folder: RunDir) -> BenchmarkConfig:
    """The configuration of a benchmark's folder; raises UsageError for the folder of another command."""
    if not isinstance(folder.config, BenchmarkConfig):
        raise UsageError(
            f"{folder.path} holds a run of another command",
            hint="Name a folder of biasscope benchmark build.",
        )
    return folder.config


def read_benchmark(folder: RunDir) -> BenchmarkFiles:
    """Read the files of a benchmark; raises UsageError where none was built, DataError for what cannot be read."""
    config = benchmark_config_of(folder)
    items, tallies = read_items(folder.path), read_funnel(folder.path)
    facts = folder.read_records(BUILD, BuildFacts)[0]
    return BenchmarkFiles(folder, config, facts, items, tallies, read_filter(folder))


def read_filter(folder: RunDir) -> Filtering | None:
    """The filter that was run; None where none was."""
    if not (folder.path / f"{FILTER}.jsonl").exists():
        return None
    run = folder.read_records(FILTER, FilterRun)[0]
    return Filtering(run, tuple(folder.read_records(OUTCOMES, VariantOutcome)))


def marked(
    items: Sequence[BenchmarkItem], filtering: Filtering, seed: int
) -> tuple[tuple[BenchmarkItem, ...], tuple[Tally, ...]]:
    """The items as the filter marks them, and what became of every variant there."""
    rule = parse_rule(filtering.run.keep, len(filtering.run.judges))
    kept = keep(items, filtering.outcomes, rule, seed=seed)
    return kept.items, kept.tallies


def write_benchmark(
    folder: RunDir,
    config: BenchmarkConfig,
    facts: BuildFacts,
    built: Sequence[BenchmarkItem],
    tallies: Sequence[Tally],
    filtering: Filtering | None,
    *,
    review: int = REVIEWED,
    calls: CallsOut | None = None,
) -> BenchmarkOut:
    """Write everything that follows from what was built and judged, the summary last, and return it.

    `tallies` are those of the build. Items that people answered about stay in the review while they are in the benchmark.
    """
    identity = config.identity
    items: tuple[BenchmarkItem, ...] = tuple(built)
    after: tuple[Tally, ...] = ()
    if filtering is not None:
        items, after = marked(built, filtering, identity.seed)
        folder.write_records(OUTCOMES, filtering.outcomes)
        folder.write_records(FILTER, [filtering.run])
    folder.write_records(FUNNEL, tallies)
    folder.write_records(BUILD, [facts])
    folder.write_records(ITEMS, items)
    people = _people(folder.path, items, review, identity.seed)
    folder.write_records(REVIEW_ITEMS, people)
    out = benchmark_out(
        str(folder.path),
        identity,
        facts,
        items,
        (*tallies, *after),
        filtering,
        catalogue=catalogue_with(identity.biases),
        review=len(people),
        calls=calls,
    )
    folder.write_text("report.json", out.model_dump_json(indent=2) + "\n")
    folder.write_text("report.md", benchmark_page.render(out))
    return out


def _people(path: Path, items: Sequence[BenchmarkItem], count: int, seed: int) -> list[ReviewItem]:
    """The items for reviewers: those of `count` variants, and those that have answers and are in the benchmark still."""
    found = {one.id: one for one in items_to_review(items, count, seed=seed)}
    if (path / ANSWERS).exists() and (path / f"{REVIEW_ITEMS}.jsonl").exists():
        answered = {item for _, item in read_review(path).stand}
        earlier = {
            one.id: one for one in read_records(path / f"{REVIEW_ITEMS}.jsonl", ReviewItem) if one.id in answered
        }
        every = (
            {one.id: one for one in items_to_review(items, len(items), seed=seed)}
            if earlier.keys() - found
            else {}
        )
        found |= {name: one for name, one in earlier.items() if every.get(name) == one}
    return sorted(found.values(), key=lambda one: derive_seed("review set", seed, one.id))
