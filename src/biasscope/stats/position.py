"""How much a judge goes by position, arm by arm, and whether a bias makes it go more by position.

Knows cells of single verdicts (see `estimates`) and nothing of slots: the first order is chosen shown first.
"""

from __future__ import annotations

import numpy as np

from biasscope.quantities import ArmPosition, PositionUse
from biasscope.stats.estimates import Array, aligned, both_orders, mean_estimate, neutral_mean


def consistent(cells: Array) -> Array:
    """Per item 1.0 where both orders are judged alike (two ties are), 0.0 where not, NaN without both orders."""
    whole = both_orders(cells)
    alike = (whole[..., 0] == whole[..., 1]).astype(float)
    return np.where(np.isnan(whole).any(axis=-1), np.nan, alike)


def first_answer(cells: Array) -> Array:
    """Per item how often the answer shown first is preferred, minus .5; a tie is half a choice.

    With the chosen response first that is one minus the error, with the rejected one first the error.
    """
    whole = both_orders(cells)
    return np.asarray((whole[..., 1] - whole[..., 0]) / 2, dtype=float)


def position_use(
    biased: Array, neutrals: Array, original: Array | None = None, *, level: float = 0.95
) -> PositionUse | None:
    """Position consistency and first-answer preference per arm, and biased minus neutral, paired by item.

    `biased` and `original` are cells [items, 2], `neutrals` [arms, items, 2]. All figures are of the items that
    have both orders on the biased and on some neutral rewrite (a mean over the item's neutrals), so that the
    changes are the differences of the printed numbers; None without such an item. `level` is that of the
    intervals. Raises ValueError for shapes or errors that do not fit.
    """
    aligned(biased, neutrals)
    if original is not None and original.shape != biased.shape:
        raise ValueError(f"need originals of shape {biased.shape}, got {original.shape}")
    common = ~np.isnan(consistent(biased)) & ~np.isnan(consistent(neutrals)).all(axis=0)
    alike, alike_neutral = consistent(biased)[common], neutral_mean(consistent(neutrals))[common]
    first, first_neutral = first_answer(biased)[common], neutral_mean(first_answer(neutrals))[common]
    consistency = mean_estimate(alike - alike_neutral, level=level, limit=1.0)
    preference = mean_estimate(first - first_neutral, level=level, limit=1.0)
    if consistency is None or preference is None:
        return None
    before = None
    if original is not None:
        seen = common & ~np.isnan(consistent(original))
        before = _arm(consistent(original)[seen], first_answer(original)[seen]) if seen.any() else None
    return PositionUse(before, _arm(alike_neutral, first_neutral), _arm(alike, first), consistency, preference)


def _arm(alike: Array, first: Array) -> ArmPosition:
    return ArmPosition(float(alike.mean()), float(first.mean()), len(alike))
