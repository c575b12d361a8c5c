"""`biasscope discover`: run the loop on a judge."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from biasscope import api
from biasscope.cli import settings
from biasscope.cli.output import print_json
from biasscope.cli.progress import Progress
from biasscope.cli.summary import print_summary
from biasscope.config import RunConfig
from biasscope.records import Iteration
from biasscope.report.outputs import CostOut, PlanOut
from biasscope.workflows.plan import Cost, Plan


class Mode(StrEnum):
    """How the judge is asked."""

    reason = "reason"
    label = "label"


class When(StrEnum):
    """When candidates are validated."""

    early = "early"
    late = "late"


class RuleName(StrEnum):
    """How candidates are decided."""

    fixed = "fixed"
    paper = "paper"


class Preset(StrEnum):
    """Whole procedures."""

    default = "default"
    paper = "paper"


class Rewrites(StrEnum):
    """Who writes where a bias has rules."""

    teacher = "teacher"
    rules = "rules"


Option = typer.Option


def discover(
    run: Annotated[Path, typer.Argument(help="Folder of the run; the same command continues it.")],
    judge: Annotated[
        str | None, Option(help="The judge under measurement: openai:MODEL, local:NAME or planted:NAME.")
    ] = None,
    teacher: Annotated[str | None, Option(help="The model that rewrites, names and merges.")] = None,
    writer: Annotated[
        list[str] | None, Option(help="Writers of rewrites instead of the teacher; several rotate.")
    ] = None,
    data: Annotated[str | None, Option(help="One source of pairs, split by question.")] = None,
    discovery: Annotated[str | None, Option(help="Pairs that look for candidates.")] = None,
    validation: Annotated[str | None, Option(help="Pairs that validate them.")] = None,
    limit: Annotated[int | None, Option(min=1, help="Read at most this many pairs of each source.")] = None,
    judge_url: Annotated[str | None, Option(help="Base URL of the judge's OpenAI-compatible server.")] = None,
    teacher_url: Annotated[str | None, Option(help="Base URL of the teacher's server (writers too).")] = None,
    judge_mode: Annotated[
        Mode | None,
        Option(help="reason: reasoning, then a choice (default); label: the label alone, with margins."),
    ] = None,
    rule: Annotated[
        RuleName | None,
        Option(help="fixed: three neutral rewrites per pair (default); paper: error above error."),
    ] = None,
    preset: Annotated[Preset | None, Option(help="paper: the published procedure whole.")] = None,
    rewrites: Annotated[
        Rewrites | None, Option(help="rules: use rules where a bias has them; the teacher writes the rest.")
    ] = None,
    iterations: Annotated[int | None, Option(min=1, help="At most this many iterations (default 4).")] = None,
    validate: Annotated[
        When | None, Option(help="Validate in each iteration (early, default) or once at the end (late).")
    ] = None,
    no_deeper_explain: Annotated[
        bool, Option("--no-deeper-explain", help="Skip the second explanation.")
    ] = False,
    max_calls: Annotated[int | None, Option(min=0, help="Stop cleanly after this many paid calls.")] = None,
    max_in_flight: Annotated[int | None, Option(min=1, help="Calls at once per endpoint.")] = None,
    ledger: Annotated[
        Path | None, Option(help="Ledger of replies to share between runs (default: in the run folder).")
    ] = None,
    seed: Annotated[int | None, Option(help="Seed of everything drawn (default 0).")] = None,
    config: Annotated[Path | None, Option(help="Settings as JSON or TOML; options given here win.")] = None,
    dry_run: Annotated[bool, Option("--dry-run", help="Read the data, print the plan, and stop.")] = False,
    json: Annotated[
        bool, Option("--json", help="Print one JSON object on stdout and nothing else there.")
    ] = False,
    quiet: Annotated[bool, Option("--quiet", help="Show no progress.")] = False,
) -> None:
    """Discover the biases of a judge.

    Perturbs worse answers, watches where the judge starts to err, lets it explain its mistakes, lets the
    teacher name what it sees, merges, and validates each candidate on held-out pairs against neutral rewrites.
    """
    settled = settings.build(
        {
            "identity.judge.spec": judge,
            "identity.judge.url": judge_url,
            "identity.teacher.spec": teacher,
            "identity.teacher.url": teacher_url,
            "identity.writers": [{"spec": w, "url": teacher_url} for w in writer] if writer else None,
            "identity.data.data": data,
            "identity.data.discovery": discovery,
            "identity.data.validation": validation,
            "identity.data.limit": limit,
            "identity.judge_mode": _word(judge_mode),
            "identity.rule": _word(rule),
            "identity.preset": _word(preset),
            "identity.rewrites": _word(rewrites),
            "identity.iterations": iterations,
            "identity.validate_when": _word(validate),
            "identity.deeper_explain": False if no_deeper_explain else None,
            "identity.seed": seed,
            "execution.max_calls": max_calls,
            "execution.judge.max_in_flight": max_in_flight,
            "execution.teacher.max_in_flight": max_in_flight,
            "execution.ledger": None if ledger is None else str(ledger),
        },
        config,
    )
    _run(run, settled, dry_run=dry_run, json=json, quiet=quiet)


def _word(choice: StrEnum | None) -> str | None:
    return None if choice is None else str(choice.value)


def _run(run: Path, config: RunConfig, *, dry_run: bool, json: bool, quiet: bool) -> None:
    with Progress(quiet=quiet) as progress:
        data = api.load_data(config.identity)
        plan = api.make_plan(config, data)
        roles = data.roles
        progress.line(
            f"Pairs: {len(roles.discovery)} discovery, {len(roles.validation)} validation, {len(roles.holdout)} held out"
            + (f"; {roles.shared} twins left out of discovery" if roles.shared else "")
            + (f"; {data.skipped} rows skipped (biasscope data check says why)" if data.skipped else "")
        )
        progress.line("Plan:  about " + _cost(plan.first) + " for one iteration")
        progress.line("       at most " + _cost(plan.at_most) + ", less what the ledger holds")
        if dry_run:
            if json:
                print_json(_plan(plan, data))
            return
        summary = asyncio.run(
            api.discover(run, config, data=data, on_event=progress.event, on_record=lambda r: _line(progress, r))
        )
    print_summary(summary, json=json)


def _plan(plan: Plan, data: api.Data) -> PlanOut:
    return PlanOut(
        discovery=len(data.roles.discovery),
        validation=len(data.roles.validation),
        holdout=len(data.roles.holdout),
        shared_left_out=data.roles.shared,
        first_iteration=CostOut.model_validate(asdict(plan.first)),
        at_most=CostOut.model_validate(asdict(plan.at_most)),
    )


def _cost(cost: Cost) -> str:
    price = "" if cost.price is None else f", price {cost.price:.2f}"
    tokens = (cost.input_tokens + cost.output_tokens) / 1e6
    return f"{cost.judge_calls:,} judge and {cost.teacher_calls:,} teacher calls, {tokens:.1f} M tokens{price}"


def _line(progress: Progress, record: api.Record) -> None:
    if isinstance(record, Iteration):
        held = sum(t.status == "accepted" for t in record.trials)
        progress.line(
            f"Iteration {record.index}: {record.shifts} shifts, {record.named} named, "
            f"{len(record.candidates)} tried, {held} held"
        )
