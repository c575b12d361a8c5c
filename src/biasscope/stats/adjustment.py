"""Coefficients by which margins are corrected: what the slot adds, and what features of the texts add within a variant. Pure.

Within a variant the same two contents are shown with the trait on either response, both or none, so that what is fitted there
is what the writing does and not what better responses have in common.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biasscope import seeds
from biasscope.stats.estimates import Array
from biasscope.stats.rates import Clusters

PENALTIES: tuple[float, ...] = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
"""Ridge penalties that are tried, as multiples of the number of rows, on features that differ by 1 between the responses of a pair."""
FOLDS = 5
FEWEST_QUESTIONS = 10
"""Fewest questions from which slopes are fitted: with fewer there is nothing to check them on."""
LEAST_SHARE = 0.05
"""Share of the variants in which a feature must vary to have a slope."""
LEAST_SPREAD = 0.2
"""Smallest ratio of how much a feature varies within variants to how much pairs differ in it: below, a slope would be carried
far beyond what it was fitted on."""


@dataclass(frozen=True, slots=True)
class Slopes:
    """One slope per feature, 0 where a feature hardly varies, with the share of the variance within variants that they explain
    on questions they were not fitted on (`explained`, at most 1; below 0 is worse than nothing, and then all slopes are 0)."""

    values: Array
    explained: float


def fit_slopes(
    margins: Array, differences: Array, variants: Clusters, questions: Clusters, *, seed: object = 0
) -> Slopes:
    """Ridge regression of margins on feature differences within variants; the penalty is chosen by cross-validation by question.

    `margins` [items] are means over both orders towards the chosen response, `differences` [items, features] chosen less
    rejected, `variants` and `questions` number what an item belongs to. Items without a margin (NaN) are left out. All slopes
    are 0 where fewer than `FEWEST_QUESTIONS` questions have items, or where what they predict does not hold on other questions.
    Raises ValueError for arrays of different length.
    """  # fmt: skip
    if not len(margins) == len(differences) == len(variants) == len(questions):
        raise ValueError("need one margin, row of differences, variant and question per item")
    known = ~np.isnan(margins)
    y = _within(margins[known], variants[known])
    x = _within(differences[known], variants[known])
    own, of_variant = questions[known], variants[known]
    nothing = np.zeros(differences.shape[1])
    if len(np.unique(own)) < FEWEST_QUESTIONS:
        return Slopes(nothing, 0.0)
    # By how much pairs differ, and not by how little a variant does: a slope is applied to the former.
    scale = np.sqrt((differences[known] ** 2).mean(axis=0))
    within = np.sqrt((x**2).mean(axis=0))
    usable = (within > LEAST_SPREAD * scale) & (_share_varying(x, of_variant) >= LEAST_SHARE)
    if not usable.any():
        return Slopes(nothing, 0.0)
    z = x[:, usable] / scale[usable]
    folds = _folds(own, seed)
    losses = [_loss(z, y, folds, penalty) for penalty in PENALTIES]
    best = int(np.argmin(losses))
    total = float((y**2).mean())
    explained = 1 - losses[best] / total if total > 0 else 0.0
    if explained <= 0:
        return Slopes(nothing, explained)
    values = nothing.copy()
    values[usable] = _ridge(z, y, PENALTIES[best]) / scale[usable]
    return Slopes(values, explained)


def slot_of(chosen_first: Array, rejected_first: Array) -> float:
    """What the response shown first gains by that: from margins towards the chosen response in either order, [items].

    Half the difference of the two, mean over the items that have both; 0 without one.
    """
    gains = (chosen_first - rejected_first) / 2
    known = ~np.isnan(gains)
    return float(np.sort(gains[known]).mean()) if known.any() else 0.0


def _within(values: Array, groups: Clusters) -> Array:
    """Values less the mean of their group, along the first axis."""
    _, index = np.unique(groups, return_inverse=True)
    counts = np.bincount(index)
    columns = values[:, None] if values.ndim == 1 else values
    sums = np.zeros((len(counts), columns.shape[1]))
    np.add.at(sums, index, columns)
    centred = columns - (sums / counts[:, None])[index]
    return np.asarray(centred[:, 0] if values.ndim == 1 else centred, dtype=float)


def _share_varying(x: Array, variants: Clusters) -> Array:
    names, index = np.unique(variants, return_inverse=True)
    varies = np.zeros((len(names), x.shape[1]), dtype=bool)
    np.logical_or.at(varies, index, np.abs(x) > 1e-9)
    return np.asarray(varies.mean(axis=0), dtype=float)


def _folds(questions: Clusters, seed: object) -> list[NDArray[np.bool_]]:
    """Masks of the items held out in each fold; a question is in one."""
    names = np.unique(questions)
    order = seeds.generator("adjustment", seed).permutation(len(names))
    fold_of = dict(zip(names[order].tolist(), (np.arange(len(names)) % FOLDS).tolist(), strict=True))
    held = np.array([fold_of[q] for q in questions.tolist()])
    return [held == k for k in range(FOLDS)]


def _loss(x: Array, y: Array, folds: Sequence[NDArray[np.bool_]], penalty: float) -> float:
    """Mean squared error on what is held out."""
    errors = [y[held] - x[held] @ _ridge(x[~held], y[~held], penalty) for held in folds]
    return float(np.mean(np.concatenate(errors) ** 2))


def _ridge(x: Array, y: Array, penalty: float) -> Array:
    gram = x.T @ x + penalty * len(x) * np.eye(x.shape[1])
    return np.asarray(np.linalg.solve(gram, x.T @ y), dtype=float)
