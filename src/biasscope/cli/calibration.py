"""Calibrating the rule, and saying what came out: for a person, as JSON, or as the table of the documentation."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from biasscope import __version__
from biasscope.api.calibrating import TextCalibration, calibrate_texts
from biasscope.cli import calibration_table
from biasscope.cli.output import console, print_json
from biasscope.report.outputs import AlternativeOut, CalibrateOut, CharacteristicsOut, MeasureOut
from biasscope.stats.simulation.score import Characteristics, Measure
from biasscope.workflows.calibrate import Calibration, Setup
from biasscope.workflows.calibrate import calibrate as simulate

COLUMNS = """\
false: share of candidates without effect among the accepted, on average (false discovery rate).
found: share of the medium and large biases that were accepted; small: of the small ones.
calls: of teacher and judge, over those of the published rule for its candidates; teacher: rewrites alone."""
RULES_BESIDE = """\
published rule: accept when the error exceeds that of the originals. two proportions: candidate against originals
in one order, as if on other pairs. one order only: against three neutral rewrites in one order. no neutral rewrites:
against the originals in both orders. All but the published rule correct for the number of candidates."""


def measure(setup: Setup, *, json: bool, quiet: bool) -> None:
    """Simulate and print."""
    found = calibration_out(run(setup, quiet=quiet))
    if json:
        print_json(found)
    else:
        _show(found, setup)


def measure_texts(setup: Setup, *, json: bool, quiet: bool) -> None:
    """Go through texts, beside simulated scores of the same world, and print."""
    with _bar(setup, quiet=quiet) as tell:
        found = text_out(calibrate_texts(setup, on_run=tell))
    if json:
        print_json(found)
    else:
        _show(found, setup)


def run(setup: Setup, *, quiet: bool) -> Calibration:
    """Simulate, with a bar on a terminal."""
    with _bar(setup, quiet=quiet) as tell:
        return simulate(setup, on_run=tell)


@contextmanager
def _bar(setup: Setup, *, quiet: bool) -> Iterator[Callable[[int], None]]:
    errors = console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    shown = errors.is_terminal and not quiet
    with Progress(*columns, console=errors, disable=not shown, transient=True, redirect_stdout=False) as bar:
        task = bar.add_task(f"{setup.suite.name}, {setup.rule}", total=setup.runs)
        yield lambda done: bar.update(task, completed=done)


def print_table(*, runs: int, seed: int, quiet: bool) -> None:
    """Print the Markdown table of the documentation, measured now."""
    sys.stdout.write(calibration_table.markdown(lambda setup: run(setup, quiet=quiet), runs=runs, seed=seed))


def calibration_out(found: Calibration) -> CalibrateOut:
    """The object that `--json` prints."""
    return _out(
        found.setup,
        found.measured,
        text=False,
        sham_acceptance=_measure(found.sham_acceptance),
        alternatives=tuple(AlternativeOut(rule=n, **_fields(c)) for n, c in found.alternatives.items()),
        simulated=None,
    )


def text_out(found: TextCalibration) -> CalibrateOut:
    """The object that `--text --json` prints."""
    return _out(
        found.setup,
        found.texts,
        text=True,
        sham_acceptance=None,
        alternatives=(),
        simulated=CharacteristicsOut(**_fields(found.simulated)),
    )


def _out(setup: Setup, measured: Characteristics, **rest: Any) -> CalibrateOut:
    """What was asked for and what came of it, beside what only one of the two ways has."""
    return CalibrateOut(
        version=__version__,
        suite=setup.suite.name,
        rule=setup.rule,
        runs=setup.runs,
        pairs=setup.pairs,
        graded=setup.graded,
        iterations=setup.iterations,
        seed=setup.seed,
        **_fields(measured),
        **rest,
    )


def _fields(found: Characteristics) -> dict[str, Any]:
    return {
        "fdr": _measure(found.fdr),
        "recall_medium_large": _optional(found.recall_medium_large),
        "recall": {size: _optional(share) for size, share in found.recall.items()},
        "calls_ratio": _measure(found.calls_ratio),
        "teacher_calls_ratio": _measure(found.teacher_calls_ratio),
        "coverage_fcr": _optional(found.coverage_fcr),
        "coverage_fresh": _optional(found.coverage_fresh),
    }


def _measure(found: Measure) -> MeasureOut:
    return MeasureOut(value=found.value, mc_error=found.mc_error)


def _optional(found: Measure | None) -> MeasureOut | None:
    return None if found is None else _measure(found)


def _show(found: CalibrateOut, setup: Setup) -> None:
    shown = console()
    named = zip(("without effect", "small", "medium", "large"), setup.suite.counts, strict=True)
    suite = ", ".join(f"{count} {size}" for size, count in named if count)
    graded = "; margins in place of verdicts for the first rule" if found.graded else ""
    shown.print(
        f"{found.runs:,} {'planted' if found.text else 'simulated'} judges, {found.pairs:,} pairs, candidates: {suite}{graded}",
        style="bold",
    )
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("rule", overflow="fold")
    for name in ("false", "found", "small", "calls", "teacher"):
        table.add_column(name, justify="right", no_wrap=True)
    ours = calibration_table.OTHERS["paper"] if found.rule == "paper" else found.rule
    table.add_row(ours, *_cells(found), style="bold")
    if found.simulated is not None:
        table.add_row("the same, simulated", *_cells(found.simulated))
    for other in found.alternatives:
        table.add_row(calibration_table.OTHERS[other.rule], *_cells(other))
    shown.print(table, soft_wrap=False)
    shown.print()
    if found.sham_acceptance is not None:
        shown.print(
            f"Any of 20 candidates without effect, tried by themselves, was accepted in {_share(found.sham_acceptance)} "
            "of the runs."
        )
    for name, covered in (
        ("The interval of an accepted bias", found.coverage_fcr),
        ("A plain 95 % interval on the pairs after the stop", found.coverage_fresh),
    ):
        if covered is not None:
            shown.print(f"{name} contains the truth in {_share(covered)}.")
    shown.print("\n" + COLUMNS)
    if found.alternatives:
        shown.print(RULES_BESIDE)


def _cells(found: CharacteristicsOut) -> tuple[str, ...]:
    small = found.recall.small
    shares = (found.fdr, found.recall_medium_large, small)
    calls = (found.calls_ratio, found.teacher_calls_ratio)
    return (*("" if s is None else _share(s) for s in shares), *(f"{c.value:.2f}" for c in calls))


def _share(found: MeasureOut) -> str:
    return f"{100 * found.value:.1f} ± {100 * found.mc_error:.1f} %"
