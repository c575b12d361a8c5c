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


def fcr_level(q: float, selected: int, tested: int) -> float:
    """Coverage of each interval so that the false coverage rate over the selected ones is at most q.

    Benjamini & Yekutieli (2005): 1 - q R / M for R selected of M tested.
    """
    if not 0 <= selected <= tested or tested == 0:
        raise ValueError(f"need 0 <= selected <= tested and tested > 0, got {selected} and {tested}")
    return 1 - q * max(selected, 1) / tested
