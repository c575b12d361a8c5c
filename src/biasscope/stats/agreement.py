"""How far raters agree: raw agreement, Fleiss' kappa and Gwet's AC1, each with a bootstrap interval over items. Pure.

Raters are people who review rewrites, or judges of a panel. Ratings come as one row for each item with one column for
each rater, None where a rater gave none. A single chance-corrected number misleads where nearly all ratings are alike:
three raters who are each right 93 times in 100 have a kappa of .74 where half of the items are of either kind and of .35
where 95 in 100 are of one kind, with an AC1 of .74 and .84. So all three are always given.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biasscope.quantities import Estimate
from biasscope.seeds import generator
from biasscope.stats.estimates import Array

Ratings = Sequence[Sequence[str | None]]

DRAWS = 2_000
"""Bootstrap samples behind an interval."""

MOST_UNDEFINED = 0.05
"""Share of bootstrap samples in which a number may be undefined; above it no interval is given."""

_BLOCK = 250


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far raters agree on one question. Numbers are at most 1; kappa and AC1 are 0 for agreement by chance.

    `items` counts those with two ratings or more, which alone tell anything about agreement, `single` those with one
    rating, which count in how often each category is used, and `ratings` all ratings. `shares` is how often each category
    is used, the mean over items of its share of an item's ratings. `raw`, `kappa` and `ac1` are None without an item that
    has two ratings; `kappa` also where every rating is the same, so that chance agrees wholly too.
    """

    raw: Estimate | None
    kappa: Estimate | None
    ac1: Estimate | None
    items: int
    single: int
    ratings: int
    shares: tuple[tuple[str, float], ...]


def agreement(
    ratings: Ratings,
    *,
    categories: Sequence[str],
    clusters: Sequence[Hashable] | None = None,
    seed: int = 0,
    level: float = 0.95,
    draws: int = DRAWS,
) -> Agreement:
    """The agreement among all raters.

    With n_ik ratings of item i in category k and r_i ratings in all, raw agreement is the mean over items with r_i >= 2 of
    sum_k n_ik (n_ik - 1) / (r_i (r_i - 1)), the share of pairs of raters who agree. pi_k is the mean over rated items of
    n_ik / r_i. Chance agreement is sum_k pi_k^2 for kappa (Fleiss 1971; with missing ratings Gwet 2014, Handbook of
    Inter-Rater Reliability, 4th ed., chapter 2) and sum_k pi_k (1 - pi_k) / (q - 1) of q `categories` for AC1 (Gwet 2008);
    both are (raw - chance) / (1 - chance). Which categories there are must be said: AC1 depends on how many.

    Intervals are percentiles of `draws` bootstrap samples of whole `clusters` (of items where None), which belong together
    such as the rewrites of one pair; `seed` draws them. No interval is given where every sample gives one number, or where
    more than `MOST_UNDEFINED` of them give none. Raises ValueError for fewer than two categories, a rating that is none of
    them, rows of different length, or another number of clusters than items.
    """
    codes = _codes(ratings, categories)
    given = (codes[:, :, None] == np.arange(len(categories))).sum(axis=1).astype(float)
    count = given.sum(axis=1)
    agreeing = np.where(count >= 2, (given * (given - 1)).sum(axis=1) / np.maximum(count * (count - 1), 1), 0.0)
    shares = given / np.maximum(count, 1)[:, None]
    moments = np.column_stack([agreeing, count >= 2, count >= 1, shares])
    found = _intervals(moments, _among_all, clusters, seed=seed, level=level, draws=draws)
    rated = int((count >= 1).sum())
    used = shares.sum(axis=0) / max(rated, 1)
    pairs = int((count >= 2).sum())
    return Agreement(
        *found, pairs, rated - pairs, int(count.sum()), tuple(zip(categories, used.tolist(), strict=True))
    )


def agreement_of(
    ratings: Ratings,
    rater: int,
    *,
    categories: Sequence[str],
    clusters: Sequence[Hashable] | None = None,
    seed: int = 0,
    level: float = 0.95,
    draws: int = DRAWS,
) -> Agreement:
    """The agreement of one rater (a column of `ratings`) with the others, on the items that the rater and another rated.

    Raw agreement is the mean over items of the share of the other raters who say the same. Chance agreement takes how often
    the rater uses a category, p_k, and how often the others do, q_k: sum_k p_k q_k for kappa, which is Cohen's (1960) for
    two raters and Schouten's (1982) of one rater with a group; and that of AC1 with pi_k = (p_k + q_k) / 2 (Gwet 2008, for
    two raters). `items` counts the items used, `single` those that the rater alone rated, `ratings` the rater's ratings,
    and `shares` how often the rater uses each category on the items used. Intervals, and errors, as in `agreement`; raises
    ValueError too where there is no such rater.
    """
    codes = _codes(ratings, categories)
    if not 0 <= rater < codes.shape[1]:
        raise ValueError(f"need a rater from 0 to {codes.shape[1] - 1}, got {rater}")
    given = codes[:, :, None] == np.arange(len(categories))
    own, others = given[:, rater].astype(float), np.delete(given, rater, axis=1).sum(axis=1).astype(float)
    used = (own.sum(axis=1) > 0) & (others.sum(axis=1) > 0)
    group = others / np.maximum(others.sum(axis=1), 1)[:, None]
    moments = np.column_stack([(own * group).sum(axis=1), used, own, group]) * used[:, None]
    found = _intervals(moments, _one_with_others, clusters, seed=seed, level=level, draws=draws)
    items, ratings_of = int(used.sum()), int(own.sum())
    shares = (own * used[:, None]).sum(axis=0) / max(items, 1)
    return Agreement(
        *found, items, ratings_of - items, ratings_of, tuple(zip(categories, shares.tolist(), strict=True))
    )


