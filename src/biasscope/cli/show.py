"""`biasscope show`: what a run found, without a call."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from biasscope.cli.output import Json


def show(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Folder of a run.")],
    json: Json = False,
) -> None:
    """Show what a run found."""
    from biasscope import api
    from biasscope.cli.measuring import print_measured
    from biasscope.cli.summary import print_summary
    from biasscope.report.measured import MeasuredOut

    found = api.show(run)
    if not json:
        # For a person the folder is where it is now, and not where it was when the run ended.
        found = found.model_copy(update={"run": str(run)})
    if isinstance(found, MeasuredOut):
        print_measured(found, json=json)
    else:
        print_summary(found, json=json)
