"""The shipped rule decides as the reference implementation of the statistics does, candidate by candidate."""

import importlib.util
import os
from pathlib import Path

import numpy as np
import pytest

from biasscope.stats.decision import decide
from biasscope.stats.multiple import FEW
from biasscope.stats.rules import RULES

from .played import play

pytestmark = pytest.mark.shared

DATA = Path(os.environ.get("BIASSCOPE_SHARED_DATA", Path(__file__).parents[3] / "shared" / "data"))
EFFECTS = [0.0] * 24 + [0.15] * 10 + [0.4] * 5 + [0.8] * 3
"""Shifts in log-odds of the candidates of a run: null, small, medium, large."""


@pytest.fixture(scope="module")
def reference():
    path = DATA.parent / "reference" / "biasval_ref.py"
    if not path.is_file():
        pytest.skip(f"no reference at {path}; set BIASSCOPE_SHARED_DATA to the folder beside it")
    spec = importlib.util.spec_from_file_location("biasval_ref", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def simulated(seed, items):
    """Errors of candidates and of five neutral arms: hard items, a slot habit, some ties and gaps, both orders."""
    rng = np.random.default_rng([77, seed])
    shifts = np.array([*EFFECTS, *[0.0] * 5])
    base = rng.normal(0.4, 1.5, items)
    lean = base - (0.2 + shifts[:, None]) * rng.gamma(2, 0.5, (len(shifts), items))
    margins = lean[..., None] + np.array([0.5, -0.5]) + rng.normal(0, 1.5, (len(shifts), items, 2))
    errors = np.where(np.abs(margins) < 0.1, 0.5, margins < 0).mean(axis=-1)
    errors[rng.random(errors.shape) < 0.04] = np.nan
    names = [f"c{i}" for i in range(len(EFFECTS))] + [f"n{k}" for k in range(5)]
    return dict(zip(names, errors, strict=True))


@pytest.fixture(scope="module")
def compared(reference):
    """What the reference found about each candidate of eight runs, where ours stopped it, and our decision."""
    found = []
    # From 250 items on no looks fall together; where they do, the reference does not add up their weights.
    for seed, items in enumerate([620, 620, 400, 400, 310, 310, 310, 310]):
        scores = simulated(seed, items)
        planned = RULES["default"].neutrals_at(items)
        neutrals = np.stack([np.where(planned > k, scores[f"n{k}"], np.nan) for k in range(5)])
        names = [a for a in scores if a.startswith("c")]
        theirs, _, _ = reference.validate(
            items, names, lambda name, a, b, of=scores: of[name][a:b], lambda a, b, of=neutrals: of[:, a:b]
        )
        stopped, _ = play(scores)
        ours = dict(zip(stopped, decide(list(stopped.values()), q=0.05), strict=True))
        # A run's decision is stricter where little was found; trials are the reference's.
        many = sum(t["status"] == "accepted" for t in theirs.values()) > FEW
        found += [(theirs[name], stopped[name], ours[name], many) for name in names]
    return found


def test_more_than_three_hundred_candidates_of_every_status_are_compared(compared):
    assert len(compared) > 300
    assert {theirs["status"] for theirs, *_ in compared} == {"accepted", "dropped", "not shown"}


def test_every_candidate_has_the_status_of_the_reference_on_as_many_items(compared):
    for theirs, stopped, ours, many in compared:
        assert not many or ours.status == stopped.status
        assert (stopped.status, stopped.n) == (theirs["status"].replace(" ", "_"), theirs["n"])


def test_every_candidate_has_the_p_and_the_effect_of_the_reference(compared):
    for theirs, stopped, ours, _ in compared:
        assert stopped.p == pytest.approx(theirs["p"], rel=1e-6)
        assert ours.effect.value == pytest.approx(theirs["effect"], abs=1e-9)


def test_every_accepted_candidate_has_the_interval_of_the_reference(compared):
    assert any(many for *_, many in compared)
    for theirs, _, ours, many in compared:
        if many and ours.status == "accepted":
            assert (ours.effect.low, ours.effect.high) == pytest.approx(theirs["ci"], abs=1e-9)
