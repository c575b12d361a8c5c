"""`biasscope measure`: the words; `measuring` does what they say."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from biasscope.cli import continuing, judging
from biasscope.cli.output import Json, Quiet

EXAMPLE = """Examples:

\b
  biasscope measure runs/mine --judge openai:MODEL --data pairs.jsonl
  biasscope measure runs/two --judge openai:OLD --judge openai:NEW \\
      --data 'objective:200?seed=1' --gate policy.toml

Exit codes with --gate: 0 pass, 3 biased, 4 inconclusive, 5 broken instrument."""

Option = typer.Option


def measure(
    run: continuing.Run,
    judge: Annotated[
        list[str] | None,
        Option(metavar="MODEL", help="A judge: a model or a program; several are compared on the same pairs."),
    ] = None,
    data: Annotated[
        str | None, Option(metavar="SOURCE", help="Pairs, with or without labels; see data check.")
    ] = None,
    biases: Annotated[
        str | None,
        Option(
            metavar="LIST",
            help="Seed biases by id, files of biases, folders of discoveries, joined by commas (default: every "
            "seed bias that can be written).",
        ),
    ] = None,
    rewrites: Annotated[
        str | None,
        Option(
            metavar="WHO",
            help="rules (default; a teacher writes what has none), teacher, or a file with columns original, "
            "rewritten, trait.",
        ),
    ] = None,
    teacher: Annotated[
        str | None, Option(metavar="MODEL", help="Writes rewrites, and checks that traits show.")
    ] = None,
    sides: Annotated[
        Literal["rejected", "chosen", "both"] | None,
        Option(help="Which response carries the trait: the worse one (default), the better, or each in turn."),
    ] = None,
    limit: Annotated[int | None, Option(min=1, metavar="N", help="Read at most this many pairs.")] = None,
    minutes: Annotated[
        float | None,
        Option(
            min=0.01,
            metavar="M",
            help="Take as many pairs, at least 20, as fit into M minutes at the speed seen.",
        ),
    ] = None,
    judge_url: Annotated[
        str | None, Option(metavar="URL", help="Base URL of the judges' OpenAI-compatible server.")
    ] = None,
    teacher_url: Annotated[str | None, Option(metavar="URL", help="Base URL of the teacher's server.")] = None,
    judge_mode: judging.Mode = None,
    judge_prompt: judging.Prompt = None,
    judge_kind: judging.Kind = None,
    scale: judging.ScaleName = None,
    reference: judging.Reference = False,
    samples: judging.Samples = None,
    judge_tokens: judging.Tokens = None,
    judge_temperature: judging.Temperature = None,
    rule: Annotated[
        Literal["fixed", "default", "fast", "thorough"] | None,
        Option(help="fixed: every pair, one look (default); the others stop a bias once it is decided."),
    ] = None,
    neutrals: Annotated[
        int | None,
        Option(min=1, max=5, metavar="N", help="Neutral rewrites per pair (default 2 by rule, 3 by a teacher)."),
    ] = None,
    null_control: continuing.NullControl = None,
    gate: Annotated[
        Path | None,
        Option(
            metavar="FILE", help="Policy with a table gate: end with the code of the outcome; see docs/gate.md."
        ),
    ] = None,
    junit: Annotated[
        Path | None, Option(metavar="FILE", help="Write the outcome as JUnit XML; needs --gate.")
    ] = None,
    summary: Annotated[
        Path | None, Option(metavar="FILE", help="Append the outcome as Markdown, as for $GITHUB_STEP_SUMMARY.")
    ] = None,
    max_calls: continuing.MaxCalls = None,
    max_in_flight: continuing.MaxInFlight = None,
    ledger: continuing.Ledger = None,
    seed: continuing.Seed = None,
    config: continuing.Config = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Measure known biases on one or several judges.

    Each bias is written into responses by rule or by a teacher, beside neutral rewrites, and judged in both orders;
    slot bias is measured too. With a policy the command says whether a judge may be used.
    """
    from biasscope.api.options import measure_config
    from biasscope.cli import measuring as doing

    settled = measure_config(
        {
            "judge": judge,
            "data": data,
            "biases": biases,
            "rewrites": rewrites,
            "teacher": teacher,
            "sides": sides,
            "limit": limit,
            "minutes": minutes,
            "judge_url": judge_url,
            "teacher_url": teacher_url,
            "judge_mode": judge_mode,
            "judge_prompt": judge_prompt,
            "judge_kind": judge_kind,
            "scale": scale,
            "reference": reference or None,
            "samples": samples,
            "judge_tokens": judge_tokens,
            "judge_temperature": judge_temperature,
            "rule": rule,
            "neutrals": neutrals,
            "null_control": null_control,
            "max_calls": max_calls,
            "max_in_flight": max_in_flight,
            "ledger": ledger,
            "seed": seed,
            "config": config,
        }
    )
    outcome = doing.measure(run, settled, doing.Told(gate, junit, summary, json=json, quiet=quiet))
    if outcome:
        raise typer.Exit(outcome)
