"""The shipped rule on simulated judges: what it promises holds, and what a worse rule does would be seen."""

import numpy as np
import pytest

from biasscope.stats.rules import RULES
from biasscope.stats.simulation.alternatives import ALTERNATIVES
from biasscope.stats.simulation.score import acceptance, characteristics
from biasscope.stats.simulation.shipped import shipped
from biasscope.stats.simulation.world import MIDDLE, SUITES, draw

RUNS = 30


@pytest.fixture(scope="module")
def draws():
    return [draw(MIDDLE, SUITES["20-10-10"], pairs=620, seed=k) for k in range(RUNS)]


def keeps_its_promises(found):
    """Each bound is at least four standard errors of `RUNS` runs away from what the rule does over thousands."""
    return found.fdr.value <= 0.03 and found.recall_medium_large.value >= 0.88 and found.calls_ratio.value <= 0.53


def test_the_default_rule_keeps_its_promises(draws):
    found = characteristics([shipped(MIDDLE, d, RULES["default"]) for d in draws])

    assert keeps_its_promises(found)
    assert found.teacher_calls_ratio.value <= 0.35
    assert found.coverage_fcr.value > 0.9
    assert found.coverage_fresh.value > 0.88


def test_no_rule_beside_it_does(draws):
    kept = [
        n for n, rule in ALTERNATIVES.items() if keeps_its_promises(characteristics([rule(d) for d in draws]))
    ]

    assert kept == []


def test_the_same_rule_against_originals_in_place_of_neutral_rewrites_does_not(draws):
    def without(d):
        arms = np.r_[[0] * 6, 6 : len(d.wrong)]
        return type(d)(**{f: getattr(d, f) for f in d.__dataclass_fields__} | {
            f: getattr(d, f)[arms] for f in ("wrong", "margins", "unreadable", "refused")})  # fmt: skip

    found = characteristics([shipped(MIDDLE, without(d), RULES["default"]) for d in draws[:10]])

    assert not keeps_its_promises(found)


def test_a_faster_rule_costs_less_and_finds_less_and_a_graded_judge_costs_least(draws):
    few = draws[:6]
    default, fast = (characteristics([shipped(MIDDLE, d, RULES[r]) for d in few]) for r in ("default", "fast"))
    graded = characteristics([shipped(MIDDLE, d, RULES["default"], graded=True) for d in few])

    assert graded.calls_ratio.value < fast.calls_ratio.value < default.calls_ratio.value
    assert fast.recall_medium_large.value < default.recall_medium_large.value
    assert graded.recall_medium_large.value > 0.9
    assert graded.fdr.value < 0.05


def test_sham_candidates_are_hardly_ever_accepted():
    sham = [draw(MIDDLE, SUITES["null-20"], pairs=310, seed=k) for k in range(20)]
    accepted = acceptance([shipped(MIDDLE, d, RULES["default"]) for d in sham])

    assert accepted.value <= 0.25  # five of twenty runs at a rate of .03 are fewer than 1 in 4,000


def test_candidates_in_batches_pay_neutral_rewrites_and_originals_once(draws):
    whole = shipped(MIDDLE, draws[0], RULES["fixed"])
    batched = shipped(MIDDLE, draws[0], RULES["fixed"], batches=5)

    assert (whole.rewrites, whole.verdicts) == (620 * 43, 620 * 43 * 2 + 2 * 620)
    assert (batched.rewrites, batched.verdicts) == (whole.rewrites, whole.verdicts)


def test_the_calls_of_the_machine_are_what_it_visited(draws):
    # Nothing is ever accepted or dropped on so few pairs but at the last look, so that all of them are visited.
    few = draw(MIDDLE, SUITES["20-10-10"], pairs=20, seed=1)
    outcome = shipped(MIDDLE, few, RULES["default"])

    assert outcome.rewrites == 20 * 40 + int(RULES["default"].neutrals_at(20).sum())
    assert outcome.fresh.of == 0
