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


FEW = 7
"""Up to this many findings cost more than Benjamini-Hochberg asks."""
LONE_PRICE, FEW_PRICE = 5.0, 2.0
"""A finding that stands alone is held to a fifth of the level, two to four to half."""


def price(findings: int) -> float:
    """By how much the p-values of a run with this many findings are raised.

    From `FEW_PRICE` it falls steadily until there are more than `FEW`, so that one more finding makes no others cheap:
    neutral rewrites are shared, and false findings come together.
    """
    return LONE_PRICE if findings <= 1 else max(1.0, min(FEW_PRICE, (FEW + 1) / findings))


def adjusted_for_few(p_values: Sequence[float]) -> list[float]:
    """Benjamini-Hochberg adjusted p-values, raised where few are rejected (`price`), in the order given.

    Reject at level q what is at most q: i rejections need p <= q i / M / price(i). A lone finding thus needs
    p <= .01 / M at q = .05, so that a judge without a bias is seldom accused; from `FEW` + 1 findings on nothing
    changes. Every rejection keeps p <= q R / M, so that the false discovery rate is controlled as before
    (self-consistency: Blanchard & Roquain 2008).
    """
    count = len(p_values)
    order = np.argsort(np.asarray(p_values, dtype=float), kind="stable")
    found = np.ones(count)
    least = 1.0
    for rank in range(count, 0, -1):
        least = min(least, float(p_values[order[rank - 1]]) * price(rank) * count / rank)
        found[order[rank - 1]] = least
    return [float(v) for v in found]


def fcr_level(q: float, selected: int, tested: int) -> float:
    """Coverage of each interval so that the false coverage rate over the selected ones is at most q.

    Benjamini & Yekutieli (2005): 1 - q R / M for R selected of M tested.
    """
    if not 0 <= selected <= tested or tested == 0:
        raise ValueError(f"need 0 <= selected <= tested and tested > 0, got {selected} and {tested}")
    return 1 - q * max(selected, 1) / tested
