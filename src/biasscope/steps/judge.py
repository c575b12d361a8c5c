"""Judge arms of pairs in both orders, and keep what was judged in a table. Knows no model and no file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from biasscope.ask import Missing
from biasscope.judges.base import Judge, Presentation
from biasscope.records import ORDERS, ORIGINAL, Order, PreferencePair, Rewrite, Verdict

Cell = tuple[str, str, Order | None]
"""(pair id, arm, order); the order is None for a judge that sees one response at a time."""

ERROR = {"chosen": 0.0, "tie": 0.5, "rejected": 1.0}
"""The error of one verdict; a tie counts one half."""


@dataclass
class Table:
    """Everything rewritten and judged so far, by pair, arm and order. Grows; nothing in it changes.

    `rewrites` holds no entry for arm ``original``. A cell that was tried and gave nothing is `Missing`. `orders` are
    those of the judge: both, or none for one that sees one response at a time.
    """

    rewrites: dict[tuple[str, str], Rewrite | Missing] = field(default_factory=dict)
    verdicts: dict[Cell, Verdict | Missing] = field(default_factory=dict)
    shown: dict[Cell, Presentation] = field(default_factory=dict)
    orders: tuple[Order | None, ...] = ORDERS

    def verdict(self, pair: PreferencePair, arm: str, order: Order | None) -> Verdict | None:
        """The verdict of a cell, None where it is missing or was never asked for."""
        found = self.verdicts.get((pair.id, arm, order))
        return found if isinstance(found, Verdict) else None

    def error(self, pair: PreferencePair, arm: str) -> float | None:
        """The item's error, mean over its orders in {0, .25, .5, .75, 1}; None unless all are known."""
        found = [self.verdict(pair, arm, order) for order in self.orders]
        known = [ERROR[v.choice] for v in found if v is not None]
        return sum(known) / len(known) if len(known) == len(self.orders) else None

    def loss(self, pair: PreferencePair, arm: str) -> float | None:
        """The item's negated margin, mean over its orders (log-odds or score); None unless all are known."""
        found = [self.verdict(pair, arm, order) for order in self.orders]
        known = [v.margin for v in found if v is not None and v.margin is not None]
        return -sum(known) / len(known) if len(known) == len(self.orders) else None

    def rewrite(self, pair: PreferencePair, arm: str) -> Rewrite | None:
        """The rewrite of an arm, None where it is missing or the arm is the original."""
        found = self.rewrites.get((pair.id, arm))
        return found if isinstance(found, Rewrite) else None

    def presentation(self, verdict: Verdict) -> Presentation:
        """What the judge was shown when it gave this verdict; raises KeyError for a verdict not of this table."""
        return self.shown[verdict.pair_id, verdict.arm, verdict.order]

    def missing(self) -> list[tuple[str, str, int]]:
        """Count what is missing as (arm, reason, count), sorted; a verdict without a rewrite is not counted."""
        counts = Counter(
            (arm, f"rewrite: {rewrite.reason}")
            for (_, arm), rewrite in self.rewrites.items()
            if isinstance(rewrite, Missing)
        )
        counts += Counter(
            (arm, f"verdict: {verdict.reason}")
            for (_, arm, _), verdict in self.verdicts.items()
            if isinstance(verdict, Missing) and verdict.reason != "no_rewrite"
        )
        return sorted((arm, reason, n) for (arm, reason), n in counts.items())


def presentations(
    table: Table,
    pairs: Sequence[PreferencePair],
    arms: Mapping[str, Sequence[str]],
    orders: Mapping[str, Order] | None,
) -> Iterator[Presentation]:
    """Every cell that is still to be judged, pair-major: what shares a prefix is next to each other.

    A cell whose rewrite is missing becomes missing too. Raises KeyError for an arm that was never written.
    """
    for pair in pairs:
        for order in table.orders if orders is None else (orders[pair.id],):
            for arm in arms.get(pair.id, ()):
                if (pair.id, arm, order) in table.verdicts:
                    continue
                if arm == ORIGINAL:
                    yield Presentation(pair, arm, order, pair.chosen, pair.rejected)
                elif isinstance(rewrite := table.rewrites[pair.id, arm], Missing):
                    table.verdicts[pair.id, arm, order] = Missing("no_rewrite")
                elif rewrite.side == "chosen":
                    yield Presentation(pair, arm, order, rewrite.shown, pair.rejected)
                else:
                    yield Presentation(pair, arm, order, pair.chosen, rewrite.shown)


def side_by_side(shown: Iterable[Presentation]) -> list[Presentation]:
    """The same presentations with those next to each other that begin alike: by question, order and the text shown first.

    A model that keeps what it has read evaluates the common beginning once. Pairs that ask the same question, as the
    cells of a benchmark do, are brought together for it; within a pair nothing changes.
    """
    listed = list(shown)
    place: dict[tuple[object, ...], int] = {}
    for one in listed:
        question = one.pair.prompt
        for begins in ((question,), (question, one.order), (question, one.order, one.shown[0])):
            place.setdefault(begins, len(place))

    def beginning(one: Presentation) -> tuple[int, int, int]:
        question, first = one.pair.prompt, one.shown[0]
        return place[question,], place[question, one.order], place[question, one.order, first]

    return sorted(listed, key=beginning)


async def judge_pairs(
    judge: Judge,
    table: Table,
    pairs: Sequence[PreferencePair],
    arms: Iterable[str] | Mapping[str, Sequence[str]],
    *,
    orders: Mapping[str, Order] | None = None,
) -> None:
    """Judge `arms` (the same for every pair, or by pair id) in both orders, or in one given order per pair.

    Cells that are in the table already are not asked again. Raises ValueError for two pairs with one id: they
    would share their cells.
    """
    if len({p.id for p in pairs}) < len(pairs):
        repeated = sorted(i for i, n in Counter(p.id for p in pairs).items() if n > 1)
        raise ValueError(f"pairs need ids of their own, got {repeated[:5]} more than once")
    by_pair = arms if isinstance(arms, Mapping) else dict.fromkeys((p.id for p in pairs), tuple(arms))
    shown = side_by_side(presentations(table, pairs, by_pair, orders))
    for presentation, verdict in zip(shown, await judge.judge(shown), strict=True):
        cell = (presentation.pair.id, presentation.arm, presentation.order)
        table.verdicts[cell] = verdict
        table.shown[cell] = presentation
