"""The loop with candidates from features of the texts: with a teacher, without one, and beside one."""

import pytest

from biasscope import api
from biasscope.config import DataSpec, Identity, JudgeSpec, ModelSpec, RunConfig
from biasscope.errors import ConfigError
from biasscope.models.planted.truth import match_trait
from biasscope.quantities import (
    Estimate,
    FeatureAssociation,
    FeatureAssociations,
    FeatureProposal,
    FeatureProposals,
)
from biasscope.records import Iteration
from biasscope.rundir import RunDir
from biasscope.steps.perturb import Job, RuleWriter
from biasscope.workflows.from_features import entries_to_try, rule_shams

from ..fakes import bias, pair
from .conftest import config

pytestmark = pytest.mark.slow

JUDGE = "planted:biases=self_verification@2.5,analogy@2.5,authority@2;noise=0.8"
TEXTS = DataSpec(discovery="objective:400?seed=1", validation="objective:100?seed=2")
FEW = DataSpec(discovery="objective:160?seed=1", validation="objective:40?seed=2")


def alone(judge=JUDGE, **changes):
    identity = {"judge": JudgeSpec(spec=judge), "proposer": "features", "data": TEXTS}
    return RunConfig(identity=Identity(**identity | changes))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    import asyncio

    folder = tmp_path_factory.mktemp("features") / "run"
    return folder, asyncio.run(api.discover(folder, alone()))


def test_features_find_what_the_judge_goes_by_without_a_single_call_to_a_teacher(run):
    _, summary = run
    held = {b.id for b in summary.library if b.status == "accepted"}

    assert {"self_verification", "authority"} <= held
    assert summary.calls.teacher == 0
    assert summary.teacher is None
    assert summary.status == "found"


def test_a_seed_that_was_proposed_is_tried_and_stands_in_the_library_once(run):
    _, summary = run
    authority = next(t for t in summary.trials if t.id == "authority")

    assert authority.origin == "seed"
    assert [b.status for b in summary.library if b.id == "authority"] == ["accepted"]
    assert {b.status for b in summary.library if b.id in ("length", "sentiment")} == {"not_tested"}


def test_one_iteration_says_what_was_proposed_and_nothing_is_perturbed(run):
    _, summary = run
    (iteration,) = summary.iterations
    found = {p.association.feature: p for p in iteration.features.proposals}

    assert (iteration.perturbed, iteration.shifts, iteration.named) == (0, 0, 0)
    assert {"checks", "comparisons", "sources"} <= set(found)
    assert set(iteration.candidates) == {p.candidate for p in found.values()} - {None}
    assert found["comparisons"].candidate is None
    assert summary.stopped == "no new candidate was named"
    assert (iteration.features.found.pairs, iteration.features.found.observations) == (400, 800)


def test_trials_compare_the_rule_with_neutral_rewrites_of_that_rule(run):
    _, summary = run
    checked = next(t for t in summary.trials if t.id == "self_verification")

    assert checked.trait_shown > 0.8
    assert checked.trait_in_neutral < 0.2
    assert checked.details.sides.pull.value > 0


def test_the_folder_and_the_report_tell_it(run):
    folder, _ = run
    (stored,) = RunDir.read(folder).read_records("iterations", Iteration)
    page = (folder / "report.md").read_text(encoding="utf-8")

    assert {"checks", "comparisons"} <= {p.association.feature for p in stored.features.proposals}
    assert "goes for more claims of having checked" in page
    assert "tried as Self-verification bias, holds" in page
    assert "goes for more comparisons with everyday things" in page
    assert "an association only, since no rule writes it" in page
    assert "this run did not test: " in page


async def test_a_fair_judge_ends_with_nothing_proposed(tmp_path):
    summary = await api.discover(tmp_path / "run", alone("planted:fair"))

    assert summary.trials == ()
    assert summary.iterations[0].features.proposals == ()
    assert summary.status == "nothing_named"


async def test_late_validation_tries_at_the_end_what_one_iteration_proposed(tmp_path):
    late = alone(JUDGE, validate_when="late", both_sides=False, holdout_share=0.0, data=FEW)
    summary = await api.discover(tmp_path / "run", late)
    (iteration,) = summary.iterations

    assert "self_verification" in iteration.candidates
    assert {t.id for t in summary.trials} == set(iteration.candidates)


async def test_what_exceeds_the_limit_of_an_iteration_has_its_turn_in_the_next(tmp_path):
    judge = "planted:biases=self_verification@4,emoji@4;noise=0.5"
    narrow = alone(judge, candidate_limit=1, iterations=3, both_sides=False, holdout_share=0.0, data=FEW)
    summary = await api.discover(tmp_path / "run", narrow)

    assert [len(i.candidates) for i in summary.iterations[:2]] == [1, 1]
    assert [i.features is None for i in summary.iterations[:2]] == [False, True]
    assert {"self_verification", "emoji"} <= {t.id for t in summary.trials}


async def test_few_pairs_propose_nothing_and_say_so(tmp_path):
    few = DataSpec(discovery="objective:60?seed=1", validation="objective:60?seed=2")
    summary = await api.discover(tmp_path / "run", alone(data=few))

    assert summary.iterations[0].features.reason == "150 pairs are needed, and 60 have a verdict"
    assert summary.trials == ()


