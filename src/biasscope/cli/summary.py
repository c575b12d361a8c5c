"""A summary on the terminal: findings first, then what was tried; or one JSON object."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from rich.table import Table

from biasscope.cli.output import console, print_hanging, print_json, report_line
from biasscope.report import details, findings, proposals
from biasscope.report.measured import EffectOut
from biasscope.report.summary import MissingOut, Summary, TrialOut

SHOWN_MISSING = 4
SHOWN_OTHERS = 12
"""How many candidates that did not hold are listed; the report has them all."""


def print_summary(summary: Summary, *, json: bool) -> None:
    """Print for a person, or as JSON and nothing else."""
    if json:
        print_json(summary)
        return
    shown = console()
    shown.print(findings.headline(summary), style="bold")
    held = sorted((t for t in summary.trials if t.status == "accepted"), key=_size)
    others = sorted((t for t in summary.trials if t.status != "accepted"), key=_size)
    for trial in held:
        print_hanging(shown, "  • ", findings.finding(trial, summary.rule))
    if summary.trials:
        shown.print()
        shown.print(trials_table(held + others[:SHOWN_OTHERS], summary.rule), soft_wrap=False)
        if len(others) > SHOWN_OTHERS:
            shown.print(f"and {len(others) - SHOWN_OTHERS} more that did not hold: see the report")
        if summary.untried:
            shown.print(
                f"and {len(summary.untried)} that were named and not tried; a higher --iterations tries them"
            )
        shown.print()
    for number, line in enumerate(proposals.proposal_lines(summary)):
        print_hanging(shown, "  • " if number else "", line)
    for text in [
        *_ungraded(summary),
        *findings.doubts(summary),
        *findings.baseline_lines(summary.baseline),
        *details.null_lines(summary.null_control, whole=False),
    ]:
        shown.print(text)
    shown.print(missing_line(summary.missing))
    c = summary.calls
    shown.print(f"Calls in the latest start: {c.judge:,} judge, {c.teacher:,} teacher; {c.replayed:,} replayed.")
    for number, step in enumerate(findings.next_steps(summary)):
        print_hanging(shown, "      " if number else "Next: ", step)
    shown.print(report_line(summary.run), soft_wrap=True)


def _size(trial: TrialOut) -> float:
    """Sorts the largest effect first, and what has none last."""
    return math.inf if trial.effect is None else -trial.effect


def _ungraded(summary: Summary) -> list[str]:
    """What must be known where margins were asked for and effects are of plain verdicts."""
    units = {t.unit for t in summary.trials if t.unit is not None}
    if summary.judge_mode != "label" or units != {"fraction"}:
        return []
    return ["Note: no margins could be used (the server gave none, or they were saturated), so that plain verdicts "
            "are measured. --judge-mode reason asks for reasons first."]  # fmt: skip


def trials_table(trials: Sequence[TrialOut], rule: str = "fixed") -> Table:
    """What was tried, one candidate a row; the unit of effects stands in the head, since a run has one."""
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("candidate", overflow="fold")
    table.add_column("status", overflow="fold")
    margins = next((t.unit for t in trials if t.unit not in (None, "fraction")), None)
    unit = "points" if margins is None else margins
    names = ("points above the originals", "n") if rule == "paper" else (unit, "interval", "p", "n")
    for name in names:
        table.add_column(name, justify="right", no_wrap=True)
    for t in trials:
        gain = findings.number(findings.against_originals(t), "fraction")
        numbers = (gain,) if rule == "paper" else effect_cells(t)
        # The published rule knows two outcomes, and no size that matters.
        status = t.status if rule == "paper" else _status(t)
        table.add_row(t.name, status, *numbers, str(t.n))
    return table


def _status(t: TrialOut) -> str:
    """The status, and beside what was not shown the effect that would have been."""
    words = findings.STATUS_WORDS[t.status]
    if t.status != "not_shown" or t.detectable is None:
        return words
    return f"{words} ({findings.number(t.detectable, t.unit).removeprefix('+')} would be)"


def effect_cells(found: TrialOut | EffectOut) -> tuple[str, str, str]:
    """Effect, interval and p of a bias; empty where there is none. Fractions are shown as points."""
    unit = found.unit
    return (
        findings.number(found.effect, unit),
        findings.span(found.low, found.high, unit),
        findings.p_cell(found.p),
    )


def missing_line(missing: Iterable[MissingOut]) -> str:
    """The most frequent reasons why something is missing, or that nothing is."""
    worst = sorted(missing, key=lambda m: -m.count)
    if not worst:
        return "Missing: nothing; every rewrite and every verdict could be used."
    named = "; ".join(f"{m.arm} {m.reason} x {m.count:,}" for m in worst[:SHOWN_MISSING])
    more = f"; {len(worst) - SHOWN_MISSING} more in the report" if len(worst) > SHOWN_MISSING else ""
    return f"Missing: {named}{more}"
