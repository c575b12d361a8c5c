"""`biasscope benchmark rank` on planted judges: what is stored and printed, going on after a stop, and what is refused."""

import json
import signal
import sys
import time
from pathlib import Path

import polars as pl
import pytest

from biasscope import api
from biasscope.report.ranked import RankOut
from biasscope.rundir import RunDir
from biasscope.workflows.rank import rank_judges
from biasscope.workflows.ranked_set import ItemRow
from biasscope.workflows.verdict_rows import VerdictRow

from ..ranking import built
from .conftest import launch, run_here

pytestmark = pytest.mark.slow

FAIR, OTHER = "planted:fair", "planted:fair;seed=2"
DRAWN = "planted:biases=authority@3,sentiment@3"


@pytest.fixture(scope="module")
def hardened(tmp_path_factory):
    return built(tmp_path_factory.mktemp("set") / "hardened.parquet")


@pytest.fixture(scope="module")
def rows(hardened):
    """Its rows; a judge gives two verdicts on each."""
    return pl.read_parquet(hardened)


@pytest.fixture(scope="module")
def ranked(hardened, tmp_path_factory):
    """A finished ranking that is only read: its folder and what the command said."""
    run = tmp_path_factory.mktemp("ranks") / "run"
    done = run_here("benchmark", "rank", run, "--data", hardened, "--judge", FAIR, "--judge", DRAWN,
                    "--related", f"{DRAWN}=it is planted with the traits", "--json")  # fmt: skip
    assert done.code == 0, done.err
    return run, done


def test_json_is_one_object_of_its_schema_and_that_of_the_folder(ranked):
    run, done = ranked
    found = RankOut.model_validate_json(done.out)

    assert found == RankOut.model_validate_json((run / "report.json").read_text(encoding="utf-8"))
    assert (found.complete, found.main, found.schema_version) == (True, "hardened", "biasscope.rank/1")
    assert [j.judge for j in found.judges] == [FAIR, DRAWN]
    assert [j.apart for j in found.judges] == [False, True]


def test_a_judge_with_the_traits_errs_more_where_they_are_and_as_often_where_they_are_not(ranked):
    _, done = ranked
    fair, drawn = ({v["view"]: v for v in j["views"]} for j in done.json["judges"])
    by_view = {v["view"]: v for v in done.json["views"]}

    assert set(fair) == {"hardened", "crossed", "originals"}
    (difference,) = by_view["hardened"]["differences"]
    assert (difference["difference"] > 0.15, difference["q"] < 0.01) == (True, True)
    (before,) = by_view["originals"]["differences"]
    assert before["low"] is None or before["low"] < 0 < before["high"]
    assert drawn["hardened"]["change"]["low"] > 0
    assert fair["hardened"]["change"]["low"] < 0 < fair["hardened"]["change"]["high"]
    pulls = [of["crossed"]["cells"]["sides"]["pull"] for of in (fair, drawn)]
    assert abs(pulls[0]["value"]) < 0.1
    assert pulls[1]["low"] > 0.1
    assert [b["group"] for b in drawn["hardened"]["biases"]] == ["authority", "sentiment"]


def test_every_number_can_be_counted_again_from_the_files_of_the_folder(ranked):
    run, done = ranked
    folder = RunDir.read(run)
    items = folder.read_records("items", ItemRow)
    frame = folder.read_verdicts()
    rows = [VerdictRow(**{**row, "keys": tuple(row["keys"])}) for row in frame.iter_rows(named=True)]
    by_judge = [[r for r in rows if r.judge == spec] for spec in (FAIR, DRAWN)]
    found = rank_judges(by_judge, items, apart=(False, True))

    for scores, told in zip(found.scores, done.json["judges"], strict=True):
        for view in told["views"]:
            assert scores.views[view["view"]].error.value == view["error"]["value"]
    # and by other means: mean over items of the mean error over both orders
    error = pl.col("choice").replace_strict({"chosen": 0.0, "tie": 0.5, "rejected": 1.0}, return_dtype=pl.Float64)
    hardened = [i.pair for i in items if "hardened" in i.views]
    mean = (
        frame.filter(pl.col("judge") == FAIR, pl.col("pair").is_in(hardened))
        .group_by("pair").agg(error.mean().alias("e"))["e"].mean()
    )  # fmt: skip
    assert mean == pytest.approx(done.json["judges"][0]["views"][0]["error"]["value"])
    assert set(frame["role"]) == {"rank"}
    assert "authority@rejected" in set(frame["arm"])


