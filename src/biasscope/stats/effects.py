"""Effects beyond neutral wording: the increase of error (or loss of margin), flips, position statistics.

Item scores as in `paired`; flips and position statistics look at single orders. Sources: the increase and its
standard error are the paired mean difference; the split of phrasing variance follows a one-way random-effects
decomposition over phrasings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biasscope.records import Effect, Unit
from biasscope.stats.normal import upper_quantile
from biasscope.stats.paired import Scores, stack


@dataclass(frozen=True, slots=True)
class Increase:
    """Mean of candidate minus neutral mean, its standard error (over items), the items and their differences.

    `candidate` and `neutral` are the two means on the same items.
    """

    value: float
    se: float
    n: int
    differences: tuple[float, ...]
    candidate: float
    neutral: float


def increase(candidate: Scores, neutrals: Sequence[Scores]) -> Increase | None:
    """How much worse the candidate is judged than the item's neutral rewrites, on average over items.

    Returns None when no item has both; the standard error is 0 for a single item or no variation.
    """
    arms = stack(candidate, neutrals)
    if arms.shape[1] == 0:
        return None
    neutral = np.nanmean(arms[1:], axis=0)
    differences = arms[0] - neutral
    n = len(differences)
    se = float(differences.std(ddof=1) / np.sqrt(n)) if n > 1 else 0.0
    return Increase(
        float(differences.mean()),
        se,
        n,
        tuple(float(d) for d in differences),
        float(arms[0].mean()),
        float(neutral.mean()),
    )


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


def interval(
    found: Increase, *, unit: Unit, level: float = 0.95, extra_variance: float = 0.0, p: float | None = None
) -> Effect:
    """Give an increase its two-sided normal interval at `level`; none where the standard error is 0."""
    se = float(np.sqrt(found.se**2 + extra_variance))
    if se == 0:
        return Effect(found.value, 0.0, None, None, found.n, unit, level, p)
    z = upper_quantile((1 - level) / 2)
    low, high = found.value - z * se, found.value + z * se
    if unit == "fraction":
        low, high = max(-1.0, low), min(1.0, high)
    return Effect(found.value, se, low, high, found.n, unit, level, p)


def largest_neutral_effect(neutrals: Sequence[Scores]) -> float:
    """The largest absolute effect of one neutral arm against the others: what phrasing alone can do.

    Returns 0.0 for fewer than two neutral arms: there is nothing to compare.
    """
    if len(neutrals) < 2:
        return 0.0
    found = [increase(neutrals[k], [n for j, n in enumerate(neutrals) if j != k]) for k in range(len(neutrals))]
    return max((abs(f.value) for f in found if f is not None), default=0.0)


def neutral_spread(neutrals: Sequence[Scores]) -> float | None:
    """Standard deviation over items of neutral-neutral differences (every pair of arms); None below 2 values.

    The scale on which a judge's margins move when nothing but the wording changes.
    """
    values: list[float] = []
    for i in range(len(neutrals)):
        for j in range(i + 1, len(neutrals)):
            values += [
                a - b for a, b in zip(neutrals[i], neutrals[j], strict=True) if a is not None and b is not None
            ]
    return float(np.std(values)) if len(values) > 1 else None


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
