"""Logistic regression with an L1 penalty, for many weightings of the same rows at once.

Fast proximal gradient (FISTA: Beck & Teboulle 2009) with restarts (O'Donoghue & Candes 2015). All sub-samples are columns
of one product of matrices, the response may be any number in [0, 1], and some columns carry no penalty.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from biasscope.stats.estimates import Array

STEPS = 2_000
_POWER_STEPS = 50
_ROOM = 1.1


def fit_sparse(
    x: Array,
    y: Array,
    weights: Array,
    penalty: float,
    free: NDArray[np.bool_],
    *,
    start: Array | None = None,
    tolerance: float = 1e-4,
) -> Array:
    """Coefficients, shape (columns of x, fits), that minimise mean log loss + `penalty` * sum |b| over penalised ones.

    `weights` is (rows, fits) and each column sums to 1; `free` marks columns of `x` without penalty. Ends when no
    coefficient moves by more than `tolerance`, or after `STEPS` steps.
    """
    step = 1 / (_ROOM * _steepest(x, weights) / 4)
    threshold = np.where(free[:, None], 0.0, penalty * step)
    found = np.zeros((x.shape[1], weights.shape[1])) if start is None else start
    ahead, pace = found, np.ones(weights.shape[1])
    for _ in range(STEPS):
        moved = ahead - step * (x.T @ (weights * (expit(x @ ahead) - y[:, None])))
        moved = np.sign(moved) * np.maximum(np.abs(moved) - threshold, 0.0)
        change = moved - found
        # Where the last step goes against the gradient, what was gathered is given up.
        pace = np.where(((ahead - moved) * change).sum(axis=0) > 0, 1.0, pace)
        faster = (1 + np.sqrt(1 + 4 * pace**2)) / 2
        ahead, found, pace = moved + (pace - 1) / faster * change, moved, faster
        if np.abs(change).max(initial=0.0) < tolerance:
            break
    return found


def log_loss(x: Array, y: Array, coefficients: Array) -> Array:
    """The log loss of every row under every fit, shape (rows, fits)."""
    score = x @ coefficients
    return np.asarray(np.logaddexp(0, score) - y[:, None] * score)


def _steepest(x: Array, weights: Array) -> Array:
    """The largest eigenvalue of x' W x for each weighting, by the power method."""
    vector = np.ones((x.shape[1], weights.shape[1]))
    size = np.ones(weights.shape[1])
    for _ in range(_POWER_STEPS):
        vector = x.T @ (weights * (x @ (vector / size)))
        size = np.maximum(np.linalg.norm(vector, axis=0), np.finfo(float).tiny)
    return size
