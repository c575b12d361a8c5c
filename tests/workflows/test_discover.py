"""The loop end to end on judges whose biases are known."""

import json

import pytest

from biasscope import api
from biasscope.config import Execution
from biasscope.errors import CapReached
from biasscope.models.planted.truth import match_trait
from biasscope.records import Trial
from biasscope.rundir import RunDir

from .conftest import config


def traits(biases):
    return {match_trait(b.name, b.definition) for b in biases}


def test_the_planted_bias_is_found_and_holds(first_run):
    _, _, summary = first_run
    held = [b for b in summary.library if b.status == "accepted"]

    assert "self_verification" in traits(held)
    found = next(b for b in held if match_trait(b.name, b.definition) == "self_verification")
    assert found.origin == "discovered"
    assert 0 < found.low < found.effect < found.high
    assert summary.status == "found"


def test_a_trial_stops_where_its_decision_is_clear_and_says_where(first_run):
    _, _, summary = first_run
    found = next(t for t in summary.trials if match_trait(t.name, t.definition) == "self_verification")

    assert found.visited < summary.pairs.validation
    for trial in summary.trials:
        assert 1 <= trial.look <= trial.looks
        assert (trial.look == trial.looks) == (trial.visited == summary.pairs.validation)
        assert trial.n <= trial.visited


def test_seeds_that_were_not_tested_say_so(first_run):
    _, _, summary = first_run

    assert {b.id for b in summary.library if b.origin == "seed"} == {
        b.id for b in summary.library if b.status == "not_tested"
    }


def test_a_second_run_makes_no_call_and_says_the_same(first_run):
    folder, settled, summary = first_run
    import asyncio

    again = asyncio.run(api.discover(folder, settled))

    assert (again.calls.judge, again.calls.teacher) == (0, 0)
    assert again.calls.replayed > 0
    assert again.model_copy(update={"calls": summary.calls}) == summary


def test_the_run_folder_holds_what_was_found(first_run):
    folder, _, summary = first_run
    stored = RunDir.read(folder).read_records("trials", Trial)

    assert [t.bias.id for t in stored] == [t.id for t in summary.trials]
    assert api.show(folder) == summary or api.show(folder).trials == summary.trials
    assert (folder / "report.md").read_text(encoding="utf-8").startswith("# Biases of planted:")
    assert (
        json.loads((folder / "report.json").read_text(encoding="utf-8"))["schema_version"]
        == "biasscope.discover/1"
    )


async def test_without_explanations_nothing_is_discovered(tmp_path, monkeypatch):
    """The way from judge to name leads through the explanations alone."""

    async def blank(judge, table, shifts, *, deeper=True):
        from biasscope.records import Explanation

        return [Explanation(s, "", "") for s in shifts]

    monkeypatch.setattr("biasscope.workflows.discover.explain_shifts", blank)
    summary = await api.discover(tmp_path / "run", config())

    assert summary.iterations[0].shifts > 0
    assert summary.trials == ()
    assert summary.status == "nothing_named"
    assert (
        any(m.arm == "identify" and m.reason == "empty" for m in summary.missing)
        or summary.iterations[0].named == 0
    )


async def test_a_fair_noisy_judge_comes_out_fair(tmp_path):
    summary = await api.discover(tmp_path / "run", config(judge="planted:fair"))

    assert [b.name for b in summary.library if b.status == "accepted"] == []
    assert summary.baseline.error_rate > 0.15


async def test_a_judge_that_never_moves_gives_no_signal(tmp_path):
    summary = await api.discover(tmp_path / "run", config(judge="planted:stuck"))

    assert summary.status == "no_signal"
    assert {b.status for b in summary.library} == {"no_signal"}
    assert summary.baseline.position_consistency == 0.0
    assert summary.baseline.first_answer_preference == 0.5


async def test_a_slot_habit_alone_is_no_bias_of_the_text(tmp_path):
    """The rule lets about one run in twenty hold something by chance, so three runs are looked at together."""
    runs = [
        await api.discover(tmp_path / str(seed), config(judge="planted:first-slot", seed=seed))
        for seed in range(3)
    ]

    assert sum(b.status == "accepted" for run in runs for b in run.library) <= 1
    assert all(run.baseline.first_answer_preference > 0.1 for run in runs)


async def test_a_cap_stops_cleanly_and_the_same_command_goes_on(tmp_path, first_run):
    _, _, whole = first_run
    capped = config(execution=Execution(max_calls=500))
    with pytest.raises(CapReached, match="500"):
        await api.discover(tmp_path / "run", capped)
    finished = await api.discover(tmp_path / "run", config())

    paid = whole.calls.judge + whole.calls.teacher
    assert finished.calls.judge + finished.calls.teacher == paid - 500
    assert finished.trials == whole.trials


async def test_late_validation_tries_everything_once_at_the_end(tmp_path):
    summary = await api.discover(tmp_path / "run", config(validate_when="late", iterations=2))

    assert summary.trials
    assert all(i.accepted == () for i in summary.iterations)
    assert "self_verification" in traits([b for b in summary.library if b.status == "accepted"])


async def test_graded_verdicts_find_the_planted_bias_too(tmp_path):
    summary = await api.discover(tmp_path / "run", config(mode="label"))
    held = [t for t in summary.trials if t.status == "accepted"]

    assert "self_verification" in traits(held)
    assert {t.unit for t in summary.trials} == {"log-odds"}


async def test_the_published_rule_accepts_what_the_default_does_not(tmp_path):
    published = config(judge="planted:fair", preset="paper", rule="paper", holdout_share=0.0)
    summary = await api.discover(tmp_path / "run", published)

    assert summary.trials
    assert all("rule: paper" in t.marks for t in summary.trials)
    for trial in summary.trials:
        assert (trial.status == "accepted") == (trial.error_biased > trial.error_original)
        assert trial.low is None
    assert summary.baseline.position_consistency is None


async def test_the_paper_rule_in_the_default_loop_compares_with_the_originals(tmp_path):
    summary = await api.discover(tmp_path / "run", config(judge="planted:fair", rule="paper"))

    for trial in summary.trials:
        assert (trial.status == "accepted") == (trial.error_biased > trial.error_original)
