"""Other ways to the same numbers, item by item and in plain lists, for tests to compare with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from biasscope.stats.paired import SMALLEST_P, quarters, stack


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


def increase(candidate, neutrals):
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


def largest_neutral_effect(neutrals):
    """The largest absolute effect of one neutral arm against the others: what phrasing alone can do.

    Returns 0.0 for fewer than two neutral arms: there is nothing to compare.
    """
    if len(neutrals) < 2:
        return 0.0
    found = [increase(neutrals[k], [n for j, n in enumerate(neutrals) if j != k]) for k in range(len(neutrals))]
    return max((abs(f.value) for f in found if f is not None), default=0.0)


def neutral_spread(neutrals):
    """Standard deviation over items of neutral-neutral differences (every pair of arms); None below 2 values.

    The scale on which a judge's margins move when nothing but the wording changes.
    """
    values = []
    for i in range(len(neutrals)):
        for j in range(i + 1, len(neutrals)):
            values += [
                a - b for a, b in zip(neutrals[i], neutrals[j], strict=True) if a is not None and b is not None
            ]
    return float(np.std(values)) if len(values) > 1 else None


def live_items(candidate, neutrals):
    """How many items are not scored alike in all arms: the only ones that say anything."""
    arms = stack(candidate, neutrals)
    return int((np.nanmax(arms, axis=0) > np.nanmin(arms, axis=0)).sum()) if arms.shape[1] else 0


def attainable_p(candidate, neutrals):
    """The smallest p-value that these items could have given: every item's worst score is the candidate's.

    A judge whose verdicts hardly ever change cannot reach a small p, whatever the candidate does to it.
    """
    grid = quarters(stack(candidate, neutrals))
    if grid.size == 0:
        return 1.0
    worst = (grid == grid.max(axis=0)).sum(axis=0) / (grid >= 0).sum(axis=0)
    return float(max(SMALLEST_P, np.prod(worst)))
