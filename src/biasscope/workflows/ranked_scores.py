"""What one judge said about the items of a benchmark, view by view: errors with intervals, ties, what is missing. Asks nobody.

Made from rows of verdicts alone, so that a stored run, a run of another program and our own give the same numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from biasscope.benchmarks import CELLS, BenchmarkItem
from biasscope.quantities import Estimate, Sides
from biasscope.stats.estimates import Array
from biasscope.stats.position import consistent, first_answer
from biasscope.stats.rates import Clusters, Rate, clustered_mean, clustered_rate, mean_gap
from biasscope.stats.sides import sides
from biasscope.steps.judge import ERROR
from biasscope.verdict_rows import VerdictRow
from biasscope.workflows.ranked_set import CROSSED, RankSet, View


@dataclass(frozen=True, slots=True)
class GroupScores:
    """The items of one bias or domain: the error, and the change from the originals of those that have one."""

    group: str
    error: Rate | None
    change: Estimate | None


@dataclass(frozen=True, slots=True)
class CellScores:
    """The crossed items: the error by the response that carries the trait, and what the trait does.

    `sides` has the changes against both responses rewritten without it, the pull and the asymmetry, over the variants of
    which all these cells were judged; `both` is the change with the trait on both. `biases` are the sides of each bias.
    """

    neither: Rate | None
    rejected: Rate | None
    chosen: Rate | None
    both: Rate | None
    sides: Sides | None
    both_change: Estimate | None
    biases: tuple[tuple[str, Sides | None], ...]


@dataclass(frozen=True, slots=True)
class ViewScores:
    """One judge on the items of one view.

    `error` is the mean over items that have a verdict in every order of the judge, a tie counting one half; `by_margin` that
    of the sign of the mean margin over the orders, where every verdict of the judge has one. `worst_case` is the error if all that is missing
    had been right, and wrong. `ties` is a share of the verdicts that there are. `missing` counts verdicts by reason, of `asked`.
    `consistency` and `first_answer` (P(chooses what is shown first) - .5) are None for a judge without orders. `change` is
    the error less that on the items' originals.
    """

    view: View
    items: int
    error: Rate | None
    by_margin: Rate | None
    worst_case: tuple[float, float] | None
    ties: float | None
    asked: int
    missing: tuple[tuple[str, int], ...]
    consistency: float | None
    first_answer: float | None
    change: Estimate | None
    biases: tuple[GroupScores, ...]
    domains: tuple[GroupScores, ...]
    cells: CellScores | None


@dataclass(frozen=True, slots=True)
class JudgeScores:
    """One judge on every view; `selection` is the error on what the filter kept less that on the unfiltered sample."""

    views: Mapping[View, ViewScores]
    selection: Estimate | None


class Judgements:
    """The verdicts of one judge by item."""

    def __init__(self, rows: Iterable[VerdictRow]) -> None:
        self._of: dict[str, list[VerdictRow]] = {}
        for row in rows:
            self._of.setdefault(row.pair, []).append(row)
        self._orders = len({row.order for own in self._of.values() for row in own})

    def errors(self, items: Sequence[BenchmarkItem]) -> Array:
        """Mean error over the judge's orders, NaN where one is missing."""
        return self._scores(items, lambda row: None if row.choice is None else ERROR[row.choice])

    def by_margin(self, items: Sequence[BenchmarkItem]) -> Array:
        """The error of the mean margin's sign, one half where it is 0; NaN where a verdict or its margin is missing."""
        return np.asarray((1 - np.sign(self._scores(items, lambda row: row.margin))) / 2, dtype=float)

    def worst_case(self, items: Sequence[BenchmarkItem]) -> tuple[float, float] | None:
        """The error over all verdicts if what is missing were right, and wrong; None where none was asked for."""
        rows = self._rows(items)
        if not rows:
            return None
        known = sum(ERROR[row.choice] for row in rows if row.choice is not None)
        lost = sum(row.choice is None for row in rows)
        return known / len(rows), (known + lost) / len(rows)

    def ties(self, items: Sequence[BenchmarkItem]) -> float | None:
        """Share of ties among the verdicts that there are."""
        known = [row.choice for row in self._rows(items) if row.choice is not None]
        return known.count("tie") / len(known) if known else None

    def missing(self, items: Sequence[BenchmarkItem]) -> tuple[int, tuple[tuple[str, int], ...]]:
        """How many verdicts were asked for, and the counts of those that are missing by reason, largest first."""
        rows = self._rows(items)
        counts = Counter(row.missing for row in rows if row.missing is not None)
        return len(rows), tuple(sorted(counts.items(), key=lambda one: (-one[1], one[0])))

    def position(self, items: Sequence[BenchmarkItem]) -> tuple[float | None, float | None]:
        """Consistency over the two orders and first-answer preference; None without an item that has both."""
        if self._orders != 2:
            return None, None
        alike, first = consistent(self._cells(items)), first_answer(self._cells(items))
        known = ~np.isnan(alike)
        return (float(alike[known].mean()), float(first[known].mean())) if known.any() else (None, None)

    def _rows(self, items: Iterable[BenchmarkItem]) -> list[VerdictRow]:
        return [row for item in items for row in self._of.get(item.id, ())]

    def _scores(self, items: Sequence[BenchmarkItem], value: Callable[[VerdictRow], float | None]) -> Array:
        found = []
        for item in items:
            known = [v for row in self._of.get(item.id, ()) if (v := value(row)) is not None]
            whole = bool(known) and len(known) == self._orders
            found.append(sum(known) / len(known) if whole else np.nan)
        return np.array(found, dtype=float)

    def _cells(self, items: Sequence[BenchmarkItem]) -> Array:
        """Errors [items, 2]: chosen shown first, then rejected shown first."""
        found = np.full((len(items), 2), np.nan)
        for number, item in enumerate(items):
            for row in self._of.get(item.id, ()):
                if row.choice is not None:
                    found[number, 0 if row.order == "chosen_first" else 1] = ERROR[row.choice]
        return found


