"""How many pairs fit into a time budget: they are measured in blocks, and the clock says after each what still fits.

Pairs come in an order drawn by seed with the domain mix of the whole, so that any number of them is a fair sample.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace

from biasscope.records import PreferencePair
from biasscope.stats.rules import FEWEST
from biasscope.stats.sequential import item_order

BLOCK = 4
"""Pairs of a block while the speed is not known."""
TIMED = 8
"""Pairs in blocks with paid calls that are enough to know the speed; the latest so many say what it is now."""
SHARE = 4
"""A block takes a quarter of the time that is left, so that one that is far slower than those before it still fits."""


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


@dataclass(frozen=True, slots=True)
class Spent:
    """What a budget was spent on so far: the first `pairs`, in `seconds` over all starts of the run.

    `timed` of them were in blocks with paid calls, which took `timed_seconds`: what the ledger answers alone says
    nothing about the speed.
    """

    pairs: int = 0
    seconds: float = 0.0
    timed: int = 0
    timed_seconds: float = 0.0

    @property
    def seconds_per_pair(self) -> float | None:
        """What one pair took on average; None before any was timed."""
        return self.timed_seconds / self.timed if self.timed else None


@dataclass(frozen=True, slots=True)
class BudgetSeen:
    """A budget of `minutes` after a block: `pairs` of the `available` are measured, in `spent_minutes`.

    `fewest_minutes` is about how long the fewest pairs take on which anything is decided, spent minutes included;
    None before the speed is known and once there are so many.
    """

    pairs: int
    available: int
    minutes: float
    spent_minutes: float
    fewest_minutes: float | None

    @property
    def over(self) -> float:
        """By how many minutes even the fewest pairs will exceed the budget, as it looks now; 0 where they fit."""
        return 0.0 if self.fewest_minutes is None else max(0.0, self.fewest_minutes - self.minutes)


@dataclass(frozen=True, slots=True)
class Budget:
    """What a sample is chosen with.

    `measure` measures some pairs, `paid` counts the replies that were paid for so far, `clock` gives seconds. `at_once`
    is the number of pairs that keep all calls in flight busy. Where `whole`, everything that is measured on a pair
    is measured in its block, so that blocks may go on until the budget is spent; a rule that stops early leaves
    most of it out, and only the number of pairs is chosen. `keep` stores what was spent, also when the work is
    interrupted, and `tell` is told of each block.
    """

    minutes: float
    measure: Callable[[Sequence[PreferencePair]], Awaitable[None]]
    paid: Callable[[], int]
    clock: Callable[[], float]
    at_once: int = 1
    whole: bool = True
    keep: Callable[[Spent], object] = field(default=lambda _: None)
    tell: Callable[[BudgetSeen], None] = field(default=lambda _: None)


def in_order(pairs: Sequence[PreferencePair], seed: int) -> list[PreferencePair]:
    """The pairs in the order in which they are taken."""
    return [pairs[i] for i in item_order([p.domain for p in pairs], [p.id for p in pairs], seed)]


async def choose_sample(pairs: Sequence[PreferencePair], budget: Budget, spent: Spent | None = None) -> Sample:
    """Measure the first pairs in blocks until no more fit into the budget; at least `FEWEST`, at most all.

    `spent` is what earlier starts of the run spent: their pairs are not measured again, and their time is gone.
    """
    taking = _Taking(pairs, budget, spent or Spent())
    while size := taking.next_block():
        await taking.take(size)
    return Sample(taking.fitting(), len(pairs), budget.minutes, taking.spent.seconds_per_pair)


@dataclass
class _Taking:
    """The pairs that are taken so far, and the latest blocks (pairs, seconds), which tell the speed."""

    pairs: Sequence[PreferencePair]
    budget: Budget
    spent: Spent
    latest: list[tuple[int, float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.spent.timed:
            self.latest.append((self.spent.timed, self.spent.timed_seconds))

    def next_block(self) -> int:
        """How many pairs come next; 0 when no more are to be measured here."""
        rest = len(self.pairs) - self.spent.pairs
        each, least = self._each(), max(1, self.budget.at_once)
        if each is None:
            return min(rest, max(BLOCK, least), TIMED)
        if not self.budget.whole:
            return 0
        left = self._left()
        quarter = rest if each == 0 else int(left / SHARE / each)
        size = max(least, quarter)
        # Fewer pairs than keep all calls busy take as long as so many, so that where these do not fit none do.
        return min(rest, size if size * each <= left else max(0, FEWEST - self.spent.pairs))

    async def take(self, size: int) -> None:
        """Measure the next pairs, and keep what it took also where that is interrupted."""
        budget, before = self.budget, self.spent
        began, paid, done = budget.clock(), budget.paid(), False
        try:
            await budget.measure(self.pairs[before.pairs : before.pairs + size])
            done = True
        finally:
            took, timed = budget.clock() - began, budget.paid() > paid
            # What ended without a reply, such as a server that is not there, is not held against the budget.
            if done or timed:
                self.spent = replace(before, seconds=before.seconds + took)
            if done:
                self._count(size, took, timed=timed)
            budget.keep(self.spent)
        budget.tell(self._seen())

    def fitting(self) -> int:
        """How many pairs the sample has: those that were measured, or as many as fit at the speed that was seen."""
        each, taken = self._each(), self.spent.pairs
        if self.budget.whole or each is None:
            return taken
        more = int(max(0.0, self._left()) // each) if each > 0 else len(self.pairs)
        return min(len(self.pairs), max(FEWEST, taken + more))

    def _count(self, size: int, took: float, *, timed: bool) -> None:
        spent = self.spent
        self.spent = replace(spent, pairs=spent.pairs + size)
        if not timed:
            return
        self.spent = replace(self.spent, timed=spent.timed + size, timed_seconds=spent.timed_seconds + took)
        self.latest.append((size, took))
        while sum(n for n, _ in self.latest[1:]) >= TIMED:
            self.latest.pop(0)

    def _each(self) -> float | None:
        """The seconds that a pair takes now; None while too few are timed."""
        timed = sum(n for n, _ in self.latest)
        return None if timed < TIMED else sum(seconds for _, seconds in self.latest) / timed

    def _left(self) -> float:
        return 60 * self.budget.minutes - self.spent.seconds

    def _seen(self) -> BudgetSeen:
        each, spent = self._each(), self.spent
        lacking = min(FEWEST, len(self.pairs)) - spent.pairs
        fewest = None if each is None or lacking <= 0 else (spent.seconds + lacking * each) / 60
        return BudgetSeen(spent.pairs, len(self.pairs), self.budget.minutes, spent.seconds / 60, fewest)
