"""`biasscope models`: local weights that are known by name, and fetching them."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from biasscope.cli.output import print_json
from biasscope.models import weights
from biasscope.report.outputs import FetchOut, ModelsOut, WeightsOut

app = typer.Typer(help="Local weights: list and fetch.", no_args_is_help=True)
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout and nothing else there.")]


@app.command("list")
def list_models(json: Json = False) -> None:
    """List the weights that are known by name."""
    rows = weights.listing()
    if json:
        found = [
            WeightsOut(name=r.name, bytes=r.size, licence=r.licence, path=str(r.path) if r.path else None)
            for r in rows
        ]
        print_json(ModelsOut(models=tuple(found)))
        return
    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in ("name", "size", "licence", "where"):
        table.add_column(column)
    for r in rows:
        table.add_row(r.name, f"{r.size / 1e6:,.0f} MB", r.licence, str(r.path) if r.path else "not fetched")
    Console(highlight=False).print(table)


@app.command("fetch")
def fetch(
    name: Annotated[str, typer.Argument(help="Name from `biasscope models list`.")], json: Json = False
) -> None:
    """Fetch weights by name; an interrupted download continues."""
    console = Console(stderr=True, highlight=False)
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task(name, total=None)
        path = weights.fetch(
            name, progress=lambda done, total: progress.update(task, completed=done, total=total)
        )
    if json:
        print_json(FetchOut(name=name, path=str(path)))
    else:
        Console(highlight=False).print(f"{name} is at {path}", soft_wrap=True)
