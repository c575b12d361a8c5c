"""The rules of a validation as values: when to look, what each look may spend, how many neutral rewrites. Pure.

The figures are those of the simulation study behind `docs/statistics.md`: looks after 8 to 100 % of the items, a
weighted-Bonferroni share of the level for each, and futility at the smallest effect of interest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

FEWEST = 20
"""Fewest items on which anything is decided."""


@dataclass(frozen=True, slots=True)
class Look:
    """One look at the scores: after `stop` items, with `weight` of the level."""

    stop: int
    weight: float


@dataclass(frozen=True, slots=True)
class Rule:
    """When a candidate is looked at and when it is given up.

    `looks` are shares of the items in (0, 1], the last one 1; `weights` their shares of the level, summing to 1.
    `neutral_plan` lists (share of the items, neutral rewrites per item up to there). A candidate is dropped at a
    look before the last when effect + z(1 - `futility`) * se is below `min_effect` (a fraction of verdicts;
    margins have their own); None never drops one early. `q` is the Benjamini-Hochberg level.

    Raises ValueError for shares that do not fit together.
    """

    name: str
    looks: tuple[float, ...]
    weights: tuple[float, ...]
    neutral_plan: tuple[tuple[float, int], ...]
    min_effect: float = 0.05
    futility: float | None = 0.10
    q: float = 0.05
    fewest: int = FEWEST

    def __post_init__(self) -> None:
        rising = all(a < b for a, b in zip(self.looks, self.looks[1:], strict=False))
        if not self.looks or self.looks[0] <= 0 or self.looks[-1] != 1 or not rising:
            raise ValueError(f"looks must rise to 1, got {self.looks}")
        if len(self.weights) != len(self.looks) or min(self.weights) <= 0 or abs(sum(self.weights) - 1) > 1e-9:
            raise ValueError(f"need one positive weight per look, with sum 1, got {self.weights}")
        if not self.neutral_plan or self.neutral_plan[-1][0] != 1 or min(k for _, k in self.neutral_plan) < 1:
            raise ValueError(f"the neutral plan must reach all items with at least 1, got {self.neutral_plan}")

    @property
    def neutrals(self) -> int:
        """The largest number of neutral rewrites that any item gets."""
        return max(k for _, k in self.neutral_plan)

    def schedule(self, items: int) -> tuple[Look, ...]:
        """The looks at `items` items; looks that fall together are one, with the sum of their weights.

        None comes before the `fewest` items. Raises ValueError for fewer items than that.
        """
        if items < self.fewest:
            raise ValueError(f"need at least {self.fewest} items to validate on, got {items}")
        merged: dict[int, float] = {}
        for share, weight in zip(self.looks, self.weights, strict=True):
            stop = min(items, max(self.fewest, round(share * items)))
            merged[stop] = merged.get(stop, 0.0) + weight
        return tuple(Look(stop, weight) for stop, weight in sorted(merged.items()))

    def neutrals_at(self, items: int) -> NDArray[np.int64]:
        """How many neutral rewrites the item at each position gets."""
        counts = np.zeros(items, dtype=np.int64)
        start = 0
        for share, count in self.neutral_plan:
            stop = round(share * items)
            counts[start:stop] = count
            start = stop
        return counts


_LOOKS = (0.08, 0.12, 0.17, 0.24, 0.34, 0.48, 0.70, 1.0)
_WEIGHTS = (0.01, 0.02, 0.04, 0.06, 0.09, 0.14, 0.22, 0.42)
_PLAN = ((0.15, 5), (0.34, 3), (1.0, 2))

RULES: Mapping[str, Rule] = MappingProxyType(
    {
        "default": Rule("default", _LOOKS, _WEIGHTS, _PLAN),
        "fast": Rule("fast", _LOOKS, _WEIGHTS, _PLAN, min_effect=0.07),
        "thorough": Rule("thorough", _LOOKS, _WEIGHTS, _PLAN, min_effect=0.04),
        "fixed": Rule("fixed", (1.0,), (1.0,), ((1.0, 3),), futility=None),
    }
)
"""The named rules. `fixed` judges every item and looks once."""
