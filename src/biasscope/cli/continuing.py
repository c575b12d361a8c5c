"""The options of a run in a folder that the same command continues: where it is, what it may spend, what draws it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Run = Annotated[Path, typer.Argument(metavar="RUN", help="Folder of the run; the same command continues it.")]
NullControl = Annotated[
    int | None,
    typer.Option(
        min=0,
        max=20,
        metavar="N",
        help="Send N shams through the trial (default 0; 3 with graded verdicts).",
    ),
]
MaxCalls = Annotated[
    int | None,
    typer.Option(min=0, metavar="N", help="Stop cleanly after this many paid calls in this start."),
]
MaxInFlight = Annotated[int | None, typer.Option(min=1, metavar="N", help="Calls at once per endpoint.")]
Ledger = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Ledger of replies to share between runs (default: in the run folder)."),
]
Seed = Annotated[int | None, typer.Option(metavar="N", help="Seed of everything drawn (default 0).")]
Config = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Settings as JSON or TOML; options given here win.")
]
