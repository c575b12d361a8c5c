"""Measuring fixes for the command line, and saying what came out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from rich.table import Table

from biasscope import api
from biasscope.cli.output import console, print_hanging, print_json
from biasscope.cli.progress import Progress
from biasscope.cli.working import run_kept
from biasscope.config import MitigateConfig
from biasscope.report import mitigated_words as words
from biasscope.report.mitigated import MitigatedOut
from biasscope.workflows.stages import MITIGATION


def mitigate(run: Path, config: MitigateConfig, *, json: bool, quiet: bool) -> None:
    """Measure or continue, and print the outcome."""
    data = api.load_mitigate(config.identity)
    progress = Progress(quiet=quiet)
    progress.line(_plan(config, data))
    progress.expect(MITIGATION, prices={"teacher": config.execution.teacher.price})
    work = api.mitigate(run, config, data=data, on_event=progress.event, on_seen=progress.seen)
    print_mitigated(run_kept(work, progress), json=json)


def _plan(config: MitigateConfig, data: api.MitigateData) -> str:
    fixes, refused = ", ".join(config.identity.fixes), data.refused
    left = f"; {refused} pairs refused, since they had a part in finding the biases" if refused else ""
    return (
        f"{len(data.biases)} biases, {len(data.tuning)} pairs to choose by and {len(data.held_out)} to report on{left}; "
        f"fixes: {fixes}"
    )


def print_mitigated(out: MitigatedOut, *, json: bool) -> None:
    """Print for a person, or as JSON and nothing else."""
    if json:
        print_json(out)
        return
    shown = console()
    shown.print(words.headline(out), style="bold", soft_wrap=True)
    shown.print(f"{words.set_line(out)} {words.unit_line(out)}", soft_wrap=True)
    shown.print("\nThe pairs as they were", style="bold")
    shown.print(
        _table(words.FIXES, (words.fix_row(fix) for fix in out.fixes), words.FIXES_SHORT), soft_wrap=False
    )
    for fix in out.fixes:
        if fix.biases:
            shown.print(f"\n{fix.fix}: what is left of each bias", style="bold")
            shown.print(
                _table(words.BIASES, (words.bias_row(b) for b in fix.biases), words.BIASES_SHORT), soft_wrap=False
            )
    for line in words.notes(out):
        print_hanging(shown, "  • ", line)
    shown.print(
        f"\nErrors by where the trait is, and everything else: {Path(out.run) / 'mitigation.md'}", soft_wrap=True
    )
    good = next((f for f in out.fixes if f.verdict in ("works", "works_for_slot")), None)
    if good is not None:
        shown.print(f"To use it: {words.use_line(out, good)}", soft_wrap=True)


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]], short: int) -> Table:
    """A table of the first columns, whose numbers stand right, behind the two columns of words."""
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for number, column in enumerate(columns[:short]):
        table.add_column(column, overflow="fold", justify="left" if number < 2 else "right", no_wrap=number >= 2)
    for row in rows:
        table.add_row(*row[:short])
    return table
