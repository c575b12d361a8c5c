"""The models that had a hand in a benchmark: who wrote, who filtered, on whom biases were found. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Hand = Literal["filter", "discovery", "writer", "named"]
"""``filter``: it chose the items; ``discovery``: biases were found on it; ``writer``: it wrote the rewrites; ``named``: a user
says so."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """The models that had a hand in a benchmark, as specs, as far as it says so."""

    writers: tuple[str, ...] = ()
    """Models that wrote rewrites."""
    filters: tuple[str, ...] = ()
    """Judges by whose errors items were kept."""
    discovery: tuple[str, ...] = ()
    """Judges on which biases were discovered."""

    @property
    def hands(self) -> tuple[tuple[Hand, str], ...]:
        """Every hand with its model."""
        named: tuple[tuple[Hand, tuple[str, ...]], ...] = (
            ("filter", self.filters),
            ("discovery", self.discovery),
            ("writer", self.writers),
        )
        return tuple((hand, model) for hand, models in named for model in models)
