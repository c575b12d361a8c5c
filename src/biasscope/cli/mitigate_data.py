"""`biasscope mitigate data`: the words; `training_data` does what they say."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from biasscope.cli import continuing
from biasscope.cli.output import Json, Quiet

EXAMPLE = """Examples:

\b
  biasscope mitigate data runs/train --data 'objective:200?seed=1' \\
      --biases authority,sentiment --evaluation 'objective:300?seed=2'
  biasscope mitigate data runs/train --data feedback.parquet \\
      --biases runs/found --teacher openai:MODEL --evaluation bench.jsonl
  biasscope mitigate data runs/judge --data pairs.jsonl --task judge"""

Option = typer.Option


def data(
    out: Annotated[
        Path, typer.Argument(metavar="OUT", help="Folder of the files; the same command continues it.")
    ],
    data: Annotated[
        str | None, Option(metavar="SOURCE", help="Pairs that say which response is better; see data check.")
    ] = None,
    biases: Annotated[
        str | None,
        Option(
            metavar="LIST",
            help="What is trained away: ids, families, files of biases, folders of discoveries or measurements, joined by "
            "commas (default: every seed bias that can be written).",
        ),
    ] = None,
    task: Annotated[
        Literal["responses", "judge"] | None,
        Option(help="responses (default) as completions, or judge: the verdict of our judge's prompt."),
    ] = None,
    format_: Annotated[
        Literal["standard", "conversational"] | None,
        Option("--format", help="conversational (default): lists of messages; standard: texts."),
    ] = None,
    judge_mode: Annotated[
        Literal["reason", "label"] | None,
        Option(
            help="Of the task judge. label (default): the label alone; reason: its last line, without reasons."
        ),
    ] = None,
    augmented: Annotated[
        float | None,
        Option(min=0, max=1, metavar="SHARE", help="Share of rows with a trait on one response (default 0.5)."),
    ] = None,
    variants: Annotated[
        int | None,
        Option(min=1, max=100, metavar="N", help="Biases of an augmented pair, a row each (default 1)."),
    ] = None,
    evaluation: Annotated[
        list[str] | None,
        Option(
            metavar="DATA",
            help="Questions that must not be trained on: pairs, a benchmark or the folder of a run; may be repeated.",
        ),
    ] = None,
    limit: Annotated[int | None, Option(min=1, metavar="N", help="Read at most this many pairs.")] = None,
    rewrites: Annotated[
        Literal["rules", "teacher"] | None,
        Option(help="rules (default; a teacher writes what has none) or teacher: everything by the teacher."),
    ] = None,
    teacher: Annotated[
        str | None, Option(metavar="MODEL", help="Writes rewrites, and reads whether traits show.")
    ] = None,
    writer: Annotated[
        list[str] | None,
        Option(metavar="MODEL", help="Writes instead of the teacher; several rotate over pairs."),
    ] = None,
    teacher_url: Annotated[str | None, Option(metavar="URL", help="Base URL of the teacher's server.")] = None,
    licence: Annotated[str | None, Option(metavar="NAME", help="Licence of the pairs, for the card.")] = None,
    max_calls: continuing.MaxCalls = None,
    max_in_flight: continuing.MaxInFlight = None,
    ledger: continuing.Ledger = None,
    seed: continuing.Seed = None,
    config: continuing.Config = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make preference data that trains a bias away.

    Pairs as they were are mixed with pairs that have a trait on one response, the better one as often as the worse one, and
    a neutral rewrite on the other. TRL reads the files as they are. Questions that are evaluated on are refused.
    """
    from biasscope.api.options import training_data_config
    from biasscope.cli import training_data as doing

    settled = training_data_config(
        {
            "data": data,
            "biases": biases,
            "task": task,
            "format": format_,
            "judge_mode": judge_mode,
            "augmented": augmented,
            "variants": variants,
            "evaluation": evaluation,
            "limit": limit,
            "rewrites": rewrites,
            "teacher": teacher,
            "writer": writer,
            "teacher_url": teacher_url,
            "licence": licence,
            "max_calls": max_calls,
            "max_in_flight": max_in_flight,
            "ledger": ledger,
            "seed": seed,
            "config": config,
        }
    )
    doing.make(out, settled, json=json, quiet=quiet)
