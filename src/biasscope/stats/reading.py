"""One look at one candidate: effect beyond neutral wording, p-value, and whether the data can carry them. Pure.

Scores are errors (fractions) or negated margins (log-odds): higher is worse for the chosen response in both. An
arm is an array over items with NaN where there is no score.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biasscope.records import Unit
from biasscope.stats import effects, paired
from biasscope.stats.normal import upper_tail

Array = NDArray[np.float64]

GRADED_SHARE = 0.25
"""`min_effect` for margins, as a share of the standard deviation of neutral-neutral differences."""


@dataclass(frozen=True, slots=True)
class Wording:
    """What neutral wording alone does to margins at a look: the largest effect of one neutral arm against the
    others, and the standard deviation of neutral-neutral differences (0 where nothing moves)."""

    largest: float = 0.0
    spread: float = 0.0


@dataclass(frozen=True, slots=True)
class Reading:
    """What a candidate's scores say at one look.

    `value` is the mean over `n` items of candidate minus the mean of the item's neutral rewrites, `se` its
    standard error (items that share a question count as one, phrasing variance included for margins). `p` is
    one-sided and unweighted. `moves` is False where the scores hardly ever change, whatever is written;
    `supports` where the data could have given a small p at all.
    """

    unit: Unit
    value: float
    se: float
    n: int
    p: float
    min_effect: float
    moves: bool
    supports: bool
    beyond_wording: bool
    candidate: float
    neutral: float
    live: int

    @property
    def signal(self) -> bool:
        """Whether the data can say anything about an effect of the smallest size of interest."""
        return self.moves and self.supports


def read(
    candidate: Array,
    neutrals: Array,
    *,
    min_effect: float,
    q: float,
    wording: Wording | None = None,
    unit: Unit = "log-odds",
    clusters: NDArray[np.int64] | None = None,
    phrasings: NDArray[np.int64] | None = None,
) -> Reading | None:
    """Read one candidate, shape (items,), against its neutral arms, shape (arms, items); margins in `unit` with `wording`.

    Items without a candidate score or without any neutral score are left out; None where none is left.
    `clusters` numbers the question of each item, `phrasings` the phrasing of the candidate's rewrite. For margins
    `min_effect` is replaced by the graded one. Raises ValueError for scores that are infinite, or errors off the
    grid 0, .25, .5, .75, 1.
    """
    if np.isinf(candidate).any() or np.isinf(neutrals).any():
        raise ValueError("scores must be finite; use NaN for what is missing")
    known = ~np.isnan(neutrals)
    usable = ~np.isnan(candidate) & known.any(axis=0)
    n = int(usable.sum())
    if n == 0:
        return None
    e, others, known = candidate[usable], neutrals[:, usable], known[:, usable]
    neutral = np.where(known, others, 0.0).sum(axis=0) / known.sum(axis=0)
    differences = e - neutral
    value = float(differences.mean())
    se = clustered_se(differences, None if clusters is None else clusters[usable])
    ends = float(e.mean()), float(neutral.mean())
    if wording is None:
        arms = np.vstack([e[None], others])
        p = paired.exact_p_of(arms)
        live = int((np.nanmax(arms, axis=0) > np.nanmin(arms, axis=0)).sum())
        moves = effects.wilson(live, n)[1] >= min_effect
        supports = _attainable(arms) <= q
        return Reading("fraction", value, se, n, p, min_effect, moves, supports, True, *ends, live)
    labels = None if phrasings is None else phrasings[usable].tolist()
    extra = 0.0 if labels is None else effects.phrasing_variance(differences.tolist(), labels)
    p = paired.sign_flip_p_of(by_cluster(differences, None if clusters is None else clusters[usable]))
    total = float(np.sqrt(se**2 + extra))
    if extra > 0:
        # The sign-flip test knows item noise alone; the phrasing component can only weaken the evidence.
        p = max(p, upper_tail(value / total))
    moves = wording.spread > 0 and se > 0
    smallest = GRADED_SHARE * wording.spread
    live = int((differences != 0).sum())
    return Reading(unit, value, total, n, p, smallest, moves, moves, value > wording.largest, *ends, live)


def _attainable(arms: Array) -> float:
    """The smallest p-value that these items could have given: every item's worst score is the candidate's."""
    grid = paired.quarters(arms)
    return float(np.prod((grid == grid.max(axis=0)).sum(axis=0) / (grid >= 0).sum(axis=0)))


def clustered_se(differences: Array, clusters: NDArray[np.int64] | None = None) -> float:
    """Standard error of a mean; items of one cluster count as one draw (cluster-robust, C / (C - 1)).

    With every item its own cluster this is sd / sqrt(n). 0.0 for a single item or cluster.
    """
    n = len(differences)
    centred = differences - differences.mean()
    sums = centred if clusters is None else by_cluster(centred, clusters)
    if len(sums) < 2:
        return 0.0
    return float(np.sqrt((sums**2).sum() * len(sums) / (len(sums) - 1)) / n)


def by_cluster(values: Array, clusters: NDArray[np.int64] | None) -> Array:
    """Sums over the items of each cluster; the values themselves without clusters."""
    if clusters is None:
        return values
    _, index = np.unique(clusters, return_inverse=True)
    return np.asarray(np.bincount(index, weights=values), dtype=np.float64)


def wording_effect(neutrals: Array) -> Wording:
    """What the neutral arms, shape (arms, items), do against each other; zeros with fewer than two arms."""
    arms, _ = neutrals.shape
    known = ~np.isnan(neutrals)
    filled = np.where(known, neutrals, 0.0)
    total, count = filled.sum(axis=0), known.sum(axis=0)
    largest = 0.0
    spread: list[Array] = []
    for k in range(arms):
        rest = count - known[k]
        both = known[k] & (rest > 0)
        if both.any():
            against = (total[both] - filled[k, both]) / rest[both]
            largest = max(largest, abs(float((filled[k, both] - against).mean())))
        for j in range(k + 1, arms):
            pair = known[k] & known[j]
            spread.append(filled[k, pair] - filled[j, pair])
    pooled = np.concatenate(spread) if spread else np.empty(0)
    return Wording(largest, float(pooled.std()) if len(pooled) > 1 else 0.0)
