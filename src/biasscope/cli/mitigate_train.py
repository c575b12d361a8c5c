"""`biasscope mitigate train`: an adapter of a model, trained on preference pairs, or one for each of several arms."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from biasscope.cli.output import Json, Quiet

if TYPE_CHECKING:
    from rich.console import Console

    from biasscope.report.trained import TrainOut
    from biasscope.training.folder import Point

EXAMPLE = """Examples:

\b
  biasscope mitigate train runs/trained --model Qwen/Qwen2.5-7B-Instruct \\
      --data runs/train/train.jsonl
  biasscope mitigate train runs/arms --model models/mine \\
      --arm plain=runs/train/plain.jsonl \\
      --arm augmented=runs/train/train.jsonl
  biasscope measure runs/after --judge hf:runs/trained --data pairs.jsonl \\
      --biases runs/mine"""

EVERY_S = 15.0
Option = typer.Option


def train(
    out: Annotated[
        Path, typer.Argument(metavar="OUT", help="Folder of the training; the same command continues it.")
    ],
    model: Annotated[
        str, Option(metavar="MODEL", help="Folder of a model, its name on the hub, or local:NAME (a GGUF file).")
    ],
    data: Annotated[
        Path | None, Option(metavar="FILE", help="Rows to train on: prompt, chosen, rejected, as JSON lines.")
    ] = None,
    arm: Annotated[
        list[str] | None,
        Option(metavar="NAME=FILE", help="Rows of one arm; several are trained on the same number of steps."),
    ] = None,
    epochs: Annotated[
        float | None,
        Option(
            min=0.001, max=1000, metavar="N", help="How often each pair of the largest arm is seen (default 1)."
        ),
    ] = None,
    steps: Annotated[int | None, Option(min=1, metavar="N", help="Steps, in place of --epochs.")] = None,
    rank: Annotated[
        int | None,
        Option(min=1, max=1024, metavar="N", help="Rank of the adapter (default 16; 8 without a GPU)."),
    ] = None,
    alpha: Annotated[
        float | None, Option(min=0.001, metavar="X", help="Scale of the adapter (default twice the rank).")
    ] = None,
    beta: Annotated[
        float | None,
        Option(min=0.0001, metavar="X", help="How far the model is held to what it was (default 0.1)."),
    ] = None,
    learning_rate: Annotated[
        float | None,
        Option(min=1e-9, max=1, metavar="X", help="Largest learning rate (default 2e-5; 1e-4 without a GPU)."),
    ] = None,
    batch: Annotated[
        int | None, Option(min=1, metavar="N", help="Pairs that are evaluated together (default 2).")
    ] = None,
    accumulate: Annotated[
        int | None, Option(min=1, metavar="N", help="Batches that make one step (default 8; 4 without a GPU).")
    ] = None,
    max_length: Annotated[
        int | None,
        Option(min=8, metavar="TOKENS", help="Longest row that is taken (default 2048; 512 without a GPU)."),
    ] = None,
    seed: Annotated[int, Option(metavar="N", help="Seed of everything drawn.")] = 0,
    cpu: Annotated[bool, Option("--cpu", help="Use no GPU.")] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Train a bias away: an adapter by direct preference optimisation.

    Rows are texts or conversations, as TRL takes them. What cannot be trained on is left out and counted. A killed
    training goes on from its last checkpoint, with the same result. The folder is a judge: hf:OUT.
    """
    from biasscope import api
    from biasscope.cli.output import console, print_json
    from biasscope.cli.working import Interrupted
    from biasscope.training.settings import TrainOptions

    options = TrainOptions(
        epochs=epochs,
        steps=steps,
        rank=rank,
        alpha=alpha,
        beta=beta,
        learning_rate=learning_rate,
        batch=batch,
        accumulate=accumulate,
        max_length=max_length,
        seed=seed,
    )
    lines = _Lines(console(stderr=True), quiet=quiet)
    try:
        made = api.train(out, model, _rows(data, arm), options, cpu=cpu, on_arm=lines.arm, on_point=lines.point)
    except KeyboardInterrupt:
        raise Interrupted("interrupted", hint="The same command goes on from the last checkpoint.") from None
    if json:
        print_json(made)
    else:
        _show(console(), made)


def _rows(data: Path | None, arm: list[str] | None) -> Path | dict[str, Path]:
    from biasscope.errors import UsageError

    if (data is None) == (not arm):
        raise UsageError(
            "rows come from --data or from --arm", hint="Give --data FILE, or --arm NAME=FILE for each arm."
        )
    if data is not None:
        return data
    arms: dict[str, Path] = {}
    for words in arm or []:
        name, sign, file = words.partition("=")
        if not sign or not name or not file:
            raise UsageError(f"--arm {words!r} is not NAME=FILE", hint="For example --arm plain=plain.jsonl.")
        if name in arms:
            raise UsageError(f"there are two arms {name!r}", hint="Give each arm a name of its own.")
        arms[name] = Path(file)
    return arms


class _Lines:
    """Says how far a training is, in plain lines on stderr."""

    def __init__(self, shown: Console, *, quiet: bool) -> None:
        self._shown, self._quiet = shown, quiet
        self._steps, self._last = 0, time.monotonic()

    def arm(self, arm: str, pairs: int, steps: int) -> None:
        """Say what will be trained."""
        self._steps = steps
        if not self._quiet:
            self._shown.print(f"{arm}: {pairs:,} pairs, {steps:,} steps", soft_wrap=True)

    def point(self, arm: str, point: Point) -> None:
        """Say where the curve is, every few seconds."""
        now = time.monotonic()
        if self._quiet or (now - self._last < EVERY_S and point.step < self._steps):
            return
        self._last = now
        self._shown.print(
            f"{arm}: step {point.step:,} of {self._steps:,}, loss {point.loss:.3f}, chosen above rejected in "
            f"{100 * point.accuracy:.0f} %",
            soft_wrap=True,
        )


def _show(shown: Console, made: TrainOut) -> None:
    from biasscope.cli.output import print_hanging
    from biasscope.report.trained import arm_line, next_lines

    for arm in made.arms:
        shown.print(f"{arm_line(arm)}.", soft_wrap=True)
        if arm.left_out:
            reasons = ", ".join(f"{one.reason} {one.rows:,}" for one in arm.left_out)
            print_hanging(
                shown, "  • ", f"Left out: {reasons}; each with its place in {arm.folder}/left-out.jsonl."
            )
    if made.folds_system:
        print_hanging(
            shown, "  • ", "The chat template takes no system message; its text is in the first user message."
        )
    shown.print("\nThat something was learnt does not say that a bias is gone. To measure it on other pairs:")
    for line in next_lines(made):
        shown.print(f"  {line}", soft_wrap=True)
