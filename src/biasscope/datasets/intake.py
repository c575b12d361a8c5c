"""What becomes of rows on their way in: read, kept, or skipped under a counted reason. Knows no format.

Ids are unique afterwards: an id that comes again with the same texts is a duplicate and is skipped; with other
texts it is kept as ``ID#2`` and noted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from biasscope.ask import digest
from biasscope.datasets.fields import Reason, SkipRow
from biasscope.datasets.rows import Row

T = TypeVar("T")

PLACES = 3
"""How many places are named for each reason."""


@dataclass(frozen=True, slots=True)
class Skip:
    """Why something was skipped, how often, and where first."""

    reason: Reason
    """Why, in a word or two."""
    count: int
    """How often, at least 1."""
    places: tuple[str, ...]
    """The first places, such as `line 7`."""


@dataclass(slots=True)
class Intake:
    """Counts while a file is read; `read` counts rows, `renamed` the ids that came again with other texts."""

    read: int = 0
    renamed: int = 0
    _counts: dict[Reason, int] = field(default_factory=dict)
    _places: dict[Reason, list[str]] = field(default_factory=dict)
    _content: dict[str, str] = field(default_factory=dict)

    def records(self, rows: Iterable[Row], read: Callable[[Row], Iterable[T]]) -> Iterator[tuple[str, T]]:
        """Read rows into (place, record); a row that says it cannot be used is counted."""
        for row in rows:
            self.read += 1
            try:
                records = tuple(read(row))
            except SkipRow as skipped:
                self.skip(skipped.reason, row.place)
                continue
            for record in records:
                yield row.place, record

    def skip(self, reason: Reason, place: str) -> None:
        """Count one thing that is not kept."""
        self._counts[reason] = self._counts.get(reason, 0) + 1
        places = self._places.setdefault(reason, [])
        if len(places) < PLACES and place not in places:
            places.append(place)

    def admit(self, name: str, texts: tuple[str, ...], place: str) -> str | None:
        """Give the id under which something is kept: its own, ``ID#2`` and so on, or None for a duplicate."""
        content = digest(texts)
        unique, number = name, 1
        while unique in self._content:
            if self._content[unique] == content:
                self.skip("duplicate", place)
                return None
            number += 1
            unique = f"{name}#{number}"
        self._content[unique] = content
        self.renamed += number > 1
        return unique

    @property
    def skipped(self) -> tuple[Skip, ...]:
        """Everything that was skipped, in the order in which the reasons first came up."""
        return tuple(Skip(reason, n, tuple(self._places[reason])) for reason, n in self._counts.items())
