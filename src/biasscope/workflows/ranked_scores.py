"""What one judge said about the items of a benchmark, view by view: errors with intervals, ties, what is missing. Asks nobody.

Made from rows of verdicts alone, so that a stored run, a run of another program and our own give the same numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from biasscope.quantities import Estimate, Sides
from biasscope.stats.estimates import Array
from biasscope.stats.position import consistent, first_answer
from biasscope.stats.rates import Clusters, Rate, clustered_mean, clustered_rate, mean_gap
from biasscope.stats.sides import sides
from biasscope.steps.judge import ERROR
from biasscope.verdict_rows import VerdictRow
from biasscope.workflows.ranked_set import CROSSED, VIEWS, ItemRow, TraitSide, View


@dataclass(frozen=True, slots=True)
class GroupScores:
    """The items of one bias or one domain."""

    group: str
    """Id of the bias, or name of the domain."""
    error: Rate | None
    """Error rate on its items; null where none was judged in every order."""
    change: Estimate | None
    """Error on an item less that on its original, a fraction in [-1, 1]; null without an item of which both are known."""


@dataclass(frozen=True, slots=True)
class BiasSides:
    """What one trait does on crossed items."""

    bias: str
    """Id of the bias."""
    sides: Sides | None
    """The changes, the pull and the asymmetry; null without a variant whose cells were judged."""


@dataclass(frozen=True, slots=True)
class CellScores:
    """Crossed items: the error by the response that carries the trait, and what the trait does.

    Changes are against both responses rewritten without the trait, over the variants of which the cells in question were
    judged.
    """

    neither: Rate | None
    """Error rate where both responses were rewritten without the trait; null where none was judged in every order."""
    rejected: Rate | None
    """Error rate with the trait on the worse response."""
    chosen: Rate | None
    """Error rate with the trait on the better response."""
    both: Rate | None
    """Error rate with the trait on both."""
    sides: Sides | None
    """What the trait does on either response, the pull and the asymmetry; null without a variant."""
    both_change: Estimate | None
    """Error with the trait on both less that with it on neither, a fraction in [-1, 1]."""
    biases: tuple[BiasSides, ...]
    """The same for each bias."""


@dataclass(frozen=True, slots=True)
class ViewScores:
    """One judge on the items of one view."""

    view: View
    """`hardened` (the one-sided items that the filter kept, or all where none ran), `unfiltered` (the sample that was drawn
    before any verdict), `crossed`, `crossed_unfiltered`, or `originals`."""
    items: int
    """Items of the view."""
    error: Rate | None
    """Mean error of the items that have a verdict in every order of the judge, a tie counting one half; null without one."""
    by_margin: Rate | None
    """The error of the sign of an item's mean margin over the orders, one half where that is 0; null for a judge whose
    verdicts do not all have margins."""
    worst_case: tuple[float, float] | None
    """The error over all verdicts if everything that is missing were right, and if it were wrong, in [0, 1]; null where
    nothing was asked."""
    ties: float | None
    """Share of ties among the verdicts that there are, in [0, 1]; null without any."""
    asked: int
    """Verdicts that were asked for."""
    missing: tuple[tuple[str, int], ...]
    """How many of them are missing, by reason, largest first."""
    consistency: float | None
    """Share of items judged alike in both orders, in [0, 1]; null for a judge that sees one response at a time."""
    first_answer: float | None
    """P(prefers the response shown first) - .5, in [-.5, .5]; null there too."""
    change: Estimate | None
    """Error on an item less that on its original, a fraction in [-1, 1]; null on originals and where none is known."""
    biases: tuple[GroupScores, ...]
    """Each bias, by id; none on originals."""
    domains: tuple[GroupScores, ...]
    """Each domain, by name."""
    cells: CellScores | None
    """What the trait does by where it is; null but for crossed views."""

    @property
    def lost(self) -> int:
        """How many verdicts are missing."""
        return sum(count for _, count in self.missing)


@dataclass(frozen=True, slots=True)
class JudgeScores:
    """One judge on every view; `selection` is the error on what the filter kept less that on the unfiltered sample."""

    views: Mapping[View, ViewScores]
    selection: Estimate | None


_CELLS: tuple[TraitSide, ...] = ("neither", "rejected", "chosen", "both")


class Judgements:
    """The verdicts of one judge by item."""

    def __init__(self, rows: Iterable[VerdictRow]) -> None:
        self._of: dict[str, list[VerdictRow]] = {}
        for row in rows:
            self._of.setdefault(row.pair, []).append(row)
        self._orders = len({row.order for own in self._of.values() for row in own})

    @property
    def has_orders(self) -> bool:
        """Whether the judge was shown items in both orders."""
        return self._orders == 2

    def errors(self, items: Sequence[ItemRow]) -> Array:
        """Mean error over the judge's orders, NaN where one is missing."""
        return self._scores(items, lambda row: None if row.choice is None else ERROR[row.choice])

    def margins(self, items: Sequence[ItemRow]) -> Array:
        """Mean margin over the judge's orders towards the chosen response, NaN where a verdict or its margin is missing."""
        return self._scores(items, lambda row: row.margin)

    def by_margin(self, items: Sequence[ItemRow]) -> Array:
        """The error of the mean margin's sign, one half where it is 0; NaN where a verdict or its margin is missing."""
        return np.asarray((1 - np.sign(self.margins(items))) / 2, dtype=float)

    def worst_case(self, items: Sequence[ItemRow]) -> tuple[float, float] | None:
        """The error over all verdicts if what is missing were right, and wrong; None where none was asked for."""
        rows = self._rows(items)
        if not rows:
            return None
        known = sum(ERROR[row.choice] for row in rows if row.choice is not None)
        lost = sum(row.choice is None for row in rows)
        return known / len(rows), (known + lost) / len(rows)

    def ties(self, items: Sequence[ItemRow]) -> float | None:
        """Share of ties among the verdicts that there are."""
        known = [row.choice for row in self._rows(items) if row.choice is not None]
        return known.count("tie") / len(known) if known else None

    def missing(self, items: Sequence[ItemRow]) -> tuple[int, tuple[tuple[str, int], ...]]:
        """How many verdicts were asked for, and the counts of those that are missing by reason, largest first."""
        rows = self._rows(items)
        counts = Counter(row.missing for row in rows if row.missing is not None)
        return len(rows), tuple(sorted(counts.items(), key=lambda one: (-one[1], one[0])))

    def first_answers(self, items: Sequence[ItemRow]) -> Array:
        """How often each item's first answer is preferred, less .5; 0 for a judge that says the same in both orders."""
        if not self.has_orders:
            return np.where(np.isnan(self.errors(items)), np.nan, 0.0)
        return first_answer(self._cells(items))

    def position(self, items: Sequence[ItemRow]) -> tuple[float | None, float | None]:
        """Consistency over the two orders and first-answer preference; None without an item that has both."""
        if not self.has_orders:
            return None, None
        alike, first = consistent(self._cells(items)), first_answer(self._cells(items))
        known = ~np.isnan(alike)
        return (float(alike[known].mean()), float(first[known].mean())) if known.any() else (None, None)

    def _rows(self, items: Iterable[ItemRow]) -> list[VerdictRow]:
        return [row for item in items for row in self._of.get(item.pair, ())]

    def _scores(self, items: Sequence[ItemRow], value: Callable[[VerdictRow], float | None]) -> Array:
        found = []
        for item in items:
            known = [v for row in self._of.get(item.pair, ()) if (v := value(row)) is not None]
            whole = bool(known) and len(known) == self._orders
            found.append(sum(known) / len(known) if whole else np.nan)
        return np.array(found, dtype=float)

    def _cells(self, items: Sequence[ItemRow]) -> Array:
        """Errors [items, 2]: chosen shown first, then rejected shown first."""
        found = np.full((len(items), 2), np.nan)
        for number, item in enumerate(items):
            for row in self._of.get(item.pair, ()):
                if row.choice is not None:
                    found[number, 0 if row.order == "chosen_first" else 1] = ERROR[row.choice]
        return found


