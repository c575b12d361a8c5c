"""Tables of a page as values, the first cell of a row being its head."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from biasscope.report.summary import MissingOut


@dataclass(frozen=True, slots=True)
class Table:
    """A caption, the heads of columns, and rows as long as the heads."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def missing_table(missing: Sequence[MissingOut]) -> Table | None:
    """What is missing by arm and reason, the most frequent first; None where nothing is."""
    if not missing:
        return None
    worst = sorted(missing, key=lambda m: (-m.count, m.arm, m.reason))
    rows = tuple((m.arm, m.reason, f"{m.count:,}") for m in worst)
    return Table("What is missing, by arm or step and reason", ("arm or step", "reason", "count"), rows)
