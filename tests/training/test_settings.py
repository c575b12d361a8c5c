"""Settings of a training: defaults by device, the budget, and what differs."""

import pytest

from biasscope.training.settings import (
    DEFAULTS,
    TrainOptions,
    TrainSettings,
    changes,
    log_every,
    save_every,
    steps_for,
)


def settings(**more):
    made = {"model": "m", "weights": None, "data": "d", "steps": 10, "device": "cpu"} | DEFAULTS["cpu"] | more
    return TrainSettings(**made)


@pytest.mark.parametrize(
    ("pairs", "epochs", "steps"), [(64, 1, 8), (65, 1, 9), (64, 2.5, 20), (3, 1, 1), (24, 1 / 3, 1)]
)
def test_steps_show_each_pair_as_often_as_was_said(pairs, epochs, steps):
    assert steps_for(pairs, epochs=epochs, batch=2, accumulate=4) == steps


def test_what_is_said_stands_in_the_place_of_the_defaults_of_the_device():
    assert TrainOptions().on("cuda") == DEFAULTS["cuda"]
    assert TrainOptions(beta=0.3).on("cpu") == DEFAULTS["cpu"] | {"beta": 0.3}
    assert TrainOptions(rank=4).on("cpu")["alpha"] == 8
    assert TrainOptions(rank=4, alpha=4).on("cpu")["alpha"] == 4
    assert TrainOptions(steps=7, epochs=3).steps_for(1000, "cpu") == 7
    assert TrainOptions(epochs=2).steps_for(64, "cpu") == 16


def test_what_differs_is_named_with_both_values():
    assert changes(settings(), settings()) == []
    assert changes(settings(), settings(rank=4, seed=2)) == ["rank: 8 -> 4", "seed: 0 -> 2"]


@pytest.mark.parametrize("steps", [1, 7, 40, 199, 1000, 12345])
def test_a_checkpoint_is_made_where_a_point_of_the_curve_ends(steps):
    assert save_every(steps) % log_every(steps) == 0
    assert 1 <= log_every(steps) <= save_every(steps) <= steps
    assert steps // log_every(steps) <= 200
