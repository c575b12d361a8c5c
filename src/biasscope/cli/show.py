"""`biasscope show`: what a run found, without a call."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from biasscope import api
from biasscope.cli.summary import print_summary


def show(
    run: Annotated[Path, typer.Argument(help="Folder of a run.")],
    json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object on stdout and nothing else there.")
    ] = False,
) -> None:
    """Show what a run found."""
    print_summary(api.show(run), json=json)
