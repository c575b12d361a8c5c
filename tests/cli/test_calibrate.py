"""What `biasscope calibrate` and `biasscope power` say, for programs and for people."""

import json
import math
from dataclasses import replace

import pytest

from biasscope.cli import calibration_table
from biasscope.report.outputs import SCHEMAS
from biasscope.workflows.calibrate import Setup, calibrate

from .conftest import run_here

QUICK = ("calibrate", "--runs", 2, "--pairs", 60, "--seed", 5)


def test_calibrate_gives_every_measure_with_its_error_as_json():
    done = run_here(*QUICK, "--suite", "30-12-5-3", "--json")

    assert (done.code, done.err) == (0, "")
    SCHEMAS["calibrate"].model_validate_json(done.out)
    assert {key: done.json[key] for key in ("suite", "rule", "runs", "pairs", "graded", "iterations", "seed")} == {
        "suite": "30-12-5-3", "rule": "default", "runs": 2, "pairs": 60, "graded": False, "iterations": 1, "seed": 5,
    }  # fmt: skip
    for key in ("fdr", "recall_medium_large", "calls_ratio", "teacher_calls_ratio", "sham_acceptance"):
        assert set(done.json[key]) == {"value", "mc_error"}, key
    assert set(done.json["recall"]) == {"small", "medium", "large"}
    assert [a["rule"] for a in done.json["alternatives"]] == [
        "paper",
        "unpaired",
        "single_order",
        "without_placebo",
    ]


def test_what_a_suite_or_a_rule_does_not_have_is_null():
    found = run_here(*QUICK, "--rule", "paper", "--json").json

    assert found["coverage_fcr"] is found["coverage_fresh"] is found["recall"]["small"] is None
    assert "paper" not in [a["rule"] for a in found["alternatives"]]


def test_people_are_told_what_the_columns_mean_and_what_other_rules_do():
    done = run_here(*QUICK)

    assert "2 simulated judges, 60 pairs, candidates: 20 without effect, 10 medium, 10 large" in done.out
    for word in ("default", "published rule", "two proportions", "one order only", "no neutral rewrites"):
        assert word in done.out
    for column in ("false:", "found:", "small:", "calls:", "teacher:"):
        assert column in done.out


def test_the_same_words_give_the_same_numbers():
    assert run_here(*QUICK, "--json").out == run_here(*QUICK, "--json").out


@pytest.fixture(scope="module")
def small():
    return calibrate(Setup(runs=2, pairs=60, seed=5), workers=1)


def test_the_table_has_a_line_for_every_setup_and_for_the_rules_beside_ours(small):
    asked = []

    def measure(setup):
        asked.append(setup)
        return replace(small, setup=setup)

    table = calibration_table.markdown(measure, runs=7, seed=3)
    lines = [line for line in table.splitlines() if line.startswith("|")]

    assert len(set(asked)) == len(calibration_table.ROWS)
    assert {(s.runs, s.seed) for s in asked} == {(7, 3)}
    assert len(lines) == 2 + len(calibration_table.ROWS) + 2 * len(calibration_table.OTHERS)
    assert len({line.count("|") for line in lines}) == 1
    assert "7 runs for every row, seed 3" in table


def test_the_table_of_a_page_is_replaced_between_its_marks_and_nothing_else_is(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        f"before\n\n{calibration_table.BEGIN}\nold\n{calibration_table.END}\n\nafter\n", encoding="utf-8"
    )
    for _ in range(2):
        calibration_table.write(page, "new\n")

    begin, end = calibration_table.BEGIN, calibration_table.END
    assert page.read_text(encoding="utf-8") == f"before\n\n{begin}\n\nnew\n\n{end}\n\nafter\n"


def test_a_page_without_the_marks_is_refused(tmp_path):
    (tmp_path / "page.md").write_text(calibration_table.END + calibration_table.BEGIN, encoding="utf-8")

    with pytest.raises(ValueError, match="needs the lines"):
        calibration_table.write(tmp_path / "page.md", "new\n")


def test_power_says_what_an_effect_takes_and_what_pairs_show():
    told = run_here("power", "--pairs", 400, "--effect", 6, "--json").json

    SCHEMAS["power"].model_validate_json(json.dumps(told))
    assert (told["unit"], told["pairs"], told["effect"]) == ("fraction", 400, 0.06)
    again = run_here("power", "--pairs", told["pairs_needed"], "--json").json
    fewer = run_here("power", "--pairs", told["pairs_needed"] - 1, "--json").json
    assert again["smallest_effect"] <= 0.06 < fewer["smallest_effect"]


def test_more_candidates_take_more_pairs_and_a_fixed_rule_fewer():
    needed = {
        words: run_here("power", "--json", *words).json["pairs_needed"]
        for words in ((), ("--candidates", 100), ("--rule", "fixed"))
    }

    assert needed["--rule", "fixed"] < needed[()] < needed["--candidates", 100]


def test_with_margins_effects_are_in_log_odds_and_pairs_go_by_the_square_of_the_spread():
    one, two = (run_here("power", "--graded", s, "--effect", 0.1, "--json").json for s in (0.4, 0.8))

    assert one["unit"] == "log-odds"
    assert one["error"] is one["change"] is None
    assert math.isclose(two["pairs_needed"] / one["pairs_needed"], 4, rel_tol=0.01)
    assert "0.100 log-odds takes about" in run_here("power", "--graded", 0.4, "--effect", 0.1).out


def test_power_counts_the_pairs_of_a_file_as_discover_splits_them(tmp_path):
    told = run_here("power", "--data", "objective:200?seed=1", "--json").json
    plan = run_here("discover", tmp_path / "run", "--data", "objective:200?seed=1", "--judge", "planted:two-biases",
                    "--teacher", "planted:teacher", "--dry-run", "--json").json  # fmt: skip

    assert (told["source_pairs"], told["pairs"]) == (200, plan["validation"])
    said = run_here("power", "--data", "objective:200?seed=1").out
    assert f"200 pairs, of which {plan['validation']} validate" in said


def test_an_effect_larger_than_there_can_be_is_said_to_be_so():
    done = run_here("power", "--effect", 70, "--json").json

    assert done["pairs_needed"] is None
    assert "cannot be shown" in run_here("power", "--effect", 70).out
