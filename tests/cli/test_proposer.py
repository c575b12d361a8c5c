"""A discovery without a teacher, by the command line."""

import json

from biasscope.rundir import RunDir

from .conftest import PAIRS, run_here

PAIRS_ENOUGH = ("--discovery", "objective:160?seed=1", "--validation", "objective:60?seed=2")
JUDGE = ("--judge", "planted:biases=self_verification@3,apology@-3;noise=0.5")
ALONE = (*JUDGE, "--proposer", "features")


def test_a_judge_is_enough_to_discover_something():
    done = run_here("discover", "run", *ALONE, *PAIRS_ENOUGH, "--one-side")

    assert done.code == 0
    assert "Self-verification bias" in done.out
    assert "goes for more claims of having checked" in done.out
    assert " % of the half-samples" in done.out
    assert "0 teacher;" in done.out
    assert "Iteration 1: features proposed " in done.err
    assert "shifts" not in done.err
    again = run_here("discover", "run", *ALONE, *PAIRS_ENOUGH, "--one-side", "--json")
    assert (again.json["calls"]["judge"], again.json["calls"]["teacher"]) == (0, 0)
    assert again.json["teacher"] is None
    proposals = again.json["iterations"][0]["features"]["proposals"]
    assert {"checks"} <= {p["association"]["feature"] for p in proposals}
    shown = run_here("show", "run")
    assert "goes for more claims of having checked" in shown.out


def test_the_plan_reckons_without_a_teacher():
    done = run_here("discover", "run", *ALONE, *PAIRS_ENOUGH, "--dry-run", "--json")

    assert done.json["first_iteration"]["teacher_calls"] == 0
    assert done.json["at_limits"]["teacher_calls"] == 0
    assert 0 < done.json["first_iteration"]["judge_calls"] < done.json["at_limits"]["judge_calls"]


def test_a_config_file_says_who_proposes():
    run_here("discover", "run", *ALONE, *PAIRS, "--quiet")
    stored = RunDir.read("run").config.identity

    assert (stored.proposer, stored.teacher, stored.rewrites) == ("features", None, "rules")
    from_file = run_here("discover", "run", "--config", "run/config.json", "--json", "--quiet")
    assert from_file.code == 0
    assert json.loads(from_file.out)["calls"]["judge"] == 0


def test_a_proposer_that_names_needs_a_teacher():
    for proposer in ((), ("--proposer", "both"), ("--proposer", "teacher")):
        done = run_here("discover", "run", *JUDGE, *PAIRS, *proposer)
        done.refuses("no teacher is named", "--proposer features needs none")


def test_what_only_a_teacher_can_do_is_refused_without_one():
    for asked in (("--rewrites", "teacher"), ("--equal-length", "condense")):
        run_here("discover", "run", *ALONE, *PAIRS, *asked).refuses("no teacher is named, and", "needs one")


def test_the_published_procedure_fixes_the_proposer():
    teacher = ("--teacher", "planted:teacher")
    done = run_here("discover", "run", *ALONE, *teacher, *PAIRS, "--preset", "paper")

    done.refuses("--preset paper fixes proposer to teacher, not features")
