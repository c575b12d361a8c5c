"""Running an audit for the command line, and saying what came out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from biasscope import __version__, api
from biasscope.cli.output import console, print_hanging, print_json
from biasscope.datasets.logs import parse_columns
from biasscope.models.failures import plain
from biasscope.report import audited_page
from biasscope.report import audited_words as words
from biasscope.report.audited import AuditOut, AuditsOut
from biasscope.report.findings import number, p_cell, span

SHOWN_ASSOCIATIONS = 8
"""How many associations are listed; the page and the JSON have them all."""


@dataclass(frozen=True, slots=True)
class Told:
    """Which judge is asked for, a page to write, the seed, and how the outcome is printed."""

    judge: str | None
    markdown: Path | None
    seed: int
    json: bool


def audit(logs: Sequence[Path], columns: str | None, told: Told) -> None:
    """Audit, write the page where one is asked for, and print."""
    fields = None if columns is None else parse_columns(columns)
    audits = api.audit(logs, columns=fields, judge=told.judge, seed=told.seed)
    if told.markdown is not None:
        told.markdown.write_text(audited_page.render(audits), encoding="utf-8", errors="replace")
    if told.json:
        print_json(audits[0] if len(audits) == 1 else AuditsOut(version=__version__, audits=audits))
        return
    shown = console()
    for index, out in enumerate(audits):
        _print(shown, out, first=index == 0)


def _print(shown: Console, out: AuditOut, *, first: bool) -> None:
    shown.print(("" if first else "\n") + plain(words.title(out)), style="bold")
    for line in words.read_lines(out):
        print_hanging(shown, "  ", line)
    for line in [
        words.slot_line(out),
        words.consistency_line(out),
        words.error_line(out),
        *words.reread_lines(out),
        *words.round_lines(out),
    ]:
        print_hanging(shown, "  \u2022 ", line)
    _associations(shown, out)
    for line in words.candidate_lines(out):
        print_hanging(shown, "  \u2022 " if out.candidates else "  ", line)
    if out.command is not None:
        shown.print("  To try them:")
        for command in (out.before, out.command):
            if command is not None:
                shown.print(f"    {command}", soft_wrap=True)


def _associations(shown: Console, out: AuditOut) -> None:
    """The associations that are shown, as a table under their heading, and why they are no causes."""
    print_hanging(shown, "  ", words.associations_head(out))
    found = words.shown_associations(out)
    if not found:
        return
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("chosen more often with", overflow="fold")
    for name in ("points per sd", "interval", "q"):
        table.add_column(name, justify="right", no_wrap=True)
    for a in found[:SHOWN_ASSOCIATIONS]:
        change = a.change
        table.add_row(
            a.words, number(change.value, "fraction"), span(change.low, change.high, "fraction"), p_cell(a.q)
        )
    shown.print(table, soft_wrap=False)
    if len(found) > SHOWN_ASSOCIATIONS:
        shown.print(f"    and {len(found) - SHOWN_ASSOCIATIONS} more: see --markdown or --json")
    print_hanging(shown, "  ", words.CAUSE)
