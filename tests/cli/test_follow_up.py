"""What is asked about what held, through the command line."""

import json

import pytest

from biasscope.steps.followups import FRESH_PAIRS

from .conftest import FOUND, STRONG, run_here

MODELS = ("--judge", f"planted:{STRONG[0]}", "--teacher", f"planted:{STRONG[1]}")


def held(done):
    assert done.code == 0, done.err
    found = [t for t in done.json["trials"] if t["status"] == "accepted"]
    assert found
    return found


@pytest.fixture(scope="module")
def usual(tmp_path_factory):
    """A run in which something held, as it comes, and its ledger."""
    run = tmp_path_factory.mktemp("usual") / "run"
    return run_here("discover", run, *MODELS, *FOUND, "--json"), run / "replies.db"


def test_both_sides_are_measured_and_nothing_else_unless_it_is_asked_for(usual):
    for trial in held(usual[0]):
        details = trial["details"]
        assert details["sides"]["pull"]["value"] > 0
        assert details["equal_length"] is None
        # little was found, so that what stopped early was tried again on some fresh pairs
        fresh = usual[0].json["pairs"]["validation"] - trial["visited"]
        assert (details["confirmed"] is None) == (4 * fresh < usual[0].json["pairs"]["validation"])
        assert details["confirmed"] is None or details["confirmed"]["n"] == min(fresh, FRESH_PAIRS)
    assert usual[0].json["null_control"]["shams"] is None


def test_one_side_leaves_the_other_one_out_and_the_decisions_as_they_are(usual):
    done = run_here("discover", "run", *MODELS, *FOUND, "--one-side", "--ledger", usual[1], "--json")

    assert [t["details"]["sides"] for t in held(done)] == [None] * len(held(done))
    decided = [[(t["id"], t["status"], t["effect"], t["p"]) for t in d.json["trials"]] for d in (usual[0], done)]
    assert decided[0] == decided[1]
    assert done.json["calls"]["judge"] + done.json["calls"]["teacher"] == 0
    assert done.json["calls"]["replayed"] < usual[0].json["calls"]["judge"] + usual[0].json["calls"]["teacher"]


@pytest.mark.parametrize("means", ["truncate", "condense"])
def test_equal_length_fresh_pairs_and_shams_come_when_they_are_asked_for(tmp_path, usual, means):
    more = ("--equal-length", means, "--confirm", "--null-control", 2, "--ledger", usual[1], "--json")
    done = run_here("discover", "run", *MODELS, *FOUND, *more)

    for trial in held(done):
        equal = trial["details"]["equal_length"]
        assert equal["equal"]["n"] == equal["free"]["n"] <= done.json["pairs"]["validation"]
        fresh = done.json["pairs"]["validation"] - trial["visited"]
        confirmed = trial["details"]["confirmed"]
        assert (confirmed is None) == (4 * fresh < done.json["pairs"]["validation"])
        assert confirmed is None or confirmed["n"] == fresh
    assert done.json["null_control"]["shams"]["shams"] == 2
    assert done.json["null_control"]["repeated"]["flips"] == 0
    page = (tmp_path / "run" / "report.md").read_text(encoding="utf-8")
    assert "With rewrites of equal length: " in page
    assert "Of 2 sham candidates that ask for nothing, " in page
    assert json.loads((tmp_path / "run" / "config.json").read_text())["identity"]["equal_length"] == means


def test_a_sham_too_many_makes_no_folder(tmp_path):
    run_here("discover", "run", *MODELS, *FOUND, "--null-control", 21, "--json").refuses("--null-control", "20")

    assert not (tmp_path / "run").exists()


def test_a_file_with_a_sham_too_many_is_refused_by_name(tmp_path):
    (tmp_path / "c.toml").write_text("[identity]\nnull_control = 21\n")

    run_here("discover", "run", "--config", "c.toml", *MODELS, *FOUND).refuses(
        "c.toml: identity.null_control:", "less than or equal to 20"
    )
