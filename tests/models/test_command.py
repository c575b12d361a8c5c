"""A command as a judge: one process, lines of JSON, deaths, noise and deadlines."""

import asyncio
import os
import shlex
import sys
from pathlib import Path

import pytest
from tests.models.programs import failed, opened, request, said

from biasscope.errors import ProgramFailed, UsageError
from biasscope.models.command import ENDS_IN_A_ROW
from biasscope.models.programs import FAILURES

READS = "import json, os, sys, time\nfor line in sys.stdin:\n    case = json.loads(line)\n"
ANSWERS = "    print(json.dumps({'id': case['id'], 'choice': 1, 'reason': case['question']}), flush=True)\n"


@pytest.fixture
async def judge(tmp_path):
    """Write a script that reads cases line by line, and open it as a judge."""
    models = []

    def make(body, before="", **more):
        script = tmp_path / "judge.py"
        script.write_text(before + READS + body, encoding="utf-8")
        models.append(opened(f"command:{shlex.join([sys.executable, str(script)])}", **more))
        return models[-1]

    yield make
    for model in models:
        await model.close()


def answer(question):
    """What a script with `ANSWERS` says to a case."""
    return {"choice": 1, "reason": question}


def asked(*questions):
    return [request(question=q) for q in questions]


async def all_said(model, *questions):
    return await asyncio.gather(*(said(model, r) for r in asked(*questions)))


async def test_one_process_answers_every_case(judge):
    model = judge(
        "    print(json.dumps({'id': case['id'], 'choice': 'first', 'reason': str(os.getpid())}), flush=True)\n"
    )
    first, second = await said(model), await said(model)
    assert first["choice"] == "first"
    assert first == second


async def test_answers_may_come_in_any_order(judge):
    held = "    held = globals().setdefault('held', []); held.append(case)\n    if len(held) < 3: continue\n"
    body = held + "    for case in reversed(held):\n    " + ANSWERS
    assert await all_said(judge(body), "a", "b", "c") == [answer(q) for q in "abc"]


async def test_texts_of_every_kind_arrive_and_come_back(judge):
    question = 'ü \u2028 \x00 \ud800 \n "quoted" ' + "x" * 100_000
    (said_of_it,) = await all_said(judge(ANSWERS), question)
    assert said_of_it == answer(question.replace("\ud800", "?"))


async def test_a_case_over_which_the_process_ends_is_the_only_one_that_is_lost(judge):
    body = "    if case['question'] == 'bad':\n        print('out of memory', file=sys.stderr)\n        sys.exit(7)\n"
    model = judge(body + ANSWERS)
    assert await said(model) == answer("Why?")
    *good, bad = await all_said(model, "a", "b", "c", "bad")
    assert good == [answer(q) for q in "abc"]
    failed(bad, "exit code 7", "out of memory")
    assert await said(model) == answer("Why?")


async def test_a_process_that_ends_at_once_stops_the_run_with_its_code_and_its_last_words(judge):
    model = judge("", before="import sys\nprint('starting', file=sys.stderr)\nimport no_such_library\n")
    with pytest.raises(
        ProgramFailed, match=r"answered nothing: exit code 1, .*No module named 'no_such_library'"
    ):
        await said(model)


async def test_a_process_that_ends_again_and_again_is_not_started_for_ever(judge):
    model = judge("    if case['question'] == 'bad': os.kill(os.getpid(), 9)\n" + ANSWERS)
    await said(model)
    for _ in range(2):  # each puts an end to two processes
        failed(await said(model, request(question="bad")), "signal 9")
    with pytest.raises(
        ProgramFailed, match=rf"ended {ENDS_IN_A_ROW} times: signal 9, nothing on stderr"
    ) as stopped:
        await said(model, request(question="bad"))
    assert "until its input ends" in stopped.value.hint


async def test_what_answers_no_id_costs_the_oldest_case_and_never_gives_a_verdict(judge):
    noise = "    if case['question'] == 'noisy': print('Thinking hard', flush=True)\n"
    model = judge(noise + ANSWERS)
    assert await said(model) == answer("Why?")
    failed(await said(model, request(question="noisy")), "Thinking hard", reason="unparsable")
    assert await said(model) == answer("Why?")


@pytest.mark.parametrize("line", ['{"choice": "first"}', "[1]", '{"id": "0"}', '{"id": true}'])
async def test_json_without_the_id_of_a_case_is_noise_too(judge, line):
    model = judge(f"    print({line!r}, flush=True)\n")
    failed(await said(model), "answers no id", reason="unparsable")


