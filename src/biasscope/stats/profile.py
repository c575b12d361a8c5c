"""What else a biased rewrite changes: features of the texts, biased against neutral, and the effect without them.

Features are numbers that the caller counted in the texts; this module knows no text and no detector.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np

from biasscope.quantities import FeatureShift, Profile
from biasscope.stats.adjust import adjusted_effect
from biasscope.stats.estimates import Array, neutral_mean

MOVED = 0.3
"""A feature that moves by more than this many standard deviations has been written in beside the trait."""


def profile(
    features: Mapping[str, Array],
    scores: Array,
    *,
    own: Collection[str] = (),
    level: float = 0.95,
    limit: float | None = None,
) -> Profile:
    """How far each feature moves from neutral to biased rewrites, which others moved, and the effect without those.

    `features` and `scores` are [arms, items], the biased arm first, NaN where there is no rewrite or score. A shift
    is the mean over items of biased minus the item's neutral mean, in standard deviations of the neutral rewrites
    (all arms and items). `own` names the features that are the trait itself. A feature without any item that has
    both arms is left out. Raises ValueError for features of another shape than the scores.
    """
    strange = {name: values.shape for name, values in features.items() if values.shape != scores.shape}
    if strange or scores.ndim != 2 or len(scores) < 2:
        raise ValueError(f"need features [arms, items] of the shape of the scores, {scores.shape}, got {strange}")
    shifts = tuple(s for name in sorted(features) if (s := _shift(name, features[name])) is not None)
    bundled = tuple(s.feature for s in shifts if s.moved and s.feature not in own)
    adjusted = None
    if bundled:
        adjusted = adjusted_effect(scores, {name: features[name] for name in bundled}, level=level, limit=limit)
    return Profile(shifts, bundled, adjusted)


def _shift(name: str, values: Array) -> FeatureShift | None:
    gaps = values[0] - neutral_mean(values[1:])
    known = ~np.isnan(gaps)
    if not known.any():
        return None
    gap = float(np.sort(gaps[known]).mean())
    neutral = values[1:][~np.isnan(values[1:])]
    spread = float(neutral.std(ddof=1)) if len(neutral) > 1 else 0.0
    # Counts that are all equal leave rounding behind, not variation.
    if spread <= 1e-12 * (1 + abs(float(neutral.mean()))):
        return FeatureShift(name, gap, None, gap != 0)
    return FeatureShift(name, gap, gap / spread, abs(gap) > MOVED * spread)
