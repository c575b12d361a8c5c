"""How many pairs fit into a time budget: a few are measured on every judge, and the clock says the rest.

Pairs come in an order drawn by seed with the domain mix of the whole, so that any number of them is a fair sample.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from biasscope.records import PreferencePair
from biasscope.stats.rules import FEWEST
from biasscope.stats.sequential import item_order

BLOCK = 4
"""Pairs that are measured between two looks at the clock."""
BLOCKS = 2
"""Blocks with paid calls that are enough to know the speed."""


@dataclass(frozen=True, slots=True)
class Sample:
    """How many of the `available` pairs are measured, and why: the budget and the seconds that one pair took.

    `seconds_per_pair` is None where nothing had to be paid for, so that all pairs fit.
    """

    pairs: int
    available: int
    minutes: float
    seconds_per_pair: float | None

    @property
    def minutes_needed(self) -> float | None:
        """About how long all of its pairs take."""
        return None if self.seconds_per_pair is None else self.pairs * self.seconds_per_pair / 60


def in_order(pairs: Sequence[PreferencePair], seed: int) -> list[PreferencePair]:
    """The pairs in the order in which they are taken."""
    return [pairs[i] for i in item_order([p.domain for p in pairs], [p.id for p in pairs], seed)]


async def choose_sample(
    pairs: Sequence[PreferencePair],
    minutes: float,
    measure: Callable[[Sequence[PreferencePair]], Awaitable[None]],
    paid: Callable[[], int],
    clock: Callable[[], float],
) -> Sample:
    """Measure blocks of the first pairs until the speed is known, and choose how many fit into `minutes`.

    At least `FEWEST`, at most all. `paid` counts the calls made so far and `clock` gives seconds; blocks that were
    answered from the ledger alone say nothing about the speed.
    """
    start, taken, timed, seconds = clock(), 0, 0, 0.0
    while timed < BLOCKS * BLOCK and taken < len(pairs):
        block = pairs[taken : taken + BLOCK]
        taken += len(block)
        began, before = clock(), paid()
        await measure(block)
        if paid() > before:
            timed += len(block)
            seconds += clock() - began
    if timed == 0:
        return Sample(len(pairs), len(pairs), minutes, None)
    each = seconds / timed
    left = 60 * minutes - (clock() - start)
    fitting = taken + int(left // each) if left > 0 and each > 0 else taken
    return Sample(min(len(pairs), max(FEWEST, fitting)), len(pairs), minutes, each)
