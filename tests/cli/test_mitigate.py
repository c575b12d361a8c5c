"""Fixes of planted judges: a guard that works, does nothing, harms or over-corrects; procedures; what is refused."""

import json

import polars as pl
import pytest

from biasscope.config import JudgeSpec

from .conftest import run_here

DATA = "objective:160?seed=1"
FRESH = "objective:160?seed=2"
PLANTED = "planted:biases=authority@1.6;noise=0.6"


def measured(folder, judge, *more):
    done = run_here(
        "measure", folder, "--judge", judge, "--data", DATA, "--biases", "authority,sentiment", "--null-control", "0",
        "--quiet", *more,
    )  # fmt: skip
    assert done.code == 0, done.err
    return folder


def mitigated(folder, found, *more):
    done = run_here("mitigate", "judge", folder, "--found", found, "--fresh", FRESH, "--json", "--quiet", *more)
    assert done.code == 0, done.err
    return done.json


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """A judge that is drawn by authority and minds no guard."""
    return measured(tmp_path_factory.mktemp("found") / "run", PLANTED)


@pytest.mark.parametrize(
    ("temper", "verdict", "status"),
    [
        ("guard=0", "works", "works"),
        ("guard=1", "not_shown", "not_shown"),
        ("guard=0;guard_skill=-4", "harmful", "raises_error"),
        ("guard=-1", "harmful", "turned_round"),
    ],
)
def test_a_guard_comes_out_as_it_is_planted(tmp_path, temper, verdict, status):
    run = measured(tmp_path / "run", f"{PLANTED};{temper}")
    out = mitigated(tmp_path / "fixed", run, "--fix", "guard")
    (fix,) = out["fixes"]
    assert [b["bias"] for b in fix["biases"]] == ["authority"]
    assert (fix["verdict"], fix["biases"][0]["status"]) == (verdict, status)
    assert fix["biases"][0]["before"]["low"] > 0


def test_the_fixed_judge_is_a_file_that_measure_takes_and_keeps_its_promise(tmp_path):
    run = measured(tmp_path / "run", f"{PLANTED};guard=0")
    mitigated(tmp_path / "fixed", run, "--fix", "guard-rules")
    file = tmp_path / "fixed" / "judges" / "guard-rules.json"
    assert "Authority" in JudgeSpec.model_validate_json(file.read_text()).guard
    done = run_here(
        "measure", tmp_path / "again", "--judge", file, "--data", "objective:160?seed=3", "--biases", "authority",
        "--null-control", "0", "--json", "--quiet",
    )  # fmt: skip
    assert done.code == 0, done.err
    effects = {e["bias"]: e["status"] for e in done.json["judges"][0]["effects"]}
    assert effects["authority"] != "accepted"
    assert "with a guard" in done.json["judges"][0]["instrument"]


def test_swapping_takes_the_slot_out_and_leaves_the_mean_error(tmp_path):
    run = measured(tmp_path / "run", f"{PLANTED};habit=1.5")
    (fix,) = mitigated(tmp_path / "fixed", run, "--fix", "swap-and-tie")["fixes"]
    assert fix["verdict"] == "works_for_slot"
    assert fix["slot"]["by_construction"]
    assert fix["slot"]["before"]["low"] > 0.1
    assert fix["plain"]["change"]["value"] == pytest.approx(0, abs=1e-12)
    assert fix["use"]["replies"] == 2.0


def test_margins_are_corrected_on_other_pairs_than_those_reported_on(tmp_path):
    run = measured(tmp_path / "run", f"{PLANTED};habit=1.5", "--judge-mode", "label")
    out = mitigated(tmp_path / "fixed", run, "--fix", "adjust,swap-and-average")
    adjust, average = out["fixes"]
    assert adjust["adjustment"]["slot"] == pytest.approx(1.5, abs=0.3)
    assert adjust["adjustment"]["slopes"]["sources"] > 0
    assert (adjust["verdict"], adjust["biases"][0]["unit"]) == ("works", "log-odds")
    assert abs(adjust["slot"]["after"]["value"]) < 0.1 < adjust["slot"]["before"]["value"]
    assert average["biases"][0]["shrink"]["value"] == pytest.approx(0, abs=1e-9)
    assert average["slot"]["by_construction"]
    again = JudgeSpec.model_validate_json((tmp_path / "fixed" / "judges" / "adjust.json").read_text())
    assert again.adjustment.slot == adjust["adjustment"]["slot"]


