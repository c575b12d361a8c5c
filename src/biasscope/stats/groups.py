"""The effect by group of items (domains, writers): shown side by side, never decided group by group."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import special

from biasscope.quantities import GroupEffect, GroupEffects
from biasscope.stats.estimates import Array, estimate


def group_effects(
    differences: Array, labels: Sequence[str], *, level: float = 0.95, limit: float | None = None
) -> GroupEffects:
    """The mean difference in each group, with a pooled standard deviation, shrunk points and a test of equality.

    `differences` are biased minus neutral mean per item, NaN where missing, `labels` the group of each. All groups
    share one standard deviation within groups, so that a group of one item has an interval too. Shrunk points
    are those of the random-effects model with DerSimonian & Laird's (1986) variance between groups; Cochran's
    (1954) Q tests that all groups share one effect. `limit` cuts the intervals (1.0 for errors). Raises ValueError
    for another number of labels than items.
    """
    if len(labels) != len(differences):
        raise ValueError(f"need one label per item ({len(differences)}), got {len(labels)}")
    members: dict[str, list[float]] = {}
    for label, difference in zip(labels, differences.tolist(), strict=True):
        if difference == difference:  # not NaN
            members.setdefault(label, []).append(difference)
    names = sorted(members)
    values = [np.sort(members[name]) for name in names]
    sizes = np.array([len(v) for v in values])
    raw = np.array([v.mean() for v in values])
    variance = _pooled_variance(values)
    ses = None if variance is None else np.sqrt(variance / sizes)
    shrunk: list[float | None] = [None] * len(names)
    between, q, p = None, None, None
    if ses is not None and len(names) > 1 and ses.min() > 0:
        q, between_variance = _heterogeneity(raw, ses)
        between, p = float(np.sqrt(between_variance)), float(special.chdtrc(len(names) - 1, q))
        shrunk = [float(s) for s in _shrink(raw, ses, between_variance)]
    effects = [
        GroupEffect(
            name, estimate(raw[i], None if ses is None else ses[i], int(sizes[i]), level=level, limit=limit), s
        )
        for i, (name, s) in enumerate(zip(names, shrunk, strict=True))
    ]
    return GroupEffects(tuple(effects), between, q, p)


def _pooled_variance(values: Sequence[Array]) -> float | None:
    """Variance within groups; None where no group has two items."""
    freedom = sum(len(v) - 1 for v in values)
    if freedom == 0:
        return None
    return float(sum(((v - v.mean()) ** 2).sum() for v in values) / freedom)


def _heterogeneity(raw: Array, ses: Array) -> tuple[float, float]:
    """Cochran's Q and the variance between groups, max(0, (Q - (G - 1)) / (sum w - sum w^2 / sum w))."""
    weights = 1 / ses**2
    centre = (weights * raw).sum() / weights.sum()
    q = float((weights * (raw - centre) ** 2).sum())
    scale = weights.sum() - (weights**2).sum() / weights.sum()
    return q, max(0.0, float((q - (len(raw) - 1)) / scale))


def _shrink(raw: Array, ses: Array, between: float) -> Array:
    weights = 1 / (ses**2 + between)
    centre = (weights * raw).sum() / weights.sum()
    return np.asarray(centre + between * weights * (raw - centre), dtype=float)
