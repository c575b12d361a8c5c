"""A summary on the terminal: findings first, or one JSON object."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from biasscope.cli.output import print_json
from biasscope.report import findings
from biasscope.report.summary import Summary


def print_summary(summary: Summary, *, json: bool) -> None:
    """Print for a person, or as JSON and nothing else."""
    if json:
        print_json(summary)
        return
    console = Console(highlight=False)
    console.print()
    console.print(f"[bold]{escape(findings.headline(summary))}[/]")
    for trial in sorted(summary.trials, key=lambda t: -(t.effect or 0.0)):
        if trial.status == "accepted":
            console.print(f"  • {escape(findings.finding(trial, summary.rule))}")
    for text in findings.baseline_lines(summary.baseline):
        console.print(escape(text))
    if summary.trials:
        console.print(_trials(summary))
    if summary.missing:
        worst = sorted(summary.missing, key=lambda m: -m.count)[:4]
        console.print(
            "Missing: " + "; ".join(f"{escape(m.arm)} {escape(m.reason)} x {m.count}" for m in worst)
            + (" ..." if len(summary.missing) > len(worst) else "")
        )  # fmt: skip
    c = summary.calls
    console.print(f"Calls: {c.judge:,} judge, {c.teacher:,} teacher, {c.replayed:,} replayed.")
    for step in findings.next_steps(summary):
        console.print(f"Next: {escape(step)}")
    console.print(f"Report: {escape(str(Path(summary.run) / 'report.md'))}")


def _trials(summary: Summary) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim", title=None)
    for name in ("candidate", "status", "effect", "interval", "p", "n"):
        table.add_column(name, justify="left" if name in ("candidate", "status") else "right")
    for t in sorted(summary.trials, key=lambda t: (t.status != "accepted", -(t.effect or 0.0))):
        unit = t.unit or "fraction"
        table.add_row(
            escape(t.name),
            findings.STATUS_WORDS[t.status],
            "" if t.effect is None else findings.amount(t.effect, unit),
            findings.interval_text(t.low, t.high, unit),
            findings.p_text(t.p).removeprefix("p ").removeprefix("= "),
            str(t.n),
        )
    return table
