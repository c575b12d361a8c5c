"""`biasscope benchmark build` and `filter`: the words; `benchmarked` does what they say."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from biasscope.cli import continuing, judging
from biasscope.cli.output import Json, Quiet

Option = typer.Option

BUILD_EXAMPLE = """Examples:

\b
  biasscope benchmark build runs/hard --biases catalogue \\
      --data 'objective:200?seed=1'
  biasscope benchmark build runs/hard --data pairs.jsonl --biases runs/found \\
      --teacher openai:MODEL"""
FILTER_EXAMPLE = """Examples:

\b
  biasscope benchmark filter runs/hard --keep 1/2 \\
      --judge openai:ONE --judge openai:OTHER
  biasscope benchmark filter runs/hard --judge openai:MODEL --judge-mode label"""

Run = Annotated[Path, typer.Argument(metavar="RUN", help="Folder in which a benchmark was built.")]
Review = Annotated[
    int,
    Option(min=0, metavar="N", help="Variants whose rewrites are put before reviewers, biases in turn."),
]


def build(
    run: continuing.Run,
    data: Annotated[
        str | None, Option(metavar="SOURCE", help="Pairs that say which response is better; see data check.")
    ] = None,
    biases: Annotated[
        str | None,
        Option(
            metavar="LIST",
            help="What is injected: ids, families, files of biases, folders of discoveries, joined by commas; catalogue for "
            "all that is known (default: every seed bias that can be written).",
        ),
    ] = None,
    variants: Annotated[
        int | None,
        Option(min=1, max=100, metavar="K", help="Biases drawn for each pair, each at most once (default 10)."),
    ] = None,
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
    limit: Annotated[int | None, Option(min=1, metavar="N", help="Read at most this many pairs.")] = None,
    review: Review = 100,
    max_calls: continuing.MaxCalls = None,
    max_in_flight: continuing.MaxInFlight = None,
    ledger: continuing.Ledger = None,
    seed: continuing.Seed = None,
    config: continuing.Config = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Build a hardened benchmark.

    Biases are drawn for each pair and written into both responses, beside neutral rewrites by the same writer. What changes
    an answer, changes nothing or repeats another variant is left out and counted.
    """
    from biasscope.api.options import benchmark_config
    from biasscope.cli import benchmarked as doing

    settled = benchmark_config(
        {
            "data": data,
            "biases": biases,
            "variants": variants,
            "rewrites": rewrites,
            "teacher": teacher,
            "writer": writer,
            "teacher_url": teacher_url,
            "limit": limit,
            "max_calls": max_calls,
            "max_in_flight": max_in_flight,
            "ledger": ledger,
            "seed": seed,
            "config": config,
        }
    )
    doing.build(run, settled, review=review, json=json, quiet=quiet)


def filter_(
    run: Run,
    judge: Annotated[
        list[str] | None, Option(metavar="MODEL", help="A judge: a model or a program; several may be named.")
    ] = None,
    keep: Annotated[
        str | None,
        Option(
            metavar="M/N",
            help="Keep what at least M of the N judges are wrong on in both orders (default: more than half).",
        ),
    ] = None,
    judge_url: Annotated[
        str | None, Option(metavar="URL", help="Base URL of the judges' OpenAI-compatible server.")
    ] = None,
    judge_mode: judging.Mode = None,
    judge_prompt: judging.Prompt = None,
    judge_kind: judging.Kind = None,
    scale: judging.ScaleName = None,
    samples: judging.Samples = None,
    judge_tokens: judging.Tokens = None,
    judge_temperature: judging.Temperature = None,
    review: Review = 100,
    max_calls: continuing.MaxCalls = None,
    max_in_flight: continuing.MaxInFlight = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Keep what judges fail on.

    One-sided items are kept one by one; the four cells of a crossed variant together. An unfiltered sample of the same biases
    and domains is marked beside them. The same command goes on after a stop; another rule asks nobody again.
    """
    from biasscope.api.options import judge_specs
    from biasscope.cli import benchmarked as doing

    judges = judge_specs(
        {
            "judge": judge,
            "judge_url": judge_url,
            "judge_mode": judge_mode,
            "judge_prompt": judge_prompt,
            "judge_kind": judge_kind,
            "scale": scale,
            "samples": samples,
            "judge_tokens": judge_tokens,
            "judge_temperature": judge_temperature,
        }
    )
    spent = doing.Spending(max_calls, max_in_flight)
    doing.filter_(run, judges, keep, spent, review=review, json=json, quiet=quiet)
