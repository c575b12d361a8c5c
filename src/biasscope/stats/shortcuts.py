"""Can the better response be told without reading what it says? Baselines on features of the two texts, by cross-validation.

A baseline scores a response by a weighted sum of its features and takes the one with the higher score. Its weights come from
other questions than those that it is tried on. Which slot a response stands in does not enter.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from biasscope.quantities import Estimate
from biasscope.seeds import generator
from biasscope.stats.estimates import Array, estimate
from biasscope.stats.reading import clustered_se

Standing = Literal["near_chance", "shortcut", "open"]

FOLDS = 5
"""Parts of the questions; each is scored with weights from the others."""
INNER_FOLDS = 4
"""Parts of those others, by which the penalty is chosen."""
PENALTIES = (0.001, 0.01, 0.1, 1.0, 10.0)
"""Ridge penalties that are tried, beside columns whose mean square is 1."""
NEAR = 0.05
"""How far from one half an area counts as near chance."""
FEWEST_QUESTIONS = 20
"""Questions below which nothing is said."""

_TIE = 1e-9


@dataclass(frozen=True, slots=True)
class Shortcut:
    """What a baseline gets on items of other questions than it was fitted on.

    `accuracy` is the share of items whose better response scores higher, equal scores counting one half. `auc` is the area
    under the curve of the score differences with every item in both slot orders, the probability that a response that is better
    scores higher beside its other one than one that is worse does. Both are .5 by chance, with intervals by question.
    `weights` are the mean weights of the columns over the folds, for columns of mean square 1; above 0 speaks for a response.
    """

    accuracy: Estimate
    auc: Estimate
    items: int
    questions: int
    standing: Standing
    weights: tuple[float, ...]


def shortcut(
    differences: Array, questions: Sequence[Hashable], *, seed: int = 0, level: float = 0.95
) -> Shortcut | None:
    """Try one baseline. `differences` are features of the better less those of the worse response, shape (items, columns).

    Weights are the ridge discriminant, least squares of the differences on 1 without an intercept: with both slot orders of
    every item, of which the second is the first with its sign turned, this is Fisher's linear discriminant. Folds hold whole
    `questions`, drawn by `seed`; the penalty is the one of `PENALTIES` with the smallest squared error on inner folds.
    An area below one half is no shortcut turned round: of features that carry nothing, the questions that are left out lean the
    other way than those fitted on, and that shows most where everything is balanced.

    `standing` is ``shortcut`` where the interval of the area excludes one half and the area is at least .55,
    ``near_chance`` where the whole interval lies below .55, and ``open`` otherwise.

    None for fewer than `FEWEST_QUESTIONS` questions. Raises ValueError for features that are not finite and for another
    number of questions than items.
    """
    if differences.ndim != 2 or len(questions) != len(differences):
        raise ValueError(f"need one question for each item, got {len(questions)} for shape {differences.shape}")
    if not np.isfinite(differences).all():
        raise ValueError("features must be finite")
    numbers: dict[Hashable, int] = {}
    clusters = np.array([numbers.setdefault(q, len(numbers)) for q in questions], dtype=np.int64)
    if len(numbers) < FEWEST_QUESTIONS:
        return None
    scores, weights = _out_of_fold(differences, clusters, len(numbers), seed)
    right = np.where(scores > 0, 1.0, np.where(scores < 0, 0.0, 0.5))
    ahead = _ahead(scores)
    accuracy = estimate(float(right.mean()), clustered_se(right, clusters), len(right), level=level)
    area = float(ahead.mean())
    # A pair of items enters the area from both of its ends, so that an item's influence is twice what is its own.
    auc = estimate(area, 2 * clustered_se(ahead, clusters), len(ahead), level=level)
    accuracy, auc = _in_range(accuracy), _in_range(auc)
    return Shortcut(accuracy, auc, len(scores), len(numbers), standing(auc), tuple(weights.tolist()))


def standing(auc: Estimate) -> Standing:
    """Whether an area is a shortcut, near chance, or neither as far as the items tell; without an interval the area decides."""
    low = auc.value if auc.low is None else auc.low
    high = auc.value if auc.high is None else auc.high
    if low > 0.5 and auc.value >= 0.5 + NEAR:
        return "shortcut"
    return "near_chance" if high < 0.5 + NEAR else "open"


def _in_range(found: Estimate) -> Estimate:
    """The interval of a share within [0, 1]."""
    if found.low is None or found.high is None:
        return found
    return Estimate(found.value, found.se, max(0.0, found.low), min(1.0, found.high), found.n, found.level)


def _ahead(scores: Array) -> Array:
    """For each item the share of all items whose negated score lies below its own, equal ones counting one half."""
    others = np.sort(-scores)
    below = np.searchsorted(others, scores, side="left")
    upto = np.searchsorted(others, scores, side="right")
    return np.asarray((below + upto) / (2 * len(scores)), dtype=np.float64)


def _out_of_fold(x: Array, clusters: NDArray[np.int64], questions: int, seed: int) -> tuple[Array, Array]:
    """Scores of all items by weights from other questions, and the mean weights."""
    fold = _folds(questions, FOLDS, "shortcut folds", seed)[clusters]
    scores, weights = np.zeros(len(x)), np.zeros(x.shape[1])
    for k in range(FOLDS):
        inside, outside = fold != k, fold == k
        found, size = _fit(x[inside], clusters[inside], questions, seed, k)
        weights += found / FOLDS
        own = (x[outside] / size) @ found
        # Weights of what cancels out are what rounding leaves; those of a single item more on one side are far larger.
        scores[outside] = np.where(np.abs(own) <= _TIE, 0.0, own)
    return scores, weights


def _fit(x: Array, clusters: NDArray[np.int64], questions: int, seed: int, k: int) -> tuple[Array, Array]:
    """Weights for columns of mean square 1, with those sizes; the penalty is chosen on inner folds of whole questions."""
    size = np.sqrt((x**2).mean(axis=0))
    size = np.where(size > 0, size, 1.0)
    scaled = x / size
    fold = _folds(questions, INNER_FOLDS, "shortcut inner folds", seed, k)[clusters]
    parts = [scaled[fold == j] for j in range(INNER_FOLDS)]
    grams = [part.T @ part for part in parts]
    sums = [part.sum(axis=0) for part in parts]
    gram, total = np.sum(grams, axis=0), np.sum(sums, axis=0)
    losses = np.zeros(len(PENALTIES))
    for part, own_gram, own_sum in zip(parts, grams, sums, strict=True):
        tried = _ridge(gram - own_gram, total - own_sum, len(scaled) - len(part))
        losses += ((1 - part @ tried) ** 2).sum(axis=0)
    # The last of equals: where nothing helps, the stronger penalty.
    best = len(PENALTIES) - 1 - int(np.argmin(losses[::-1]))
    return _ridge(gram, total, len(scaled))[:, best], size


def _ridge(gram: Array, total: Array, rows: int) -> Array:
    """The weights under each penalty, shape (columns, penalties), from X'X and X'1."""
    values, vectors = np.linalg.eigh(gram / rows)
    turned = vectors.T @ (total / rows)
    shrunk = turned[:, None] / (np.maximum(values, 0.0)[:, None] + np.array(PENALTIES)[None, :])
    return np.asarray(vectors @ shrunk, dtype=np.float64)


def _folds(questions: int, folds: int, *names: object) -> NDArray[np.int64]:
    """A fold for each question: as equal as can be, drawn by name."""
    return generator(*names, questions).permutation(np.arange(questions) % folds)
