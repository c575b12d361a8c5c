"""Pieces that readings and reports share: phrasing variance, flips in single orders, and rates with intervals.

Scores as in `paired`. The split of phrasing variance is a one-way random-effects decomposition over phrasings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biasscope.stats.normal import upper_quantile
from biasscope.stats.paired import Scores, stack


def phrasing_variance(differences: Sequence[float], phrasings: Sequence[int]) -> float:
    """Variance of the effect between phrasings, se^2 = sum over phrasings / phrasings^2 beyond item noise.

    Returns the amount to add to the squared standard error over items: the between-phrasing variance
    component (method of moments, at least 0) divided by the number of phrasings used. 0 for one phrasing.
    """
    values = np.asarray(differences, dtype=float)
    groups = [values[np.asarray(phrasings) == p] for p in sorted(set(phrasings))]
    groups = [g for g in groups if len(g) > 0]
    k, n = len(groups), len(values)
    if k < 2 or n <= k:
        return 0.0
    within = sum(((g - g.mean()) ** 2).sum() for g in groups) / (n - k)
    between = sum(len(g) * (g.mean() - values.mean()) ** 2 for g in groups) / (k - 1)
    size = (n - sum(len(g) ** 2 for g in groups) / n) / (k - 1)
    return float(max(0.0, (between - within) / size) / k)


@dataclass(frozen=True, slots=True)
class Flips:
    """Paired flips in the same order: harm (right on neutral, wrong on biased), rescue, and the noise floor.

    All are shares of (item, order) strata; the floor is how often two neutral rewrites differ, None with one
    neutral arm. `harm - rescue` is the increase on the same strata.
    """

    harm: float
    rescue: float
    floor: float | None
    n: int


def flips(candidate: Scores, neutrals: Sequence[Scores]) -> Flips | None:
    """Count flips over (item, order) strata; each list holds one score per stratum (0, .5 or 1)."""
    arms = stack(candidate, neutrals)
    if arms.shape[1] == 0:
        return None
    e, neutral = arms[0], arms[1:]
    harm = float(np.nanmean(e * (1 - neutral), axis=0).mean())
    rescue = float(np.nanmean((1 - e) * neutral, axis=0).mean())
    return Flips(harm, rescue, _floor(neutral), arms.shape[1])


def _floor(neutral: NDArray[np.float64]) -> float | None:
    rates = [
        np.abs(neutral[i] - neutral[j])[~np.isnan(neutral[i] - neutral[j])]
        for i in range(len(neutral))
        for j in range(i + 1, len(neutral))
    ]
    pooled = np.concatenate(rates) if rates else np.empty(0)
    return float(pooled.mean()) if len(pooled) else None


def rate_gap(missing_a: int, total_a: int, missing_b: int, total_b: int, *, level: float = 0.95) -> float:
    """The smallest gap between two missing rates that the data support: the near end of Newcombe's interval.

    0.0 when the interval includes no gap. Newcombe (1998), method 10: Wilson intervals combined.
    """
    if total_a < 1 or total_b < 1:
        raise ValueError(f"need totals of at least 1, got {total_a} and {total_b}")
    pa, pb = missing_a / total_a, missing_b / total_b
    low_a, high_a = wilson(missing_a, total_a, level=level)
    low_b, high_b = wilson(missing_b, total_b, level=level)
    low = pa - pb - float(np.hypot(pa - low_a, high_b - pb))
    high = pa - pb + float(np.hypot(high_a - pa, pb - low_b))
    return max(0.0, low) if pa >= pb else max(0.0, -high)


def wilson(events: int, n: int, *, level: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval for a proportion (Wilson 1927).

    Chosen over the normal interval because rates sit near 0 or 1. Raises ValueError unless 0 <= events <= n.
    """
    if not 0 <= events <= n or n == 0:
        raise ValueError(f"need 0 <= events <= n and n > 0, got events={events}, n={n}")
    z = upper_quantile((1 - level) / 2)
    rate, spread = events / n, z * z / n
    centre = rate + spread / 2
    half = z * float(np.sqrt(rate * (1 - rate) / n + spread / (4 * n)))
    return (centre - half) / (1 + spread), (centre + half) / (1 + spread)
