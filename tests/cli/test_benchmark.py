"""`biasscope benchmark build`, `filter` and `publish` as a person uses them, and what they refuse."""

import json

import jsonschema
import polars as pl
import pytest

from .conftest import run_here
from .test_schemas import check

pytestmark = pytest.mark.slow

DATA = ("--data", "objective:24?seed=1")
BUILD = (*DATA, "--biases", "authority,certainty,hedging", "--variants", "2", "--quiet")
JUDGES = ("--judge", "planted:biases=authority@3;noise=1", "--judge", "planted:fair;seed=2")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """What the three commands said, one after the other, and the folders."""
    place = tmp_path_factory.mktemp("hard")
    run, out = place / "run", place / "set"
    build = run_here("benchmark", "build", run, *BUILD, "--json")
    kept = run_here("benchmark", "filter", run, *JUDGES, "--keep", "1/2", "--quiet", "--json")
    published = run_here("benchmark", "publish", run, "--out", out, "--licence", "mit", "--json")
    return build, kept, published, run, out


def test_each_step_prints_one_object_that_is_what_its_schema_says(made):
    build, kept, published, run, _ = made
    for done in (build, kept, published):
        assert (done.code, done.err) == (0, "")
    check(build.json, "biasscope.benchmark-1")
    check(kept.json, "biasscope.benchmark-1")
    check(published.json, "biasscope.published-1")
    assert json.loads((run / "report.json").read_text(encoding="utf-8")) == kept.json
    with pytest.raises(jsonschema.ValidationError):
        check(published.json, "biasscope.benchmark-1")


def test_the_three_steps_fit_together(made):
    build, kept, published, _, out = made
    assert build.json["filter"] is None
    assert kept.json["filter"]["keep"] == "1/2"
    rows = {file["path"]: file["rows"] for file in published.json["files"]}
    assert (
        rows["data/pro.parquet"]
        == kept.json["filter"]["pro"][1]
        == len(pl.read_parquet(out / "data/pro.parquet"))
    )


def test_a_person_reads_the_funnel_the_growth_and_the_shortcuts(made, tmp_path):
    done = run_here("benchmark", "build", tmp_path / "run", *BUILD)
    assert done.code == 0
    for words in ("variants of 24 pairs", "Mean growth of biased rewrites", "Near chance on crossed items:",
                  "as is to be expected where the trait is on rejected responses alone", "items for reviewers"):  # fmt: skip
        assert words in done.out
    again = run_here("benchmark", "filter", tmp_path / "run", "--judge", "planted:fair;seed=2")
    assert "the filter 1/1 kept" in again.out
    assert "unfiltered sample" in again.out
    assert "Judging the items" in again.err
    told = run_here("benchmark", "publish", tmp_path / "run", "--out", tmp_path / "set")
    assert "Nobody has reviewed these rewrites" in told.out
    assert "--licence" in told.out


def test_a_published_folder_is_ranked_on(made, tmp_path):
    done = run_here("benchmark", "rank", tmp_path / "ranks", "--data", made[4], *JUDGES, "--quiet", "--json")
    assert done.code == 0
    assert {v["view"] for v in done.json["views"]} >= {"hardened", "unfiltered", "crossed", "originals"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("build", "new"), ("no pairs are named", "--data")),
        (("build", "new", *DATA, "--rewrites", "teacher"), ("no teacher is named that could write", "--teacher")),
        (
            ("build", "new", *DATA, "--writer", "planted:teacher"),
            ("no teacher is named that could write", "--teacher"),
        ),
        (("build", "new", *DATA, "--biases", "autority"), ("no known bias", "did you mean authority?")),
        (
            ("build", "new", *DATA, "--biases", "position"),
            ("no bias is named that a text can carry", "catalogue"),
        ),
        (("filter", "new", "--judge", "planted:fair"), ("holds no benchmark", "biasscope benchmark build")),
        (("filter", "RUN"), ("no judge is named", "--judge")),
        (
            ("filter", "RUN", "--judge", "planted:fair", "--keep", "2/3"),
            ("about 3 judges, and 1 is named", "--keep 1/1"),
        ),
        (("filter", "RUN", "--judge", "planted:fair", "--keep", "most"), ("is no rule", "1/1")),
        (("filter", "RUN", "--judge", "planted:fair", "--judge", "planted:fair"), ("named twice", "once")),
        (("publish", "new", "--out", "out"), ("holds no benchmark", "biasscope benchmark build")),
        (("publish", "RUN", "--out", "."), ("holds something else", "new folder")),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, tuple) else None,
)
def test_what_cannot_be_done_is_said_in_a_line_with_what_to_do(words, said, made, tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    run_here("benchmark", *(str(made[3]) if w == "RUN" else w for w in words)).refuses(*said)


def test_another_build_in_the_same_folder_is_refused(made):
    done = run_here("benchmark", "build", made[3], *DATA, "--biases", "bold", "--quiet")
    done.refuses("was started with another identity", "biases", "Use a new folder", code=1)


def test_other_commands_say_what_a_benchmarks_folder_is(made):
    run_here("show", made[3]).refuses("holds a benchmark", "report.md")
    run_here("report", made[3]).refuses("holds a benchmark", "report.md")
    run_here("compare", made[3], made[3]).refuses("no run of trials")
    run_here("measure", made[3], "--judge", "planted:fair", *DATA, "--quiet").refuses("another command", code=1)
