"""`biasscope quickstart`: the words; `first_look` does what they say."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from biasscope.cli import continuing
from biasscope.cli.output import Json, Quiet

Option = typer.Option


def quickstart(
    run: continuing.Run = Path("runs/quickstart"),
    judge: Annotated[
        str | None,
        Option(metavar="MODEL", help="Judge to measure (default local:qwen2.5-coder-0.5b, fetched if need be)."),
    ] = None,
    pairs: Annotated[int, Option(min=20, metavar="N", help="Generated pairs with a provable answer.")] = 24,
    seed: Annotated[int, Option(metavar="N", help="Seed of the pairs.")] = 1,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Measure a small local judge in minutes.

    Its slot habit, and what three known biases do to it, on pairs with a provable answer and against matched
    neutral edits. Without a key; the weights are fetched once.
    """
    from biasscope.cli import first_look

    first_look.measure(run, judge, pairs=pairs, seed=seed, json=json, quiet=quiet)
