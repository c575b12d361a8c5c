"""`biasscope report` as a person uses it: whole, unfinished, empty, torn and newer folders."""

import json
import shutil
import sqlite3

import pytest

from biasscope import api
from biasscope.report.latex import escape
from biasscope.report.outputs import SCHEMAS
from biasscope.rundir.lock import locked

from .conftest import FOUND, PLANTED, SMALL, STRONG, finish, launch, run_here

DISCOVERY = ("--judge", f"planted:{STRONG[0]}", "--teacher", f"planted:{STRONG[1]}", *FOUND)
MEASURED = ("--judge", "planted:biases=authority@3;noise=0.8", "--judge", "planted:fair", "--data", "objective:30?seed=1",
            "--biases", "authority")  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A finished discovery in which something holds."""
    run = tmp_path_factory.mktemp("made") / "run"
    assert run_here("discover", run, *DISCOVERY, "--quiet").code == 0
    return run


@pytest.fixture
def run(made, tmp_path):
    """A copy of it, to be damaged."""
    return shutil.copytree(made, tmp_path / "run")


def page(run):
    return (run / "report.html").read_text(encoding="utf-8")


def replies(run):
    with sqlite3.connect(f"file:{run}/replies.db?mode=ro", uri=True) as ledger:
        return ledger.execute("SELECT count(*) FROM replies").fetchone()[0]


def test_a_discovery_leaves_its_report_and_its_charts(made):
    charts = {p.name for p in (made / "charts").iterdir()}

    assert page(made).startswith("<!DOCTYPE html>")
    assert {"effects.json", "slots.json", "growth.json", "size-1.json"} <= charts
    assert all(json.loads((made / "charts" / name).read_text())["$schema"] for name in charts)
    summary = api.show(made)
    for trial in summary.trials:
        assert f'<th scope="row">{trial.name}</th>' in page(made)
        assert f"{100 * trial.effect:+.1f} points" in page(made)


def test_the_report_is_made_again_from_the_folder_alone_and_is_the_same(run):
    before, known = page(run), replies(run)
    markdown, started = (run / "report.md").read_bytes(), (run / "manifest.json").read_bytes()
    for name in ("report.html", "report.md"):
        (run / name).unlink()
    shutil.rmtree(run / "charts")
    done = run_here("report", run)

    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[-1] == f"Report: {run / 'report.html'}"
    assert page(run) == before
    assert (run / "report.md").read_bytes() == markdown
    assert (run / "charts" / "effects.json").exists()
    assert replies(run) == known
    assert (run / "manifest.json").read_bytes() == started


def test_several_runs_are_reported_and_json_is_one_object(run, tmp_path):
    other = shutil.copytree(run, tmp_path / "other")
    done = run_here("report", run, other, "--json")
    found = SCHEMAS["report"].model_validate_json(done.out)

    assert [(one.run, one.complete, one.notes) for one in found.reports] == [
        (str(run), True, ()),
        (str(other), True, ()),
    ]
    assert "charts/effects.json" in found.reports[0].charts


def test_tables_are_written_into_each_folder_or_over_all_runs(run, tmp_path):
    other = shutil.copytree(run, tmp_path / "other")
    done = run_here("report", run, other, "--latex", "--tables", tmp_path / "paper" / "tables")
    names = {p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*.tex")}

    assert (done.code, done.err) == (0, "")
    assert names == {
        f"{where}/tables/{name}.tex" for where in ("run", "other", "paper") for name in ("main", "biases")
    }
    assert done.out.splitlines()[-1] == f"Table: {tmp_path / 'paper' / 'tables' / 'biases.tex'}"
    rows = [len((tmp_path / w / "tables" / "main.tex").read_text().splitlines()) for w in ("run", "paper")]
    assert rows[1] == rows[0] + 1
    listed = (run / "tables" / "biases.tex").read_text(encoding="utf-8")
    assert all(f"\n{escape(t.name)} & " in listed for t in api.show(run).trials)
    told = json.loads(run_here("report", run, "--latex", "--json").out)
    assert told["reports"][0]["tables"] == [str(run / "tables" / f"{name}.tex") for name in ("main", "biases")]
    assert told["tables"] == []


def test_a_report_without_being_asked_writes_no_tables(run):
    run_here("report", run)

    assert not (run / "tables").exists()


def test_a_run_without_a_result_cannot_be_put_into_a_table_with_others(run, tmp_path):
    (run / "report.json").unlink()
    (run / "trials.jsonl").unlink()
    done = run_here("report", run, "--latex")

    assert (done.code, list(run.glob("tables/*"))) == (0, [])
    run_here("report", run, "--tables", tmp_path / "paper").refuses("holds no result yet")
    assert not (tmp_path / "paper").exists()


def test_a_chart_of_an_earlier_report_does_not_stay(run):
    (run / "charts" / "size-9.json").write_text("{}")
    run_here("report", run)

    assert not (run / "charts" / "size-9.json").exists()


def test_the_evidence_on_the_page_is_that_of_the_file(made):
    rows = [json.loads(line) for line in (made / "evidence.jsonl").read_text(encoding="utf-8").splitlines()]

    assert rows
    for row in rows:
        for verdict in row["verdicts"]:
            assert all(key in page(made) for key in verdict["keys"])


def test_a_measurement_of_two_judges_leaves_its_report(tmp_path):
    run = tmp_path / "run"
    done = run_here("measure", run, *MEASURED, "--quiet")
    first = page(run)

    assert done.out.splitlines()[-1] == f"Report: {run / 'report.html'}"
    assert {p.name for p in (run / "charts").iterdir()} == {
        "effects-1.json", "effects-2.json", "slots.json", "differences.json"}  # fmt: skip
    assert "The judges beside each other" in first
    rows = [json.loads(line) for line in (run / "evidence-1.jsonl").read_text(encoding="utf-8").splitlines()]
    assert 1 <= len(rows) <= 5
    assert {row["bias_id"] for row in rows} == {"authority"}
    assert all(row["verdicts"][-1]["keys"][0] in first for row in rows)
    assert (run / "evidence-2.jsonl").read_text(encoding="utf-8") == ""
    assert run_here("report", run).code == 0
    assert page(run) == first


def test_an_unfinished_run_has_a_report_that_says_so(run):
    (run / "report.html").unlink()
    summary = json.loads((run / "report.json").read_text(encoding="utf-8"))
    summary |= {"complete": False, "status": "unfinished", "stopped": "not finished"}
    (run / "report.json").write_text(json.dumps(summary), encoding="utf-8")
    done = run_here("report", run)

    assert done.code == 0
    assert f"Note: {run} is not finished." in done.out
    assert "This run is not finished: what stands here may change." in page(run)


def test_show_says_how_to_have_a_report_where_there_is_none(run):
    assert run_here("show", run).out.splitlines()[-1] == f"Report: {run / 'report.html'}"
    (run / "report.html").unlink()

    assert run_here("show", run).out.splitlines()[-1] == f"Report: biasscope report {run} makes it"


def test_a_run_that_its_cap_ended_has_a_page_with_a_sentence(tmp_path):
    run = tmp_path / "run"
    assert run_here("discover", run, *PLANTED, *SMALL, "--max-calls", 3, "--quiet").code == 1
    done = run_here("report", run)

    assert done.code == 0
    assert "This discovery holds no result yet" in page(run)
    assert "Run biasscope discover with it again to continue." in done.out
    assert list((run / "charts").iterdir()) == []


def test_a_run_that_goes_on_leaves_no_report_of_what_was_before(tmp_path):
    run = tmp_path / "run"
    words = ("discover", run, *DISCOVERY, "--quiet")
    assert run_here(*words).code == 0
    assert "This run is not finished" not in page(run)
    more = [w if w != "1" else "3" for w in words]
    assert run_here(*more, "--max-calls", 30).code == 1

    assert "This run is not finished" in page(run)


def test_torn_evidence_is_noted_and_the_rest_is_shown(run):
    whole = (run / "evidence.jsonl").read_bytes()
    (run / "evidence.jsonl").write_bytes(whole[: len(whole) - 50])
    done = run_here("report", run)

    assert done.code == 0
    assert "The pairs behind the findings cannot be shown" in done.out
    assert "The pairs behind the findings cannot be shown" in page(run)
    assert "Everything that was tried" in page(run)


def test_a_torn_summary_gives_a_page_that_says_so(run):
    whole = (run / "report.json").read_bytes()
    (run / "report.json").write_bytes(whole[: len(whole) // 2])
    done = run_here("report", run)

    assert done.code == 0
    assert "The result of this discovery cannot be read: its report.json is damaged." in page(run)
    assert "replies are kept, so nothing is paid twice" in page(run)
    assert "Settings that determine the results" in page(run)


@pytest.mark.parametrize("command", ["show", "report"])
def test_a_folder_of_an_earlier_program_is_read_under_the_earlier_name(run, command):
    (run / "report.json").rename(run / "summary.json")
    before = page(run)
    done = run_here(command, run)

    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[-1] == f"Report: {run / 'report.html'}"
    assert page(run) == before
    assert not (run / "report.json").exists()


def test_the_earlier_name_counts_only_where_there_is_no_other(run):
    (run / "summary.json").write_text("{")

    assert run_here("show", run).code == 0


def test_what_a_later_program_added_within_the_version_is_passed_over(run):
    known = api.show(run)
    report = json.loads((run / "report.json").read_text(encoding="utf-8"))
    report |= {"added": 1, "trials": [t | {"added": 1} for t in report["trials"]]}
    report["trials"][0]["details"]["added"] = 1
    (run / "report.json").write_text(json.dumps(report), encoding="utf-8")

    assert api.show(run) == known


def test_a_torn_manifest_is_noted(run):
    (run / "manifest.json").write_text("{")
    done = run_here("report", run)

    assert done.code == 0
    assert "Versions and hashes are not known" in page(run)


def test_evidence_that_an_older_run_lacks_is_noted(run):
    (run / "evidence.jsonl").unlink()

    assert "The pairs behind the findings cannot be shown" in run_here("report", run).out
    assert "No pair is kept for it" in page(run)


@pytest.mark.parametrize("command", ["report", "show"])
def test_a_folder_of_a_newer_schema_is_refused(run, command):
    text = (run / "report.json").read_text(encoding="utf-8")
    (run / "report.json").write_text(
        text.replace("biasscope.discover/1", "biasscope.discover/2"), encoding="utf-8"
    )
    (run / "config.json").write_text('{"unknown": "to this program"}')
    before = page(run)
    run_here(command, run).refuses(
        "written by a newer biasscope", "biasscope.discover/2", "pip install --upgrade"
    )

    assert page(run) == before


@pytest.mark.parametrize("where", ["nowhere", "files"])
def test_what_is_no_run_folder_is_refused(tmp_path, where):
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "text.txt").write_text("x")

    run_here("report", where).refuses("is not a run folder")


def test_a_folder_in_which_a_process_works_is_refused(run):
    with locked(run):
        finish(launch("report", run)).refuses("is in use by", code=1)


def test_hostile_text_in_data_and_in_the_name_of_a_judge_stays_text(tmp_path):
    nasty = "</main><script>document.title='ran'</script><img src=x onerror=alert(1)> \" onload=\"x"
    rows = [
        {"prompt": f"{nasty} {n}", "chosen": f"{nasty} good {n}", "rejected": f"{nasty} bad {n}", "domain": nasty}
        for n in range(30)
    ]
    (tmp_path / "pairs.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    program = tmp_path / "judge.py"
    program.write_text("def judge(question, first, second):\n    return 1 if len(first) > len(second) else 2\n")
    done = run_here(
        "measure",
        "run",
        "--judge",
        f"python:{program}:judge",
        "--data",
        "pairs.jsonl",
        "--biases",
        "length",
        "--quiet",
    )
    assert done.code == 0, done.err

    made = page(tmp_path / "run")
    assert "<script" not in made
    assert "<img" not in made
    assert "</main>" in made
    assert made.count("</main>") == 1