def test_a_person_sees_ranks_first_and_judges_that_are_related_apart(ranked, hardened, rows):
    run, _ = ranked
    again = run_here("benchmark", "rank", run, "--data", hardened, "--judge", FAIR, "--judge", DRAWN,
                     "--related", f"{DRAWN}=it is planted with the traits")  # fmt: skip
    lines = again.out.splitlines()

    assert again.code == 0
    assert lines[0].startswith(f"{FAIR} (reason) errs on ")
    assert "Ranked apart, since they had a hand in the benchmark" in lines
    assert any(
        line.strip() == f"• {DRAWN} (reason) is ranked apart: it is planted with the traits." for line in lines
    )
    assert again.err.startswith(f"{len(rows)} items, 2 judges, both orders: {4 * len(rows)} verdicts at most")
    page = (run / "rank.md").read_text(encoding="utf-8")
    assert page.startswith("# Judges on a hardened benchmark\n")
    assert "## Where the trait is: crossed items" in page
    assert r"\begin{tabular}" in (run / "tables" / "rank.tex").read_text(encoding="utf-8")
    assert (run / "tables" / "crossed.tex").exists()


def test_the_same_command_pays_nothing_twice_and_a_reason_may_change(ranked, hardened, rows):
    run, done = ranked
    again = run_here("benchmark", "rank", run, "--data", hardened, "--judge", FAIR, "--judge", DRAWN, "--json")

    assert again.json["judges"][0]["calls"]["paid"] == 0
    assert again.json["judges"][0]["calls"]["replayed"] == 2 * len(rows)
    assert [j["apart"] for j in again.json["judges"]] == [False, False]
    assert again.json["judges"][1]["views"] == done.json["judges"][1]["views"]
    assert [p["rank"] for p in again.json["views"][0]["places"]] == [1, 2]
    # another judge on the same replies
    other = run_here("benchmark", "rank", "more", "--data", hardened, "--judge", FAIR, "--judge", OTHER,
                     "--ledger", run / "replies.db", "--json")  # fmt: skip
    assert [j["calls"]["paid"] for j in other.json["judges"]] == [0, 2 * len(rows)]
    assert [(p["best"], p["worst"]) for p in other.json["views"][0]["places"]] == [(1, 2), (1, 2)]


def test_a_capped_run_stops_and_goes_on_where_it_was(hardened, ranked, rows):
    _, done = ranked
    words = ("benchmark", "rank", "capped", "--data", hardened, "--judge", FAIR, "--judge", DRAWN)
    stopped = run_here(*words, "--max-calls", 500)
    assert stopped.code == 1
    assert "500" in stopped.err
    half = json.loads(Path("capped/report.json").read_text(encoding="utf-8"))
    assert (half["complete"], len(half["judges"])) == (False, 1)

    whole = run_here(*words, "--json").json
    assert whole["complete"]
    assert [j["views"] for j in whole["judges"]] == [j["views"] for j in done.json["judges"]]
    assert sum(j["calls"]["paid"] for j in whole["judges"]) == 4 * len(rows) - 500


@pytest.mark.skipif(sys.platform != "linux", reason="signals differ")
def test_a_killed_run_is_continued_to_the_same_numbers(hardened, ranked, tmp_path):
    _, done = ranked
    words = ("benchmark", "rank", "killed", "--data", hardened, "--judge", FAIR, "--judge", DRAWN, "--quiet")
    process = launch(*words)
    ledger = tmp_path / "killed" / "replies.db"
    while process.poll() is None and not (ledger.exists() and ledger.stat().st_size > 20_000):
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)

    whole = run_here(*words, "--json").json
    assert [j["views"] for j in whole["judges"]] == [j["views"] for j in done.json["judges"]]


def test_a_file_with_the_published_columns_alone_is_ranked_by_its_questions(rows):
    frame = rows.filter(pl.col("subset") == "pro")
    frame.select("question", "response_A", "response_B", "label", "injected_bias", "domain").write_parquet(
        "plain.parquet"
    )
    done = run_here("benchmark", "rank", "run", "--data", "plain.parquet", "--originals", "objective:20?seed=1",
                    "--judge", FAIR, "--json")  # fmt: skip
    found = done.json

    assert found["benchmark"]["plain"]
    assert (found["benchmark"]["items"], found["benchmark"]["clusters"], found["benchmark"]["unmatched"]) == (
        len(frame) + 20,
        20,
        0,
    )
    assert {v["view"] for v in found["judges"][0]["views"]} == {"hardened", "originals"}
    assert found["judges"][0]["views"][0]["change"]["n"] == len(frame)
    shown = run_here("benchmark", "rank", "run", "--data", "plain.parquet", "--originals", "objective:20?seed=1",
                     "--judge", FAIR).out  # fmt: skip
    assert "rows of one question count as one draw" in shown
    assert "A filter chose" not in shown


def test_a_limit_takes_whole_questions(hardened, rows):
    done = run_here("benchmark", "rank", "run", "--data", hardened, "--judge", FAIR, "--limit", 3, "--json").json
    taken = {item.source_pair for item in RunDir.read("run").read_records("items", ItemRow)}

    assert (len(taken), done["benchmark"]["clusters"]) == (3, 3)
    assert done["benchmark"]["items"] == len(rows.filter(pl.col("source_pair").is_in(list(taken))))


