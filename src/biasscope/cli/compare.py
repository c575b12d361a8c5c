"""`biasscope compare`: runs beside each other, from their folders, without a call."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from biasscope.cli.output import Json

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from biasscope.report.run_comparison import ChangeOut, CompareOut, RunComparisonOut


def compare(
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN RUN...", help="Folders of runs; the first is the reference.")
    ],
    json: Json = False,
) -> None:
    """Compare the judges of runs, pair by pair.

    Every judge against the first one of the first run, on the pairs that both judged: errors, slot preference, and the
    biases that were tried on both, with intervals and one correction over all differences.
    """
    from biasscope import api
    from biasscope.cli.output import console, print_json

    found = api.compare(runs)
    if json:
        print_json(found)
        return
    _show(console(), found)


def _show(shown: Console, found: CompareOut) -> None:
    from biasscope.cli.output import print_hanging
    from biasscope.report.run_comparison import headline, notes

    for number, one in enumerate(found.comparisons):
        if number:
            shown.print()
        shown.print(headline(one), style="bold", soft_wrap=True)
        shown.print(f"Reference: {one.reference}. Other: {one.other}. Differences in points.", soft_wrap=True)
        shown.print(_table(one), soft_wrap=False)
        for note in notes(one):
            print_hanging(shown, "  • ", note)


def _table(one: RunComparisonOut) -> Table:
    from rich.table import Table

    from biasscope.report.findings import STATUS_WORDS

    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("", overflow="fold", min_width=16)
    table.add_column("status", overflow="fold")
    for heading in ("ref.", "other", "diff.", "95 % interval", "q"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_row("Error rate (%)", "", *_cells(one.error_rate, rate=True))
    if one.slot_preference is not None:
        table.add_row("Slot preference", "", *_cells(one.slot_preference))
    for bias in one.biases:
        status = dict.fromkeys(STATUS_WORDS[s] for s in (bias.reference_status, bias.other_status))
        table.add_row(bias.name, ", then ".join(status), *_cells(bias.change))
    return table


def _cells(change: ChangeOut, *, rate: bool = False) -> list[str]:
    """The two ends, the difference, its interval and q; a rate has no sign."""
    from biasscope.report.findings import number, p_cell, span

    ends = [number(value, "fraction") for value in (change.reference, change.other)]
    ends = [end.removeprefix("+") for end in ends] if rate else ends
    difference = number(change.difference, "fraction")
    return [*ends, difference, span(change.low, change.high, "fraction"), p_cell(change.q)]
