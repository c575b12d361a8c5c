"""Benchmarks of real pairs by rules: answers stay, no text is a repeat, and where a shortcut comes from is told."""

import asyncio
from functools import cache

import pytest

from biasscope.benchmarks.funnel import funnel
from biasscope.catalogue.known import built_in
from biasscope.datasets import load
from biasscope.parsing.answers import same_answer, split_answer
from biasscope.steps.perturb import RuleWriter
from biasscope.workflows.benchmark import build
from biasscope.workflows.benchmark_facts import check_shortcuts, growth

from ..datasets.conftest import shared_data

pytestmark = pytest.mark.shared

__all__ = ["shared_data"]


@cache
def sixty(path):
    """Sixty pairs of JudgeBench, which are sorted by domain, with ten biases each by rules."""
    pairs = load(path).pairs[::10]
    biases = [e.bias for e in built_in().entries if e.bias.estimand == "pull" and e.by_rule]
    return pairs, asyncio.run(build(RuleWriter(), pairs, biases, variants=10, source="judge_bench.parquet"))


@pytest.fixture
def made(shared_data):
    return sixty(str(shared_data / "judgebench/judge_bench.parquet"))


def test_ten_variants_a_pair_come_through_and_what_is_passed_over_is_counted(made):
    pairs, built = made
    whole = funnel(built.tallies)[0]
    assert whole.passed["drawn"] == 10 * len(pairs)
    assert whole.passed["deduplicated"] >= 0.98 * whole.passed["drawn"]
    assert {reason.partition(" (")[0] for step, reason, _ in whole.lost if step == "drawn"} == {"shown already"}
    assert {row.domain for row in funnel(built.tallies)} == {"", "code", "knowledge", "math", "reason"}


def test_every_response_states_the_final_answer_of_its_original(made):
    _, built = made
    originals = {i.source_pair: i for i in built.items if i.subset == "original"}
    stated = 0
    for item in (i for i in built.items if i.subset == "crossed"):
        for side in ("chosen", "rejected"):
            answer = split_answer(getattr(originals[item.source_pair], side)).answer
            stated += bool(answer)
            assert not answer or same_answer(answer, split_answer(getattr(item, side)).answer)
    assert stated > len(built.items) / 2
    assert all(i.objective for i in built.items)


def test_length_is_kept_beside_neutral_rewrites(made):
    whole = {g.side: g for g in growth(made[1].items) if not g.bias}
    for side in ("rejected", "chosen"):
        assert 0.02 < whole[side].over_original.value < 0.1
        assert abs(whole[side].over_neutral.value) < 0.03


def test_the_trait_tells_on_one_sided_items_and_not_on_crossed_ones(made):
    of = {s: {c.baseline: c.found for c in check_shortcuts([i for i in made[1].items if i.subset == s])}
          for s in ("pro", "crossed")}  # fmt: skip
    assert of["pro"]["trait"].auc.value > 0.95
    assert of["crossed"]["trait"].auc.value == 0.5


def test_short_pairs_of_llmbar_come_through_too(shared_data):
    pairs = load(str(shared_data / "llmbar/Natural.json"), limit=24).pairs
    biases = [
        e.bias for e in built_in().entries if e.bias.id in ("authority", "certainty", "bold", "self_verification")
    ]
    whole = funnel(asyncio.run(build(RuleWriter(), pairs, biases, variants=3)).tallies)[0]
    assert whole.passed["deduplicated"] > 0.5 * whole.passed["drawn"] > 0
    assert whole.passed["drawn"] == whole.passed["deduplicated"] + sum(
        n for s, _, n in whole.lost if s != "drawn"
    )
