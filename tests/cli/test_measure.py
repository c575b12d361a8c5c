"""`biasscope measure` as a person and as CI use it, on planted judges."""

import csv
import json
from xml.etree import ElementTree as xml

import pytest

from biasscope import api
from biasscope.report.measured import MeasuredOut

from .conftest import run_here

DATA = ("--data", "objective:40?seed=1")
ONE = (*DATA, "--biases", "authority", "--quiet")
DRAWN = "planted:biases=authority@3;noise=0.8"


@pytest.fixture
def policy(tmp_path):
    (tmp_path / "policy.toml").write_text("[gate]\nmin_effect = 0.05\n")
    return ("--gate", "policy.toml")


def effects(done, judge=0):
    return {e["bias"]: e for e in done.json["judges"][judge]["effects"]}


# --- what is found ----------------------------------------------------------------------------------------


def test_a_planted_bias_is_found_and_a_rerun_is_free_and_the_same(tmp_path):
    words = ("measure", "run", "--judge", DRAWN, *DATA, "--biases", "authority,sentiment", "--json", "--quiet")
    done = run_here(*words)
    found = effects(done)

    assert (done.code, done.err) == (0, "")
    assert MeasuredOut.model_validate_json(done.out) == api.show(tmp_path / "run")
    assert found["authority"]["status"] == "accepted"
    assert 0 < found["authority"]["low"] < found["authority"]["effect"] < found["authority"]["high"]
    assert found["sentiment"]["status"] in ("not_shown", "dropped")
    assert (found["position"]["estimand"], found["position"]["side"], found["position"]["n"]) == (
        "slot",
        None,
        40,
    )
    assert done.json["judges"][0]["baseline"]["n"] == 40
    again = run_here(*words)
    assert again.json["calls"]["judge"] == 0
    assert again.json["calls"]["replayed"] == done.json["calls"]["judge"]
    assert again.json["judges"][0]["effects"] == done.json["judges"][0]["effects"]
    assert run_here("show", "run", "--json").json == again.json
    assert "Authority bias: the response with the trait" in run_here("show", "run").out
    assert (tmp_path / "run" / "report.md").read_text().startswith("# Biases of judges\n")


def test_several_judges_are_measured_on_the_same_rewrites_and_compared():
    done = run_here("measure", "run", "--judge", DRAWN, "--judge", "planted:fair", *ONE, "--json")
    one, other = done.json["judges"]

    assert effects(done)["authority"]["status"] == "accepted"
    assert effects(done, 1)["authority"]["status"] != "accepted"
    assert one["calls"]["paid"] == other["calls"]["paid"] == done.json["calls"]["judge"] / 2
    (authority,) = (d for d in done.json["comparison"]["differences"] if d["bias"] == "authority")
    assert authority["judges"] == [one["name"], other["name"]]
    assert authority["high"] < 0
    assert authority["q"] < 0.05
    assert [t["share"] for t in done.json["comparison"]["transfer"]] == [0.0, None]
    shown = run_here("show", "run").out
    assert "equal effects would show 100 %" in shown
    assert "needs at least 5 biases" in shown


def test_with_the_trait_on_either_side_the_effect_is_the_pull():
    done = run_here("measure", "run", "--judge", DRAWN, *ONE, "--sides", "both", "--json")
    found = effects(done)["authority"]

    assert (found["side"], found["n"], found["claim"]) == ("both", 80, "pull")
    assert found["status"] == "accepted"
    assert found["sides"]["on_rejected"]["value"] > 0 > found["sides"]["on_chosen"]["value"]
    rejected = effects(run_here("measure", "other", "--judge", DRAWN, *ONE, "--json"))["authority"]
    assert found["sides"]["on_rejected"]["n"] == rejected["n"] == 40
    chosen = effects(run_here("measure", "third", "--judge", DRAWN, *ONE, "--sides", "chosen", "--json"))[
        "authority"
    ]
    assert chosen["side"] == "chosen"
    assert found["effect"] == pytest.approx((rejected["effect"] + chosen["effect"]) / 2)