def _codes(ratings: Ratings, categories: Sequence[str]) -> NDArray[np.int64]:
    """Ratings as numbers of their categories [items, raters], -1 where there is none."""
    if len(set(categories)) < 2 or len(set(categories)) != len(categories):
        raise ValueError(f"need two different categories or more, got {list(categories)}")
    if len({len(row) for row in ratings}) > 1:
        raise ValueError(f"need one column for each rater in every row, got {sorted({len(r) for r in ratings})}")
    numbers: dict[str | None, int] = {None: -1} | {c: n for n, c in enumerate(categories)}
    unknown = {value for row in ratings for value in row} - numbers.keys()
    if unknown:
        raise ValueError(f"ratings must be of {list(categories)} or None, got {sorted(map(str, unknown))}")
    width = len(ratings[0]) if ratings else 0
    return np.array([[numbers[value] for value in row] for row in ratings], dtype=np.int64).reshape(
        len(ratings), width
    )


def _intervals(
    moments: Array,
    solve: Callable[[Array], Array],
    clusters: Sequence[Hashable] | None,
    *,
    seed: int,
    level: float,
    draws: int,
) -> tuple[Estimate | None, Estimate | None, Estimate | None]:
    """Raw agreement, kappa and AC1 of all items and their intervals; `solve` makes them of sums of moments."""
    if not 0 < level < 1:
        raise ValueError(f"need a level between 0 and 1, got {level}")
    sums = _by_cluster(moments, clusters)
    items = int(moments[:, 1].sum())
    values = solve(moments.sum(axis=0)[None, :])[0]
    if not len(sums):
        return None, None, None
    drawn = np.concatenate([solve(weights @ sums) for weights in _resampled(len(sums), seed, draws)])
    raw, kappa, ac1 = (
        _estimate(value, of, items, level) for value, of in zip(values.tolist(), drawn.T, strict=True)
    )
    return raw, kappa, ac1


def _by_cluster(moments: Array, clusters: Sequence[Hashable] | None) -> Array:
    if clusters is None:
        return moments
    if len(clusters) != len(moments):
        raise ValueError(f"need one cluster for each item ({len(moments)}), got {len(clusters)}")
    numbers: dict[Hashable, int] = {}
    index = [numbers.setdefault(c, len(numbers)) for c in clusters]
    sums = np.zeros((len(numbers), moments.shape[1]))
    np.add.at(sums, index, moments)
    return sums


def _resampled(clusters: int, seed: int, draws: int) -> Iterator[NDArray[np.int64]]:
    """How often each cluster is drawn, in blocks so that many clusters need little memory."""
    rng = generator("agreement", seed, clusters)
    for start in range(0, draws, _BLOCK):
        size = min(_BLOCK, draws - start)
        picked = rng.integers(clusters, size=(size, clusters)) + clusters * np.arange(size)[:, None]
        yield np.bincount(picked.ravel(), minlength=size * clusters).reshape(size, clusters)


def _estimate(value: float, drawn: Array, items: int, level: float) -> Estimate | None:
    """A number with its percentile interval, where there is one."""
    if np.isnan(value):
        return None
    known = drawn[~np.isnan(drawn)]
    if len(known) < 2 or len(known) < (1 - MOST_UNDEFINED) * len(drawn):
        return Estimate(value, None, None, None, items, level)
    if np.ptp(known) < 1e-12:
        return Estimate(value, 0.0, None, None, items, level)
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    return Estimate(value, float(known.std(ddof=1)), float(low), float(high), items, level)


def _among_all(sums: Array) -> Array:
    """Raw agreement, kappa and AC1 from sums [..., agreeing, items with two ratings, rated items, shares of categories]."""
    raw = _ratio(sums[:, 0], sums[:, 1])
    used = _ratio(sums[:, 3:].T, sums[:, 2])
    return _corrected(raw, (used**2).sum(axis=0), used)


def _one_with_others(sums: Array) -> Array:
    """The same for one rater, from sums [..., agreeing, items used, own ratings, shares of the others' ratings]."""
    raw = _ratio(sums[:, 0], sums[:, 1])
    own, others = np.split(_ratio(sums[:, 2:].T, sums[:, 1]), 2)
    return _corrected(raw, (own * others).sum(axis=0), (own + others) / 2)


def _corrected(raw: Array, chance: Array, used: Array) -> Array:
    """Raw agreement beside kappa with its chance agreement, and AC1 from how often categories are used [q, ...]."""
    spread = (used * (1 - used)).sum(axis=0) / (len(used) - 1)
    return np.column_stack([raw, _ratio(raw - chance, 1 - chance), _ratio(raw - spread, 1 - spread)])


def _ratio(above: Array, below: Array) -> Array:
    """The ratio, NaN where there is nothing below the line."""
    known = np.abs(below) > 1e-12
    return np.where(known, above / np.where(known, below, 1.0), np.nan)
