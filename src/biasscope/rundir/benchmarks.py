"""The files of a benchmark in its run folder: its items, what became of every variant, and the filter that was run."""

from __future__ import annotations

from pathlib import Path

from biasscope.benchmarks import BenchmarkItem
from biasscope.benchmarks.funnel import Tally
from biasscope.errors import DataError, UsageError
from biasscope.rundir.files import read_records

ITEMS = "items"
"""Name of the records of the items: ``items.jsonl``, with the marks of the filter where one was run."""
FUNNEL = "funnel"
"""Name of the records that count what came of every variant when the benchmark was built."""
BUILD = "build"
"""Name of the record of what is known of the build besides."""
FILTER = "filter"
"""Name of the record of the filter: its rule and its judges."""
OUTCOMES = "outcomes"
"""Name of the records of what each judge of the filter made of each variant."""


def read_items(run: Path | str) -> tuple[BenchmarkItem, ...]:
    """Read the items of a benchmark; raises UsageError where none was built and DataError where they cannot be read."""
    path = Path(run)
    file = path / f"{ITEMS}.jsonl"
    if not file.is_file():
        raise UsageError(
            f"{path} holds no benchmark: it has no {file.name}",
            hint=f"Build one: biasscope benchmark build {path}",
        )
    items = tuple(read_records(file, BenchmarkItem))
    seen: set[str] = set()
    for item in items:
        if item.id in seen:
            raise DataError(f"{file}: two items have the id {item.id!r}", hint="Build the benchmark again.")
        seen.add(item.id)
    return items


def read_funnel(run: Path) -> tuple[Tally, ...]:
    """Read the counts of a build; raises DataError where they cannot be read."""
    return tuple(read_records(run / f"{FUNNEL}.jsonl", Tally))
