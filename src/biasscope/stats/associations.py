"""How choices between two texts go with what the texts differ in, one feature after the other. No cause is claimed.

Rows are verdicts; what is given about the two texts is first minus second, so that a row turned round says the same.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biasscope.quantities import Estimate
from biasscope.stats.estimates import Array, estimate
from biasscope.stats.paired import sign_flip_p_of
from biasscope.stats.reading import by_cluster

Clusters = NDArray[np.int64]

FEWEST_DIFFERING = 10
"""Questions in which a feature must differ: with fewer signs to flip no p-value stands a correction."""
_UNIDENTIFIED = 1e-9


@dataclass(frozen=True, slots=True)
class Choices:
    """Verdicts as numbers: `differences` [rows, features] first minus second, `chose_first` in [0, 1], `gold` 1 where
    the first is better, -1 where the second, 0 unknown, and `clusters` that number the questions from 0.

    Raises ValueError for arrays of other lengths, NaN, and values outside their range.
    """

    differences: Array
    chose_first: Array
    gold: Array
    clusters: Clusters

    def __post_init__(self) -> None:
        rows = len(self.chose_first)
        if self.differences.ndim != 2 or {len(self.differences), len(self.gold), len(self.clusters)} != {rows}:
            raise ValueError(f"need {rows} rows of differences, gold labels and clusters")
        if not np.isfinite(self.differences).all():
            raise ValueError("differences of features must be finite")
        if (
            not ((self.chose_first >= 0) & (self.chose_first <= 1)).all()
            or not np.isin(self.gold, (-1, 0, 1)).all()
        ):
            raise ValueError("choices lie in [0, 1], gold labels are -1, 0 or 1")

    @property
    def base(self) -> Array:
        """What every feature is looked at beside: the slot and the gold label."""
        return np.column_stack([np.ones(len(self.gold)), self.gold])

    def told(self) -> NDArray[np.bool_]:
        """Which features can be told: they differ in enough questions, and not as the gold label or the slot does."""
        differing = np.array(
            [len(np.unique(self.clusters[column != 0])) for column in self.differences.T], dtype=np.int64
        )
        inner = _beside(self.base, self.differences)
        total = (self.differences**2).sum(axis=0)
        return np.asarray((differing >= FEWEST_DIFFERING) & ((inner**2).sum(axis=0) > _UNIDENTIFIED * total))


@dataclass(frozen=True, slots=True)
class Association:
    """The change of P(chooses the response with more of it) per standard deviation of its difference; two-sided p."""

    change: Estimate
    p: float


def associations(choices: Choices, *, level: float = 0.95) -> list[Association]:
    """The association of every feature with the choice, each by itself, in the order of the features.

    Least squares of the choice on slot, gold label and the difference: the coefficient is a change of probability, with
    a cluster-robust standard error (sandwich, C / (C - 1)) over questions. The p-value is that of flipping the signs of
    the questions' scores (the residual without the feature times its own residual), which stays true for features that
    differ in few questions, where a normal one does not. Raises ValueError for a feature that cannot be told (`Choices.told`).
    """
    if not choices.told().all():
        raise ValueError("a feature hardly ever differs, or differs as the gold label does")
    residual = _beside(choices.base, choices.chose_first[:, None])[:, 0]
    return [_one(choices, column, residual, level) for column in choices.differences.T]


def _one(choices: Choices, column: Array, residual: Array, level: float) -> Association:
    own = _beside(choices.base, (column / column.std())[:, None])[:, 0]
    weight = float(own @ own)
    value = float(own @ residual) / weight
    scores = by_cluster(own * residual, choices.clusters)
    left = by_cluster(own * (residual - value * own), choices.clusters)
    count = len(scores)
    se = float(np.sqrt((left**2).sum() * count / (count - 1))) / weight
    p = min(1.0, 2 * min(sign_flip_p_of(scores), sign_flip_p_of(-scores)))
    return Association(estimate(value, se, len(residual), level=level, limit=1.0), p)


def _beside(base: Array, columns: Array) -> Array:
    """What is left of columns beside the columns of a base."""
    left = columns - base @ np.linalg.lstsq(base, columns, rcond=None)[0]
    # What least squares leaves of nothing is noise of the last digit, and signs of noise would be flipped.
    return np.where(np.abs(left) <= 1e-12 * (1 + np.abs(columns)), 0.0, left)
