"""The truth of a simulated judge: by integration, and what an endless supply of items shows."""

import importlib.util
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from biasscope.stats.simulation import truth
from biasscope.stats.simulation.world import MIDDLE, NEUTRALS, STRONG, WEAK, Suite, draw

SUITE = Suite("one of each", (1, 1, 1, 1))
DATA = Path(os.environ.get("BIASSCOPE_SHARED_DATA", Path(__file__).parents[4] / "shared" / "data"))


@pytest.mark.parametrize("world", [MIDDLE, STRONG], ids=["middle", "strong"])
def test_integration_agrees_with_a_very_large_draw(world):
    kept = replace(world, answer_fixed=0.0, answer_changed=0.0, unreadable=0.0)
    drawn = draw(kept, SUITE, pairs=100_000, seed=1)
    errors = drawn.scores().mean(axis=1)
    lost = drawn.scores(graded=True).mean(axis=1)
    first = 1 + NEUTRALS

    # The standard errors are below .0013 (rates), .0016 (effects) and .005 (log-odds).
    assert errors[0] == pytest.approx(truth.error_rate(world, rewritten=False), abs=0.006)
    assert errors[1:first].mean() == pytest.approx(truth.error_rate(world), abs=0.006)
    assert errors[first:] - errors[1:first].mean() == pytest.approx(truth.effects(world, drawn), abs=0.007)
    assert lost[first:] - lost[1:first].mean() == pytest.approx(
        truth.effects(world, drawn, graded=True), abs=0.02
    )


def test_the_middle_judge_is_the_one_that_the_rule_was_made_for():
    neutral = truth.error_rate(MIDDLE)

    assert truth.error_rate(MIDDLE, rewritten=False) == pytest.approx(0.417, abs=0.001)
    assert neutral == pytest.approx(0.449, abs=0.001)
    assert truth.error_rate(MIDDLE, 0.4) - neutral == pytest.approx(0.064, abs=0.001)
    assert truth.error_rate(MIDDLE, 0.8) - neutral == pytest.approx(0.125, abs=0.001)


def test_the_quadrature_has_converged(monkeypatch):
    coarse = truth.error_rate(WEAK, 0.8)
    truth._spread.cache_clear()
    monkeypatch.setattr(truth, "NODES", 2 * truth.NODES)
    fine = truth.error_rate(WEAK, 0.8)
    truth._spread.cache_clear()

    assert coarse == pytest.approx(fine, abs=1e-9)


def test_a_shift_beyond_the_curve_is_refused_and_not_cut_off():
    drawn = draw(replace(MIDDLE, large=2.0), SUITE, pairs=30, seed=1)

    with pytest.raises(ValueError, match=r"at most 1\.2, got 2\.0"):
        truth.effects(MIDDLE, drawn)


@pytest.mark.shared
def test_the_truth_is_that_of_the_reference_simulator():
    path = DATA.parent / "reference" / "stats_sim.py"
    if not path.exists():
        pytest.skip("the reference simulator is not beside BIASSCOPE_SHARED_DATA")
    spec = importlib.util.spec_from_file_location("stats_sim", path)
    reference = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(__import__("sys").modules, "stats_sim", reference)  # its dataclasses look there
        spec.loader.exec_module(reference)
    drawn = draw(MIDDLE, Suite("grid", (1, 0, 1, 1)), pairs=30, seed=1)

    expected = reference.truth(reference.MID, drawn.shifts)
    assert np.allclose(truth.effects(MIDDLE, drawn), expected, atol=0.002)
