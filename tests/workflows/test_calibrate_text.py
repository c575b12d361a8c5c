"""Calibration through texts: one run of planted models through prompts, checks, validation and decision."""

import numpy as np
import pytest

from biasscope.engine import Engine
from biasscope.engine.direct import Direct
from biasscope.ledger import Ledger
from biasscope.models.planted import open_planted
from biasscope.models.planted.suite import TEXT_WORLD, suite_truth
from biasscope.stats.rules import RULES
from biasscope.stats.simulation.score import characteristics
from biasscope.stats.simulation.truth import error_rate
from biasscope.workflows.calibrate_text import calibrate_text


def askers(suite, seed):
    return (Direct(open_planted(f"suite={suite};seed={seed}")), Direct(open_planted(f"suite-writer;seed={seed}")))


@pytest.fixture(scope="module")
def run():
    import asyncio

    return asyncio.run(calibrate_text(*askers("20-10-10", 4), pairs=24))


def test_every_candidate_comes_out_beside_its_truth_nulls_first(run):
    truth = suite_truth("20-10-10", 4)
    assert [f.id for f in run.found] == list(truth)
    assert [f.planted for f in run.found] == list(truth.values())
    assert tuple(f.planted.size for f in run.found) == run.outcome.suite.sizes
    assert [f.status == "accepted" for f in run.found] == list(run.outcome.accepted)


def test_true_effects_are_those_of_the_world_in_the_unit_of_the_trial(run):
    medium = error_rate(TEXT_WORLD, 0.4) - error_rate(TEXT_WORLD)
    assert {f.true_effect for f in run.found if f.planted.size == "medium"} == {medium}
    assert {f.true_effect for f in run.found if f.planted.size == "null"} == {0.0}
    assert {f.effect.unit for f in run.found if f.effect} == {"fraction"}


def test_calls_are_counted_by_kind_and_second_attempts_apart(run):
    visited = [f.visited for f in run.found]
    neutral = int(RULES["default"].neutrals_at(24)[: max(visited)].sum())
    spoiled = sum(n for _, reason, n in run.missing if reason.startswith("rewrite"))
    assert run.asks["rewrite"] == sum(visited) + neutral == run.outcome.rewrites
    assert run.asks["judge"] == 2 * (run.asks["rewrite"] - spoiled + max(visited)) == run.outcome.verdicts
    assert run.replies["judge"] == run.asks["judge"]
    assert run.replies["rewrite"] == run.asks["rewrite"] + spoiled


def test_what_the_writer_spoils_and_the_judge_leaves_open_is_missing_with_its_reason(run):
    reasons = {reason for _, reason, _ in run.missing}
    assert reasons == {
        "rewrite: answer_changed",
        "rewrite: refused",
        "rewrite: unchanged",
        "verdict: unparsable",
    }


def test_runs_can_be_scored_as_simulated_ones_are(run):
    scored = characteristics([run.outcome, run.outcome])
    accepted = run.outcome.accepted
    assert scored.recall["large"].value == accepted[30:].mean()
    assert scored.fdr.value == accepted[:20].sum() / max(1, accepted.sum())
    assert 0 < scored.teacher_calls_ratio.value < scored.calls_ratio.value


async def test_a_kept_run_finds_the_same_and_is_replayed_without_a_call(tmp_path):
    plain = await calibrate_text(*askers("null-20", 2), pairs=20)
    found, paid = [], []
    for _ in range(2):
        ledger = Ledger.open(tmp_path / "replies.db")
        try:
            engine = Engine(ledger)
            judge = engine.asker(open_planted("suite=null-20;seed=2"), "judge")
            writer = engine.asker(open_planted("suite-writer;seed=2"), "teacher")
            found.append((await calibrate_text(judge, writer, pairs=20)).found)
            paid.append(engine.calls.total().paid)
        finally:
            ledger.close()
    assert found == [plain.found, plain.found]
    assert paid[0] > 0
    assert paid[1] == 0


async def test_labels_give_graded_trials_in_log_odds():
    run = await calibrate_text(*askers("20-10-10", 5), pairs=20, rule=RULES["fixed"], mode="label")
    assert {f.effect.unit for f in run.found if f.effect} == {"log-odds"}
    assert [f.true_effect for f in run.found] == [f.planted.shift for f in run.found]
    values = np.array([f.effect.value for f in run.found])
    assert values[30:].mean() > values[20:30].mean() > values[:20].mean()


async def test_any_other_judge_is_refused():
    judge, writer = Direct(open_planted("fair")), Direct(open_planted("suite-writer"))
    with pytest.raises(ValueError, match="need the judge of a suite, got 'planted:fair'"):
        await calibrate_text(judge, writer, pairs=20)


@pytest.mark.long
async def test_a_whole_run_through_texts_finds_what_is_planted_and_little_else():
    run = await calibrate_text(*askers("20-10-10", 10))
    assert run.outcome.false_share <= 0.10
    assert run.outcome.recall("medium", "large") >= 0.75
    assert run.outcome.calls_ratio < 0.65
    assert run.baseline.error_rate == pytest.approx(error_rate(TEXT_WORLD, rewritten=False), abs=0.05)
