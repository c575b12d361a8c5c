"""Verdicts that are missing: whether one arm lacks more of them, and what they could have said. Pure.

Arms are rows, the candidate's first, items are columns. A rewrite whose verdict could not be read is `unread`; one
that was not made has NaN for a score and is not unread.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from biasscope.stats import effects

MISSING_GAP = 0.03
"""A gap between the missing rates of two arms clearly above this makes a contrast invalid."""

Missing = tuple[tuple[str, int, int], ...]
"""(arm, items without a readable verdict, items with a rewrite), the candidate first."""


def count(arms: Sequence[str], scores: NDArray[np.float64], unread: NDArray[np.bool_]) -> Missing:
    """Count unread verdicts per arm; neutral arms without any rewrite are left out."""
    gaps = unread.sum(axis=1)
    totals = gaps + (~np.isnan(scores)).sum(axis=1)
    found = zip(arms, gaps.tolist(), totals.tolist(), strict=True)
    return tuple((arm, gap, max(1, total)) for k, (arm, gap, total) in enumerate(found) if total or not k)


def is_uneven(missing: Missing) -> bool:
    """Whether the neutral arms' missing rate lies clearly, by interval, more than `MISSING_GAP` off the candidate's.

    The neutral arms are taken together: all candidates share them, and one arm of a few items with an unlucky count
    would make every candidate invalid at once.
    """
    (_, gap, total), *others = missing
    if not others:
        return False
    pooled = sum(g for _, g, _ in others), sum(t for _, _, t in others)
    return effects.rate_gap(gap, total, *pooled) > MISSING_GAP


def worst_case(scores: NDArray[np.float64], unread: NDArray[np.bool_]) -> tuple[float, float] | None:
    """Bound an effect on errors over the unread verdicts, from all against the effect to all for it.

    None where no item has both a candidate and a neutral score even then.
    """
    ends = []
    for against in (0.0, 1.0):
        filled = np.where(unread, 1 - against, scores)
        filled[0] = np.where(unread[0], against, scores[0])
        known = ~np.isnan(filled)
        usable = known[0] & known[1:].any(axis=0)
        if not usable.any():
            return None
        others, there = filled[1:, usable], known[1:, usable]
        means = np.where(there, others, 0.0).sum(axis=0) / there.sum(axis=0)
        ends.append(float((filled[0, usable] - means).mean()))
    return ends[0], ends[1]
