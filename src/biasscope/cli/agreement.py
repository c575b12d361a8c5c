"""`biasscope benchmark agreement`: how far reviewers agree, the gate, and every answer as a table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from biasscope.cli.output import Json, console, print_hanging, print_json

if TYPE_CHECKING:
    from rich.console import Console

    from biasscope.report.reviewed import AgreementOut, AskedOut


def agreement(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Folder whose benchmark was reviewed.")],
    answers: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write every answer beside what its reviewer did not see: .csv, .jsonl or .parquet.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Seed of the intervals.")] = 0,
    json: Json = False,
) -> None:
    """Say how far reviewers agree.

    Raw agreement, Fleiss' kappa and Gwet's AC1 with intervals, by question, reviewer and bias, and whether the review passes.
    Works while the review goes on.
    """
    from biasscope import api

    found = api.agreement(run, seed=seed)
    if answers is not None:
        api.write_answers(run, answers)
    if json:
        print_json(found)
        return
    _print(console(), found)
    if answers is not None:
        console().print(f"Answers: {answers}", soft_wrap=True)


def _print(shown: Console, out: AgreementOut) -> None:
    from biasscope.report import reviewed_words as words

    for line in (words.state_line(out), words.dispute_line(out), words.gate_line(out)):
        print_hanging(shown, "", line)
    if not out.answers:
        return
    _table(shown, "All reviewers", [(words.QUESTIONS[q.question], q) for q in out.questions])
    for arm in out.arms:
        print_hanging(shown, "  ", words.arm_line(arm))
    print_hanging(shown, "  ", words.gap_line(out))
    _table(shown, "Valid, one reviewer with the others", [(r.name, r.questions[-1]) for r in out.reviewers])
    for reviewer in out.reviewers:
        if reviewer.known:
            said = f"{reviewer.name}: the better response is named in {reviewer.right:,} of {reviewer.known:,} answers."
            print_hanging(shown, "  ", said)
    _table(shown, "Valid, by bias", [(b.bias, b.questions[-1]) for b in out.biases])
    for note in out.notes:
        print_hanging(shown, "Note: ", note)


def _table(shown: Console, head: str, rows: list[tuple[str, AskedOut]]) -> None:
    from rich.table import Table

    from biasscope.report.reviewed_words import number
    from biasscope.report.seeing import seen

    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("", overflow="fold", min_width=12)
    for name in ("raw", "kappa", "AC1", "items"):
        table.add_column(name, justify="right", no_wrap=True)
    for name, asked in rows:
        table.add_row(
            " ".join(seen(name).split()),
            number(asked.raw),
            number(asked.kappa),
            number(asked.ac1),
            f"{asked.items:,}",
        )
    shown.print(f"\n{head}", style="bold")
    shown.print(table, soft_wrap=False)
