"""What a discovery run found in the end, as a value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from biasscope.ask import Missing
from biasscope.quantities import NullControl
from biasscope.records import Baseline, Bias, BiasLibrary, Evidence, Explanation, LibraryEffect, Trial

Missed = tuple[str, str, int]
"""(arm or step, reason, count)."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Every candidate tried, what holds, what is missing, and why the loop stopped.

    `library` is the starting library and what was accepted; `missing` counts by arm or step and reason.
    `untried` are candidates that were named and whose turn did not come; `evidence` the pairs to read about what holds.
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
