"""`biasscope benchmark review` and `agreement`: what they refuse, and what they say of a review as it stands."""

import json

import polars as pl
import pytest
from tests.reviewing import items, said, simulated

from biasscope.report.outputs import SCHEMAS
from biasscope.reviews import ADJUDICATOR
from biasscope.rundir.appended import Appender
from biasscope.rundir.files import record_lines, write_whole

from .conftest import run_here

SOME = items(60)


@pytest.fixture
def run(tmp_path):
    """A folder with a review that three people finished."""
    folder = tmp_path / "hard"
    folder.mkdir()
    write_whole(folder / "review_items.jsonl", record_lines(SOME))
    reviews, _ = simulated(SOME, ("ana", "ben", "cy"), accuracy=0.98, valid=0.97)
    with Appender.open(folder / "reviews.jsonl") as file:
        for review in reviews:
            file.append(review)
        file.append(said("ana", SOME[0], "1", flag=True, note="=1+1, or \u2028 not"))
        file.append(said(ADJUDICATOR, SOME[0], "tie"))
    return folder


# --- review -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "code", "names"),
    [
        (["--host", "0.0.0.0"], 2, ["lets other machines in", "--allow-remote"]),
        (["--host", "0.0.0.0", "--allow-remote"], 2, ["no browser can open", "--url"]),
        (["--url", "review.example.org"], 2, ["is no address of a server", "https://"]),
        (["--reviewers", "0"], 2, ["out of range"]),
        (["--reviewers", "ana,<b>"], 2, ["'<b>' is no name of a reviewer"]),
        (["--reviewers", "adjudicator"], 2, ["no reviewer can be called"]),
        (["--port", "70000"], 2, ["--port"]),
    ],
)
def test_a_review_that_would_not_be_what_is_meant_is_refused(run, words, code, names):
    run_here("benchmark", "review", run, *words).refuses(*names, code=code)
    assert not (run / ".review").exists()


@pytest.mark.parametrize("command", ["agreement"])
def test_a_folder_without_items_is_refused(tmp_path, command):
    run_here("benchmark", command, tmp_path).refuses("nothing to review", "built")


# --- agreement --------------------------------------------------------------------------------------------


def test_agreement_is_said_in_lines_that_fit(run):
    done = run_here("benchmark", "agreement", run)

    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("90 items (60 biased, 30 neutral), answered by 3 reviewers: 270 answers.")
    assert "Gate: passes. AC1 0." in done.out
    for words in ("same content", "Valid, by bias", "ana", "cy", "zeal-bias", "kappa", "Leaning to the rewrite"):
        assert words in done.out
    assert " 1 of them adjudicated." in done.out
    tables = [line for line in done.out.splitlines() if line.endswith(("    90", "    60"))]
    assert len(tables) == 8
    assert max(len(line) for line in tables) <= 80


def test_agreement_is_one_object_of_its_schema(run):
    done = run_here("benchmark", "agreement", run, "--json")
    made = SCHEMAS["benchmark-agreement"].model_validate_json(done.out)

    assert (made.items, made.answers, made.gate.passes) == (90, 270, True)
    assert [r.name for r in made.reviewers] == ["ana", "ben", "cy"]
    assert done.json["schema_version"] == "biasscope.agreement/1"
    assert run_here("benchmark", "agreement", run, "--json", "--seed", 1).json["gate"] == done.json["gate"]


def test_a_review_that_nobody_began_has_no_numbers(run):
    (run / "reviews.jsonl").unlink()
    done = run_here("benchmark", "agreement", run)

    assert done.code == 0
    assert "answered by nobody yet" in done.out
    assert "Gate: cannot be told" in done.out
    assert "kappa" not in done.out


@pytest.mark.parametrize("kind", [".csv", ".jsonl", ".parquet"])
def test_every_answer_is_written_beside_what_was_hidden(run, tmp_path, kind):
    file = tmp_path / f"answers{kind}"
    done = run_here("benchmark", "agreement", run, "--answers", file)
    read = {".csv": pl.read_csv, ".jsonl": pl.read_ndjson, ".parquet": pl.read_parquet}[kind](file)

    assert done.out.endswith(f"Answers: {file}\n")
    assert len(read) == 271
    last = read.filter(pl.col("reviewer") == "ana", pl.col("item") == SOME[0].id).row(0, named=True)
    assert (last["better"], last["flag"], last["valid"]) == ("1", True, True)
    assert last["note"] == "=1+1, or \u2028 not"
    assert (last["arm"], last["pair"]) == (SOME[0].hidden.arm, SOME[0].hidden.pair)
    assert set(read["reviewer"]) == {"ana", "ben", "cy", "adjudicator"}


def test_answers_as_another_kind_of_file_are_refused(run, tmp_path):
    run_here("benchmark", "agreement", run, "--answers", tmp_path / "answers.xlsx").refuses(
        "answers.xlsx", ".csv"
    )


def test_a_torn_line_is_noted(run):
    with (run / "reviews.jsonl").open("a") as file:
        file.write(json.dumps({"reviewer": "ana"})[:-3])
    done = run_here("benchmark", "agreement", run)

    assert "holds 1 line that is no review: 273 (the last one was cut off)" in done.out