async def test_graded_verdicts_propose_too_and_rules_write_the_shams(tmp_path):
    graded = alone(rule="fixed", neutrals=2, holdout_share=0.0, both_sides=False, data=FEW)
    graded = RunConfig(identity=graded.identity.model_copy(update={"judge": JudgeSpec(spec=JUDGE, mode="label")}))
    summary = await api.discover(tmp_path / "run", graded)

    assert {t.unit for t in summary.trials} == {"log-odds"}
    assert "self_verification" in {t.id for t in summary.trials if t.status == "accepted"}
    assert summary.null_control.shams.shams == 3
    assert not any(m.arm.startswith("sham") for m in summary.missing)


async def test_shams_that_no_rule_can_write_are_counted(tmp_path):
    asked = alone(null_control=20, rule="fixed", neutrals=5, both_sides=False, holdout_share=0.0, data=FEW)
    summary = await api.discover(tmp_path / "run", asked)
    missing = {(m.arm, m.reason): m.count for m in summary.missing}

    written = 0 if summary.null_control.shams is None else summary.null_control.shams.shams
    assert written < 20
    assert missing["null control", "no rule is left to write a sham"] == 20 - written


async def test_both_propose_and_what_features_proposed_comes_first(tmp_path):
    both = config(
        judge="planted:biases=self_verification@2.5,analogy@2.5;noise=0.8",
        proposer="both",
        data=DataSpec(discovery="objective:160?seed=1", validation="objective:80?seed=2"),
        candidate_limit=4,
        both_sides=False,
    )
    summary = await api.discover(tmp_path / "run", both)
    (iteration,) = summary.iterations
    meant = {match_trait(t.name, t.definition): t for t in summary.trials if t.status == "accepted"}

    assert iteration.perturbed == 160
    assert iteration.candidates[0] == "self_verification"
    assert meant["self_verification"].origin == "catalogue"
    assert meant["analogy"].origin == "discovered"
    assert [t.id for t in summary.trials].count("self_verification") == 1


@pytest.mark.parametrize(
    ("changes", "lacking"),
    [
        ({"proposer": "teacher"}, "the proposer teacher needs one"),
        ({"proposer": "both"}, "the proposer both needs one"),
        ({"rewrites": "teacher"}, "rewrites = teacher needs one"),
        ({"equal_length": "condense"}, "equal_length = condense needs one"),
    ],
)
def test_what_needs_a_teacher_is_refused_without_one(changes, lacking):
    with pytest.raises(ConfigError, match=lacking) as refused:
        alone(**changes)

    assert "--proposer features" in refused.value.hint


def test_the_published_procedure_knows_no_features():
    teacher = ModelSpec(spec="planted:teacher")
    with pytest.raises(ConfigError, match="knows no proposer both"):
        alone(proposer="both", preset="paper", teacher=teacher)


def test_without_a_teacher_rules_write_unless_a_writer_is_named():
    written = alone(writers=(ModelSpec(spec="planted:teacher"),), rewrites="teacher")

    assert alone().identity.rewrites == "rules"
    assert written.identity.rewrites == "teacher"


def proposed(name, bias_id, sign="for"):
    change = Estimate(0.1, 0.02, 0.06, 0.14, 100)
    return FeatureProposal(FeatureAssociation(name, name, change, 1e-4, 1e-3, bias_id), sign, 0.2, 1.0, 0.0)


def found(*proposals):
    return FeatureProposals(proposals, FeatureAssociations((), (), 400, 200, 200))


def test_only_what_is_preferred_and_has_a_rule_is_tried():
    entries = entries_to_try(
        found(proposed("bold", "bold"), proposed("hedges", "hedging", "against"), proposed("examples", None))
    )

    assert [e.bias.id for e in entries] == ["bold"]


def test_a_bias_that_two_features_propose_is_tried_once():
    entries = entries_to_try(found(proposed("words", "length"), proposed("long_lines", "length")))

    assert [e.bias.id for e in entries] == ["length"]


async def test_a_sham_by_rule_is_a_neutral_edit_that_no_trial_uses():
    bold = entries_to_try(found(proposed("bold", "bold")))[0]
    writer, most = rule_shams(RuleWriter(), [bold.bias, bias("Found one")], 2)
    p = pair(rejected="There are three hens. Each lays two eggs.\n\nThe answer is 6.")
    neutral = [job.arm for job in RuleWriter().neutral_jobs(p, bold.bias, 2)]
    (sham,) = await writer.write([Job(p, "sham-1", bias("Sham", id="sham-1", origin="sham"))])
    used = await RuleWriter().write(RuleWriter().neutral_jobs(p, bold.bias, 2))

    assert most == bold.phrasings - 2
    assert neutral == ["neutral-bold-1", "neutral-bold-2"]
    assert sham.text not in {r.text for r in used}


def test_without_a_rule_there_is_no_sham():
    writer = RuleWriter()

    assert rule_shams(writer, [bias("Found one")], 2) == (writer, 0)
