"""The options that say how a judge is asked, for every command that takes a judge."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

Mode = Annotated[
    Literal["reason", "label"] | None,
    typer.Option(help="reason: reasoning, then a choice (default); label: the label alone, with margins."),
]
Prompt = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Your own prompt with its reader, in place of ours: see docs/judges.md."),
]
Kind = Annotated[
    Literal["pairwise", "pointwise"] | None,
    typer.Option(help="pairwise: compares two responses (default); pointwise: scores one at a time."),
]
ScaleName = Annotated[
    str | None,
    typer.Option(
        metavar="SCALE", help="Scale of a pointwise judge: 1-10 (default), 0-100, likert, pass-fail or LOW-HIGH."
    ),
]
Reference = Annotated[
    bool, typer.Option("--reference", help="Show the judge the reference answer of each pair; pairs need one.")
]
Samples = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=99,
        metavar="N",
        help="Ask N times and take the majority (scores: the mean); needs a temperature.",
    ),
]
Tokens = Annotated[
    int | None,
    typer.Option(
        min=1,
        metavar="N",
        help="Most tokens of a judge's reply (default 1024, 4 for a label); more for thinking.",
    ),
]
Temperature = Annotated[
    float | None, typer.Option(min=0, max=2, metavar="T", help="Sampling temperature of the judge (default 0).")
]
