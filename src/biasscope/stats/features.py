"""Which features of two texts a judge's choices go by: a sparse model of the choice, and how stable its selection is.

P(chooses the first) = logistic(slot + label * gold + sum of weight * difference + interaction * |difference| * gold).
Turning a pair round turns every term but the slot. That is why the interaction is with the size of the difference: the
difference times the gold label is the same for both orders and could only describe a slot habit. An interaction above 0
says that a feature draws more where it stands on the better response.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biasscope import seeds
from biasscope.stats.associations import Choices, Clusters
from biasscope.stats.estimates import Array
from biasscope.stats.sparse import fit_sparse, log_loss

FOLDS = 5
PENALTIES = 12
"""Penalties that are tried, from the one that leaves nothing down to a tenth of it."""
LEAST_PENALTY = 0.1
HALVES = 50
"""Splits of the questions into two halves; each half is a sub-sample."""
STABLE = 0.8
"""Share of the sub-samples in which a feature must be selected to be proposed."""
LEVEL = 0.03
"""Level of the correction over features (`multiple.adjusted`) that a proposal must pass besides: of judges that go by
none of them, at most about so many are said to go by any. Below 5 %, so that 1 in 20 is kept with room."""
FEWEST_PAIRS = 150
"""Pairs below which nothing is proposed."""


@dataclass(frozen=True, slots=True)
class FeatureWeight:
    """One feature in the sparse model: `weight` and `interaction` in log-odds per standard deviation of its difference.

    `frequency` is the share of sub-samples whose model holds it with the sign of `weight`; 0 where that is 0.
    """

    weight: float
    interaction: float
    frequency: float


def sparse_weights(choices: Choices, *, seed: int) -> list[FeatureWeight]:
    """Fit the sparse model and count how often sub-samples of the questions select each feature.

    The penalty is the one with the smallest log loss on questions left out (`FOLDS` folds). Then the model is fitted to
    both halves of `HALVES` random splits of the questions (complementary pairs: Shah & Samworth 2013; stability
    selection: Meinshausen & Buehlmann 2010). A frequency says whether other features explain the choices as well, not
    whether there is anything: noise is selected in every second half when the penalty is weak. So a proposal takes
    `STABLE` and, besides, a marginal association that holds under a correction over all features. Raises ValueError for
    a feature that cannot be told (`Choices.told`), or fewer questions than folds.
    """
    questions = int(choices.clusters.max(initial=-1)) + 1
    if questions < FOLDS:
        raise ValueError(f"need at least {FOLDS} questions, got {questions}")
    if not choices.told().all():
        raise ValueError("a feature hardly ever differs, or differs as the gold label does")
    count = choices.differences.shape[1]
    x, free = _design(choices)
    penalty = _penalty(x, choices, free, seeds.generator("folds", seed).permutation(questions) % FOLDS)
    everything = _share(np.ones((len(x), 1)))
    found = fit_sparse(x, choices.chose_first, everything, penalty, free, tolerance=1e-6)[:, 0]
    parts = fit_sparse(x, choices.chose_first, _halves(choices.clusters, questions, seed), penalty, free)
    same = np.sign(parts[:count]) == np.sign(found[:count])[:, None]
    frequency = np.where(found[:count] == 0, 0.0, same.mean(axis=1))
    rows = zip(found[:count], found[count : 2 * count], frequency, strict=True)
    return [FeatureWeight(float(w), float(i), float(f)) for w, i, f in rows]


def _design(choices: Choices) -> tuple[Array, NDArray[np.bool_]]:
    """Differences and interactions in standard deviations, then the gold label and the slot, which carry no penalty."""
    scaled = choices.differences / choices.differences.std(axis=0)
    size = np.abs(scaled)
    interactions = (size - size.mean(axis=0)) * choices.gold[:, None]
    free = np.arange(2 * scaled.shape[1] + 2) >= 2 * scaled.shape[1]
    return np.column_stack([scaled, interactions, choices.gold, np.ones(len(scaled))]), free


def _share(weights: Array) -> Array:
    return np.asarray(weights / weights.sum(axis=0))


def _penalty(x: Array, choices: Choices, free: NDArray[np.bool_], fold_of: Clusters) -> float:
    """The penalty whose models predict the questions of the left-out fold best."""
    y, rows = choices.chose_first, _share(np.ones((len(x), 1)))
    base = fit_sparse(x[:, free], y, rows, 0.0, np.ones(int(free.sum()), dtype=bool), tolerance=1e-8)
    pull = x[:, ~free].T @ (rows[:, 0] * (1 / (1 + np.exp(-(x[:, free] @ base)[:, 0])) - y))
    tried = float(np.abs(pull).max()) * np.geomspace(1, LEAST_PENALTY, PENALTIES)
    left_out = fold_of[choices.clusters][:, None] == np.arange(FOLDS)
    weights = _share((~left_out).astype(float))
    losses: list[float] = []
    coefficients: Array | None = None
    for penalty in tried:
        coefficients = fit_sparse(x, y, weights, float(penalty), free, start=coefficients)
        losses.append(float(log_loss(x, y, coefficients)[left_out].mean()))
    return float(tried[int(np.argmin(losses))])


def _halves(clusters: Clusters, questions: int, seed: int) -> Array:
    """Weights of both halves of every split of the questions, shape (rows, 2 * HALVES)."""
    draw = seeds.generator("halves", seed)
    first = np.stack([draw.permutation(questions) < questions // 2 for _ in range(HALVES)], axis=1)
    rows = first[clusters]
    return _share(np.concatenate([rows, ~rows], axis=1).astype(float))
