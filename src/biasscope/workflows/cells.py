"""Logged verdicts by pair and order: what is averaged, what came twice, and which pairs ask the same. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from biasscope import seeds
from biasscope.datasets.logs import LoggedVerdict
from biasscope.records import Order


@dataclass(frozen=True, slots=True)
class Cell:
    """The verdicts on one pair in one order, those that decide something: how they are shared out.

    `first` is P(chooses what was shown first), `error` P(does not choose the better response), a tie counting one half;
    `shares` are those of chosen, rejected and tie.
    """

    verdicts: tuple[LoggedVerdict, ...]
    order: Order | None
    labelled: bool

    @property
    def first(self) -> float:
        """How often what was shown first is chosen."""
        return sum({"first": 1.0, "second": 0.0, "tie": 0.5}[v.choice or "tie"] for v in self.verdicts) / len(
            self.verdicts
        )

    @property
    def error(self) -> float:
        """How often the response that stands for the better one is not chosen."""
        return 1 - self.first if self.order == "chosen_first" else self.first

    @property
    def shares(self) -> tuple[float, float, float]:
        """Shares of verdicts for the chosen response, for the rejected one, and of ties."""
        n = len(self.verdicts)
        ties = sum(v.choice == "tie" for v in self.verdicts) / n
        return 1 - self.error - ties / 2, self.error - ties / 2, ties


Cells = Mapping[tuple[str, Order | None], Cell]


def cells_of(verdicts: Iterable[LoggedVerdict]) -> Cells:
    """The cells of verdicts that decide something, sorted by pair and order."""
    grouped: dict[tuple[str, Order | None], list[LoggedVerdict]] = defaultdict(list)
    for v in verdicts:
        if v.choice is not None:
            grouped[v.pair_id, v.order].append(v)
    # Sorted, so that not even the last digit depends on the order of a log.
    keys = sorted(grouped, key=lambda key: (key[0], key[1] or ""))
    return {key: Cell(tuple(grouped[key]), key[1], all(v.labelled for v in grouped[key])) for key in keys}


def clusters_of(verdicts: Sequence[LoggedVerdict]) -> dict[str, int]:
    """Number the question of each pair; a pair whose question is not known is its own."""
    asked: dict[str, str] = {}
    for v in sorted(verdicts, key=lambda v: (v.pair_id, v.question or "")):
        asked.setdefault(v.pair_id, seeds.question_hash(v.question) if v.question else f"pair {v.pair_id}")
    numbers: dict[str, int] = {}
    return {pair: numbers.setdefault(question, len(numbers)) for pair, question in asked.items()}


def without_duplicates(verdicts: Sequence[LoggedVerdict]) -> tuple[list[LoggedVerdict], int]:
    """Leave out what came again: verdicts on a pair, order and round that are all alike in everything.

    Where some of them differ the judge was asked several times, and verdicts that are alike are draws like any other.
    """
    groups: dict[tuple[str, Order | None, int], list[LoggedVerdict]] = defaultdict(list)
    for v in verdicts:
        groups[v.pair_id, v.order, v.round].append(v)
    kept: list[LoggedVerdict] = []
    for group in groups.values():
        alike = all(replace(v, place="") == replace(group[0], place="") for v in group)
        kept += group[:1] if alike else group
    return kept, len(verdicts) - len(kept)


def both_orders(cells: Cells) -> list[tuple[str, Cell, Cell]]:
    """The pairs that have a verdict in both orders, with the better response first and then second."""
    return [
        (pair, cell, cells[pair, "rejected_first"])
        for (pair, order), cell in cells.items()
        if order == "chosen_first" and (pair, "rejected_first") in cells
    ]


def numbered(pairs: Iterable[str], clusters: Mapping[str, int]) -> NDArray[np.int64]:
    """The cluster of each pair, as an array."""
    return np.array([clusters[pair] for pair in pairs], dtype=np.int64)