def judge_scores(rows: Iterable[VerdictRow], items: Sequence[ItemRow]) -> JudgeScores:
    """Everything about one judge from its verdicts on these items."""
    said, changes = Judgements(rows), _Changes(items)
    views = {view: _view(view, found, said, changes) for view, found in by_view(items).items()}
    return JudgeScores(views, _selection(said, items))


def by_view(items: Sequence[ItemRow]) -> dict[View, tuple[ItemRow, ...]]:
    """The items of each view that has any."""
    return {view: found for view in VIEWS if (found := tuple(i for i in items if view in i.views))}


def clusters_of(items: Sequence[ItemRow]) -> Clusters:
    """The clusters of items, in their order."""
    return np.array([item.cluster for item in items], dtype=np.int64)


class _Changes:
    """The error on an item less that on its original."""

    def __init__(self, items: Sequence[ItemRow]) -> None:
        self._items = {item.pair: item for item in items}

    def of(self, said: Judgements, items: Sequence[ItemRow], errors: Array) -> Array:
        """NaN where an item has no original, or where one of the two has no score."""
        has = [self._items.get(item.original or "") for item in items]
        before = np.full(len(items), np.nan)
        known = np.array([one is not None for one in has], dtype=bool)
        before[known] = said.errors([one for one in has if one is not None])
        return np.asarray(errors - before, dtype=float)


