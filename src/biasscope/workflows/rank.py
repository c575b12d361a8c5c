"""Judges on the items of a benchmark, and where each stands among the others. Stores nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from biasscope.stats.ranks import Rank, ranks
from biasscope.stats.transfer import Difference, paired_differences
from biasscope.verdict_rows import VerdictRow
from biasscope.workflows.ranked_scores import Judgements, JudgeScores, by_view, clusters_of, judge_scores
from biasscope.workflows.ranked_set import ItemRow, View


@dataclass(frozen=True, slots=True)
class ViewRanks:
    """Judges, numbered from 0, on one view: the places of those that are ranked together, and every two of them compared.

    `ranks` has one entry a judge; judges that are ranked apart have places among themselves. `differences` are by (one,
    another): error of the other less that of the one on the items that both judged, with one correction over all pairs.
    """

    view: View
    ranks: tuple[Rank, ...]
    differences: Mapping[tuple[int, int], Difference]


@dataclass(frozen=True, slots=True)
class Ranking:
    """Every judge by itself, and the judges beside each other on every view."""

    scores: tuple[JudgeScores, ...]
    views: tuple[ViewRanks, ...]


def rank_judges(
    judged: Sequence[Sequence[VerdictRow]],
    items: Sequence[ItemRow],
    *,
    apart: Sequence[bool] = (),
    q: float = 0.05,
) -> Ranking:
    """Compare judges by their rows of verdicts on these items; `apart` says for each whether it is ranked apart (none by default)."""
    marks = list(apart) or [False] * len(judged)
    said = [Judgements(rows) for rows in judged]
    scores = tuple(judge_scores(rows, items) for rows in judged)
    views = by_view(items)
    return Ranking(scores, tuple(_ranked(view, found, said, scores, marks, q) for view, found in views.items()))


def _ranked(
    view: View,
    items: Sequence[ItemRow],
    said: Sequence[Judgements],
    scores: Sequence[JudgeScores],
    apart: Sequence[bool],
    q: float,
) -> ViewRanks:
    clusters, errors = clusters_of(items), [one.errors(items) for one in said]
    names = list(combinations(range(len(said)), 2))
    found = paired_differences([(errors[j], errors[k], clusters) for j, k in names], limit=1.0)
    differences = dict(zip(names, found, strict=True))
    placed: dict[int, Rank] = {}
    for group in (False, True):
        own = [k for k in range(len(said)) if apart[k] == group]
        among = {(own.index(j), own.index(k)): d for (j, k), d in differences.items() if j in own and k in own}
        rates = [scores[k].views[view].error for k in own]
        told = ranks([None if rate is None else rate.value for rate in rates], among, q=q)
        placed |= dict(zip(own, told, strict=True))
    return ViewRanks(view, tuple(placed[k] for k in range(len(said))), differences)
