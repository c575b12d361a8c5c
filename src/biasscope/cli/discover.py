"""`biasscope discover`: the words; `discovery` does what they say."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from biasscope.cli import continuing, judging
from biasscope.cli.output import Json, Quiet

EXAMPLE = """Example, with the plan first (take --dry-run away to start):

\b
  biasscope discover runs/mine --dry-run \\
      --judge openai:MODEL --teacher openai:STRONGER \\
      --discovery 'objective:400?seed=1' --validation 'objective:400?seed=2'

A key is read from OPENAI_API_KEY. `biasscope data check FILE` says whether a file of pairs can be used."""

Option = typer.Option


def discover(
    run: continuing.Run,
    judge: Annotated[
        str | None,
        Option(metavar="MODEL", help="The judge under measurement: openai:MODEL, local:NAME or planted:NAME."),
    ] = None,
    teacher: Annotated[
        str | None, Option(metavar="MODEL", help="The model that rewrites, names and merges.")
    ] = None,
    proposer: Annotated[
        Literal["teacher", "features", "both"] | None,
        Option(
            help="Who names candidates: the teacher (default), features of the texts from the verdicts alone, or both; "
            "features need no --teacher."
        ),
    ] = None,
    writer: Annotated[
        list[str] | None,
        Option(
            metavar="MODEL", help="Writer of rewrites instead of the teacher; given several times, they rotate."
        ),
    ] = None,
    data: Annotated[str | None, Option(metavar="SOURCE", help="One source of pairs, split by question.")] = None,
    discovery: Annotated[
        str | None, Option(metavar="SOURCE", help="Pairs that look for candidates, instead of --data.")
    ] = None,
    validation: Annotated[str | None, Option(metavar="SOURCE", help="Pairs that validate them.")] = None,
    limit: Annotated[
        int | None, Option(min=1, metavar="N", help="Read at most this many pairs of each source.")
    ] = None,
    judge_url: Annotated[
        str | None, Option(metavar="URL", help="Base URL of the judge's OpenAI-compatible server.")
    ] = None,
    teacher_url: Annotated[
        str | None, Option(metavar="URL", help="Base URL of the teacher's server (writers too).")
    ] = None,
    judge_mode: judging.Mode = None,
    judge_prompt: judging.Prompt = None,
    judge_kind: judging.Kind = None,
    scale: judging.ScaleName = None,
    reference: judging.Reference = False,
    samples: judging.Samples = None,
    judge_tokens: judging.Tokens = None,
    judge_temperature: judging.Temperature = None,
    rule: Annotated[
        Literal["default", "fast", "thorough", "fixed", "paper"] | None,
        Option(
            help="default: stops each candidate as soon as it is decided; fast and thorough: from 7 and 4 points "
            "on instead of 5; fixed: every pair, one look; paper: error above error."
        ),
    ] = None,
    preset: Annotated[
        Literal["default", "paper"] | None, Option(help="paper: the published procedure whole.")
    ] = None,
    rewrites: Annotated[
        Literal["teacher", "rules"] | None,
        Option(help="rules: use rules where a bias has them; the teacher writes the rest."),
    ] = None,
    iterations: Annotated[
        int | None, Option(min=1, metavar="N", help="At most this many iterations (default 4).")
    ] = None,
    validate: Annotated[
        Literal["early", "late"] | None,
        Option(help="Validate in each iteration (early, default) or once at the end (late)."),
    ] = None,
    no_deeper_explain: Annotated[
        bool, Option("--no-deeper-explain", help="Skip the second explanation.")
    ] = False,
    confirm: Annotated[
        bool, Option("--confirm", help="Measure what holds once more, on pairs that its trial did not visit.")
    ] = False,
    one_side: Annotated[
        bool, Option("--one-side", help="Do not measure what holds with the trait on the better response too.")
    ] = False,
    equal_length: Annotated[
        Literal["truncate", "condense"] | None,
        Option(
            help="Measure what holds with both rewrites of a pair at the length of the shorter one, cut or condensed."
        ),
    ] = None,
    null_control: continuing.NullControl = None,
    max_calls: continuing.MaxCalls = None,
    max_in_flight: continuing.MaxInFlight = None,
    ledger: continuing.Ledger = None,
    seed: continuing.Seed = None,
    config: continuing.Config = None,
    dry_run: Annotated[bool, Option("--dry-run", help="Read the data, print the plan, and stop.")] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Discover the biases of a judge.

    Perturbs worse answers, watches where the judge starts to err, lets it explain its mistakes, lets the
    teacher name what it sees, merges, and validates each candidate on held-out pairs against neutral rewrites.
    Or lets features of the texts propose: no teacher is needed then.
    """
    from biasscope.api.options import discover_config
    from biasscope.cli import discovery as doing

    settled = discover_config(
        {
            "judge": judge,
            "teacher": teacher,
            "proposer": proposer,
            "writer": writer,
            "data": data,
            "discovery": discovery,
            "validation": validation,
            "limit": limit,
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
            "preset": preset,
            "rewrites": rewrites,
            "iterations": iterations,
            "validate": validate,
            "no_deeper_explain": no_deeper_explain or None,
            "confirm": confirm or None,
            "one_side": one_side or None,
            "equal_length": equal_length,
            "null_control": null_control,
            "max_calls": max_calls,
            "max_in_flight": max_in_flight,
            "ledger": ledger,
            "seed": seed,
            "config": config,
        }
    )
    if dry_run:
        doing.show_plan(settled, json=json)
    else:
        doing.discover(run, settled, json=json, quiet=quiet)
