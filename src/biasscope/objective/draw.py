"""A stream of choices that comes from names. It knows nothing about what is chosen.

Every choice rests on `random.Random.random`, the one method whose sequence Python promises to keep between
versions: a generated set of pairs is the same on every machine and in every later release.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

from biasscope.seeds import derive_seed

T = TypeVar("T")


class Draw:
    """Choices in sequence, determined by the names given here."""

    def __init__(self, *names: object) -> None:
        self._next = random.Random(derive_seed(*names)).random

    def integer(self, low: int, high: int) -> int:
        """Draw a whole number from `low` to `high`, both included."""
        return low + int(self._next() * (high - low + 1))

    def choose(self, options: Sequence[T]) -> T:
        """Draw one of the options."""
        return options[int(self._next() * len(options))]

    def sample(self, options: Sequence[T], count: int) -> list[T]:
        """Draw `count` different options in random order; raises ValueError when there are too few."""
        if count > len(options):
            raise ValueError(f"cannot draw {count} of {len(options)} options")
        rest = list(options)
        return [rest.pop(int(self._next() * len(rest))) for _ in range(count)]

    def shuffle(self, options: Sequence[T]) -> list[T]:
        """Give all the options back in random order."""
        return self.sample(options, len(options))

    def chance(self, probability: float) -> bool:
        """Draw True with this probability."""
        return self._next() < probability

    def sign(self) -> int:
        """Draw +1 or -1."""
        return 1 if self._next() < 0.5 else -1
