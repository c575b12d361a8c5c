"""The conditional odds ratio of an error: biased against neutral rewrites of the same item in the same order.

Knows cells of single verdicts (see `estimates`). It is one way to say an effect, not a test.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from biasscope.quantities import OddsRatio
from biasscope.stats.estimates import Array, aligned, both_orders, estimate, jackknife_se


def odds_ratio(
    candidate: Array, neutrals: Array, *, clusters: Sequence[object] | None = None, level: float = 0.95
) -> OddsRatio:
    """Mantel-Haenszel odds ratio over item x order strata, with an item-level jackknife of its logarithm.

    `candidate` [items, 2] and `neutrals` [arms, items, 2] are errors 0, .5 or 1; items without both orders are
    left out, arm by arm. With N rewrites in a stratum the ratio is R / S, R = sum of e_b * (right neutrals) / N and
    S = sum of (1 - e_b) * (wrong neutrals) / N (Mantel & Haenszel 1959). The two orders of an item depend on each
    other, and so do items of one question (`clusters`, one label per item): they are left out together.
    Raises ValueError for shapes, errors or clusters that do not fit.
    """
    aligned(candidate, neutrals)
    if clusters is not None and len(clusters) != len(candidate):
        raise ValueError(f"need one cluster per item ({len(candidate)}), got {len(clusters)}")
    worse, better, used = _contributions(both_orders(candidate), both_orders(neutrals))
    labels = np.arange(len(candidate)) if clusters is None else _numbered(clusters)
    items, strata = int(used.any(axis=1).sum()), int(used.sum())
    live = used.any(axis=1)
    _, index = np.unique(labels[live], return_inverse=True)
    r = np.bincount(index, weights=worse[live]) if items else np.zeros(0)
    s = np.bincount(index, weights=better[live]) if items else np.zeros(0)
    total_r, total_s = math.fsum(r), math.fsum(s)
    if total_r == 0 or total_s == 0:
        return OddsRatio(None, None, None, None, items, strata, level, _one_sided(items, total_r, total_s))
    value = math.log(total_r / total_s)
    left_r, left_s = total_r - r, total_s - s
    if min(left_r.min() / total_r, left_s.min() / total_s) < 1e-9:
        reason = "without one of its items all differences point in one direction"
        return OddsRatio(math.exp(value), None, None, None, items, strata, level, reason)
    spread = jackknife_se(np.log(left_r / left_s))
    found = estimate(value, spread, items, level=level)
    if found.low is None or found.high is None:
        return OddsRatio(
            math.exp(value), None, None, None, items, strata, level, "all items say exactly the same"
        )
    low, high = math.exp(found.low), math.exp(found.high)
    return OddsRatio(math.exp(value), spread, low, high, items, strata, level)


def _contributions(candidate: Array, neutrals: Array) -> tuple[Array, Array, NDArray[np.bool_]]:
    """What each item adds to R and to S, and which of its strata have the candidate and a neutral."""
    known = ~np.isnan(neutrals)
    count = known.sum(axis=0)
    wrong = np.where(known, neutrals, 0.0).sum(axis=0)
    used = ~np.isnan(candidate) & (count > 0)
    e = np.where(used, candidate, 0.0)
    size = np.where(used, count + 1.0, 1.0)
    worse = np.where(used, e * (count - wrong) / size, 0.0).sum(axis=1)
    better = np.where(used, (1 - e) * wrong / size, 0.0).sum(axis=1)
    return worse, better, used


def _numbered(clusters: Sequence[object]) -> NDArray[np.int64]:
    numbers: dict[object, int] = {}
    return np.array([numbers.setdefault(c, len(numbers)) for c in clusters], dtype=np.int64)


def _one_sided(items: int, worse: float, better: float) -> str:
    if items == 0:
        return "no item has both orders of a biased and a neutral verdict"
    if worse == better == 0:
        return "no verdict differs between the arms"
    return "every difference points in one direction"