def test_what_cannot_be_ranked_is_refused_with_a_way_out(hardened, tmp_path):
    rank = ("benchmark", "rank", "run")
    run_here(*rank, "--judge", FAIR).refuses("no benchmark is named", "--data")
    run_here(*rank, "--data", hardened).refuses("no judge is named")
    run_here(*rank, "--data", "absent.parquet", "--judge", FAIR).refuses("no such file")
    run_here(*rank, "--data", hardened, "--judge", FAIR, "--related", "planted:other=x").refuses(
        "none of the judges", FAIR
    )
    (tmp_path / "pairs.jsonl").write_text('{"prompt": "a", "chosen": "b", "rejected": "c"}\n')
    run_here(*rank, "--data", "pairs.jsonl", "--judge", FAIR).refuses("is no benchmark", "response_A")
    run_here(*rank, "--data", hardened, "--judge", FAIR, "--originals", "objective:5?seed=9").refuses(
        "none of the given originals"
    )
    assert not (tmp_path / "run").exists()


def test_a_folder_of_a_ranking_is_told_from_others(ranked, hardened):
    run, _ = ranked
    run_here("show", run).refuses("holds a ranking", "rank.md")
    run_here("compare", run, run).refuses("no run of trials")
    run_here("benchmark", "rank", run, "--data", hardened, "--judge", OTHER).refuses("another identity", code=1)
    with pytest.raises(Exception, match="holds a ranking"):
        api.report(run)


def test_a_judge_named_in_the_benchmark_is_ranked_apart_and_a_relative_by_name_warned_of(hardened, tmp_path):
    frame = pl.read_parquet(hardened).with_columns(pl.lit("openai:acme-writer-1").alias("writer"))
    (tmp_path / "set" / "data").mkdir(parents=True)
    frame.write_parquet(tmp_path / "set" / "data" / "pro.parquet")
    said = {"schema_version": "biasscope.benchmark/1", "writers": [], "biases": [],
            "filter": {"judges": [{"judge": FAIR}]}}  # fmt: skip
    (tmp_path / "set" / "benchmark.json").write_text(json.dumps(said))
    done = run_here("benchmark", "rank", "run", "--data", "set", "--judge", FAIR, "--judge", OTHER, "--json").json

    assert [(j["apart"], [r["hand"] for r in j["relations"]]) for j in done["judges"]] == [
        (True, ["filter"]), (False, []),
    ]  # fmt: skip
    assert [p["judge"] for p in done["views"][0]["places"]] == [f"{OTHER} (reason)"]
    assert done["benchmark"]["made_by"] == {
        "writers": ["openai:acme-writer-1"], "filters": [FAIR], "discovery": [],
    }  # fmt: skip


def test_margins_have_an_error_of_their_own(hardened):
    done = run_here("benchmark", "rank", "run", "--data", hardened, "--judge", "planted:first-slot", "--judge-mode", "label",
                    "--limit", 6, "--json").json  # fmt: skip
    view = done["judges"][0]["views"][0]

    assert view["by_margin"]["value"] < view["error"]["value"]
    assert view["first_answer"] > 0.2


def test_scores_of_a_judge_that_sees_one_response_at_a_time_have_no_orders(hardened):
    done = run_here("benchmark", "rank", "run", "--data", hardened, "--judge", FAIR, "--judge-kind", "pointwise",
                    "--limit", 4, "--json").json  # fmt: skip
    view = done["judges"][0]["views"][0]

    assert (view["consistency"], view["first_answer"]) == (None, None)
    assert view["asked"] == view["items"]


def test_a_configuration_file_names_judges_that_are_asked_in_different_ways(hardened, tmp_path):
    (tmp_path / "rank.toml").write_text(
        f'[identity]\nbenchmark = "{hardened}"\nlimit = 2\n'
        f'[[identity.judges]]\nspec = "{FAIR}"\n'
        f'[[identity.judges]]\nspec = "{OTHER}"\nmode = "label"\n'
        f'[related]\n"{OTHER}" = "a twin"\n'
    )
    found = run_here("benchmark", "rank", "run", "--config", "rank.toml", "--json").json

    assert [(j["mode"], j["apart"]) for j in found["judges"]] == [("reason", False), ("label", True)]
    (tmp_path / "wrong.toml").write_text(
        f'[identity]\nbenchmark = "{hardened}"\n[[identity.judges]]\nspec = "{FAIR}"\n[related]\n"planted:no" = "x"\n'
    )
    run_here("benchmark", "rank", "other", "--config", "wrong.toml").refuses(
        "planted:no is said to be related", FAIR
    )
