"""`biasscope models`: local weights that are known by name, and fetching them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from biasscope.cli.output import Json, console, print_json, require_command

app = typer.Typer(help="Local weights: list and fetch.")


@app.callback(invoke_without_command=True)
def _group(context: typer.Context) -> None:
    require_command(context)


@app.command("list")
def list_models(json: Json = False) -> None:
    """List the weights that are known by name."""
    from biasscope.models import weights
    from biasscope.report.outputs import ModelsOut, WeightsOut

    rows = weights.listing()
    if json:
        found = [
            WeightsOut(name=r.name, bytes=r.size, licence=r.licence, path=str(r.path) if r.path else None)
            for r in rows
        ]
        print_json(ModelsOut(models=tuple(found)))
        return
    shown = console()
    for r in rows:
        where = str(r.path) if r.path else f"not fetched: biasscope models fetch {r.name}"
        # A path is not broken at the edge of the window, so that it can be copied.
        shown.print(f"{r.name:20}{r.size / 1e6:>6,.0f} MB  {r.licence:12}{where}", soft_wrap=True)


@app.command("fetch")
def fetch(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name from `biasscope models list`.")],
    json: Json = False,
) -> None:
    """Fetch weights by name; an interrupted download continues."""
    from biasscope.report.outputs import FetchOut

    path = download(name)
    if json:
        print_json(FetchOut(name=name, path=str(path)))
    else:
        console().print(f"{name} is at {path}", soft_wrap=True)


def download(name: str, *, quiet: bool = False) -> Path:
    """Return the file of known weights, fetching it with a progress bar where it is not here yet."""
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    from biasscope.models import weights

    if (there := weights.find(name)) is not None:
        return there
    errors = console(stderr=True)
    size = next(w.size for w in weights.listing() if w.name == name)
    if not quiet:
        errors.print(f"Fetching {name} ({size / 1e6:,.0f} MB, once; an interrupted download continues) ...")
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    shown = errors.is_terminal and not quiet
    with Progress(*columns, console=errors, disable=not shown, transient=True, redirect_stdout=False) as bar:
        task = bar.add_task(name, total=size)
        return weights.fetch(name, progress=lambda done, total: bar.update(task, completed=done, total=total))
