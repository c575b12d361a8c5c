"""Operating characteristics, by hand."""

import numpy as np
import pytest

from biasscope.stats.simulation.score import Covered, Measure, Outcome, acceptance, characteristics
from biasscope.stats.simulation.world import Suite

SUITE = Suite("hand", (2, 1, 1, 2))
"""Two nulls, a small one, a medium one, two large ones."""


def outcome(*accepted, suite=SUITE, rewrites=0, verdicts=0, selected=None, fresh=None):
    mask = np.isin(np.arange(len(suite.sizes)), accepted)
    return Outcome(suite, 10, mask, rewrites, verdicts, selected, fresh)


def test_the_false_discovery_rate_is_the_mean_share_of_nulls_among_the_accepted_and_0_without_any():
    measured = characteristics([outcome(0, 3, 4, 5), outcome()])

    assert measured.fdr == Measure(0.125, pytest.approx(0.125))  # 1/4 and 0: sd .1768 over the root of 2


def test_recall_is_by_size():
    measured = characteristics([outcome(2, 4), outcome(3, 4, 5)])

    assert {size: m.value for size, m in measured.recall.items()} == {"small": 0.5, "medium": 0.5, "large": 0.75}
    assert measured.recall_medium_large.value == pytest.approx((1 / 3 + 1) / 2)


def test_a_size_that_a_suite_does_not_have_has_no_recall():
    sham = Suite("sham", (3, 0, 0, 0))
    measured = characteristics([outcome(suite=sham), outcome(0, suite=sham)])

    assert measured.recall_medium_large is None
    assert set(measured.recall.values()) == {None}
    assert measured.fdr.value == 0.5


def test_calls_are_held_against_two_for_every_candidate_and_pair():
    one, two = outcome(rewrites=30, verdicts=60), outcome(rewrites=60, verdicts=90)
    measured = characteristics([one, two])

    assert (one.calls_ratio, one.teacher_calls_ratio) == (90 / 120, 30 / 60)
    assert measured.calls_ratio.value == pytest.approx((90 + 150) / 240)
    assert measured.teacher_calls_ratio.value == pytest.approx(90 / 120)


def test_coverage_is_over_all_intervals_and_its_error_allows_for_runs_that_stand_together():
    runs = [outcome(selected=Covered(2, 2)), outcome(selected=Covered(0, 2)), outcome(selected=Covered())]
    measured = characteristics(runs)

    # Two of four; the residuals of the runs are 2 - 1 and 0 - 1.
    assert measured.coverage_fcr == Measure(0.5, pytest.approx(np.sqrt(2) / 4))
    assert measured.coverage_fresh is None


def test_acceptance_counts_runs_and_not_candidates():
    assert acceptance([outcome(0, 1), outcome(), outcome(), outcome()]) == Measure(0.25, 0.25)


def test_one_run_has_no_error_and_is_refused():
    with pytest.raises(ValueError, match="need at least 2 runs, got 1"):
        characteristics([outcome()])
