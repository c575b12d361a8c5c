"""`biasscope report`: the HTML page of a run, made from its folder without a call."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from biasscope.cli.output import Json


def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs.")],
    json: Json = False,
) -> None:
    """Make the report of a run again.

    Writes report.html, its charts and the Markdown page from the files of the folder, without a call. discover and measure
    write them at their end.
    """
    from biasscope import api
    from biasscope.cli.output import console, print_json
    from biasscope.report.outputs import ReportsOut

    made = [api.report(run) for run in runs]
    if json:
        print_json(ReportsOut(reports=tuple(made)))
        return
    shown = console()
    for one in made:
        for note in one.notes:
            shown.print(f"Note: {note}", soft_wrap=True)
        if not one.complete and not one.notes:
            shown.print(f"Note: {one.run} is not finished.", soft_wrap=True)
        shown.print(f"Report: {one.report}", soft_wrap=True)