def test_answering_first_samples_and_a_panel_are_judges_too(tmp_path, found):
    out = mitigated(
        tmp_path / "fixed", found, "--fix", "answer-first,samples,panel", "--panel", "planted:fair",
        "--panel", "planted:fair;seed=3", "--samples", "3",
    )  # fmt: skip
    answer, samples, panel = out["fixes"]
    assert answer["use"]["replies"] == samples["use"]["replies"] - 1 == panel["use"]["replies"] - 1 == 2.0
    assert panel["verdict"] == "works"
    assert panel["biases"][0]["after"]["high"] < panel["biases"][0]["before"]["value"]


def test_a_panel_is_measured_discovered_on_and_ranked_as_any_judge_is(tmp_path):
    panel = tmp_path / "panel.json"
    members = [{"spec": f"planted:two-biases;seed={n}"} for n in (1, 2)]
    panel.write_text(json.dumps({"spec": "planted:two-biases", "panel": members}))
    done = run_here("measure", tmp_path / "run", "--judge", panel, "--data", "objective:30?seed=1", "--biases", "authority",
                    "--json", "--quiet")  # fmt: skip
    assert done.code == 0, done.err
    (judged,) = done.json["judges"]
    assert "panel with planted:two-biases;seed=1, planted:two-biases;seed=2" in judged["instrument"]
    assert judged["calls"]["paid"] == 3 * 30 * 2 * 4
    done = run_here("discover", tmp_path / "found", "--judge", panel, "--proposer", "features", "--data", "objective:400?seed=1",
                    "--iterations", "1", "--json", "--quiet")  # fmt: skip
    assert done.code == 0, done.err


def test_a_file_that_holds_no_judge_is_refused(tmp_path):
    (tmp_path / "judge.json").write_text('{"spec": "planted:fair", "gaurd": "x"}')
    (tmp_path / "none.json").write_text("[1]")
    for file, word in (("judge.json", "did you mean 'guard'"), ("none.json", "table of settings")):
        done = run_here(
            "measure", tmp_path / "run", "--judge", tmp_path / file, "--data", "objective:30?seed=1", "--quiet"
        )
        assert done.code == 2
        assert word in done.err


def test_the_same_command_again_pays_nothing_and_says_the_same(tmp_path, found):
    first = mitigated(tmp_path / "fixed", found)
    files = {p.name: p.read_bytes() for p in (tmp_path / "fixed").glob("*.parquet")}
    again = mitigated(tmp_path / "fixed", found)
    assert [f["fix"] for f in first["fixes"]] == ["guard", "swap-and-tie"]
    assert again["fixes"][0]["calls"]["paid"] == 0
    assert again["fixes"][0]["biases"] == first["fixes"][0]["biases"]
    assert files == {p.name: p.read_bytes() for p in (tmp_path / "fixed").glob("*.parquet")}


