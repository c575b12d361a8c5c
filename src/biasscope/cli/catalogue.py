"""`biasscope catalogue`: the known biases, and a check of a file that adds some."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from biasscope.cli.output import Json, console, print_hanging, print_json


def catalogue(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FILE]", help="A TOML or Python file of your own biases: check it, and list what it holds."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """List the known biases, or check a file of yours."""
    from biasscope.api import catalogue_of

    found = catalogue_of(file)
    if json:
        print_json(found)
        return
    shown = console()
    family = None
    for known in found.biases:
        if known.family != family:
            family = known.family
            shown.print(f"\n{family}", style="bold")
        how = {"pull": f"{known.phrasings} phrasings", "cue": f"{known.phrasings} facts"}.get(known.estimand, "")
        facts = ", ".join(part for part in (known.estimand, f"expected {known.sign}", how) if part)
        shown.print(f"  {known.id} ({facts})", soft_wrap=True)
        print_hanging(shown, "    ", known.definition)
    count = len(found.biases)
    shown.print(f"\n{count} bias{'' if count == 1 else 'es'}. Measure some: --biases ID,ID or a family's name.")
