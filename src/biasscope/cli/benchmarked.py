"""Running a build or a filter for the command line, and saying what came out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.table import Table

from biasscope import api
from biasscope.cli.output import console, print_hanging, print_json
from biasscope.cli.progress import Progress
from biasscope.cli.working import run_kept
from biasscope.config import BenchmarkConfig, JudgeSpec, MeasureExecution, ModelExecution
from biasscope.report import benchmark_words as words
from biasscope.report.benchmarked import BenchmarkOut, FunnelOut
from biasscope.report.seeing import seen
from biasscope.workflows.stages import BUILD, FILTER


@dataclass(frozen=True, slots=True)
class Spending:
    """What a filter may spend: calls in all, and calls at once."""

    max_calls: int | None
    max_in_flight: int | None


def build(run: Path, config: BenchmarkConfig, *, review: int, json: bool, quiet: bool) -> None:
    """Build or continue, and print the outcome."""
    data = api.load_benchmark(config.identity)
    progress = Progress(quiet=quiet)
    progress.line(_plan(config, data))
    progress.expect(BUILD, prices={"teacher": config.execution.teacher.price})
    work = api.build_benchmark(
        run, config, data=data, review=review, on_event=progress.event, on_seen=progress.seen
    )
    print_benchmark(run_kept(work, progress), json=json)


def _plan(config: BenchmarkConfig, data: api.BenchmarkData) -> str:
    each = min(config.identity.variants, len(data.known.biases))
    count = len(data.pairs) * each
    return (
        f"{len(data.pairs):,} labelled pairs, {each} of {len(data.known.biases)} biases each: {count:,} variants by "
        f"{config.identity.rewrites}, four rewrites a variant"
    )


def filter_(
    run: Path,
    judges: Sequence[JudgeSpec],
    keep: str | None,
    spent: Spending,
    *,
    review: int,
    json: bool,
    quiet: bool,
) -> None:
    """Filter or continue, and print the outcome."""
    progress = Progress(quiet=quiet)
    progress.expect(FILTER)
    execution = MeasureExecution(
        max_calls=spent.max_calls, judge=ModelExecution(max_in_flight=spent.max_in_flight)
    )
    work = api.filter_benchmark(
        run, judges, keep, execution=execution, review=review, on_event=progress.event, on_seen=progress.seen
    )
    print_benchmark(run_kept(work, progress), json=json)


def print_benchmark(out: BenchmarkOut, *, json: bool) -> None:
    """Print for a person, or as JSON and nothing else."""
    if json:
        print_json(out)
        return
    shown = console()
    shown.print(f"{words.headline(out)}.", style="bold", soft_wrap=True)
    shown.print(_table(out), soft_wrap=False)
    lines = [
        *words.loss_lines(words.total_row(out)),
        words.growth_line(out),
        *words.filter_lines(out),
        *words.shortcut_lines(out),
    ]
    for line in lines:
        print_hanging(shown, "  ", line)
    for note in out.notes:
        print_hanging(shown, "Note: ", note)
    shown.print(f"\n{out.review:,} items for reviewers: biasscope benchmark review {out.run}", soft_wrap=True)
    shown.print(f"Page: {Path(out.run) / 'report.md'}", soft_wrap=True)


def _table(out: BenchmarkOut) -> Table:
    rows = [row for row in out.funnel if not (row.bias and row.domain)]
    steps = [step for step in words.STEPS if step in words.total_row(out).passed]
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("domain, then bias", overflow="fold")
    for step in steps:
        table.add_column(words.STEPS[step], justify="right")

    def add(row: FunnelOut) -> None:
        name = row.bias or row.domain or "all"
        counts = ("" if row.bias and step == "pairs" else f"{row.passed[step]:,}" for step in steps)
        table.add_row(" ".join(seen(name).split()), *counts)

    for row in [r for r in rows if not r.bias] + [r for r in rows if r.bias]:
        add(row)
    return table
