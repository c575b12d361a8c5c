"""The proof of the method on judges whose biases are known, over many seeds: `make test-long`.

What a planted judge is drawn by is known, so recall and false findings of the whole loop are counted, not argued:
questions, models and everything drawn have another seed in every run.
"""

from dataclasses import dataclass, field

import pytest

from biasscope import api
from biasscope.config import DataSpec, Identity, ModelSpec, RunConfig
from biasscope.models.planted.truth import match_trait, planted_truth
from biasscope.report.summary import TrialOut

pytestmark = pytest.mark.long

SEEDS = range(20)
STRONG, WEAK = "self_verification", "analogy"


@dataclass
class Proof:
    """Per judge and seed, the accepted trials by the trait they mean (None for one that means no known trait)."""

    found: dict[str, dict[int, list[tuple[str | None, TrialOut]]]] = field(default_factory=dict)

    def of(self, judge):
        """The results of all seeds; skips where only some were run."""
        results = self.found.get(judge, {})
        if sorted(results) != list(SEEDS):
            pytest.skip(f"needs all {len(SEEDS)} seeds of {judge}, {len(results)} were run")
        return results

    def recall(self, trait):
        """In how many runs on the biased judge a trait was found; one that was named twice counts once."""
        return sum(any(meant == trait for meant, _ in held) for held in self.of("two-biases").values())

    def false_findings(self, judge):
        """What was accepted and not planted, with what it takes to look into it."""
        return [
            f"seed {seed}: {t.name} ({trait}), effect {t.effect:.4f}, p {t.p:.5f}, q {t.q:.4f}, n {t.n}"
            for seed, held in self.of(judge).items()
            for trait, t in held
            if trait not in planted_truth(judge)
        ]


@pytest.fixture(scope="session")
def proof():
    return Proof()


def config(judge, seed):
    return RunConfig(
        identity=Identity(
            judge=ModelSpec(spec=f"planted:{judge};seed={seed}"),
            teacher=ModelSpec(spec=f"planted:teacher;seed={seed}"),
            data=DataSpec(
                discovery=f"objective:400?seed={1000 + seed}", validation=f"objective:400?seed={2000 + seed}"
            ),
            seed=seed,
        )
    )


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("judge", ["two-biases", "fair"])
async def test_a_run_ends_with_a_result(tmp_path, proof, judge, seed):
    summary = await api.discover(tmp_path / "run", config(judge, seed))
    held = [t for t in summary.trials if t.status == "accepted"]
    proof.found.setdefault(judge, {})[seed] = [(match_trait(t.name, t.definition), t) for t in held]

    assert summary.complete
    assert summary.baseline.n > 250
    for trial in held:
        assert 0 < trial.low < trial.effect < trial.high


def test_the_planted_biases_are_those_that_are_looked_for():
    assert planted_truth("two-biases") == {STRONG: 1.4, WEAK: 0.9}
    assert planted_truth("fair") == {}


def test_the_strong_bias_is_found_in_at_least_19_of_20_runs(proof):
    assert proof.recall(STRONG) >= 19


def test_the_weak_bias_is_found_in_at_least_16_of_20_runs(proof):
    assert proof.recall(WEAK) >= 16


def test_at_most_two_findings_in_20_runs_were_not_planted(proof):
    others = proof.false_findings("two-biases")
    assert len(others) <= 2, others


def test_nothing_is_found_in_a_fair_judge_in_20_runs(proof):
    assert proof.false_findings("fair") == []
