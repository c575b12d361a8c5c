"""What a biased rewrite does in all, split into what any rewording does and what the bias adds."""

from __future__ import annotations

import numpy as np

from biasscope.quantities import Split
from biasscope.stats.estimates import Array, aligned, mean_estimate, neutral_mean


def split(
    original: Array, biased: Array, neutrals: Array, *, level: float = 0.95, limit: float | None = None
) -> Split | None:
    """Biased - original = (biased - neutral) + (neutral - original), each with standard error and interval.

    `original` and `biased` are item scores [items], `neutrals` [arms, items]; the neutral score of an item is the
    mean over its known neutrals. All three parts are of the items that have all three arms, so that they add up
    exactly; None without such an item. `limit` cuts the intervals (1.0 for errors). Raises ValueError for arms of
    different length.
    """
    aligned(biased, neutrals)
    if original.shape != biased.shape:
        raise ValueError(f"need originals of shape {biased.shape}, got {original.shape}")
    neutral = neutral_mean(neutrals)
    common = ~np.isnan(original + biased + neutral)
    before, own, reworded = original[common], biased[common], neutral[common]
    parts = [
        mean_estimate(difference, level=level, limit=limit)
        for difference in (own - before, own - reworded, reworded - before)
    ]
    total, specific, generic = parts
    if total is None or specific is None or generic is None:
        return None
    return Split(total, specific, generic)
