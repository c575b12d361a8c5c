"""`biasscope report`: the pages and tables of a run, made from its folder without a call."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from biasscope.cli.output import Json


def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs.")],
    latex: Annotated[
        bool, typer.Option("--latex", help="Write tables/main.tex and tables/biases.tex into each folder too.")
    ] = False,
    tables: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Write the same tables, one over all the runs, into this folder."),
    ] = None,
    json: Json = False,
) -> None:
    """Make the report of a run again.

    Writes report.html, its charts and report.md from the files of the folder, without a call. discover and measure write
    them at their end. Tables are for papers: LaTeX with booktabs.
    """
    from biasscope import api
    from biasscope.cli.output import console, print_json
    from biasscope.report.outputs import ReportsOut

    made = [api.report(run, tables=latex) for run in runs]
    together = () if tables is None else api.write_tables(runs, tables)
    if json:
        print_json(ReportsOut(reports=tuple(made), tables=together))
        return
    shown = console()
    for one in made:
        for note in one.notes:
            shown.print(f"Note: {note}", soft_wrap=True)
        if not one.complete and not one.notes:
            shown.print(f"Note: {one.run} is not finished.", soft_wrap=True)
        shown.print(f"Report: {one.report}", soft_wrap=True)
        for path in one.tables:
            shown.print(f"Table: {path}", soft_wrap=True)
    for path in together:
        shown.print(f"Table: {path}", soft_wrap=True)
