"""What a discovery run found in the end, as a value."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from biasscope.records import Baseline, BiasLibrary, LibraryEffect, Trial

Missed = tuple[str, str, int]
"""(arm or step, reason, count)."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Every candidate tried, what holds, what is missing, and why the loop stopped.

    `library` is the starting library and what was accepted; `missing` counts by arm or step and reason.
    """

    library: BiasLibrary
    trials: tuple[Trial, ...]
    baseline: Baseline | None
    library_effect: LibraryEffect | None
    missing: tuple[Missed, ...]
    stopped: str


def count_missing(missing: Iterable[Missed]) -> tuple[Missed, ...]:
    """Add up equal (arm, reason) counts, sorted."""
    counts: dict[tuple[str, str], int] = {}
    for where, reason, n in missing:
        counts[where, reason] = counts.get((where, reason), 0) + n
    return tuple(sorted((where, reason, n) for (where, reason), n in counts.items()))
