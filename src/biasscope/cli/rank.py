"""`biasscope benchmark rank`: the words; `ranking` does what they say."""

from __future__ import annotations

from typing import Annotated

import typer

from biasscope.cli import continuing, judging
from biasscope.cli.output import Json, Quiet

EXAMPLE = """Examples:

\b
  biasscope benchmark rank runs/ranks --data published \\
      --judge openai:ONE --judge openai:OTHER
  biasscope benchmark rank runs/pro --data judgebench-pro.parquet \\
      --originals judge_bench.parquet --judge openai:OTHER \\
      --related 'openai:OTHER=it wrote the rewrites'"""

Option = typer.Option


def rank(
    run: continuing.Run,
    data: Annotated[
        str | None,
        Option(
            metavar="SET",
            help="The published benchmark: a file or hub path; the published columns alone are enough.",
        ),
    ] = None,
    judge: Annotated[
        list[str] | None, Option(metavar="MODEL", help="A judge: a model or a program; may be repeated.")
    ] = None,
    originals: Annotated[
        str | None,
        Option(metavar="SOURCE", help="The pairs that it was made of, in place of those that it holds."),
    ] = None,
    related: Annotated[
        list[str] | None,
        Option(metavar="SPEC=REASON", help="Ranks a judge apart, and says why; may be repeated."),
    ] = None,
    limit: Annotated[
        int | None,
        Option(min=1, metavar="N", help="Take N source questions, drawn by seed, with everything made of them."),
    ] = None,
    judge_url: Annotated[
        str | None, Option(metavar="URL", help="Base URL of the judges' OpenAI-compatible server.")
    ] = None,
    judge_mode: judging.Mode = None,
    judge_prompt: judging.Prompt = None,
    judge_kind: judging.Kind = None,
    scale: judging.ScaleName = None,
    reference: judging.Reference = False,
    samples: judging.Samples = None,
    judge_tokens: judging.Tokens = None,
    judge_temperature: judging.Temperature = None,
    max_calls: continuing.MaxCalls = None,
    max_in_flight: continuing.MaxInFlight = None,
    ledger: continuing.Ledger = None,
    seed: continuing.Seed = None,
    config: continuing.Config = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Rank judges on a hardened benchmark.

    Every item is judged in both orders. Errors have intervals by source pair and stand beside those on the originals, on
    the unfiltered sample and on the crossed items; judges are compared item by item, and those that had a hand in the
    benchmark are ranked apart.
    """
    from biasscope.api.options import rank_config
    from biasscope.cli import ranking as doing

    settled = rank_config(
        {
            "data": data,
            "judge": judge,
            "originals": originals,
            "limit": limit,
            "judge_url": judge_url,
            "judge_mode": judge_mode,
            "judge_prompt": judge_prompt,
            "judge_kind": judge_kind,
            "scale": scale,
            "reference": reference or None,
            "samples": samples,
            "judge_tokens": judge_tokens,
            "judge_temperature": judge_temperature,
            "max_calls": max_calls,
            "max_in_flight": max_in_flight,
            "ledger": ledger,
            "seed": seed,
            "config": config,
        }
    )
    doing.rank(run, settled, related or (), json=json, quiet=quiet)