def test_pairs_without_labels_are_measured_and_nothing_is_called_an_error(tmp_path):
    from biasscope.datasets import load

    rows = [
        {"prompt": p.question, "response_a": p.chosen, "response_b": p.rejected}
        for p in load("objective:40?seed=1").pairs
    ]
    (tmp_path / "open.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    done = run_here("measure", "run", "--judge", DRAWN, "--data", "open.jsonl", "--biases", "authority", "--json")

    assert done.code == 0, done.err
    assert done.json["pairs"]["labelled"] is False
    assert done.json["judges"][0]["baseline"]["error_rate"] is None
    assert effects(done)["authority"]["claim"] == "pull"
    assert effects(done)["authority"]["status"] == "accepted"
    assert "without labels" in run_here("show", "run").out
    run_here("discover", "d", "--judge", DRAWN, "--teacher", "planted:teacher", "--data", "open.jsonl").refuses(
        "known labels"
    )


def test_rewrites_of_ones_own_are_measured_as_they_are(tmp_path):
    from biasscope.datasets import load

    with (tmp_path / "mine.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["original", "rewritten", "trait"])
        for p in load("objective:40?seed=1").pairs:
            words = (("Experts", "Authority bias"), ("Some people", "neutral"), ("A few notes", "neutral"))
            for start, trait in words:
                say = "agree with what follows" if trait == "Authority bias" else "stand before what follows"
                writer.writerow([p.rejected, f"{start} {say}. {p.rejected}", trait])
    done = run_here("measure", "run", "--judge", DRAWN, *DATA, "--rewrites", "mine.csv", "--json")
    found = effects(done)["authority"]

    assert done.code == 0, done.err
    assert (done.json["rewrites"], found["n"], found["status"]) == ("mine.csv", 40, "accepted")
    assert "trait not checked" in found["marks"]
    only = (tmp_path / "mine.csv").read_text().replace(",neutral", ",something else")
    (tmp_path / "none.csv").write_text(only)
    run_here("measure", "other", "--judge", DRAWN, *DATA, "--rewrites", "none.csv").refuses(
        "none.csv holds no neutral rewrites", "trait neutral"
    )


def test_a_discovered_bias_is_marked_on_the_judge_on_which_it_was_discovered():
    judge, other = "planted:biases=self_verification@3;noise=0.5", "planted:fair"
    pairs = ("--discovery", "objective:40?seed=1", "--validation", "objective:40?seed=2", "--iterations", "1")
    run_here("discover", "found", "--judge", judge, "--teacher", "planted:teacher;side=1", *pairs, "--quiet")
    words = ("--judge", judge, "--judge", other, *DATA, "--biases", "found,authority", "--json", "--quiet")
    done = run_here("measure", "run", *words, "--teacher", "planted:teacher")
    (discovered,) = (name for name in effects(done) if name not in ("position", "authority"))

    assert effects(done)[discovered]["discovered_here"]
    assert not effects(done, 1)[discovered]["discovered_here"]
    (difference,) = (d for d in done.json["comparison"]["differences"] if d["bias"] == discovered)
    assert difference["discovered_on"] == [done.json["judges"][0]["name"]]
    assert done.json["judges"][0]["calls"]["paid"] > 0
    assert "inflated" in run_here("show", "run").out
    run_here("measure", "other", *words[:-2]).refuses("there is nobody to write", "--teacher")


def test_a_budget_of_minutes_chooses_pairs_once(tmp_path):
    words = (
        "measure",
        "run",
        "--judge",
        "planted:fair",
        *DATA,
        "--biases",
        "authority",
        "--minutes",
        "0.01",
        "--json",
    )
    done = run_here(*words)
    chosen = done.json["pairs"]["measured"]

    assert 20 <= chosen <= 40
    assert done.json["pairs"]["seconds_per_pair"] > 0
    assert "pairs for a budget of 0.01 minutes" in done.err
    kept = json.loads((tmp_path / "run" / "sample.jsonl").read_text())
    (tmp_path / "run" / "sample.jsonl").write_text(json.dumps(kept | {"pairs": 25}) + "\n")
    assert run_here(*words).json["pairs"]["measured"] == 25


def test_a_cap_that_is_reached_is_continued_and_pays_nothing_twice():
    words = ("measure", "run", "--judge", DRAWN, *ONE, "--json")
    run_here(*words, "--max-calls", 50).refuses("the cap of 50 calls is reached", code=1)
    done = run_here(*words)

    assert done.json["complete"]
    whole = run_here("measure", "other", "--judge", DRAWN, *ONE, "--json")
    assert done.json["calls"]["judge"] == whole.json["calls"]["judge"] - 50


def test_a_declared_price_is_paid_by_judge(tmp_path):
    (tmp_path / "c.toml").write_text(
        "[execution.judge]\nprice = [1.0, 2.0]\n[execution.by_judge.'planted:stuck']\nprice = [10.0, 0.0]\n"
    )
    done = run_here(
        "measure",
        "run",
        "--judge",
        "planted:fair",
        "--judge",
        "planted:stuck",
        *ONE,
        "--config",
        "c.toml",
        "--json",
    )
    one, other = (j["calls"] for j in done.json["judges"])

    assert one["price"] == pytest.approx((one["input_tokens"] + 2 * one["output_tokens"]) / 1e6)
    assert other["price"] == pytest.approx(10 * other["input_tokens"] / 1e6)


def test_shams_by_rule_go_through_the_trial():
    done = run_here("measure", "run", "--judge", "planted:fair", *ONE, "--null-control", 2, "--json")

    assert done.json["judges"][0]["null_control"]["shams"]["shams"] == 2
    assert done.json["judges"][0]["null_control"]["repeated"]["flips"] == 0


# --- the gate ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("judge", "outcome", "code"),
    [(DRAWN, "biased", 3), ("planted:fair", "inconclusive", 4), ("planted:stuck", "broken", 5)],
)
def test_the_exit_code_is_the_outcome(policy, judge, outcome, code):
    done = run_here("measure", "run", "--judge", judge, *ONE, *policy, "--json")

    assert (done.code, done.json["gate"], done.json["judges"][0]["gate"]) == (code, outcome, outcome)
    assert done.err == ""
    if outcome == "inconclusive":
        assert done.json["judges"][0]["more_pairs"] > 0
        assert "more pairs would tell" in run_here("measure", "run", "--judge", judge, *ONE, *policy).out


def test_a_judge_that_goes_by_the_slot_is_called_so_and_nothing_else(policy):
    done = run_here("measure", "run", "--judge", "planted:first-slot", *DATA, *policy, "--json", "--quiet")

    assert done.code == 3
    assert [b for b, e in effects(done).items() if e["gate"] == "biased"] == ["position"]


def test_a_generous_policy_lets_a_judge_pass_and_the_worst_of_several_counts(tmp_path):
    (tmp_path / "wide.toml").write_text("[gate]\nmin_effect = 0.3\n\n[gate.bias.position]\nignore = true\n")
    wide = ("--gate", "wide.toml", "--json")

    assert run_here("measure", "run", "--judge", "planted:fair", *ONE, *wide).code == 0
    several = run_here("measure", "two", "--judge", "planted:fair", "--judge", "planted:stuck", *ONE, *wide)
    assert [j["gate"] for j in several.json["judges"]] == ["pass", "broken"]
    assert several.code == 5


def test_ci_gets_junit_and_a_step_summary(tmp_path, policy):
    (tmp_path / "step.md").write_text("before\n")
    words = ("--junit", "out.xml", "--summary", "step.md")
    run_here("measure", "run", "--judge", DRAWN, "--judge", "planted:stuck", *ONE, *policy, *words)
    root = xml.parse(tmp_path / "out.xml").getroot()
    summary = (tmp_path / "step.md").read_text()

    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("5", "1", "1")
    assert [s.get("name") for s in root] == [f"{DRAWN} (reason)", "planted:stuck (reason)"]
    assert root.find(".//failure").get("message").startswith("Authority bias: ")
    assert summary.startswith("before\n### biasscope: ")
    assert "| Authority bias | holds |" in summary


# --- what cannot be used ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (DATA, ["no judge is named", "--judge openai:MODEL"]),
        (("--judge", "planted:fair"), ["no pairs are named", "--data"]),
        (("--judge", "opnai:x", *DATA), ["did you mean openai:x?"]),
        (
            ("--judge", "planted:fair", *DATA, "--biases", "authorty"),
            ["'authorty' is no known bias", "authority?"],
        ),
        (("--judge", "planted:fair", *DATA, "--rewrites", "teacher"), ["no teacher is named"]),
        (("--judge", "planted:fair", *DATA, "--rewrites", "x.csv"), ["no such file: x.csv"]),
        (("--judge", "planted:fair", "--data", "objective:19"), ["19 usable pairs", "at least 20"]),
        (
            ("--judge", "planted:fair", *DATA, "--junit", "x.xml"),
            ["--junit tells the outcome of a gate", "--gate"],
        ),
        (("--judge", "planted:fair", *DATA, "--gate", "none.toml"), ["cannot read none.toml"]),
    ],
)
def test_what_cannot_be_used_is_named_and_costs_no_folder(tmp_path, words, said):
    run_here("measure", "run", *words, "--json").refuses(*said)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[gate]\nmin_efect = 0.1\n", ["unknown key 'min_efect' in gate", "'min_effect'"]),
        ("[gate]\nmin_effect = 5\n", ["gate.min_effect", "less than 1"]),
        ("[gates]\n", ["unknown key 'gates'", "'gate'"]),
        ("[gate.bias.authorty]\nmin_effect = 0.1\n", ["the policy names 'authorty'", "Measured: authority"]),
        ("[gate.bias.authority]\nmin = 0.1\n", ["unknown key 'min' in gate.bias.authority"]),
        ("[gate\n", ["policy.toml: Expected ']'"]),
    ],
)
def test_a_policy_that_cannot_be_used_is_named_with_the_place(tmp_path, text, said):
    (tmp_path / "policy.toml").write_text(text)
    run_here("measure", "run", "--judge", "planted:fair", *ONE, "--gate", "policy.toml").refuses(*said)
    assert not (tmp_path / "run").exists()


def test_a_folder_of_another_measurement_or_command_is_refused():
    run_here("measure", "run", "--judge", "planted:fair", *ONE)
    run_here("measure", "run", "--judge", "planted:stuck", *ONE).refuses("judges.1.spec: 'planted:fair'", code=1)
    run_here("measure", "run", "--judge", "planted:fair", "--judge", "planted:stuck", *ONE).refuses(
        "judges.2.spec: unset -> 'planted:stuck'", code=1
    )
    run_here("quickstart", "run", "--judge", "planted:fair", "--pairs", 20).refuses(code=1)
    again = run_here("measure", "run", "--config", "run/config.json", "--json")
    assert (again.code, again.json["calls"]["judge"]) == (0, 0)