def test_every_number_of_a_fix_can_be_counted_again_from_the_verdicts(tmp_path, found):
    out = mitigated(tmp_path / "fixed", found, "--fix", "guard-definitions")
    rows = pl.read_parquet(tmp_path / "fixed" / "verdicts.parquet").to_dicts()
    error = {"chosen": 0.0, "tie": 0.5, "rejected": 1.0}

    def mean(role, arm):
        by_pair = {}
        for r in rows:
            if r["judge"] == role and r["arm"] == arm:
                by_pair.setdefault(r["pair"], []).append(error[r["choice"]])
        scores = [sum(s) / len(s) for s in by_pair.values()]
        return sum(scores) / len(scores)

    (fix,) = out["fixes"]
    (bias,) = fix["biases"]
    # A guard is sent with every verdict: it costs tokens, and no reply more.
    assert out["before"]["replies"] == fix["use"]["replies"] == 1.0
    added = fix["use"]["input_tokens"] - out["before"]["input_tokens"]
    assert added == pytest.approx(len(fix["guard"]) / 4, rel=0.4)
    assert fix["use"]["output_tokens"] > 0
    for cell in bias["cells"]:
        arm = f"authority@{cell['cell']}"
        assert cell["before"]["value"] == pytest.approx(mean("judge", arm))
        assert cell["after"]["value"] == pytest.approx(mean("fix guard-definitions", arm))
    for when, role in (("before", "judge"), ("after", "fix guard-definitions")):
        pull = (mean(role, "authority@rejected") - mean(role, "authority@chosen")) / 2
        assert bias[when]["value"] == pytest.approx(pull)
        assert fix["plain"][when]["value"] == pytest.approx(mean(role, "original"))


def test_pairs_that_found_a_bias_are_refused(tmp_path, found):
    refused = run_here("mitigate", "judge", tmp_path / "fixed", "--found", found, "--fresh", DATA, "--quiet")
    refused.refuses("0 pairs to choose by and 0 to report on", "160 had a part")
    mixed = tmp_path / "mixed.jsonl"
    lines = []
    for number in range(60):
        lines.append(
            json.dumps({"id": f"n{number}", "prompt": f"What is {number} + {number}?", "chosen": f"It is {2 * number}.",
                        "rejected": f"It is {2 * number + 1}."})
        )  # fmt: skip
    mixed.write_text("\n".join(lines))
    done = run_here(
        "mitigate", "judge", tmp_path / "fixed", "--found", found, "--fresh", mixed, "--json", "--quiet"
    )
    assert done.code == 0, done.err
    assert done.json["pairs"]["refused"] == 0
    assert done.json["pairs"]["tuning"] + done.json["pairs"]["held_out"] == 60


def test_the_page_and_the_terminal_say_what_came_out(tmp_path, found):
    done = run_here("mitigate", "judge", tmp_path / "fixed", "--found", found, "--fresh", FRESH, "--quiet")
    assert done.code == 0, done.err
    assert "Authority bias" in done.out
    page = (tmp_path / "fixed" / "mitigation.md").read_text()
    assert "What is left" not in page
    assert "The prompt is extended by:" in page
    assert "| the better |" in page


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (("--fix", "gaurd"), ("there is no fix 'gaurd'", "Did you mean guard")),
        (("--fix", "adjust"), ("this judge gives none", "--judge-mode label")),
        (("--fix", "swap-and-average"), ("this judge gives none",)),
        (("--fix", "panel"), ("a panel needs other judges", "--panel")),
        (("--biases", "autority"), ("'autority' is no bias", "It tried")),
        (("--judge", "planted:other"), ("planted:other is no judge of the run",)),
    ],
)
def test_what_does_not_fit_is_refused_before_anything_is_paid(tmp_path, found, more, words):
    done = run_here("mitigate", "judge", tmp_path / "fixed", "--found", found, "--fresh", FRESH, "--quiet", *more)
    done.refuses(*words)
    assert not (tmp_path / "fixed").exists()


def test_a_run_in_which_nothing_was_found_has_nothing_to_mend(tmp_path):
    fair = measured(tmp_path / "run", "planted:fair")
    arguments = ("mitigate", "judge", tmp_path / "fixed", "--found", fair, "--fresh", FRESH, "--quiet")
    run_here(*arguments).refuses("nothing was found", "--biases")
    assert run_here(*arguments, "--biases", "sentiment").code == 0


def test_without_a_run_there_is_nothing_to_mend(tmp_path):
    run_here("mitigate", "judge", tmp_path / "fixed").refuses("no run is named", "--found RUN", code=2)
