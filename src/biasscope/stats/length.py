"""How much of an effect goes with the length of the rewrites: by regression, and by rewrites of equal length."""

from __future__ import annotations

import numpy as np

from biasscope.quantities import Adjusted, EqualLength
from biasscope.stats.adjust import adjusted_effect
from biasscope.stats.estimates import Array, aligned, mean_estimate, neutral_mean

LENGTH = "log length"


def length_adjusted(
    scores: Array, lengths: Array, *, level: float = 0.95, limit: float | None = None
) -> Adjusted | None:
    """The effect adjusted for the log length of the rewrites; `share` is the part that goes with length.

    `scores` and `lengths` are [arms, items], the biased arm first; lengths in tokens (> 0), NaN where missing. The
    length of the original drops out with the item means. It needs lengths that vary within arms. For a bias that
    *is* length, show raw and adjusted side by side. None where no item has both arms. Raises ValueError for a
    length that is not positive.
    """
    if (lengths[~np.isnan(lengths)] <= 0).any():
        raise ValueError("lengths must be positive; use NaN for what is missing")
    return adjusted_effect(scores, {LENGTH: np.log(lengths)}, level=level, limit=limit)


def equal_length(
    biased_equal: Array,
    neutrals_equal: Array,
    biased_free: Array,
    neutrals_free: Array,
    *,
    level: float = 0.95,
    limit: float | None = None,
) -> EqualLength | None:
    """[biased - neutral] at equal length against the same at free length, paired by item.

    Biased arms are item scores [items], neutral arms [arms, items]; those of equal length are cut or condensed
    alike, since cutting a response hurts it whatever its trait. All figures are of the items that have all four;
    None without such an item. `limit` cuts the two effects (1.0 for errors) and, at twice that, their difference.
    Raises ValueError for arms of different length.
    """
    aligned(biased_equal, neutrals_equal)
    aligned(biased_free, neutrals_free)
    if biased_equal.shape != biased_free.shape:
        raise ValueError(f"need the same items twice, got {biased_equal.shape} and {biased_free.shape}")
    equal = biased_equal - neutral_mean(neutrals_equal)
    free = biased_free - neutral_mean(neutrals_free)
    common = ~np.isnan(equal + free)
    parts = [
        mean_estimate(equal[common], level=level, limit=limit),
        mean_estimate(free[common], level=level, limit=limit),
        mean_estimate((equal - free)[common], level=level, limit=None if limit is None else 2 * limit),
    ]
    at_equal, at_free, difference = parts
    if at_equal is None or at_free is None or difference is None:
        return None
    return EqualLength(at_equal, at_free, difference)
