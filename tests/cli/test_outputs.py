"""What goes to stdout: one object for programs, lines that fit for people, and nothing else."""

import io
import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from biasscope import api
from biasscope.cli import first_look, summary
from biasscope.report.outputs import SCHEMAS
from biasscope.report.summary import NamedOut

from .conftest import FOUND, PLANTED, SMALL, STRONG, Done, finish, launch, run_here

DISCOVERY = ("--judge", f"planted:{STRONG[0]}", "--teacher", f"planted:{STRONG[1]}", *FOUND)


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """A finished run in which something held: its folder and what the command said."""
    run = tmp_path_factory.mktemp("found") / "run"
    done = run_here("discover", run, *DISCOVERY)
    assert done.code == 0
    return run, done


# --- programs ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ("discover", ["discover", "run", *PLANTED, *SMALL]),
        ("plan", ["discover", "run", *PLANTED, *SMALL, "--dry-run"]),
        ("quickstart", ["quickstart", "run", "--judge", "planted:two-biases", "--pairs", 20]),
        ("models-list", ["models", "list"]),
        ("data-check", ["data", "check", "objective:20?seed=1"]),
        ("data-check", ["data", "check", "pairs.jsonl"]),
    ],
)
def test_json_is_one_object_of_its_schema(tmp_path, schema, words):
    row = {"prompt": "\u00bfQu\u00e9? \u2028 \U0001f600", "chosen": "a", "rejected": "b"}
    (tmp_path / "pairs.jsonl").write_text(json.dumps(row) + "\n" + json.dumps({**row, "rejected": ""}) + "\n")
    done = run_here(*words, "--json")

    assert done.code == 0
    made = SCHEMAS[schema].model_validate_json(done.out)
    assert json.loads(made.model_dump_json()) == done.json
    assert (
        run_here(*words, "--json", *(["--quiet"] if "run" in words and "--dry-run" not in words else [])).err
        == ""
    )


def test_show_prints_the_object_that_discover_printed(found):
    run, _ = found
    done = run_here("show", run, "--json")

    assert SCHEMAS["show"].model_validate_json(done.out) == api.show(run)
    assert done.json["status"] == "found"
    assert (done.code, done.err) == (0, "")


def test_a_plan_pays_nothing_and_makes_no_folder(tmp_path):
    done = run_here("discover", "run", *PLANTED, *SMALL, "--dry-run")

    assert done.err == ""
    assert done.out.startswith("Pairs: 12 discovery, ")
    assert "at every limit" in done.out
    assert not (tmp_path / "run").exists()


def test_json_is_utf8_whatever_the_terminal_writes(tmp_path):
    (tmp_path / "\u00fcber.jsonl").write_text('{"prompt": "a", "chosen": "b", "rejected": "c"}\n')
    narrow = os.environ | {"PYTHONIOENCODING": "ascii"}
    process = launch("data", "check", "\u00fcber.jsonl", "--json", env=narrow, encoding="utf-8")

    assert finish(process).json["spec"] == "\u00fcber.jsonl"


# --- people -----------------------------------------------------------------------------------------------


def test_findings_come_first_and_every_candidate_is_listed(found):
    run, done = found
    lines = run_here("show", run).out.splitlines()

    assert lines == done.out.splitlines()
    assert "hold" in lines[0]
    assert lines[1].startswith("  \u2022 ")
    for trial in api.show(run).trials:
        assert sum(line.startswith(trial.name) for line in lines) == 1
    assert lines[-1] == f"Report: {run / 'report.html'}"


def test_progress_goes_to_stderr_and_may_be_switched_off(found):
    run, done = found

    assert done.err.startswith("Pairs: 40 discovery, ")
    assert "Iteration 1: shifts " in done.err
    assert run_here("discover", run, *DISCOVERY, "--quiet").err == ""


def test_a_long_list_is_cut_and_says_so(found, capsys):
    run, _ = found
    whole = api.show(run)
    other = whole.trials[-1].model_copy(update={"status": "not_shown"})
    many = [other.model_copy(update={"name": f"Trait {n}", "effect": -n / 1000}) for n in range(40)]
    summary.print_summary(whole.model_copy(update={"trials": (*whole.trials[:1], *many)}), json=False)
    lines = capsys.readouterr().out.splitlines()

    assert sum(line.startswith("Trait ") for line in lines) <= summary.SHOWN_OTHERS
    assert any(line.startswith("and ") and "more that did not hold" in line for line in lines)
    assert not any("not tried" in line for line in lines)
    waiting = (NamedOut(id="x", name="X"),)
    summary.print_summary(whole.model_copy(update={"untried": waiting}), json=False)
    assert "and 1 that were named and not tried" in capsys.readouterr().out


@pytest.mark.parametrize(
    "name", ["A trait with a name that is far too long for any table of a terminal", "[bold]x", ":x:"]
)
def test_a_name_is_shown_as_it_is_in_a_table_that_fits(found, capsys, name):
    run, _ = found
    whole = api.show(run)
    named = whole.trials[0].model_copy(update={"name": name, "unit": "log-odds", "effect": -1.234})
    summary.print_summary(whole.model_copy(update={"trials": (named,), "judge_mode": "label"}), json=False)
    out = capsys.readouterr().out
    table = out.split("\n\n")[1].splitlines()

    assert max(len(line) for line in table) <= 80
    assert "log-odds" in table[0]
    assert name.split()[0] in table[1]


