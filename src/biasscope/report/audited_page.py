"""Audits as a Markdown page."""

from __future__ import annotations

from collections.abc import Sequence

from biasscope.models.failures import plain
from biasscope.report import audited_words as words
from biasscope.report.audited import AuditOut
from biasscope.report.findings import interval_text, number, p_cell
from biasscope.report.markdown import bullets, cell


def render(audits: Sequence[AuditOut]) -> str:
    """Render the whole page."""
    parts = ["# Verdicts that were given before", *(part for out in audits for part in _audit(out)), _READING]
    return "\n\n".join(parts) + "\n"


def _audit(out: AuditOut) -> list[str]:
    parts = [
        f"## {cell(out.judge)}",
        f"Log: {cell(plain(out.log))}, read as {cell(out.format)}.",
        bullets(words.read_lines(out)),
        bullets([words.slot_line(out), words.consistency_line(out), words.error_line(out)]),
        bullets(words.reread_lines(out)),
    ]
    rounds = words.round_lines(out)
    if rounds:
        parts += ["### Round by round", bullets(rounds)]
    parts.append("### What its choices go with")
    if out.associations:
        parts += [_associations(out), cell(words.CAUSE)]
    else:
        parts.append(cell(words.associations_head(out)))
    parts += ["### What to try next", bullets(words.candidate_lines(out))]
    if out.command is not None:
        parts.append("\n".join(["```", *([out.before] if out.before else []), out.command, "```"]))
    return parts


def _associations(out: AuditOut) -> str:
    rows = [
        f"| {cell(a.words)} | {number(a.change.value, 'fraction')} "
        f"| {interval_text(a.change.low, a.change.high, 'fraction')} | {p_cell(a.p)} | {p_cell(a.q)} | {cell(a.bias or '')} |"
        for a in out.associations
    ]
    head = "| feature | points per standard deviation | interval | p | q | tried as |\n|---|---|---|---|---|---|"
    return "\n".join([head, *rows])


_READING = (
    "## How to read this\n\n"
    "A slot preference is how often what is shown first is chosen, beyond one half; of a pair that was judged in both "
    "orders the better response cancels. How often verdicts change with the order is no measure of it: a noisy judge "
    "changes often and prefers no place. Intervals and p-values count pairs that ask the same as one."
)
