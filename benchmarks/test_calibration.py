"""What `docs/statistics.md` promises, on 2,000 simulated judges a claim: `make calibration`, an hour or so.

Not collected with the tests, which have the same claims on a few dozen judges and with room for chance.
"""

from dataclasses import replace
from functools import cache

import pytest

from biasscope.stats.simulation.world import MIDDLE, SUITES
from biasscope.workflows.calibrate import Setup, calibrate

RUNS = 2_000
DENSE, SPARSE = (SUITES[name] for name in ("20-10-10", "30-12-5-3"))
VARIED = replace(MIDDLE, instruction_sd=0.1, phrasings=3)


@cache
def measured(setup):
    return calibrate(replace(setup, runs=RUNS))


CLAIMS = {
    "default, dense": (Setup(DENSE), {"fdr": (0, 0.03), "recall": (0.90, 1), "calls": (0, 0.53), "teacher": (0, 0.35),
                                      "fcr": (0.93, 0.98), "fresh": (0.93, 0.97), "sham": (0, 0.05)}),
    "default, sparse": (Setup(SPARSE), {"fdr": (0, 0.03), "recall": (0.88, 1), "calls": (0, 0.53),
                                        "teacher": (0, 0.35), "fcr": (0.93, 0.98), "fresh": (0.93, 0.97)}),
    "fast": (Setup(SPARSE, "fast"), {"fdr": (0, 0.03), "recall": (0.72, 1), "calls": (0, 0.35)}),
    "graded, dense": (Setup(DENSE, graded=True), {"fdr": (0, 0.03), "recall": (0.93, 1), "calls": (0, 0.25)}),
    "graded, sparse": (Setup(SPARSE, graded=True), {"fdr": (0, 0.03), "recall": (0.93, 1), "calls": (0, 0.25)}),
    "phrasings that differ": (Setup(SPARSE, world=VARIED), {"fdr": (0, 0.05)}),
    "in iterations": (Setup(SPARSE, iterations=5), {"fdr": (0, 0.03), "recall": (0.88, 1), "calls": (0, 0.53)}),
}  # fmt: skip


@pytest.mark.parametrize("claim", CLAIMS)
def test_the_rule_keeps_what_is_promised(claim):
    setup, bounds = CLAIMS[claim]
    found = measured(setup)
    m = found.measured
    values = {
        "fdr": m.fdr,
        "recall": m.recall_medium_large,
        "calls": m.calls_ratio,
        "teacher": m.teacher_calls_ratio,
        "fcr": m.coverage_fcr,
        "fresh": m.coverage_fresh,
        "sham": found.sham_acceptance,
    }
    missed = {name: values[name] for name, (low, high) in bounds.items() if not low <= values[name].value <= high}

    assert missed == {}


@pytest.mark.parametrize(("suite", "rate"), [(DENSE, 0.49), (SPARSE, 0.59)], ids=["dense", "sparse"])
def test_the_published_rule_has_the_known_false_discovery_rate(suite, rate):
    assert measured(Setup(suite)).alternatives["paper"].fdr.value == pytest.approx(rate, abs=0.02)
