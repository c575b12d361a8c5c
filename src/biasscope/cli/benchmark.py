"""`biasscope benchmark`: hardened benchmarks, and what people say about them."""

from __future__ import annotations

import typer

from biasscope.cli import agreement, review
from biasscope.cli.output import require_command

app = typer.Typer(help="Hardened benchmarks: review them.")


@app.callback(invoke_without_command=True)
def _group(context: typer.Context) -> None:
    require_command(context)


app.command("review", epilog=review.EXAMPLE)(review.review)
app.command("agreement")(agreement.agreement)
