"""What a discovery run found in the end, as a value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from biasscope.ask import Missing
from biasscope.errors import DataError
from biasscope.quantities import NullControl
from biasscope.records import Baseline, Bias, BiasLibrary, Evidence, Explanation, LibraryEffect, Trial
from biasscope.steps.judge import Table
from biasscope.verdict_rows import VerdictRow

Missed = tuple[str, str, int]
"""(arm or step, reason, count)."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Every candidate tried, what holds, what is missing, and why the loop stopped.

    `library` is the starting library and what was accepted; `missing` counts by arm or step and reason.
    `untried` are candidates that were named and whose turn did not come; `evidence` the pairs to read about what holds,
    `verdicts` everything that was judged.
    """

    library: BiasLibrary
    trials: tuple[Trial, ...]
    baseline: Baseline | None
    library_effect: LibraryEffect | None
    missing: tuple[Missed, ...]
    stopped: str
    untried: tuple[Bias, ...] = ()
    null_control: NullControl | None = None
    evidence: tuple[Evidence, ...] = ()
    verdicts: tuple[VerdictRow, ...] = ()


NOT_EXPLAINING = "this judge cannot be asked why"


def missing_accounts(explained: Sequence[Explanation | Missing], *, deeper: bool) -> list[Missed]:
    """Count explanations that are missing, and deeper ones that were asked for and did not come."""
    found: list[Missed] = [("explain", e.reason, 1) for e in explained if isinstance(e, Missing)]
    if deeper:
        found += [("deepen", "no account", 1) for e in explained if isinstance(e, Explanation) and not e.deeper]
    return found


def count_missing(missing: Iterable[Missed]) -> tuple[Missed, ...]:
    """Add up equal (arm, reason) counts, sorted."""
    counts: dict[tuple[str, str], int] = {}
    for where, reason, n in missing:
        counts[where, reason] = counts.get((where, reason), 0) + n
    return tuple(sorted((where, reason, n) for (where, reason), n in counts.items()))


def unreadable(table: Table) -> DataError:
    """The error of a run whose judge gave no verdict on an original that can be read, with the usual reasons."""
    worst = sorted(table.missing(), key=lambda m: -m[2])[:3]
    reasons = ", ".join(f"{reason.removeprefix('verdict: ')} x {count}" for _, reason, count in worst)
    where = " in both orders" if len(table.orders) > 1 else ""
    hint = "Look at what the judge replies; --judge-mode label asks for the label alone."
    if "no_reference" in reasons:
        hint = "Give the pairs a column reference, or leave out --reference."
    return DataError(f"no original pair has a verdict that can be read{where} ({reasons})", hint=hint)
