"""An effect adjusted for other things that differ between biased and neutral rewrites (length, features).

One regression for all of them: with item and arm means taken out, what is left says how the score goes with a
thing among rewrites of the same text. Valid where that is linear, and where the thing is not how the bias works.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biasscope.quantities import Adjusted, Slope
from biasscope.stats.estimates import Array, estimate, mean_estimate, neutral_mean

UNIDENTIFIED = 1e-9
"""Less than this part of a covariate's variance within items left beside the arms counts as none."""


def adjusted_effect(
    scores: Array, covariates: Mapping[str, Array], *, level: float = 0.95, limit: float | None = None
) -> Adjusted | None:
    """The mean of biased minus neutral, and the same with the covariates' share taken off.

    `scores` and each covariate are [arms, items], the biased arm first, then the neutral ones, NaN where missing;
    a score without its covariates is left out. Item and arm means are removed (exactly, also with gaps), each
    covariate has one slope b for all arms, with variance V clustered by item. Adjusted effect = D - b g, its squared
    standard error = var(d - b g_i) / n + g V g, for the items' gaps g_i, biased minus neutral mean, with mean g.
    None where no item has both arms. Raises ValueError for covariates of another shape or without a neutral arm.
    """
    if scores.ndim != 2 or len(scores) < 2:
        raise ValueError(f"need the biased and at least one neutral arm [arms, items], got shape {scores.shape}")
    if not covariates or any(c.shape != scores.shape for c in covariates.values()):
        shapes = {name: c.shape for name, c in covariates.items()}
        raise ValueError(f"need covariates of shape {scores.shape}, got {shapes}")
    names = sorted(covariates)
    x = np.stack([covariates[name] for name in names])
    known = ~np.isnan(scores) & ~np.isnan(x).any(axis=0)
    # Only items with the biased and a neutral arm: the effect is theirs, and the slope should be, too.
    known &= known[0] & known[1:].any(axis=0)
    y, x = np.where(known, scores, np.nan), np.where(known, x, np.nan)
    differences = y[0] - neutral_mean(y[1:])
    raw = mean_estimate(differences, level=level, limit=limit)
    if raw is None:
        return None
    slopes = _within(y, x, known)
    if slopes is None:
        return Adjusted(raw, None, None, (), f"{' and '.join(names)} cannot be told from the arms or each other")
    gaps = x[:, 0] - neutral_mean(x[:, 1:].swapaxes(0, 1))
    used = known[0]
    d, g = differences[used], gaps[:, used]
    gap = g.mean(axis=1)
    cleaned = np.sort(d - slopes.values @ g)
    n = len(cleaned)
    variance = float(gap @ slopes.covariance @ gap)
    se = float(np.sqrt(cleaned.var(ddof=1) / n + variance)) if n > 1 else None
    adjusted = estimate(float(cleaned.mean()), se, n, level=level, limit=limit)
    found = tuple(
        Slope(name, float(b), float(np.sqrt(v)), float(m))
        for name, b, v, m in zip(names, slopes.values, np.diag(slopes.covariance), gap, strict=True)
    )
    return Adjusted(raw, adjusted, raw.value - adjusted.value, found)


@dataclass(frozen=True, slots=True)
class _Slopes:
    values: Array
    covariance: Array


def _within(y: Array, x: Array, known: NDArray[np.bool_]) -> _Slopes | None:
    """Least squares on what is left of score and covariates beside item and arm; None where nothing is left."""
    arms, items = y.shape
    arm, item = np.nonzero(known)
    if len(np.unique(item)) < 2:
        return None
    count = np.bincount(item, minlength=items)

    def beside_items(values: Array) -> Array:
        return values - (np.bincount(item, weights=values, minlength=items) / np.maximum(count, 1))[item]

    dummies = np.stack([beside_items((arm == k).astype(float)) for k in range(1, arms)], axis=1)

    def beside_both(values: Array) -> tuple[Array, float]:
        inner = beside_items(values)
        left = inner - dummies @ np.linalg.lstsq(dummies, inner, rcond=None)[0]
        return left, float(inner @ inner)

    residual, _ = beside_both(y[known])
    columns = []
    for covariate in x:
        left, before = beside_both(covariate[known])
        if before == 0 or left @ left <= UNIDENTIFIED * before:
            return None
        columns.append(left)
    design = np.stack(columns, axis=1)
    scaled = design / np.linalg.norm(design, axis=0)
    if np.linalg.matrix_rank(scaled, tol=1e-6) < len(columns):
        return None
    bread = np.linalg.inv(design.T @ design)
    values = bread @ design.T @ residual
    moments = design * (residual - design @ values)[:, None]
    sums = np.stack([np.bincount(item, weights=m, minlength=items) for m in moments.T])
    clusters = int((count > 0).sum())
    covariance = bread @ (sums @ sums.T) @ bread * clusters / (clusters - 1)
    return _Slopes(values, covariance)
