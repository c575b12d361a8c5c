"""Judges that are programs, measured and discovered from the command line as any other judge."""

import json
import shlex
import signal
import sys
import time
from pathlib import Path

import pytest
from tests.cli.conftest import finish, launch, run_here

EXAMPLES = Path(__file__).parents[2] / "examples" / "judges"
DATA = ("--data", "objective:30?seed=1", "--biases", "authority")
SHORTER = """
import math, os
def judge(first, second): return "first" if len(first.split()) < len(second.split()) else "second"
def score(response): return -len(response.split())
def none(first, second): return None
def boolean(first, second): return len(first) < len(second)
def nan(response): return math.nan
def marks(response): return 11
def fails(first, second): raise ConnectionError("no server\\nat all")
def sometimes(first, second):
    if "Tom" in first: raise ValueError("no Toms")
    return judge(first, second)
"""


@pytest.fixture(autouse=True)
def _programs(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    Path("mine.py").write_text(SHORTER)


def measured(judge, *more):
    done = run_here("measure", "run", "--judge", judge, *DATA, "--json", "--quiet", *more)
    assert done.code == 0, done.err
    return done.json


def trials(found):
    return {e["bias"]: e["status"] for judge in found["judges"] for e in judge["effects"]}


@pytest.mark.parametrize(
    ("judge", "more"), [("compare", ()), ("score", ("--judge-kind", "pointwise"))], ids=["compares", "scores"]
)
def test_a_function_that_falls_for_authority_is_found_out(judge, more):
    found = measured(f"python:{EXAMPLES / 'callable.py'}:{judge}", *more)
    assert trials(found)["authority"] == "accepted"


def test_a_measurement_of_a_program_continues_and_asks_nothing_twice():
    first = measured("python:mine.py:judge")
    again = measured("python:mine.py:judge")
    assert first["judges"][0]["calls"]["paid"] > 0
    assert again["judges"][0]["calls"]["paid"] == 0
    assert trials(again) == trials(first)
    Path("mine.py").write_text(SHORTER + "# another judge, for all that can be seen\n")
    assert measured("python:mine.py:judge")["judges"][0]["calls"]["paid"] > 0


def test_a_process_is_measured_as_a_function_is():
    words = shlex.join([sys.executable, str(EXAMPLES / "command.py")])
    found = measured(f"command:{words}")
    assert trials(found)["authority"] != "accepted"
    assert found["judges"][0]["missing"] == []


def test_what_a_program_fails_at_is_counted_and_measured_around():
    (judge,) = measured("python:mine.py:sometimes")["judges"]
    assert {m["reason"] for m in judge["missing"]} == {"verdict: failed"}
    assert judge["baseline"]["n"] > 0


def test_recorded_verdicts_say_what_they_hold_and_count_what_they_do_not():
    from biasscope.datasets import load

    rows = [
        {"question": p.question, "first": a, "second": b, "choice": 1}
        for p in load("objective:30?seed=1").pairs
        for a, b in ((p.chosen, p.rejected), (p.rejected, p.chosen))
    ]
    Path("verdicts.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (judge,) = measured("recorded:verdicts.jsonl")["judges"]
    assert judge["baseline"]["first_answer_preference"] == 0.5
    assert {m["reason"] for m in judge["missing"]} == {"verdict: not_recorded"}


def test_a_discovery_with_a_program_says_that_it_cannot_be_asked_why():
    done = run_here(
        "discover", "run", "--judge", f"python:{EXAMPLES / 'callable.py'}:compare", "--teacher", "planted:teacher",
        "--rewrites", "rules", "--discovery", "objective:60?seed=1", "--validation", "objective:24?seed=2",
        "--iterations", "1", "--json", "--quiet",
    )  # fmt: skip
    assert done.code == 0, done.err
    assert done.json["iterations"][0]["shifts"] > 0
    assert "this judge cannot be asked why" in {
        m["reason"] for m in done.json["missing"] if m["arm"] == "explain"
    }


WATCHED = """
import json, os, sys, time
for line in sys.stdin:
    time.sleep(0.004)
    with open("cases.txt", "a") as cases:
        print(os.getpid(), file=cases)
    print(json.dumps({"id": json.loads(line)["id"], "choice": "first"}), flush=True)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_run_that_is_ended_leaves_no_process_and_continues_with_what_is_left(tmp_path, number):
    Path("watched.py").write_text(WATCHED)
    judge = f"command:{shlex.quote(sys.executable)} watched.py"
    data = ("--data", "objective:20?seed=1", "--biases", "authority")
    command = ("measure", "run", "--judge", judge, *data, "--json")
    process = launch(*command)
    cases = tmp_path / "cases.txt"
    while not cases.exists() or len(cases.read_text().splitlines()) < 30:
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.005)
    process.send_signal(number)
    assert finish(process).code == {signal.SIGINT: 130, signal.SIGKILL: -signal.SIGKILL}[number]
    (child,) = {int(line) for line in cases.read_text().splitlines()}
    for _ in range(2000):
        if not Path(f"/proc/{child}/cmdline").exists() or not Path(f"/proc/{child}/cmdline").read_bytes():
            break
        time.sleep(0.01)
    else:
        pytest.fail(f"process {child} still runs")
    answered = len(cases.read_text().splitlines())
    done = run_here(*command, "--quiet")
    assert done.code == 0, done.err
    asked = len(cases.read_text().splitlines())
    assert done.json["judges"][0]["missing"] == []
    assert asked - answered == done.json["judges"][0]["calls"]["paid"]
    assert asked <= 160 + 2 * 8  # at most what was under way is asked twice


@pytest.mark.parametrize(
    ("judge", "more", "code", "words"),
    [
        ("python:absent.py:judge", (), 2, ["no file absent.py"]),
        ("python:no_such_module:judge", (), 2, ["no module 'no_such_module'"]),
        ("python:mine.py:jugde", (), 2, ["'jugde'", "Did you mean judge?"]),
        ("python:mine.py:score", (), 1, ["'response'", "--judge-kind pointwise"]),
        ("python:mine.py:none", (), 1, ["mine.py:none", "none that counts", "null"]),
        ("python:mine.py:boolean", (), 1, ["could mean either response"]),
        ("python:mine.py:nan", ("--judge-kind", "pointwise"), 1, ["not a finite number"]),
        ("python:mine.py:marks", ("--judge-kind", "pointwise", "--scale", "1-10"), 1, ["11 is not between 1 and 10"]),
        ("python:mine.py:fails", (), 1, ["ConnectionError: no server"]),
        ("python:mine.py:judge", ("--samples", "3", "--judge-temperature", "0.5"), 2, ["temperature", "a program"]),
        ("python:mine.py:judge", ("--judge-mode", "label"), 2, ["mode label", "a program"]),
        ("python:mine.py:score", ("--judge-kind", "pointwise", "--scale", "many"), 2, ["'many' is not a scale"]),
        ("command:no-such-program", (), 2, ["'no-such-program'"]),
        (f"command:{shlex.quote(sys.executable)} -c 'import no_such_library'", (), 1, ["exit code 1", "no_such_library"]),
        (f"command:{shlex.quote(sys.executable)} -c 'print(1)'", (), 1, ["exit code 0"]),
        ("recorded:absent.jsonl", (), 2, ["no file"]),
        ("reward:", (), 2, ["not a model spec"]),
    ],
)  # fmt: skip
def test_a_program_that_cannot_judge_is_refused_in_one_line(judge, more, code, words):
    run_here("measure", "run", "--judge", judge, *DATA, "--quiet", *more).refuses(*words, code=code)


def test_a_program_whose_settings_do_not_go_together_leaves_no_folder():
    Path("own.txt").write_text("--- user ---\n{{question}} {{first}} {{second}}", encoding="utf-8")
    judge = ("--judge", "python:mine.py:judge", "--judge-prompt", "own.txt")
    run_here("measure", "run", *judge, *DATA, "--quiet").refuses("template", "Leave out --judge-prompt", code=2)
    assert not Path("run").exists()


def test_a_program_is_no_teacher():
    done = run_here(
        "measure", "run", "--judge", "planted:fair", "--teacher", "python:mine.py:judge", "--rewrites", "teacher",
        *DATA, "--quiet",
    )  # fmt: skip
    done.refuses("judges, and can be asked nothing else", "as the teacher", code=1)
