"""Planning and running a discovery for the command line, and the lines that say how it goes."""

from __future__ import annotations

from pathlib import Path

from biasscope import api
from biasscope.cli.output import console, print_json
from biasscope.cli.progress import Progress
from biasscope.cli.summary import print_summary
from biasscope.cli.working import run_kept
from biasscope.config import RunConfig
from biasscope.records import Iteration
from biasscope.report.outputs import PlanOut
from biasscope.report.proposals import counts
from biasscope.workflows.plan import Cost, Plan
from biasscope.workflows.stages import stages_of


def show_plan(config: RunConfig, *, json: bool) -> None:
    """Read the data and print what the run would take; pays nothing and makes no folder."""
    data = api.load_data(config.identity)
    plan = api.make_plan(config, data)
    if json:
        print_json(_plan_out(plan, data))
        return
    shown = console()
    for line in _plan_lines(plan, data):
        shown.print(line)


def discover(run: Path, config: RunConfig, *, json: bool, quiet: bool) -> None:
    """Run or continue a discovery and print what it found."""
    progress = Progress(quiet=quiet)
    data = api.load_data(config.identity)
    for line in _plan_lines(api.make_plan(config, data), data):
        progress.line(line)
    identity, execution = config.identity, config.execution
    prices = {"judge": execution.judge.price, "teacher": execution.teacher.price}
    progress.expect(stages_of(identity), iterations=identity.iterations, prices=prices)
    work = api.discover(
        run,
        config,
        data=data,
        on_event=progress.event,
        on_record=lambda r: _tell(progress, r),
        on_seen=progress.seen,
    )
    print_summary(run_kept(work, progress), json=json)


def _plan_lines(plan: Plan, data: api.Data) -> list[str]:
    roles = data.roles
    pairs = f"{len(roles.discovery):,} discovery, {len(roles.validation):,} validation, {len(roles.holdout):,} held out"
    left_out = (
        [f"       {roles.shared:,} left out of discovery: validation asks the same"] if roles.shared else []
    )
    skipped = [f"       {data.skipped:,} rows skipped: see biasscope data check"] if data.skipped else []
    return [
        f"Pairs: {pairs}",
        *left_out,
        *skipped,
        f"Plan:  one iteration about {_cost(plan.first)}",
        f"       at every limit      {_cost(plan.at_limits)}",
    ]


def _cost(cost: Cost) -> str:
    price = "" if cost.price is None else f", price {cost.price:,.2f}"
    tokens = (cost.input_tokens + cost.output_tokens) / 1e6
    return f"{cost.judge_calls:,} judge + {cost.teacher_calls:,} teacher calls, {tokens:,.1f} M tokens{price}"


def _plan_out(plan: Plan, data: api.Data) -> PlanOut:
    return PlanOut(
        discovery=len(data.roles.discovery),
        validation=len(data.roles.validation),
        holdout=len(data.roles.holdout),
        shared_left_out=data.roles.shared,
        first_iteration=plan.first,
        at_limits=plan.at_limits,
    )


def _tell(progress: Progress, record: api.Record) -> None:
    if isinstance(record, Iteration):
        held = [t.bias.name for t in record.trials if t.status == "accepted"]
        holding = f"; of these hold so far: {', '.join(held) or 'none'}" if record.trials else ""
        found = [] if record.features is None else [counts(record.features)]
        if record.perturbed:
            found += [f"shifts {record.shifts:,}", f"named {record.named:,}"]
        progress.line(
            f"Iteration {record.index}: {', '.join([*found, f'new {len(record.candidates):,}'])}{holding}"
        )
