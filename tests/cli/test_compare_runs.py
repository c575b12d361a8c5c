"""`biasscope compare`: judges of several runs, pair by pair."""

import json

import pytest

from .conftest import run_here

DATA = ("--data", "objective:60?seed=5", "--biases", "authority,sentiment", "--quiet")
DRAWN = "planted:biases=authority@3;noise=0.8"


@pytest.fixture
def two_runs(tmp_path):
    for name, judge in (("old", DRAWN), ("new", "planted:fair")):
        assert run_here("measure", tmp_path / name, "--judge", judge, *DATA).code == 0
    return tmp_path / "old", tmp_path / "new"


def test_what_one_judge_falls_for_and_another_does_not_is_told_with_an_interval(two_runs):
    done = run_here("compare", *two_runs, "--json")
    (one,) = done.json["comparisons"]
    of = {b["id"]: b for b in one["biases"]}

    assert (done.code, one["reference"], one["other"], one["shared_pairs"]) == (0, DRAWN, "planted:fair", 60)
    change = of["authority"]["change"]
    assert (of["authority"]["reference_status"], of["authority"]["other_status"]) != ("accepted", "accepted")
    assert change["low"] < change["difference"] < change["high"] < 0
    assert change["difference"] == pytest.approx(change["other"] - change["reference"])
    assert change["q"] >= change["p"]
    assert of["sentiment"]["change"]["low"] < 0 < of["sentiment"]["change"]["high"]
    assert one["settings"] == []


def test_the_effects_are_those_of_the_runs_themselves(two_runs):
    (one,) = run_here("compare", *two_runs, "--json").json["comparisons"]
    for run, end in zip(two_runs, ("reference", "other"), strict=True):
        told = {e["bias"]: e for e in run_here("show", run, "--json").json["judges"][0]["effects"]}
        for bias in one["biases"]:
            assert bias["change"][end] == pytest.approx(told[bias["id"]]["effect"], abs=1e-12)
        assert one["slot_preference"][end] == pytest.approx(told["position"]["effect"], abs=1e-12)


def test_a_person_reads_a_sentence_and_a_table(two_runs):
    shown = run_here("compare", *two_runs)

    assert "What differs: Authority bias -" in shown.out
    assert "Error rate (%)" in shown.out
    assert f"Reference: {DRAWN}. Other: planted:fair." in shown.out


def test_a_run_against_itself_shows_no_difference(two_runs):
    (one,) = run_here("compare", two_runs[0], two_runs[0], "--json").json["comparisons"]

    assert one["reference"] == f"{DRAWN} in {two_runs[0]}"
    assert {b["change"]["difference"] for b in one["biases"]} == {0.0}
    assert one["error_rate"]["difference"] == 0.0
    assert "No difference in errors is shown" in run_here("compare", two_runs[0], two_runs[0]).out


def test_a_difference_that_is_not_shown_says_how_many_pairs_it_would_take(two_runs):
    (one,) = run_here("compare", *two_runs, "--json").json["comparisons"]
    error = one["error_rate"]

    assert error["q"] > 0.05
    assert error["needed"] > error["n"]
    assert f"takes about {error['needed']:,} pairs to be shown" in run_here("compare", *two_runs).out
    shown = next(b["change"] for b in one["biases"] if b["id"] == "authority")
    assert 1 < shown["needed"] < shown["n"]
    (same,) = run_here("compare", two_runs[0], two_runs[0], "--json").json["comparisons"]
    assert same["error_rate"]["needed"] is None


def test_judges_of_one_run_are_compared_too(tmp_path):
    run = tmp_path / "both"
    assert run_here("measure", run, "--judge", DRAWN, "--judge", "planted:fair", *DATA).code == 0
    (one,) = run_here("compare", run, "--json").json["comparisons"]

    assert one["biases"][0]["change"]["n"] == 60
    inside = run_here("show", run, "--json").json["comparison"]["differences"]
    told = {d["bias"]: d for d in inside}
    for bias in one["biases"]:
        assert bias["change"]["difference"] == pytest.approx(told[bias["id"]]["difference"], abs=1e-12)
        assert bias["change"]["low"] == pytest.approx(told[bias["id"]]["low"], abs=1e-12)


def test_one_model_that_is_asked_in_two_ways_is_two_judges(tmp_path):
    (tmp_path / "two.toml").write_text(
        '[identity]\ndata = "objective:30?seed=1"\nbiases = ["authority"]\n'
        '[[identity.judges]]\nspec = "planted:fair"\nmode = "reason"\n'
        '[[identity.judges]]\nspec = "planted:fair"\nmode = "label"\n'
    )
    run = tmp_path / "both"
    assert run_here("measure", run, "--config", tmp_path / "two.toml", "--quiet").code == 0
    (one,) = run_here("compare", run, "--json").json["comparisons"]

    assert (one["reference"], one["other"], one["shared_pairs"]) == (
        "planted:fair (reason)",
        "planted:fair (label)",
        30,
    )


def test_settings_that_differ_are_named(two_runs, tmp_path):
    other = tmp_path / "third"
    assert run_here("measure", other, "--judge", "planted:fair", *DATA, "--neutrals", "2").code == 0
    (one,) = run_here("compare", two_runs[0], other, "--json").json["comparisons"]

    assert one["settings"] == ["neutrals: unset -> 2"]


def test_runs_without_common_pairs_are_refused(two_runs, tmp_path):
    other = tmp_path / "elsewhere"
    words = ("--data", "objective:60?seed=77", "--biases", "authority", "--quiet")
    assert run_here("measure", other, "--judge", "planted:fair", *words).code == 0

    run_here("compare", two_runs[0], other).refuses("0 pairs in common", "same --data")


def test_one_judge_alone_and_what_is_no_run_are_refused(two_runs, tmp_path):
    run_here("compare", two_runs[0]).refuses("one judge cannot be compared", code=2)
    run_here("compare", two_runs[0], tmp_path).refuses("is not a run folder", code=2)


def test_damaged_verdicts_are_named(two_runs):
    (two_runs[1] / "verdicts.parquet").write_bytes(b"PAR1 torn")
    run_here("compare", *two_runs).refuses("verdicts.parquet", "again")
    (two_runs[1] / "verdicts.parquet").unlink()
    run_here("compare", *two_runs).refuses("holds no verdicts")


def test_a_definition_that_changed_is_not_compared(two_runs):
    path = two_runs[1] / "trials-1.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line in lines:
        if line["bias"]["id"] == "authority":
            line["bias"]["definition"] = "Something else."
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    (one,) = run_here("compare", *two_runs, "--json").json["comparisons"]

    assert (one["redefined"], [b["id"] for b in one["biases"]]) == (["authority"], ["sentiment"])
