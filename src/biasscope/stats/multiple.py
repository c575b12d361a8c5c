"""Many candidates at once: Benjamini-Hochberg over everything tested, and intervals for what was selected."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import stats as distributions


def adjusted(p_values: Sequence[float]) -> list[float]:
    """Benjamini-Hochberg adjusted p-values, in the order given; reject at level q what is at most q.

    The count is of tested hypotheses: what was dropped or merged after testing stays in with its p or 1.
    Benjamini & Hochberg (1995); `scipy.stats.false_discovery_control`.
    """
    if not p_values:
        return []
    return [
        float(v) for v in distributions.false_discovery_control(np.asarray(p_values, dtype=float), method="bh")
    ]


FEW = 4
"""Up to this many findings a run is held to half the level."""


def adjusted_for_few(p_values: Sequence[float]) -> list[float]:
    """Benjamini-Hochberg adjusted p-values with twice the price for up to `FEW` rejections, in the order given.

    Reject at level q what is at most q: i rejections need p <= q i / M, for i up to `FEW` half of that. A judge
    without a bias is then accused in at most q / 2 of the runs, and a finding that stands alone has a one-sided p
    of at most q / 2, as its two-sided interval demands; with more findings nothing changes. Every rejection keeps
    p <= q R / M, so that the false discovery rate is controlled as before (self-consistency: Blanchard & Roquain
    2008).
    """
    count = len(p_values)
    order = np.argsort(np.asarray(p_values, dtype=float), kind="stable")
    found = np.ones(count)
    least = 1.0
    for rank in range(count, 0, -1):
        price = 2.0 if rank <= FEW else 1.0
        least = min(least, float(p_values[order[rank - 1]]) * price * count / rank)
        found[order[rank - 1]] = least
    return [float(v) for v in found]


def fcr_level(q: float, selected: int, tested: int) -> float:
    """Coverage of each interval so that the false coverage rate over the selected ones is at most q.

    Benjamini & Yekutieli (2005): 1 - q R / M for R selected of M tested.
    """
    if not 0 <= selected <= tested or tested == 0:
        raise ValueError(f"need 0 <= selected <= tested and tested > 0, got {selected} and {tested}")
    return 1 - q * max(selected, 1) / tested
