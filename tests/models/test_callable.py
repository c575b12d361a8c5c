"""A function as a judge: how it is found, called, bounded, and how it fails."""

import asyncio
import threading

import pytest
from tests.models.programs import failed, opened, request, said

from biasscope.ask import Request
from biasscope.errors import ProgramFailed, UsageError
from biasscope.models.programs import FAILURES
from biasscope.records import Message


@pytest.fixture
def judge(tmp_path, monkeypatch):
    """Write a function's source to a file and open it as a judge."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))

    def make(source, name="judge", file="mine.py", **more):
        (tmp_path / file).write_text(source, encoding="utf-8")
        return opened(f"python:{file}:{name}", **more)

    return make


async def test_a_function_names_what_it_wants_of_a_case(judge):
    model = judge(
        "def judge(first, second, tone='calm'):\n    return 'first' if len(first) > len(second) else 'second'"
    )
    assert await said(model) == "first"


@pytest.mark.parametrize("takes", ["case", "case, /", "**case", "case, tone=None", "*cases"])
async def test_a_function_may_take_the_whole_case(judge, takes):
    case = "cases[0]" if takes == "*cases" else "case"
    model = judge(f"def judge({takes}):\n    return {{'choice': 'second', 'reason': {case}['kind']}}")
    assert await said(model) == {"choice": "second", "reason": "pairwise"}


async def test_an_async_function_is_awaited_and_several_calls_run_at_once(judge):
    model = judge(
        "import asyncio\nall_in = asyncio.Barrier(3)\n"
        "async def judge(question):\n    await all_in.wait()\n    return question"
    )
    assert model.max_in_flight > 1
    async with asyncio.timeout(20):
        assert await asyncio.gather(*(said(model, request(question=q)) for q in "abc")) == ["a", "b", "c"]


async def test_a_plain_function_is_called_once_at_a_time_outside_the_event_loop(judge):
    model = judge("import threading\ndef judge(case):\n    return threading.get_ident()")
    assert model.max_in_flight == 1
    assert await said(model) != threading.get_ident()
    assert judge("def judge(case): return 1", max_in_flight=4).max_in_flight == 4


async def test_an_object_that_is_called_is_a_judge_too(judge):
    model = judge(
        "class Judge:\n    async def __call__(self, response):\n        return len(response)\n\njudge = Judge()"
    )
    assert await said(model, request(response="four")) == 4


async def test_numbers_of_other_libraries_are_the_numbers_that_they_hold(judge):
    model = judge("import numpy\ndef judge(response): return {'score': numpy.float32(0.5)}")
    assert await said(model, request(response="x")) == {"score": 0.5}


async def test_what_holds_several_numbers_is_no_answer(judge):
    model = judge(
        "class Tensor:\n    def item(self): raise RuntimeError('a Tensor with 2 elements')\n"
        "def judge(case): return Tensor()"
    )
    failed(await said(model), "returned Tensor", "with 2 elements")


async def test_what_is_no_json_is_no_answer(judge):
    model = judge("def judge(case): return {1, 2}")
    failed(await said(model), "returned set")


async def test_what_a_function_raises_is_the_answer_to_that_case_in_one_line(judge):
    model = judge(
        "def judge(question):\n    if question == 'bad': raise ValueError('no\\nmore')\n    return 'first'"
    )
    assert await said(model) == "first"
    for _ in range(2 * FAILURES):
        failed(await said(model, request(question="bad")), "ValueError: no")
    assert "\n" not in (await said(model, request(question="bad")))["error"]


@pytest.mark.parametrize("kind", ["", "async "])
async def test_a_function_that_exits_ends_nothing_but_its_answer(judge, kind):
    model = judge(f"import sys\n{kind}def judge(case): sys.exit(3)")
    failed(await said(model), "SystemExit: 3")


async def test_a_function_that_only_fails_stops_the_run_with_what_it_raised_last(judge):
    model = judge("def judge(case): raise KeyError('API_KEY')")
    for _ in range(FAILURES - 1):
        failed(await said(model), "API_KEY")
    with pytest.raises(
        ProgramFailed, match=r"mine.py:judge gave 5 answers and none that counts, the last: KeyError: 'API_KEY'"
    ) as stopped:
        await said(model)
    assert stopped.value.hint


@pytest.mark.parametrize(
    ("returns", "named"),
    [("None", "null"), ("'maybe'", '"maybe"'), ("True", "true could mean either"), ("{'winner': 1}", "'choice'")],
)
async def test_a_function_that_returns_nothing_that_counts_stops_the_run_and_says_what(judge, returns, named):
    model = judge(f"def judge(case): return {returns}")
    for _ in range(FAILURES - 1):
        await said(model)
    with pytest.raises(ProgramFailed) as stopped:
        await said(model)
    assert named in str(stopped.value)


@pytest.mark.parametrize("zero", ["0", "{'choice': 0}", "'0'"])
async def test_a_function_that_counts_from_zero_stops_the_run_at_its_first_0(judge, zero):
    model = judge(f"def judge(question): return {zero} if question == 'odd' else 1")
    assert await said(model) == 1
    with pytest.raises(ProgramFailed, match=r"answered 0: .* could mean either response") as stopped:
        await said(model, request(question="odd"))
    assert "meant the second" in stopped.value.hint
    assert await said(judge("def judge(response): return 0"), request(response="x")) == 0


async def test_single_answers_that_do_not_count_stop_nothing(judge):
    model = judge("def judge(question): return None if question == 'odd' else 2")
    assert await said(model) == 2
    for _ in range(2 * FAILURES):
        assert await said(model, request(question="odd")) is None


async def test_what_counts_as_a_score_depends_on_the_scale(judge):
    model = judge("def judge(scale, response): return {'1-10': 11, 'pass-fail': True}[scale]")
    for _ in range(FAILURES):
        assert await said(model, request(response="x", scale="pass-fail")) is True
    other = judge("def judge(scale, response): return {'1-10': 11, 'pass-fail': True}[scale]")
    for _ in range(FAILURES - 1):
        await said(other, request(response="x", scale="1-10"))
    with pytest.raises(ProgramFailed, match="11 is not between 1 and 10"):
        await said(other, request(response="x", scale="1-10"))


async def test_an_answer_that_takes_too_long_is_timed_out(judge):
    model = judge(
        "import asyncio\nasync def judge(question):\n"
        "    if question == 'slow': await asyncio.Event().wait()\n    return 'first'",
        timeout_s=0.05,
    )
    failed(await said(model, request(question="slow")), "0.05 s", reason="timed_out")
    assert await said(model) == "first"


async def test_a_call_that_does_not_end_stops_the_run_and_keeps_no_process_alive(judge):
    model = judge(
        "import threading\ngo_on = threading.Event()\ndef judge(case):\n    go_on.wait()\n    return 'first'",
        timeout_s=0.05,
    )
    failed(await said(model), reason="timed_out")
    with pytest.raises(ProgramFailed, match="still works"):
        await said(model)
    assert [t.daemon for t in threading.enumerate() if t.name == "judge"] == [True]
    model._function.__globals__["go_on"].set()


async def test_a_function_of_the_other_kind_is_named_with_the_setting_that_helps(judge):
    with pytest.raises(ProgramFailed, match="'response', which a pairwise judge is not given") as error:
        await said(judge("def judge(question, response): return 1"))
    assert "--judge-kind pointwise" in error.value.hint


async def test_a_program_answers_no_prompts(judge):
    model = judge("def judge(case): return 1")
    with pytest.raises(ProgramFailed, match="nothing else") as error:
        await model.complete(Request((Message("user", "Rewrite this."),), 100))
    assert "teacher" in error.value.hint


async def test_a_module_of_the_working_folder_is_found_by_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    package = tmp_path / "our_judges"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "short.py").write_text("from our_judges.places import FIRST\ndef judge(case): return FIRST\n")
    (package / "places.py").write_text("FIRST = 'first'\n")
    assert await said(opened("python:our_judges.short:judge")) == "first"


def test_a_function_is_known_by_its_name_its_source_and_the_declared_revision(judge):
    short, longer = "def judge(case): return 1\n", "def judge(case): return 1  # as before\n"
    model = judge(short)
    assert model.fingerprint == judge(short).fingerprint
    assert model.fingerprint != judge(longer).fingerprint
    assert model.fingerprint != judge(short, revision="2").fingerprint
    assert judge(short, file="other.py").fingerprint == model.fingerprint
    assert (model.resolved, model.endpoint) == ("judge", "python:mine.py:judge")


def test_a_function_that_comes_from_another_file_is_known_by_both(judge, tmp_path):
    imported = "from whence import judge\n"
    (tmp_path / "whence.py").write_text("def judge(case): return 1\n")
    assert len(judge(imported).fingerprint["sources"]) == 2


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("python:judge", ["names no function", "python:path/to/file.py:FUNCTION"]),
        ("python:mine.py:", ["names no function"]),
        ("python:absent.py:judge", ["no file absent.py", "counts from"]),
        ("python:no_such_package.judges:judge", ["no module 'no_such_package'"]),
        ("python:json.absent:judge", ["no module 'json.absent'"]),
        ("python:mine.py:judje", ["no function 'judje'", "Did you mean judge?"]),
        ("python:mine.py:zzz", ["no function 'zzz'", "It has judge, nothing, typo."]),
        ("python:mine.py:NUMBER", ["'NUMBER'", "int"]),
        ("python:mine.py:Kind", ["'Kind'", "type"]),
        ("python:mine.py:nothing", ["nothing() takes no argument", "question, messages, first, second"]),
        ("python:mine.py:typo", ["typo() asks for 'answer_a'", "whole case"]),
    ],
)
def test_a_function_that_cannot_be_a_judge_is_refused_by_name(judge, spec, words):
    judge(
        "NUMBER = 1\nclass Kind: pass\ndef judge(case): return 1\ndef nothing(): return 1\n"
        "def typo(answer_a, answer_b): return 1\n"
    )
    with pytest.raises(UsageError) as error:
        opened(spec)
    for word in words:
        assert word in f"{error.value} {error.value.hint}"


@pytest.mark.parametrize(
    ("source", "said_of_it"),
    [
        ("def judge(case)", "SyntaxError"),
        ("import no_such_library", "No module named 'no_such_library'"),
        ("raise RuntimeError('no\\nway')", "RuntimeError: no"),
        ("import sys\nsys.exit('bye')", "SystemExit: bye"),
    ],
)
def test_a_file_that_cannot_be_imported_says_why_in_one_line(judge, source, said_of_it):
    with pytest.raises(UsageError, match="cannot be imported") as error:
        judge(source)
    assert said_of_it in str(error.value)
    assert "\n" not in str(error.value)
