"""Which of two texts carries a trait, row by row: as often one as the other, and without making either longer. Pure.

Of every row both texts could carry the trait. If the trait made the better texts longer than the worse ones, whoever learns from the rows
would learn length. So sides are drawn by seed, a few of them are exchanged, and only where that is not enough rows are dropped.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from biasscope.seeds import derive_seed, pick

TOLERANCE = 0.5
"""Words a row by which the trait may lengthen one side more than the other, over all rows, before rows are dropped."""
MOST_DROPPED = 0.2
"""Share of the rows that are dropped at most."""


@dataclass(frozen=True, slots=True)
class Added:
    """What the trait of a group would add to the chosen and to the rejected text of a row, in words beyond the neutral text."""

    id: str
    group: str
    chosen: float
    rejected: float

    @property
    def weight(self) -> float:
        """By how much chosen less rejected grows when the trait moves from the rejected to the chosen text."""
        return self.chosen + self.rejected


@dataclass(frozen=True, slots=True)
class Sides:
    """The rows by where the trait stands, and what it adds to chosen less rejected, in words a row.

    `drawn` is that sum as the seed alone gave it, `kept` as it is now; both are 0 without rows.
    """

    chosen: frozenset[str]
    rejected: frozenset[str]
    dropped: frozenset[str]
    drawn: float
    kept: float


def balance_sides(rows: Iterable[Added], *, seed: int = 0) -> Sides:
    """Draw where the trait stands: on either side equally often (differing by 1 at most) in each group and over all groups.

    Then in each group rows exchange sides while that brings the words that the trait adds to chosen and to rejected closer
    together. Where these differ by more than `TOLERANCE` a row over all groups, rows are dropped two by two, one of each side,
    `MOST_DROPPED` of them at most. The same rows give the same sides in any order. Raises ValueError for an id that comes twice.
    """
    every = sorted(rows, key=lambda row: row.id)
    if len({row.id for row in every}) < len(every):
        raise ValueError("rows need ids of their own")
    groups: dict[str, list[Added]] = defaultdict(list)
    for row in every:
        groups[row.group].append(row)
    drawn = _draw(groups, seed)
    before = sum(group.total for group in drawn)
    for group in drawn:
        group.exchange()
    dropped = _drop(drawn, len(every))
    left = len(every) - len(dropped)
    return Sides(
        frozenset(row.id for group in drawn for row in group.chosen),
        frozenset(row.id for group in drawn for row in group.rejected),
        frozenset(dropped),
        before / len(every) if every else 0.0,
        sum(group.total for group in drawn) / left if left else 0.0,
    )


@dataclass
class _Group:
    """The rows of one group by side, each side sorted by weight."""

    chosen: list[Added]
    rejected: list[Added]

    def __post_init__(self) -> None:
        for side in (self.chosen, self.rejected):
            side.sort(key=lambda row: (row.weight, row.id))

    @property
    def total(self) -> float:
        """What the trait adds to chosen less rejected, in words over all rows."""
        return sum(row.chosen for row in self.chosen) - sum(row.rejected for row in self.rejected)

    def exchange(self) -> None:
        """Let rows of both sides change places, the best two each time, until no two of them bring the total closer to 0."""
        for _ in range(len(self.chosen) + len(self.rejected)):
            total = self.total
            best = min(
                ((abs(total + b.weight - a.weight), a.id, b.id, a, b) for a, b in self._near(-total)),
                default=None,
            )
            if best is None or best[0] >= abs(total):
                return
            *_, a, b = best
            self.chosen.remove(a)
            self.rejected.remove(b)
            _insert(self.chosen, b)
            _insert(self.rejected, a)

    def _near(self, wanted: float) -> Iterable[tuple[Added, Added]]:
        """For each row of the chosen side the rows of the other whose weight exceeds its own by about `wanted`."""
        weights = [row.weight for row in self.rejected]
        for a in self.chosen:
            at = bisect_left(weights, a.weight + wanted)
            for b in self.rejected[max(0, at - 1) : at + 1]:
                yield a, b

    def couples(self, wanted: float) -> Iterable[tuple[Added, Added]]:
        """For each row of the chosen side the rows of the other with which it adds about `wanted` to the total."""
        others = sorted(self.rejected, key=lambda row: (row.rejected, row.id))
        lengths = [row.rejected for row in others]
        for a in self.chosen:
            at = bisect_left(lengths, a.chosen - wanted)
            for b in others[max(0, at - 1) : at + 1]:
                yield a, b

    def drop(self, chosen: str, rejected: str) -> None:
        """Leave out a row of each side, by their ids."""
        self.chosen = [row for row in self.chosen if row.id != chosen]
        self.rejected = [row for row in self.rejected if row.id != rejected]


def _insert(rows: list[Added], row: Added) -> None:
    rows.insert(bisect_left([(r.weight, r.id) for r in rows], (row.weight, row.id)), row)


def _draw(groups: dict[str, list[Added]], seed: int) -> list[_Group]:
    """Each group in two halves by seed; the one more of groups of an odd size falls on either side in turn."""
    turn = pick(2, "odd side", seed)
    drawn = []
    for name in sorted(groups):
        rows = sorted(groups[name], key=lambda row: (derive_seed("side", seed, row.id), row.id))
        half, odd = divmod(len(rows), 2)
        on_chosen = half + (odd and turn)
        turn = 1 - turn if odd else turn
        drawn.append(_Group(rows[:on_chosen], rows[on_chosen:]))
    return drawn


def _drop(groups: Sequence[_Group], count: int) -> list[str]:
    """Drop two rows of one group each time, those that bring the whole closest to 0, while it is too far from that."""
    dropped: list[str] = []
    while True:
        total, left = sum(group.total for group in groups), count - len(dropped)
        if not left or abs(total) <= TOLERANCE * left or len(dropped) + 2 > MOST_DROPPED * count:
            return dropped
        couples = (
            (abs(total - a.chosen + b.rejected), a.id, b.id, number)
            for number, group in enumerate(groups)
            for a, b in group.couples(total)
        )
        best = min(couples, default=None)
        if best is None or best[0] >= abs(total):
            return dropped
        _, a, b, number = best
        groups[number].drop(a, b)
        groups[number].exchange()
        dropped += [a, b]
