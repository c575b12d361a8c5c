"""Pull and asymmetry: the trait on the rejected and on the chosen response, each beyond neutral wording.

A score is the item's P(prefers the rejected response), mean over both orders. Which side a judge favours by
itself drops out of the pull, which therefore needs no label. With the trait on both responses at once nothing is
pulled: that is an ordinary effect, biased minus neutral.
"""

from __future__ import annotations

import numpy as np

from biasscope.quantities import Sides
from biasscope.stats.estimates import Array, aligned, estimate, jackknife_se, mean_estimate, neutral_mean
from biasscope.stats.rates import Clusters, clustered_mean

SMALL_ERROR = 0.2
"""Below this baseline error fewer and fewer verdicts are left to move, and log-odds compare sides better."""


def sides(
    on_rejected: tuple[Array, Array],
    on_chosen: tuple[Array, Array],
    *,
    baseline_error: float | None,
    labelled: bool = True,
    level: float = 0.95,
    clusters: Clusters | None = None,
) -> Sides | None:
    """Pull = (change on rejected - change on chosen) / 2, asymmetry = their sum, on the items that have both sides.

    Each side is (biased [items], neutrals [arms, items]): scores in [0, 1] with the biased or a neutral rewrite of
    that response. With `baseline_error` (the error rate on originals) below .2 the changes are differences of
    marginal log-odds of the four cell rates, with standard errors from a jackknife over items; where a rate is 0
    or 1, or hangs on one item, fractions stand instead and `reason` says so. Without labels (`labelled` False)
    there are no errors: fractions, and no asymmetry. With `clusters`, the number of each item's cluster, the items of a
    cluster count as one draw. None without a common item. Raises ValueError for arms of different length.
    """
    cells = _common(on_rejected, on_chosen)
    known = ~np.isnan(cells).any(axis=0)
    cells, own = cells[:, known], None if clusters is None else clusters[known]
    if cells.shape[1] == 0:
        return None
    if labelled and baseline_error is not None and baseline_error < SMALL_ERROR:
        found = _log_odds(cells, level, own)
        if found is not None:
            return found
        reason = "an arm is always judged alike, or but for one item, so that its log-odds are unknown"
        return _fractions(cells, level, own, labelled=True, reason=reason)
    return _fractions(cells, level, own, labelled=labelled, reason="")


def _common(on_rejected: tuple[Array, Array], on_chosen: tuple[Array, Array]) -> Array:
    """Biased and neutral mean on rejected, then on chosen [4, items], NaN where an item lacks one."""
    for biased, neutrals in (on_rejected, on_chosen):
        aligned(biased, neutrals)
    if on_rejected[0].shape != on_chosen[0].shape:
        raise ValueError(f"need the same items twice, got {on_rejected[0].shape} and {on_chosen[0].shape}")
    return np.stack(
        [arm for biased, neutrals in (on_rejected, on_chosen) for arm in (biased, neutral_mean(neutrals))]
    )


def _combine(values: Array) -> Array:
    """Change on rejected, change on chosen, pull, asymmetry; from [4, ...] cells."""
    rejected, chosen = values[0] - values[1], values[2] - values[3]
    return np.stack([rejected, chosen, (rejected - chosen) / 2, rejected + chosen])


def _fractions(
    cells: Array, level: float, clusters: Clusters | None, *, labelled: bool, reason: str
) -> Sides | None:
    rejected, chosen, pull, asymmetry = (
        mean_estimate(values, level=level, limit=limit)
        if clusters is None
        else clustered_mean(values, clusters, level=level, limit=limit)
        for values, limit in zip(_combine(cells), (1.0, 1.0, 1.0, 2.0), strict=True)
    )
    if rejected is None or chosen is None or pull is None:
        return None
    return Sides("fraction", rejected, chosen, pull, asymmetry if labelled else None, reason)


def _log_odds(cells: Array, level: float, clusters: Clusters | None) -> Sides | None:
    n = cells.shape[1]
    groups = np.arange(n) if clusters is None else np.unique(clusters, return_inverse=True)[1]
    sizes = np.bincount(groups)
    if len(sizes) < 2:
        return None
    rates = cells.mean(axis=1)
    sums = np.stack([np.bincount(groups, weights=row) for row in cells])
    left_out = (cells.sum(axis=1, keepdims=True) - sums) / (n - sizes)
    if min(left_out.min(), 1 - left_out.max()) < 1e-9:
        return None
    values, spread = _combine(_logit(rates)), _combine(_logit(left_out))
    rejected, chosen, pull, asymmetry = (
        estimate(float(v), jackknife_se(s), n, level=level) for v, s in zip(values, spread, strict=True)
    )
    return Sides("log-odds", rejected, chosen, pull, asymmetry)


def _logit(rates: Array) -> Array:
    return np.asarray(np.log(rates) - np.log1p(-rates), dtype=float)
