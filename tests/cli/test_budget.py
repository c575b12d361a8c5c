"""A measurement within minutes, from the command line: what is said, and what an interruption leaves of the budget."""

import json

from .conftest import run_here

WORDS = ("measure", "run", "--judge", "planted:fair", "--data", "objective:40?seed=1", "--biases", "authority")


def stored(tmp_path, name):
    return json.loads((tmp_path / "run" / f"{name}.jsonl").read_text())


def test_that_the_fewest_pairs_do_not_fit_is_said_before_they_are_measured(tmp_path):
    (tmp_path / "c.toml").write_text("[identity]\nminutes = 0.0001\n")
    lines = run_here(*WORDS, "--config", "c.toml").err.splitlines()
    said = [n for n, line in enumerate(lines) if "20 pairs, the fewest on which anything is decided" in line]

    assert len(said) == 1
    assert "over the budget; fewer --biases or --neutrals take less" in lines[said[0]]
    assert lines[said[0] + 1].startswith("20 of 40 pairs for a budget of 0.0001 minutes")


def test_a_stopped_run_goes_on_with_what_is_left_of_its_budget(tmp_path):
    run_here(*WORDS, "--minutes", 5, "--max-calls", 100).refuses("the cap of 100 calls is reached", code=1)
    spent = stored(tmp_path, "spent")

    assert not (tmp_path / "run" / "sample.jsonl").exists()
    assert 0 < spent["pairs"] < 20
    assert spent["seconds"] > 0
    # as if it had worked for an hour: nothing is left, and only what is lacking is measured
    (tmp_path / "run" / "spent.jsonl").write_text(json.dumps(spent | {"seconds": 3600.0}) + "\n")
    done = run_here(*WORDS, "--minutes", 5, "--json")

    assert done.json["pairs"]["measured"] == stored(tmp_path, "sample")["pairs"] == 20


def test_where_the_budget_has_room_all_pairs_are_measured_and_paid_once(tmp_path):
    done = run_here(*WORDS, "--minutes", 5, "--json")
    whole = run_here("measure", "other", *WORDS[2:], "--json")

    assert done.json["pairs"]["measured"] == 40
    assert done.json["calls"]["judge"] == whole.json["calls"]["judge"]
    assert done.json["judges"][0]["effects"] == whole.json["judges"][0]["effects"]
    assert "over the budget" not in done.err