def test_margins_that_could_not_be_used_are_not_passed_over(found, capsys):
    run, _ = found
    whole = api.show(run)
    summary.print_summary(whole.model_copy(update={"judge_mode": "label"}), json=False)
    assert "Note: no margins could be used" in capsys.readouterr().out

    summary.print_summary(whole, json=False)
    assert "Note:" not in capsys.readouterr().out


def test_in_a_pipe_sentences_are_not_broken(found):
    _, done = found
    sentence = next(line for line in done.out.splitlines() if line.startswith("  \u2022 "))

    assert len(sentence) > 80
    assert re.search(r" On [0-9]+ fresh pairs: \S+ points \(\S+ to \S+ points\)\.$", sentence)


def test_quickstart_shows_where_two_texts_differ():
    one, other = first_look.differing(
        "The same long beginning " * 9 + "and here", "The same long beginning " * 9 + "or"
    )

    assert one.startswith("... ")
    assert one.endswith("beginning and here")
    assert other.endswith("beginning or")
    assert len(one) < 100
    assert first_look.differing("Short a", "Short b") == ("Short a", "Short b")


def test_quickstart_says_what_it_did_and_what_comes_next():
    done = run_here("quickstart", "run", "--judge", "planted:first-slot", "--pairs", 20)

    assert done.code == 0
    assert "planted:first-slot picked the answer shown first in" in done.out
    assert "log-odds" in done.out
    # 20 pairs in seven arms and both orders, but for one rewrite that could not be made
    assert "Calls: 278 judged now, 0 replayed from run." in done.out
    assert "biasscope discover runs/mine --dry-run" in done.out
    assert "nothing leaves this machine" in done.err
    assert (
        "Calls: 0 judged now, 278 replayed"
        in run_here("quickstart", "run", "--judge", "planted:first-slot", "--pairs", 20).out
    )


def test_known_weights_are_listed_with_where_they_are_or_how_to_get_them(tmp_path, monkeypatch):
    monkeypatch.setenv("BIASSCOPE_CACHE", str(tmp_path / "cache"))
    lines = run_here("models", "list").out.splitlines()

    assert any(line.endswith("not fetched: biasscope models fetch smollm2-135m") for line in lines)
    assert all(m["path"] is None for m in run_here("models", "list", "--json").json["models"])


# --- the other end ----------------------------------------------------------------------------------------


def test_a_reader_that_goes_away_is_no_crash(found):
    run, _ = found
    reading, writing = os.pipe()
    os.close(reading)
    process = launch("show", run, stdout=writing)
    os.close(writing)

    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (1, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_under_stdout_is_said(found):
    run, _ = found
    with Path("/dev/full").open("w") as full:
        process = launch("show", run, stdout=full)
        _, err = process.communicate(timeout=60)

    Done(process.returncode, "", err).refuses("No space left on device", "free space", code=1)


def on_a_terminal(*words, columns=80, stdout=subprocess.PIPE):
    """Run a command whose stderr is a terminal; returns what it said there, and its stdout where that is a pipe."""
    ours, theirs = pty.openpty()
    process = launch(*words, stdout=theirs if stdout is None else stdout, stderr=theirs,
                     env=os.environ | {"COLUMNS": str(columns), "TERM": "xterm"})  # fmt: skip
    os.close(theirs)
    said = io.BytesIO()
    while True:
        try:
            some = os.read(ours, 65536)
        except OSError:  # the terminal is closed when the last process has let it go
            break
        if not some:
            break
        said.write(some)
    os.close(ours)
    out = process.stdout.read() if process.stdout else ""
    if process.stdout:
        process.stdout.close()
    assert process.wait(timeout=60) == 0
    return said.getvalue().decode(), out


@pytest.mark.skipif(sys.platform != "linux", reason="terminals differ")
def test_a_live_display_leaves_stdout_and_the_cursor_alone():
    said, out = on_a_terminal("discover", "run", *PLANTED, *SMALL, "--json")

    SCHEMAS["discover"].model_validate_json(out)
    assert "\x1b[?25l" in said
    assert said.rindex("\x1b[?25h") > said.rindex("\x1b[?25l")
    assert "judge judging" in said


@pytest.mark.skipif(sys.platform != "linux", reason="terminals differ")
@pytest.mark.parametrize(
    ("columns", "words"),
    [(80, ["show"]), (120, ["show"]), (80, ["quickstart", "--judge", "planted:fair", "--pairs", 20, "--quiet"])],
)
def test_on_a_terminal_no_line_is_longer_than_the_window(found, columns, words):
    run = found[0] if words == ["show"] else "run"
    said, _ = on_a_terminal(*words, run, columns=columns, stdout=None)
    text = re.sub("\x1b\\[[0-9]m", "", said).split("\r\n")

    assert "\x1b" not in "".join(text)
    assert max(len(line) for line in text if not line.startswith("Report: ")) <= columns
