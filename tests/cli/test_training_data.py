"""`biasscope mitigate data` on the command line: what it says, what it prints as JSON, what it refuses."""

import json
import re
from pathlib import Path

import pytest

from .conftest import run_here
from .test_schemas import check

DATA = ("--data", "objective:60?seed=1", "--biases", "authority,sentiment", "--quiet")
PAGE = Path(__file__).parents[2] / "docs" / "training-data.md"


def made(*words):
    return run_here("mitigate", "data", *words)


def test_the_example_of_the_page_prints_what_the_page_shows():
    done = made(
        "runs/train", "--data", "objective:200?seed=1", "--biases", "authority,sentiment,length", "--evaluation",
        "objective:300?seed=2", "--quiet",
    )  # fmt: skip
    assert done.code == 0, done.err
    assert f"```\n{done.out}```" in PAGE.read_text(encoding="utf-8")


def test_json_is_what_the_schema_says_and_what_the_folder_holds(tmp_path):
    done = made("out", *DATA, "--task", "judge", "--json")
    assert (done.code, done.err) == (0, "")
    check(done.json, "biasscope.training-data-1")
    assert json.loads((tmp_path / "out" / "report.json").read_text()) == done.json


def test_the_saved_configuration_makes_the_same_files_elsewhere(tmp_path):
    assert made("out", *DATA, "--format", "standard", "--augmented", "0.3", "--variants", "2").code == 0
    assert made("again", "--config", "out/config.json", "--quiet").code == 0
    for name in ("train.jsonl", "plain.jsonl", "provenance.jsonl"):
        assert (tmp_path / "again" / name).read_bytes() == (tmp_path / "out" / name).read_bytes()
    assert made("out", "--config", "out/config.json", "--quiet").code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--quiet",), ("no pairs are named", "--data")),
        (("--data", "absent.jsonl"), ("absent.jsonl",)),
        (("--data", "objective:30?seed=1"), ("30 pairs", "at least 50")),
        ((*DATA[:2], "--evaluation", "objective:60?seed=1"), ("asks a question of objective:60?seed=1: 60",)),
        ((*DATA[:2], "--biases", "autority"), ("autority", "authority")),
        ((*DATA[:2], "--biases", "position"), ("no bias is named that a text can carry",)),
        ((*DATA[:2], "--rewrites", "teacher"), ("no teacher is named", "--teacher")),
        ((*DATA[:2], "--judge-mode", "reason"), ("--task judge",)),
        ((*DATA[:2], "--augmented", "1.5"), ("--augmented", "less than or equal to 1")),
    ],
    ids=["no-data", "no-file", "too-few", "overlap", "typo", "no-text", "no-teacher", "mode", "share"],
)
def test_what_cannot_be_done_is_said_in_one_line(tmp_path, words, said):
    made("out", *words).refuses(*said)
    assert not (tmp_path / "out").exists()


def test_a_folder_of_other_files_is_left_alone(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "train.jsonl").write_text("mine\n")
    made("out", *DATA).refuses("out holds files but no config.json", "new folder")
    assert (tmp_path / "out" / "train.jsonl").read_text() == "mine\n"


def test_a_person_sees_the_counts_by_bias_and_side():
    done = made("out", *DATA)
    counts = re.findall(r"^(authority|sentiment) +(\d+) +(\d+) ", done.out, re.MULTILINE)
    assert [name for name, *_ in counts] == ["authority", "sentiment"]
    assert sum(int(n) for _, *two in counts for n in two) == 30
    assert "Note: No source of evaluation was named" in done.out


@pytest.mark.parametrize("command", ["show", "report"])
def test_a_command_that_reads_runs_says_what_the_folder_holds_and_where(tmp_path, command):
    assert made("out", *DATA).code == 0
    run_here(command, "out").refuses("out holds training data", "card.md")
    assert not (tmp_path / "out" / "report.html").exists()