def judge_scores(rows: Iterable[VerdictRow], of: RankSet) -> JudgeScores:
    """Everything about one judge from its verdicts on the items of `of`."""
    said = Judgements(rows)
    changes = _Changes(said, of)
    views = {view: _view(view, items, said, of, changes) for view, items in of.views.items()}
    return JudgeScores(views, _selection(said, of))


class _Changes:
    """The error on an item less that on its original."""

    def __init__(self, said: Judgements, of: RankSet) -> None:
        originals = of.views.get("originals", ())
        errors = said.errors(originals)
        self._before = {item.id: e for item, e in zip(originals, errors.tolist(), strict=True)}
        self._originals = of.originals

    def of(self, items: Sequence[BenchmarkItem], errors: Array) -> Array:
        """NaN where an item has no original, or where one of the two has no score."""
        before = [self._before.get(self._originals.get(item.id, ""), np.nan) for item in items]
        return errors - np.array(before, dtype=float)


def _view(
    view: View, items: Sequence[BenchmarkItem], said: Judgements, of: RankSet, changes: _Changes
) -> ViewScores:
    clusters, errors, margins = of.numbers(items), said.errors(items), said.by_margin(items)
    asked, missing = said.missing(items)
    consistency, first = said.position(items)
    made = view != "originals"
    change = changes.of(items, errors) if made else np.full(len(items), np.nan)
    groups = [
        _groups([name(item) for item in items], errors, change, clusters)
        for name in (lambda item: item.injected_bias, lambda item: item.domain)
    ]
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
        biases=groups[0] if made else (),
        domains=groups[1],
        cells=_cells(items, errors, clusters) if view in CROSSED else None,
    )


def _groups(names: Sequence[str], errors: Array, change: Array, clusters: Clusters) -> tuple[GroupScores, ...]:
    found = []
    for group in sorted(set(names)):
        own = np.array([name == group for name in names], dtype=bool)
        found.append(
            GroupScores(
                group,
                clustered_rate(errors[own], clusters[own]),
                clustered_mean(change[own], clusters[own], limit=1.0),
            )
        )
    return tuple(found)


def _cells(items: Sequence[BenchmarkItem], errors: Array, clusters: Clusters) -> CellScores:
    """The four cells, and changes over variants: every cell of a variant has the same texts but for the trait."""
    numbers: dict[str, int] = {}
    cells = np.full((len(CELLS), len({item.variant for item in items})), np.nan)
    own, biases = np.zeros(cells.shape[1], dtype=np.int64), [""] * cells.shape[1]
    for item, error, cluster in zip(items, errors.tolist(), clusters.tolist(), strict=True):
        number = numbers.setdefault(item.variant, len(numbers))
        own[number], biases[number] = cluster, item.injected_bias
        if (item.chosen_form, item.rejected_form) in CELLS:
            cells[CELLS.index((item.chosen_form, item.rejected_form)), number] = error
    neither, rejected, chosen, both = (clustered_rate(cell, own) for cell in cells)
    return CellScores(
        neither,
        rejected,
        chosen,
        both,
        _sides(cells, own),
        clustered_mean(cells[3] - cells[0], own, limit=1.0),
        tuple(
            (bias, _sides(cells[:, mine], own[mine]))
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


def _selection(said: Judgements, of: RankSet) -> Estimate | None:
    if "hardened" not in of.views or "unfiltered" not in of.views:
        return None
    kept, sample = of.views["hardened"], of.views["unfiltered"]
    return mean_gap(said.errors(kept), of.numbers(kept), said.errors(sample), of.numbers(sample), limit=1.0)
