"""`biasscope mitigate`: from a finding to a fix, and what the fix does."""

from __future__ import annotations

import typer

from biasscope.cli import mitigate_data, mitigate_judge, mitigate_train
from biasscope.cli.output import require_command

app = typer.Typer(help="From finding to fix to re-measurement.")


@app.callback(invoke_without_command=True)
def _group(context: typer.Context) -> None:
    require_command(context)


app.command("judge", epilog=mitigate_judge.EXAMPLE)(mitigate_judge.judge)
app.command("data", epilog=mitigate_data.EXAMPLE)(mitigate_data.data)
app.command("train", epilog=mitigate_train.EXAMPLE)(mitigate_train.train)