def _view(view: View, items: Sequence[ItemRow], said: Judgements, changes: _Changes) -> ViewScores:
    clusters, errors, margins = clusters_of(items), said.errors(items), said.by_margin(items)
    asked, missing = said.missing(items)
    consistency, first = said.position(items)
    made = view != "originals"
    change = changes.of(said, items, errors) if made else np.full(len(items), np.nan)
    biases, domains = (
        _groups(names, errors, change, clusters)
        for names in ([item.bias for item in items], [item.domain for item in items])
    )
    # A mean over the items that happen to have margins would be one of other items.
    graded = not np.isnan(margins[~np.isnan(errors)]).any()
    return ViewScores(
        view=view,
        items=len(items),
        error=clustered_rate(errors, clusters),
        by_margin=clustered_rate(margins, clusters) if graded else None,
        worst_case=said.worst_case(items),
        ties=said.ties(items),
        asked=asked,
        missing=missing,
        consistency=consistency,
        first_answer=first,
        change=clustered_mean(change, clusters, limit=1.0),
        biases=biases if made else (),
        domains=domains,
        cells=_cells(items, errors, clusters) if view in CROSSED else None,
    )


def _groups(names: Sequence[str], errors: Array, change: Array, clusters: Clusters) -> tuple[GroupScores, ...]:
    found = []
    for group in sorted(set(names) - {""}):
        own = np.array([name == group for name in names], dtype=bool)
        found.append(
            GroupScores(
                group,
                clustered_rate(errors[own], clusters[own]),
                clustered_mean(change[own], clusters[own], limit=1.0),
            )
        )
    return tuple(found)


def _cells(items: Sequence[ItemRow], errors: Array, clusters: Clusters) -> CellScores:
    """The four cells, and changes over variants: every cell of a variant has the same texts but for the trait."""
    numbers: dict[str, int] = {}
    cells = np.full((len(_CELLS), len({item.variant for item in items})), np.nan)
    own, biases = np.zeros(cells.shape[1], dtype=np.int64), [""] * cells.shape[1]
    for item, error, cluster in zip(items, errors.tolist(), clusters.tolist(), strict=True):
        number = numbers.setdefault(item.variant, len(numbers))
        own[number], biases[number] = cluster, item.bias
        cells[_CELLS.index(item.side), number] = error
    neither, rejected, chosen, both = (clustered_rate(cell, own) for cell in cells)
    return CellScores(
        neither,
        rejected,
        chosen,
        both,
        _sides(cells, own),
        clustered_mean(cells[3] - cells[0], own, limit=1.0),
        tuple(
            BiasSides(bias, _sides(cells[:, mine], own[mine]))
            for bias in sorted(set(biases))
            if (mine := np.array([b == bias for b in biases], dtype=bool)).any()
        ),
    )


def _sides(cells: Array, clusters: Clusters) -> Sides | None:
    neither = cells[0]
    known = neither[~np.isnan(neither)]
    return sides(
        (cells[1], neither[None]),
        (cells[2], neither[None]),
        baseline_error=float(known.mean()) if len(known) else None,
        clusters=clusters,
    )


def _selection(said: Judgements, items: Sequence[ItemRow]) -> Estimate | None:
    views = by_view(items)
    if "hardened" not in views or "unfiltered" not in views:
        return None
    kept, sample = views["hardened"], views["unfiltered"]
    return mean_gap(said.errors(kept), clusters_of(kept), said.errors(sample), clusters_of(sample), limit=1.0)
