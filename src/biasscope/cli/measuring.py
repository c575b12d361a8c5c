"""Running a measurement for the command line, and saying what came out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rich.table import Table

from biasscope import api
from biasscope.api.measuring import judge_role
from biasscope.cli.output import console, print_hanging, print_json, report_line
from biasscope.cli.progress import Progress
from biasscope.cli.summary import effect_cells, missing_line
from biasscope.cli.working import run_kept
from biasscope.config import MeasureConfig
from biasscope.errors import UsageError
from biasscope.report import details, findings, junit, measured_page, measured_words
from biasscope.report.measured import JudgedOut, MeasuredOut
from biasscope.workflows.gate import EXIT_CODES
from biasscope.workflows.sample import Sample
from biasscope.workflows.stages import stages_of

SHORT_UNITS = {"fraction": " pts", "log-odds": " log-odds"}
"""Behind an effect in a table: on one judge a slot bias and traits may have different units."""


@dataclass(frozen=True, slots=True)
class Told:
    """Where the outcome goes: a policy to hold it against, files to write, and how it is printed."""

    gate: Path | None
    junit: Path | None
    summary: Path | None
    json: bool
    quiet: bool


def measure(run: Path, config: MeasureConfig, told: Told) -> int:
    """Measure or continue, print and write the outcome, and return the exit code."""
    if told.junit is not None and told.gate is None:
        raise UsageError("--junit tells the outcome of a gate", hint="Give --gate FILE.")
    policy = None if told.gate is None else api.read_policy(told.gate)
    data = api.load_measure(config.identity)
    progress = Progress(quiet=told.quiet)
    progress.line(_plan(config, data))
    identity, execution = config.identity, config.execution
    by_role = {judge_role(k, len(identity.judges)): execution.of(j) for k, j in enumerate(identity.judges)}
    prices = {role: of.price for role, of in {**by_role, "teacher": execution.teacher}.items()}
    progress.expect(stages_of(identity), prices=prices)
    work = api.measure(
        run,
        config,
        data=data,
        policy=policy,
        on_event=progress.event,
        on_sample=lambda s: _tell(progress, s),
        on_seen=progress.seen,
    )
    found = run_kept(work, progress)
    if told.junit is not None:
        told.junit.write_text(junit.render(found), encoding="utf-8")
    if told.summary is not None:
        with told.summary.open("a", encoding="utf-8", errors="replace") as file:
            file.write(measured_page.step_summary(found))
    print_measured(found, json=told.json)
    return 0 if found.gate is None else EXIT_CODES[found.gate]


def _plan(config: MeasureConfig, data: api.MeasureData) -> str:
    identity = config.identity
    biases, judges = len(data.known.biases), len(identity.judges)
    pairs = f"up to {len(data.pairs):,}" if identity.minutes else f"{len(data.pairs):,}"
    names = ", ".join(b.id for b in data.known.biases) or "none"
    return (
        f"{pairs} pairs, {judges} judge{'s' if judges > 1 else ''}, {biases} biases by {identity.supplied or identity.rewrites} "
        f"({names}) with {data.design.rule.neutrals} neutral rewrites each, and slots"
    )


def _tell(progress: Progress, sample: Sample) -> None:
    needed = sample.minutes_needed
    about = "" if needed is None else f", about {needed:.1f} minutes in all"
    progress.line(
        f"{sample.pairs:,} of {sample.available:,} pairs for a budget of {sample.minutes:g} minutes{about}"
    )


def print_measured(found: MeasuredOut, *, json: bool) -> None:
    """Print for a person, or as JSON and nothing else."""
    if json:
        print_json(found)
        return
    shown = console()
    shown.print(measured_words.headline(found), style="bold")
    shown.print(measured_words.pairs_line(found))
    for judged in found.judges:
        shown.print(f"\n{judged.name}", style="bold")
        for line in measured_words.gate_lines(judged)[1:]:  # the headline says the first
            print_hanging(shown, "  ", line)
        for effect in judged.effects:
            if effect.status == "accepted":
                print_hanging(shown, "  \u2022 ", measured_words.finding(effect))
        shown.print(_table(judged), soft_wrap=False)
        for line in [measured_words.baseline_line(judged), *details.null_lines(judged.null_control, whole=False)]:
            shown.print(line)
        shown.print(missing_line(judged.missing))
        shown.print(f"Cost: {measured_words.cost_line(judged)}")
    if found.comparison is not None:
        shown.print("\nThe judges beside each other", style="bold")
        for line in measured_words.comparison_lines(found):
            print_hanging(shown, "  ", line)
    shown.print(f"\n{report_line(found.run)}", soft_wrap=True)


def _table(judged: JudgedOut) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("bias", overflow="fold")
    table.add_column("gate" if judged.gate else "status", overflow="fold")
    for name in ("effect", "interval", "p", "n"):
        table.add_column(name, justify="right", no_wrap=True)
    for e in judged.effects:
        effect, interval, p = effect_cells(e)
        status = e.gate or findings.STATUS_WORDS[e.status]
        table.add_row(e.name, status, f"{effect}{SHORT_UNITS.get(e.unit or '', '')}", interval, p, str(e.n))
    return table
