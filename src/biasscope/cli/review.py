"""`biasscope benchmark review`: the review app, until Ctrl-C."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from biasscope.errors import BiasscopeError
    from biasscope.review.serving import Serving

Option = typer.Option

EXAMPLE = """Examples:

\b
  biasscope benchmark review runs/hard --reviewers ana,ben
  biasscope benchmark review runs/hard"""


def review(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Folder in which a benchmark was built.")],
    reviewers: Annotated[
        str | None,
        Option(
            metavar="N|NAMES",
            help="How many reviewers there are at least, or their names, as in ana,ben; who is known keeps the same link. Two "
            "at first.",
        ),
    ] = None,
    port: Annotated[int, Option(min=0, max=65535, metavar="PORT", help="Port; 0 takes a free one.")] = 8322,
    host: Annotated[str, Option(metavar="HOST", help="Address to listen on.")] = "127.0.0.1",
    url: Annotated[
        str | None,
        Option(metavar="URL", help="Address by which reviewers reach the server, such as that of a proxy."),
    ] = None,
    allow_remote: Annotated[
        bool, Option("--allow-remote", help="Listen on a host that other machines reach.")
    ] = False,
    new_links: Annotated[
        bool, Option("--new-links", help="Make every link anew; the old ones end, and no answer is lost.")
    ] = False,
) -> None:
    """Let people review the rewrites of a benchmark.

    Serves pages on which reviewers, each with a link of their own, compare responses with their rewrites and do not see
    which is which. Every answer is on the disk before the next item is shown; the same command goes on after a stop.
    """
    from biasscope.review.links import parse_reviewers
    from biasscope.review.serving import Place, serve

    place = Place(host, port, url, allow_remote)
    wanted = None if reviewers is None else parse_reviewers(reviewers)
    try:
        serve(run, place, reviewers=wanted, renew=new_links, ready=_announce, tell=_trouble)
    except KeyboardInterrupt:
        typer.echo("Stopped. The same command goes on; links stay.", err=True)


def _trouble(error: BiasscopeError) -> None:
    """Say that an answer was not stored; the page sends it again."""
    typer.echo(f"Not stored: {error}. {error.hint}", err=True)


def _announce(serving: Serving) -> None:
    """Say who opens what."""
    from biasscope.rundir.reviews import ANSWERS

    for note in serving.files.notes:
        typer.echo(f"Note: {note}", err=True)
    files = serving.files
    typer.echo(f"{len(files.items):,} items. Answers are stored in {files.path / ANSWERS}.")
    width = max(len(name) for name, _, _ in serving.links)
    for name, address, progress in serving.links:
        typer.echo(f"  {name:<{width}}  {address}  ({progress.answered} of {progress.total})")
    typer.echo("Each link is for one person and says who answers. Ctrl-C stops.")
