"""`biasscope benchmark publish`: a benchmark as a folder of files with a card."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from biasscope.cli.benchmark_build import Run
from biasscope.cli.output import Json, console, print_hanging, print_json

EXAMPLE = """Examples:

\b
  biasscope benchmark publish runs/hard --out hard --licence mit"""


def publish(
    run: Run,
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Folder to write: a new one, or one that was published before.")
    ],
    format_: Annotated[
        Literal["parquet", "jsonl"], typer.Option("--format", help="Kind of the files.")
    ] = "parquet",
    licence: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Licence of the pairs, such as mit or cc-by-4.0; unknown where it is left out."
        ),
    ] = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Name on the card (default: that of the folder RUN).")
    ] = None,
    json: Json = False,
) -> None:
    """Publish a benchmark.

    Writes one file a subset in the columns of JudgeBench-Pro and where each row is from, a card with the funnel, the
    agreement of reviewers and the shortcuts, and the summary. What reviewers found not valid is left out.
    """
    from biasscope import api

    found = api.publish_benchmark(run, out, form=format_, licence=licence, name=name)
    if json:
        print_json(found)
        return
    shown = console()
    for file in found.files:
        shown.print(f"{out / file.path}  {file.rows:,} rows", soft_wrap=True)
    shown.print(f"Card: {out / 'README.md'}", soft_wrap=True)
    for note in found.notes:
        print_hanging(shown, "Note: ", note)
