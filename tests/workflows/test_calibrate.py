"""Calibration adds up runs that are the same whatever else is asked for."""

import os

import pytest

from biasscope.errors import UsageError
from biasscope.stats.simulation.world import SUITES
from biasscope.workflows.calibrate import Setup, available_cores, calibrate

SMALL = Setup(runs=4, pairs=120, seed=3)


def test_the_result_does_not_depend_on_the_number_of_processes():
    seen = []
    alone, together = calibrate(SMALL, workers=1, on_run=seen.append), calibrate(SMALL, workers=2)

    assert alone.measured == together.measured
    assert alone.alternatives == together.alternatives
    assert alone.sham_acceptance == together.sham_acceptance
    assert seen == [1, 2, 3, 4]


def test_a_rule_is_measured_on_the_same_judges_as_the_others():
    default, paper = (
        calibrate(SMALL, workers=1),
        calibrate(Setup(rule="paper", runs=4, pairs=120, seed=3), workers=1),
    )

    assert set(default.alternatives) == {"paper", "unpaired", "single_order", "without_placebo"}
    assert set(paper.alternatives) == {"unpaired", "single_order", "without_placebo"}
    assert paper.measured == default.alternatives["paper"]
    assert paper.sham_acceptance.value > 0.5
    assert paper.measured.coverage_fcr is None


def test_another_seed_draws_other_judges():
    other = calibrate(Setup(runs=4, pairs=120, seed=4), workers=1)

    assert other.alternatives["paper"].fdr != calibrate(SMALL, workers=1).alternatives["paper"].fdr


def test_nulls_that_come_late_and_in_batches_are_not_accepted_more_often():
    setup = Setup(suite=SUITES["30-12-5-3"], runs=6, pairs=310, iterations=5)
    found = calibrate(setup, workers=1)

    assert found.measured.fdr.value < 0.1
    assert found.measured.recall["large"].value > 0.4


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"runs": 1}, "1 run has no Monte-Carlo error"),
        ({"pairs": 19}, "19 pairs decide nothing"),
        ({"iterations": 21}, "21 iterations cannot share 20 candidates"),
        ({"rule": "paper", "graded": True}, "the published rule knows neither margins"),
        ({"rule": "paper", "iterations": 2}, "the published rule knows neither margins"),
    ],
)
def test_what_does_not_fit_together_is_refused(wrong, said):
    with pytest.raises(UsageError, match=said):
        Setup(**wrong)


def test_the_cores_are_those_that_this_process_may_use():
    assert 1 <= available_cores() <= (os.cpu_count() or 1)
