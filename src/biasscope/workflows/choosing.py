"""What tuning pairs choose: the form of a guard, the text that shows a contrast, the side of a slot habit. Asks nobody."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from biasscope.benchmarks import BenchmarkItem
from biasscope.judges.guards import Contrast
from biasscope.records import Bias
from biasscope.verdict_rows import VerdictRow
from biasscope.workflows.mitigation import Compared, FixOutcome

LONGEST = 600
"""Most characters of a text in a guard: it is sent with every verdict."""
RISE_WEIGHT = 2.0
"""A point of error that a form adds counts as much as this share of the pull that it leaves."""


def choose_form(tried: Compared) -> int:
    """The number of the form that leaves least: pull after over pull before, plus what the error rises by.

    By estimates on few pairs, so that the form that is reported on others is a fair choice and no finding. The first of
    equals.
    """
    losses = [_loss(outcome) for outcome in tried.fixes]
    return losses.index(min(losses))


def _loss(outcome: FixOutcome) -> float:
    effects = [effect for _, effect in outcome.biases]
    before = sum(abs(e.before.value) for e in effects if e.before is not None)
    after = sum(abs(e.after.value) for e in effects if e.after is not None)
    rises = [max(0.0, cell.rise.value) for e in effects for cell in e.cells if cell.rise is not None]
    if outcome.plain.change is not None:
        rises.append(max(0.0, outcome.plain.change.value))
    left = after / before if before > 0 else 1.0
    return left + RISE_WEIGHT * (sum(rises) / len(rises) if rises else 0.0)


def contrast_of(items: Iterable[BenchmarkItem], biases: Sequence[Bias]) -> Contrast | None:
    """The shortest rejected response of the items without and with a trait; None where all are long."""
    known = {bias.id: bias for bias in biases}
    cells: dict[str, dict[str, BenchmarkItem]] = {}
    for item in items:
        if item.subset == "crossed":
            cells.setdefault(item.variant, {})[item.trait_side] = item
    found = [
        (len(of["neither"].rejected) + len(of["rejected"].rejected), variant, of)
        for variant, of in cells.items()
        if {"neither", "rejected"} <= of.keys()
    ]
    if not found:
        return None
    length, _, of = min(found, key=lambda one: one[:2])
    if length > 2 * LONGEST:
        return None
    plain, biased = of["neither"], of["rejected"]
    return Contrast(known[plain.injected_bias], plain.rejected, biased.rejected)


def slot_side(items: Iterable[BenchmarkItem], rows: Iterable[VerdictRow]) -> float:
    """1 where the response shown first is preferred more often than not, on pairs as they were, else -1."""
    original = {item.id for item in items if item.subset == "original"}
    first = 0
    for row in rows:
        if row.pair in original and row.order is not None and row.choice in ("chosen", "rejected"):
            first += 1 if (row.choice == "chosen") == (row.order == "chosen_first") else -1
    return -1.0 if first < 0 else 1.0
