"""Rates and mean changes over items that come in clusters, such as many rewrites of one pair. Pure.

A cluster is one draw, however many items it has: a hundred rewrites of ten pairs tell about ten pairs. Arrays run over
items with NaN where an item has no score; clusters are numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from biasscope.quantities import Estimate
from biasscope.stats.estimates import Array
from biasscope.stats.reading import by_cluster, clustered_se

Clusters = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Rate:
    """A mean of scores in [0, 1] over items that come in clusters."""

    value: float
    """The mean, in [0, 1]."""
    se: float | None
    """Its standard error, at least 0; null for a single cluster."""
    low: float | None
    """Lower end of its two-sided interval, in [0, 1]; null for a single cluster, and where every item has one score that is
    neither 0 nor 1: then nothing varies, and nothing bounds it."""
    high: float | None
    """Upper end of the interval, in [0, 1]; null there too."""
    n: int
    """Items that have a score, at least 1."""
    clusters: int
    """Clusters that they come from, at least 1."""
    level: float = 0.95
    """Coverage of the interval, in (0, 1)."""


def clustered_rate(scores: Array, clusters: Clusters, *, level: float = 0.95) -> Rate | None:
    """The mean of scores in [0, 1] with a cluster-robust interval; None where no item has a score.

    The interval is Wilson's (1927) with the effective number of items, value (1 - value) / se^2, in place of their
    number, and Student's t with one degree less than there are clusters (as Korn & Graubard 1998 do with the exact one):
    it stays within [0, 1] and holds near the ends, where error rates of good judges are. Where every score is 0, or every one 1,
    the clusters are the effective number. Raises ValueError for a score outside [0, 1] or a level outside (0, 1).
    """
    _check_level(level)
    known = ~np.isnan(scores)
    values, own = scores[known], clusters[known]
    n = len(values)
    if n == 0:
        return None
    if values.min() < 0 or values.max() > 1:
        raise ValueError(f"need scores in [0, 1], got {values.min()} to {values.max()}")
    groups = len(np.unique(own))
    # Sorted, so that the last digits do not depend on the order of the items.
    value = float(np.sort(values).mean())
    if groups < 2:
        return Rate(value, None, None, None, n, groups, level)
    se = clustered_se(values, own)
    at_an_end = value in (0.0, 1.0)
    if se == 0 and not at_an_end:
        return Rate(value, 0.0, None, None, n, groups, level)
    effective = groups if at_an_end else value * (1 - value) / se**2
    low, high = _wilson(value, effective, _quantile(groups, level))
    return Rate(value, se, low, high, n, groups, level)


def clustered_mean(
    values: Array, clusters: Clusters, *, level: float = 0.95, limit: float | None = None
) -> Estimate | None:
    """The mean of changes with a cluster-robust interval by Student's t; None where no item has a value.

    The interval is cut at +-`limit` where the mean cannot be larger; there is none from a single cluster or from values
    that do not vary. Raises ValueError for a level outside (0, 1).
    """
    _check_level(level)
    known = ~np.isnan(values)
    kept, own = values[known], clusters[known]
    if len(kept) == 0:
        return None
    groups = len(np.unique(own))
    se = clustered_se(kept, own) if groups > 1 else None
    return _estimate(float(np.sort(kept).mean()), se, len(kept), groups, level, limit)


def mean_gap(
    one: Array, ones: Clusters, other: Array, others: Clusters, *, level: float = 0.95, limit: float | None = None
) -> Estimate | None:
    """Mean of one set of items less that of another, whose items may share clusters (numbers mean the same in both).

    The standard error is that of the difference of two means, cluster by cluster (C / (C - 1)), so that what a cluster
    adds to both drops out. `n` counts the items of both. None where a set has no score. Raises ValueError for a level
    outside (0, 1).
    """
    _check_level(level)
    known, beside = ~np.isnan(one), ~np.isnan(other)
    first, second = one[known], other[beside]
    if len(first) == 0 or len(second) == 0:
        return None
    value = float(np.sort(first).mean()) - float(np.sort(second).mean())
    influence = np.concatenate([(first - first.mean()) / len(first), -(second - second.mean()) / len(second)])
    sums = by_cluster(influence, np.concatenate([ones[known], others[beside]]))
    groups = len(sums)
    se = float(np.sqrt((sums**2).sum() * groups / (groups - 1))) if groups > 1 else None
    return _estimate(value, se, len(influence), groups, level, limit)


def _estimate(value: float, se: float | None, n: int, groups: int, level: float, limit: float | None) -> Estimate:
    if se is None or se == 0:
        return Estimate(value, se, None, None, n, level)
    reach = _quantile(groups, level) * se
    low, high = value - reach, value + reach
    if limit is not None:
        low, high = max(-limit, low), min(limit, high)
    return Estimate(value, se, low, high, n, level)


def _quantile(groups: int, level: float) -> float:
    """Student's t: few clusters say little about how much they vary."""
    return float(special.stdtrit(groups - 1, (1 + level) / 2))


def _wilson(rate: float, n: float, quantile: float) -> tuple[float, float]:
    spread = quantile**2 / n
    centre = rate + spread / 2
    half = quantile * float(np.sqrt(rate * (1 - rate) / n + spread / (4 * n)))
    low, high = (centre - half) / (1 + spread), (centre + half) / (1 + spread)
    return max(0.0, low), min(1.0, high)


def _check_level(level: float) -> None:
    if not 0 < level < 1:
        raise ValueError(f"need a level between 0 and 1, got {level}")
