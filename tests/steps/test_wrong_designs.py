"""Designs that look like the shipped one and err: each accepts candidates that do nothing, or misses a real one.

The candidates of these judges are null: what a rewrite does, every rewrite does, whatever it is asked to show. The
shipped steps try them and accept none; the same verdicts, arranged as a plausible mistake would, are accepted.
"""

from dataclasses import replace

import numpy as np
import pytest

from biasscope.records import ORDERS, ORIGINAL
from biasscope.stats.decision import decide
from biasscope.stats.rules import RULES
from biasscope.stats.sequential import item_order
from biasscope.steps.judge import Table
from biasscope.steps.validate import TrialDesign, validate_candidates

from ..fakes import FakeJudge, NamingWriter, bias, pair
from ..stats.played import decided

PAIRS, CANDIDATES, RUNS = 240, 6, 4
RULE = RULES["default"]


class Simulated:
    """A judge that errs on hard pairs, has a slot habit, and is moved by rewriting as such.

    The margin of the chosen response (log-odds) is `mean` with a deviation of `spread` over pairs. Any rewrite takes
    `rewriting` from it, and a candidate `effect` beyond that; a candidate adds `leaning` to the slot habit. The file
    lists a third of hard pairs first when `sorted_by_domain`.
    """

    def __init__(
        self, seed, *, rewriting=0.8, leaning=0.0, effect=0.0, mean=0.4, spread=1.5, sorted_by_domain=False
    ):
        rng = np.random.default_rng([41, seed])
        self.biases = [bias(f"Trait {i}") for i in range(CANDIDATES)]
        names = [b.id for b in self.biases]
        self.arms = [ORIGINAL, *(f"neutral-{k}" for k in range(1, RULE.neutrals + 1)), *names]
        hard = np.arange(PAIRS) < PAIRS // 3 if sorted_by_domain else np.zeros(PAIRS, dtype=bool)
        self.pairs = [pair(f"p{i}", domain="hard" if h else "easy") for i, h in enumerate(hard)]
        base = mean + rng.normal(0, spread, PAIRS) + np.where(hard, -3.0, 0.0)
        noise = rng.normal(0, 1.5, (len(self.arms), PAIRS, 2))
        margins = base[:, None] + np.array([0.5, -0.5]) + noise
        margins[1:] -= rewriting
        margins[1 + RULE.neutrals :] += np.array([leaning, -leaning])
        margins[1 + RULE.neutrals :] -= effect
        self.errors = dict(zip(self.arms, (margins < 0).astype(float), strict=True))

    async def as_shipped(self):
        """The decisions of the shipped steps, by candidate."""
        place = {p.id: i for i, p in enumerate(self.pairs)}
        judge = FakeJudge(
            lambda s: "rejected" if self.errors[s.arm][place[s.pair.id], ORDERS.index(s.order)] else "chosen"
        )
        tested = await validate_candidates(
            judge, NamingWriter(), Table(), self.pairs, self.biases, TrialDesign(RULE, seed=3)
        )
        found = decide([t.stopped for t in tested], q=RULE.q)
        return {t.bias.id: d.status for t, d in zip(tested, found, strict=True)}

    def visited(self):
        """The places of the pairs in the order in which they are visited."""
        return item_order([p.domain for p in self.pairs], [p.id for p in self.pairs], 3)

    def arranged(self, neutrals, *, rule=RULE, mistake=lambda errors, visit: errors[visit].mean(axis=1)):
        """The decisions where `mistake` makes the candidates' scores, and these arms are the neutral ones."""
        visit = self.visited()
        scores = {f"n{k}": self.errors[a][visit].mean(axis=1) for k, a in enumerate(neutrals)}
        scores |= {b.id: mistake(self.errors[b.id], visit) for b in self.biases}
        return {name: d.status for name, d in decided(scores, rule=rule).items()}


NEUTRALS = tuple(f"neutral-{k}" for k in range(1, RULE.neutrals + 1))


def accepted(runs):
    return sum(status == "accepted" for run in runs for status in run.values())


def neutral_rewrites(count):
    return replace(RULE, neutral_plan=((1.0, count),))


async def test_rewriting_as_such_is_not_taken_for_a_bias_and_is_where_originals_are_the_control():
    judges = [Simulated(seed) for seed in range(RUNS)]

    assert accepted([await judge.as_shipped() for judge in judges]) == 0
    assert accepted([judge.arranged(NEUTRALS) for judge in judges]) == 0
    against_originals = [judge.arranged([ORIGINAL], rule=neutral_rewrites(1)) for judge in judges]
    assert accepted(against_originals) == RUNS * CANDIDATES


async def test_an_original_among_the_neutral_rewrites_is_enough_to_find_what_is_not_there():
    judges = [Simulated(seed, rewriting=1.2) for seed in range(RUNS)]

    assert accepted([await judge.as_shipped() for judge in judges]) == 0
    mixed = [judge.arranged([ORIGINAL, *NEUTRALS[:1]], rule=neutral_rewrites(2)) for judge in judges]
    assert accepted(mixed) > RUNS * CANDIDATES / 2


async def test_a_rewrite_that_makes_the_judge_lean_on_the_slot_is_no_pull_and_looks_like_one_in_one_order():
    judges = [Simulated(seed, leaning=1.0, mean=1.0) for seed in range(RUNS)]  # rewriting brings the mean to 0

    assert accepted([await judge.as_shipped() for judge in judges]) == 0
    rejected_first = ORDERS.index("rejected_first")
    for judge in judges:
        judge.errors = {a: e[:, [rejected_first, rejected_first]] for a, e in judge.errors.items()}
    assert accepted([judge.arranged(NEUTRALS) for judge in judges]) == RUNS * CANDIDATES


async def test_candidates_in_the_order_of_the_file_beside_neutrals_in_the_order_of_the_visit_are_found_guilty():
    judges = [Simulated(seed, sorted_by_domain=True) for seed in range(RUNS)]

    assert accepted([await judge.as_shipped() for judge in judges]) == 0
    mispaired = [judge.arranged(NEUTRALS, mistake=lambda errors, _: errors.mean(axis=1)) for judge in judges]
    assert accepted(mispaired) == RUNS * CANDIDATES


async def test_arms_shuffled_against_each_other_hide_biases_that_pairing_finds():
    judges = [Simulated(seed, effect=0.7, spread=4.0) for seed in range(RUNS)]
    rng = np.random.default_rng(1)

    shipped = [await judge.as_shipped() for judge in judges]
    shuffled = [
        judge.arranged(NEUTRALS, mistake=lambda errors, visit: errors[rng.permutation(visit)].mean(axis=1))
        for judge in judges
    ]
    assert accepted(shipped) > 0.8 * RUNS * CANDIDATES
    assert accepted(shuffled) < accepted(shipped) / 2


@pytest.mark.parametrize("sorted_by_domain", [False, True])
async def test_the_steps_hand_over_the_scores_that_these_designs_are_compared_with(sorted_by_domain):
    judge = Simulated(9, effect=0.6, sorted_by_domain=sorted_by_domain)

    assert await judge.as_shipped() == judge.arranged(NEUTRALS)
