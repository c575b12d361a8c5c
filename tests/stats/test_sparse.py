"""Logistic regression with an L1 penalty."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit

from biasscope.stats.sparse import fit_sparse, log_loss


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(3)
    x = np.column_stack([rng.standard_normal((400, 6)), np.ones(400)])
    chance = expit(x @ np.array([1.0, -0.5, 0.0, 0.0, 0.2, 0.0, 0.3]))
    return x, (rng.random(400) < chance).astype(float), np.arange(7) == 6


def even(x, fits=1):
    return np.full((len(x), fits), 1 / len(x))


def test_without_a_penalty_it_is_the_likeliest_model(rows):
    x, y, _ = rows
    found = fit_sparse(x, y, even(x), 0.0, np.ones(7, dtype=bool), tolerance=1e-9)[:, 0]
    best = minimize(lambda b: log_loss(x, y, b[:, None]).mean(), np.zeros(7), tol=1e-10)

    assert found == pytest.approx(best.x, abs=1e-4)


@pytest.mark.parametrize("penalty", [0.02, 0.03, 0.08])
def test_at_the_end_no_gradient_is_above_the_penalty_and_what_is_held_meets_it(rows, penalty):
    x, y, free = rows
    found = fit_sparse(x, y, even(x), penalty, free, tolerance=1e-9)[:, 0]
    gradient = x.T @ (expit(x @ found) - y) / len(x)
    held = (found != 0) & ~free

    assert gradient[free] == pytest.approx([0.0], abs=1e-6)
    assert gradient[held] == pytest.approx(-penalty * np.sign(found[held]), abs=1e-6)
    assert (np.abs(gradient[~free]) <= penalty + 1e-6).all()
    assert 1 <= held.sum() < 6


def test_above_the_largest_gradient_only_what_is_free_is_left(rows):
    x, y, free = rows
    found = fit_sparse(x, y, even(x), 10.0, free, tolerance=1e-9)[:, 0]

    assert (found[:6] == 0).all()
    assert expit(found[6]) == pytest.approx(y.mean(), abs=1e-6)


def test_many_weightings_at_once_are_what_each_is_alone(rows):
    x, y, free = rows
    halves = np.stack([np.arange(400) < 200, np.arange(400) >= 200], axis=1) / 200
    together = fit_sparse(x, y, halves, 0.03, free, tolerance=1e-9)
    alone = [
        fit_sparse(x[half], y[half], even(x[half]), 0.03, free, tolerance=1e-9)[:, 0]
        for half in (slice(0, 200), slice(200, 400))
    ]

    assert pytest.approx(np.array(alone), abs=1e-6) == together.T


def test_a_share_of_choices_is_what_so_many_choices_are(rows):
    x, _, free = rows
    shares = np.tile([0.25, 0.75, 0.5, 1.0], 100)
    repeated = np.repeat(x, 4, axis=0)
    counted = np.concatenate([np.arange(4) < 4 * share for share in shares]).astype(float)

    assert fit_sparse(x, shares, even(x), 0.01, free, tolerance=1e-9) == pytest.approx(
        fit_sparse(repeated, counted, even(repeated), 0.01, free, tolerance=1e-9), abs=1e-6
    )


def test_a_start_changes_the_way_and_not_the_end(rows):
    x, y, free = rows
    cold = fit_sparse(x, y, even(x), 0.02, free, tolerance=1e-9)
    warm = fit_sparse(x, y, even(x), 0.02, free, start=np.full((7, 1), 2.0), tolerance=1e-9)

    assert warm == pytest.approx(cold, abs=1e-6)


def test_the_loss_is_minus_the_logarithm_of_what_was_chosen():
    x, y = np.array([[0.0], [2.0], [2.0]]), np.array([1.0, 1.0, 0.5])
    found = log_loss(x, y, np.array([[1.0]]))[:, 0]

    p = expit(2.0)
    assert found == pytest.approx([np.log(2), -np.log(p), -(np.log(p) + np.log(1 - p)) / 2])
