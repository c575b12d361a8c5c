"""Means with standard errors and intervals, and the few array habits that all reported quantities share.

Arrays hold NaN where a score is missing. An arm of single verdicts is a matrix of cells [items, 2]: chosen shown
first, then rejected shown first; neutral arms come as [arms, items] or [arms, items, 2]. Everything is order-free.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import special

from biasscope.quantities import Estimate

Array = NDArray[np.float64]


def estimate(
    value: float, se: float | None, n: int, *, level: float = 0.95, limit: float | None = None
) -> Estimate:
    """Give a number its two-sided normal interval at `level`; none from an unknown standard error or one of 0.

    The interval is cut at +-`limit` where the number cannot be larger. Raises ValueError unless 0 < level < 1.
    """
    if not 0 < level < 1:
        raise ValueError(f"need a level between 0 and 1, got {level}")
    if se is None or se == 0:
        return Estimate(float(value), None if se is None else 0.0, None, None, n, level)
    reach = float(special.ndtri((1 + level) / 2)) * se
    low, high = value - reach, value + reach
    if limit is not None:
        low, high = max(-limit, low), min(limit, high)
    return Estimate(float(value), float(se), float(low), float(high), n, level)


def mean_estimate(values: Array, *, level: float = 0.95, limit: float | None = None) -> Estimate | None:
    """The mean of the known values with sd / sqrt(n); None without any, no standard error from a single one."""
    known = values[~np.isnan(values)]
    n = len(known)
    if n == 0:
        return None
    # Sorted, so that the last digits do not depend on the order of the items either.
    known = np.sort(known)
    se = float(known.std(ddof=1) / np.sqrt(n)) if n > 1 else None
    return estimate(float(known.mean()), se, n, level=level, limit=limit)


def jackknife_se(left_out: Array) -> float:
    """Standard error from the values that leaving out one group of items after the other gives.

    sqrt((G - 1) / G * sum of squares around their mean), for G groups (Quenouille, Tukey).
    """
    groups = len(left_out)
    return float(np.sqrt((groups - 1) / groups * ((left_out - left_out.mean()) ** 2).sum()))


def neutral_mean(neutrals: Array) -> Array:
    """The mean over the known neutral arms (first axis), NaN where none is known.

    Raises ValueError without a neutral arm.
    """
    if neutrals.ndim < 2 or len(neutrals) == 0:
        raise ValueError(f"need at least one neutral arm along the first axis, got shape {neutrals.shape}")
    known = ~np.isnan(neutrals)
    count = known.sum(axis=0)
    total = np.where(known, neutrals, 0.0).sum(axis=0)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def both_orders(cells: Array) -> Array:
    """The cells of items that have both orders; the others become NaN. The last axis holds the two orders.

    Raises ValueError for another shape or an error that is not 0, .5 or 1.
    """
    if cells.ndim < 2 or cells.shape[-1] != 2:
        raise ValueError(f"need two orders along the last axis, got shape {cells.shape}")
    known = cells[~np.isnan(cells)]
    if not np.isin(known, (0.0, 0.5, 1.0)).all():
        raise ValueError("errors of single verdicts must be 0, .5 or 1")
    return np.where(np.isnan(cells).any(axis=-1, keepdims=True), np.nan, cells)


def aligned(candidate: Array, neutrals: Array) -> None:
    """Raise ValueError unless the neutral arms have the shape of the candidate behind their first axis."""
    if neutrals.ndim != candidate.ndim + 1 or neutrals.shape[1:] != candidate.shape or len(neutrals) == 0:
        raise ValueError(f"need neutral arms [arms, *{candidate.shape}], got shape {neutrals.shape}")
