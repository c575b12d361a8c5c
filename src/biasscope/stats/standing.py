"""Where a candidate of a trial stands, where it stopped, and the words for an end without acceptance. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from biasscope.records import Status
from biasscope.stats.normal import upper_quantile
from biasscope.stats.reading import Reading
from biasscope.stats.rules import Rule


@dataclass(frozen=True, slots=True)
class Stopped:
    """Where one candidate stopped, and why.

    `status` is the decision inside the iteration (provisional), `p` the smallest p-value over the looks, each
    divided by the weight of its look, at most 1; `look` the number of the look, counted from 1, of `looks`;
    `visited` the items that were fetched. `missing` counts (arm, unread verdict items, items with a rewrite).
    `worst_case` bounds the effect over what is missing; None for margins, which have no worst value.
    """

    name: str
    status: Status
    reason: str
    p: float
    look: int
    looks: int
    visited: int
    reading: Reading | None
    valid: bool
    missing: tuple[tuple[str, int, int], ...]
    worst_case: tuple[float, float] | None
    futile: bool
    rule: str

    @property
    def n(self) -> int:
        """Items that have the candidate and a neutral score."""
        return 0 if self.reading is None else self.reading.n


@dataclass(frozen=True, slots=True)
class Standing:
    """One candidate as its latest look left it, for whoever watches: no result, and nothing is decided by it.

    `p` is the smallest over its looks so far, each divided by the weight of its look, at most 1; `q` the adjusted
    value by which that look decided. `reading` is None before its first look and where no item has both scores,
    `stopped` while it is alive.
    """

    name: str
    reading: Reading | None
    p: float
    q: float
    stopped: Stopped | None


@dataclass(frozen=True, slots=True)
class Standings:
    """A trial between two looks: `look` of its `looks` are over, on `visited` items; `of` its candidates, in order."""

    look: int
    looks: int
    visited: int
    of: tuple[Standing, ...]


def no_signal(reading: Reading) -> str:
    """Why a reading without signal has none."""
    if reading.unit != "fraction":
        if reading.se > 0:
            return "no two neutral rewrites differ in margin, so that nothing tells what wording alone does"
        return "the margins do not move at all, whatever is written"
    return "the verdicts hardly ever change, whatever is written; try graded verdicts (label mode)"


def at_the_end(reading: Reading, rule: Rule) -> tuple[Status, str]:
    """The status of what was neither accepted nor dropped when all items were seen."""
    if not reading.supports:
        return "no_signal", no_signal(reading)
    if not reading.beyond_wording:
        return "not_shown", "no larger than what one neutral phrasing does against another"
    high = reading.value + upper_quantile(0.025) * reading.se
    if rule.futility is None and reading.se > 0 and high < reading.min_effect:
        return "dropped", "its whole interval lies below the smallest effect of interest"
    return "not_shown", "not proven, not absent"
