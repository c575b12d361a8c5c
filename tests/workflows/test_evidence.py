"""The pairs to read before believing a finding: which they are, and that they are what was judged."""

from biasscope import api
from biasscope.records import Evidence, Trial
from biasscope.rundir import RunDir
from biasscope.workflows.evidence import MOST

from .conftest import config


def stored(folder):
    run = RunDir.read(folder)
    return run.read_records("evidence", Evidence), run.read_records("trials", Trial)


def test_every_accepted_bias_has_its_sighting_and_at_most_five_pairs_of_its_trial(first_run):
    folder, _, summary = first_run
    evidence, _ = stored(folder)
    accepted = [t.id for t in summary.trials if t.status == "accepted"]

    assert accepted
    assert list(dict.fromkeys(e.bias_id for e in evidence)) == accepted
    for bias in accepted:
        roles = [e.role for e in evidence if e.bias_id == bias]
        assert roles[0] == "discovery"
        assert 1 <= roles.count("validation") <= MOST
        assert roles.count("discovery") == 1


def test_the_pairs_of_a_trial_come_strongest_first_and_the_verdict_turned_on_each(first_run):
    folder, _, _ = first_run
    evidence, _ = stored(folder)
    for one in evidence:
        if one.role == "discovery":
            continue
        choices = {(v.arm, v.order): v.choice for v in one.verdicts}
        turned = [
            order
            for order in ("chosen_first", "rejected_first")
            if (choices[one.neutral.arm, order], choices[one.rewrite.arm, order]) == ("chosen", "rejected")
        ]
        assert turned
        assert one.written == one.bias_id == one.rewrite.arm
        assert one.loss > 0
        assert one.unit == "fraction"
        assert len(one.verdicts) == 6
        assert all(v.keys for v in one.verdicts)
        assert one.rewrite.text != one.neutral.text


def test_a_sighting_tells_how_the_name_came_about(first_run):
    folder, _, _ = first_run
    evidence, trials = stored(folder)
    names = {t.bias.id: t.bias for t in trials}
    for one in (e for e in evidence if e.role == "discovery"):
        bias = names[one.bias_id]
        assert one.pair.id in bias.evidence
        assert one.account.reasoning
        assert one.account.deeper
        assert one.account.keys
        assert one.account.definition
        # It was seen while looking for it with another one.
        assert one.written != one.bias_id


def test_discovery_pairs_and_pairs_of_trials_are_not_the_same(first_run):
    folder, _, _ = first_run
    evidence, _ = stored(folder)
    seen = {e.pair.id for e in evidence if e.role == "discovery"}

    assert not seen & {e.pair.id for e in evidence if e.role == "validation"}


async def test_graded_verdicts_give_losses_in_log_odds(tmp_path):
    run = tmp_path / "run"
    summary = await api.discover(run, config(mode="label", null_control=0))
    evidence, _ = stored(run)

    assert summary.status == "found"
    assert {e.unit for e in evidence} == {"log-odds"}
    assert all(e.loss > 0 for e in evidence)


async def test_the_published_procedure_has_evidence_without_a_neutral_rewrite(tmp_path):
    run = tmp_path / "run"
    summary = await api.discover(run, config(preset="paper", rule="paper"))
    evidence, _ = stored(run)
    trial_pairs = [e for e in evidence if e.role == "validation"]

    assert {e.bias_id for e in evidence} <= {t.id for t in summary.trials if t.status == "accepted"}
    assert trial_pairs
    assert all(e.neutral is None for e in evidence)
    for one in trial_pairs:
        choices = {v.arm: v.choice for v in one.verdicts}
        assert choices == {"original": "chosen", one.bias_id: "rejected"}


async def test_a_run_in_which_nothing_holds_has_no_evidence(tmp_path):
    run = tmp_path / "run"
    summary = await api.discover(run, config(judge="planted:fair"))

    assert summary.status != "found"
    assert stored(run)[0] == []