async def test_a_program_that_prints_nothing_but_noise_stops_the_run(judge):
    model = judge("    print('I prefer the first.', flush=True)\n")
    for _ in range(FAILURES - 1):
        await said(model)
    with pytest.raises(ProgramFailed, match="I prefer the first"):
        await said(model)


async def test_a_process_that_hangs_is_ended_at_the_deadline_and_the_next_one_answers(judge):
    body = "    if case['question'] == 'slow': time.sleep(600)\n" + ANSWERS
    model = judge(body)
    assert await said(model) == answer("Why?")
    model._timeout_s = 0.2  # it runs already, so that only its answer is waited for
    failed(await said(model, request(question="slow")), "0.2 s", reason="timed_out")
    model._timeout_s = 60
    assert await said(model) == answer("Why?")


async def test_time_runs_for_the_case_that_a_process_works_on_and_not_for_those_behind_it(judge):
    model = judge("    if case['question'] != 'Why?': time.sleep(0.25)\n" + ANSWERS)
    assert await said(model) == answer("Why?")
    model._timeout_s = 1.0
    assert await all_said(model, *"abcdef") == [answer(q) for q in "abcdef"]  # 1.5 s in all


async def test_of_the_cases_that_a_process_holds_only_the_one_that_hangs_is_lost(judge):
    model = judge("    if case['question'] == 'slow': time.sleep(600)\n" + ANSWERS)
    assert await said(model) == answer("Why?")
    model._timeout_s = 1.0
    first, slow, *others = await all_said(model, "a", "slow", "b", "c")
    failed(slow, "1 s", reason="timed_out")
    assert [first, *others] == [answer(q) for q in "abc"]


async def test_an_answer_that_comes_too_late_shows_that_the_process_works(judge):
    held = """
    held = globals().setdefault("held", [])
    if case["question"] in ("lost", "late"):
        held.append(case)
        continue
    said = lambda one: print(json.dumps({"id": one["id"], "choice": 1, "reason": str(os.getpid())}), flush=True)
    if case["question"] == "give":
        said(held[0])
        continue
    said(case)
"""
    model = judge(held)
    process = (await said(model))["reason"]
    model._timeout_s = 0.5
    late, lost, other = (asyncio.create_task(said(model, r)) for r in asked("late", "lost", "other"))
    assert (await other)["reason"] == process  # answered while `late` is the oldest
    failed(await late, reason="timed_out")
    give = asyncio.create_task(said(model, *asked("give")))
    failed(await lost, reason="timed_out")
    assert (await said(model))["reason"] == process
    failed(await give, reason="timed_out")


async def test_closing_ends_the_process_and_what_it_started(judge):
    start = "import subprocess, sys\nother = subprocess.Popen(['sleep', '600'])\n"
    model = judge(
        "    print(json.dumps({'id': case['id'], 'choice': 'first', 'reason': f'{os.getpid()} {other.pid}'}), flush=True)\n",
        before=start,
    )
    numbers = [int(word) for word in (await said(model))["reason"].split()]
    await model.close()
    await model.close()
    for _ in range(2000):  # a process that was told to end takes its time
        if not any(is_running(number) for number in numbers):
            break
        await asyncio.sleep(0.01)
    else:
        pytest.fail(f"{numbers} still run")


def is_running(number):
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"


def test_a_command_is_known_by_its_words_its_files_and_the_declared_revision(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    script = tmp_path / "judge.sh"
    script.write_text("cat\n")
    before = opened("command:sh judge.sh -v").fingerprint
    assert before == opened("command:sh judge.sh  '-v'").fingerprint
    assert before != opened("command:sh judge.sh -v", revision="2").fingerprint
    assert before != opened("command:sh judge.sh -q").fingerprint
    script.write_text("cat -\n")
    assert before != opened("command:sh judge.sh -v").fingerprint


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (" '' ", ["names no command"]),
        ("no-such-program --judge", ["'no-such-program'", "give its path"]),
        ("sh 'judge", ["No closing quotation"]),
        ("./plain.txt", ["'./plain.txt'", "chmod +x"]),
    ],
)
def test_a_command_that_cannot_be_run_is_refused_before_anything_is_asked(tmp_path, monkeypatch, line, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plain.txt").write_text("")
    with pytest.raises(UsageError) as error:
        opened(f"command:{line}")
    for word in words:
        assert word in f"{error.value} {error.value.hint}"
