"""Inspect's models and scorers as judges, on its own mock model."""

import json

import pytest
from tests.models.programs import failed, opened, request, said

from biasscope.ask import Reply, Request
from biasscope.config import ModelExecution, ModelSpec
from biasscope.errors import MissingExtra, ProgramFailed, ServerFault, UsageError
from biasscope.models.inspect import InspectModel
from biasscope.parsing.program import write_case
from biasscope.records import Message

SCORER = """
from inspect_ai.scorer import Score, Target, accuracy, scorer
from inspect_ai.solver import TaskState

@scorer(metrics=[accuracy()])
def mine(factor=1.0):
    async def score(state: TaskState, target: Target) -> Score:
        if state.output.completion == "raise":
            raise ValueError("no\\nway")
        value = {"grade": "C", "words": [1, 2], "nothing": None}.get(state.output.completion, factor)
        return None if value is None else Score(value=value, explanation=f"{state.input_text}|{target.text}")
    return score

def plain():
    return 5

def hasty():
    def score(state, target):
        if state.output.completion == "raise":
            raise ValueError("too soon")
        if state.output.completion == "exit":
            raise SystemExit(3)
        return Score(value=1)
    return score

def bare():
    async def score(state, target):
        return 5 if state.output.completion == "five" else Score(value=1)
    return score
"""


@pytest.mark.parametrize("spec", ["inspect:mockllm/model", "inspect-scorer:inspect_ai.scorer:match"])
def test_without_inspect_the_extra_is_named(spec, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "inspect_ai.model", None)
    monkeypatch.setitem(__import__("sys").modules, "inspect_ai.scorer", None)
    with pytest.raises(MissingExtra, match="'inspect'"):
        opened(spec)


local = pytest.mark.local
pytestmark = pytest.mark.filterwarnings("ignore:The 'initial' parameter:DeprecationWarning")
"""Inspect and the library that it waits with do not agree yet; that is between the two."""


@pytest.fixture
def inspect_ai():
    return pytest.importorskip("inspect_ai", reason="needs the extra inspect")


@pytest.fixture
def mock(inspect_ai):
    """A model that gives these outputs, and keeps what it was told."""
    from inspect_ai.model import ModelUsage, get_model

    told = []

    def make(*outputs):
        waiting = list(outputs)

        def give(messages, tools, choice, config):
            told.append((messages, config))
            output = waiting.pop(0)
            if isinstance(output, Exception):
                raise output
            output.usage = output.usage or ModelUsage()  # the mock would fetch a tokenizer to count
            return output

        theirs = get_model("mockllm/model", custom_outputs=give, memoize=False)
        model = InspectModel(ModelSpec(spec="inspect:mockllm/model"), ModelExecution(), theirs)
        model.told = told
        return model

    return make


def asking(*roles, **more):
    return Request(tuple(Message(role, f"{role} says") for role in roles), **{"max_tokens": 9} | more)


@local
async def test_any_model_of_inspect_opens_by_its_name(inspect_ai):
    model = opened("inspect:mockllm/model", max_in_flight=3)
    assert model._model.name == "model"
    assert (model.resolved, model.max_in_flight, model.endpoint) == (None, 3, "inspect:mockllm")
    await model.close()


@local
async def test_a_request_is_said_in_inspects_words_and_the_output_in_ours(mock):
    from inspect_ai.model import (
        ChatCompletionChoice,
        ChatMessageAssistant,
        ContentReasoning,
        ContentText,
        Logprob,
        Logprobs,
        ModelOutput,
        ModelUsage,
        TopLogprob,
    )

    tops = [TopLogprob(token="1", logprob=-0.1), TopLogprob(token="2", logprob=-2.5)]
    content = [ContentReasoning(reasoning="Hm."), ContentText(text="1")]
    choice = ChatCompletionChoice(
        message=ChatMessageAssistant(content=content),
        stop_reason="stop",
        logprobs=Logprobs(content=[Logprob(token="1", logprob=-0.1, top_logprobs=tops)]),
    )
    usage = ModelUsage(input_tokens=5, output_tokens=2, input_tokens_cache_read=7)
    model = mock(ModelOutput(model="mock-2026", choices=[choice], usage=usage))
    reply = await model.complete(
        asking(
            "system", "user", "assistant", temperature=0.5, seed=3, labels=("1", "2"), schema='{"type": "object"}'
        )
    )
    assert (reply.text, reply.reasoning, reply.finish, reply.model) == ("1", "Hm.", "stop", "mock-2026")
    assert (reply.input_tokens, reply.output_tokens, reply.dropped) == (12, 2, ("schema",))
    assert reply.positions[0].top == (("1", -0.1), ("2", -2.5))
    messages, config = model.told[0]
    assert [(m.role, m.text) for m in messages] == [(r, f"{r} says") for r in ("system", "user", "assistant")]
    assert (config.max_tokens, config.temperature, config.seed) == (9, 0.5, 3)
    assert (config.logprobs, config.top_logprobs) == (True, 20)


@local
@pytest.mark.parametrize(
    ("stop", "text", "expected"),
    [
        ("max_tokens", "cut", Reply("cut", finish="length")),
        ("content_filter", "", Reply("", finish="filtered")),
        ("model_length", "", Reply("", finish="length", over_long=True)),
        ("unknown", "x", Reply("x", finish="other")),
    ],
)
async def test_how_a_model_stopped_is_kept(mock, stop, text, expected):
    from inspect_ai.model import ModelOutput

    model = mock(ModelOutput.from_content("m", text, stop_reason=stop))
    reply = await model.complete(asking("user"))
    assert (reply.text, reply.finish, reply.over_long) == (expected.text, expected.finish, expected.over_long)


@local
async def test_what_inspect_raises_stops_the_run_in_one_line(mock):
    with pytest.raises(ServerFault, match="no such thing") as error:
        await mock(RuntimeError("no such thing\nas this")).complete(asking("user"))
    assert "\n" not in str(error.value)


@local
@pytest.mark.parametrize("name", ["", "model", "nobody/model"])
def test_a_name_that_inspect_does_not_know_is_refused(inspect_ai, name):
    with pytest.raises(UsageError):
        opened(f"inspect:{name}")


@pytest.fixture
def scorer(inspect_ai, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "scorers.py").write_text(SCORER)
    return lambda name, **more: opened(f"inspect-scorer:scorers.py:{name}", **more)


def case(response, reference=None):
    texts = {"response": response}
    return Request((Message("user", write_case("Why?", (Message("user", "Why?"),), reference, texts)),), 9)


@local
async def test_a_scorer_sees_the_response_as_output_and_the_reference_as_target(scorer):
    model = scorer("mine?factor=0.25")
    assert await said(model, case("text", "So.")) == {"score": 0.25, "reason": "Why?|So."}
    assert await said(model, case("grade")) == {"score": 1.0, "reason": "Why?|"}


@local
async def test_scores_that_are_not_one_number_are_named(scorer):
    model = scorer("mine")
    await said(model, case("grade"))
    failed(await said(model, case("words")), "[1, 2]", reason="unparsable")
    failed(await said(model, case("nothing")), reason="empty")
    failed(await said(model, case("raise")), "ValueError: no")


@local
async def test_a_scorer_that_is_not_async_or_fails_before_it_is_awaited_fails_at_that_case(scorer):
    model = scorer("hasty")
    failed(await said(model, case("text")), "it returned Score, and a scorer is async")
    failed(await said(model, case("raise")), "ValueError: too soon")
    failed(await said(model, case("exit")), "SystemExit: 3")


@local
async def test_what_a_scorer_gives_in_place_of_a_score_is_named(scorer):
    model = scorer("bare")
    assert (await said(model, case("text")))["score"] == 1.0
    failed(await said(model, case("five")), "it gave int", reason="unparsable")


@local
async def test_inspects_own_scorers_judge(inspect_ai):
    match = opened("inspect-scorer:inspect_ai.scorer:match?location=end")
    assert (await said(match, case("It is 42", "42")))["score"] == 1.0
    assert (await said(match, case("It is 41", "42")))["score"] == 0.0


@local
async def test_a_scorer_that_asks_a_model_gives_its_grade(inspect_ai, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "graders.py").write_text(
        "from inspect_ai.model import ModelOutput, ModelUsage, get_model\nfrom inspect_ai.scorer import model_graded_qa\n"
        "def grader():\n    outputs = [ModelOutput.from_content('m', 'GRADE: P')]\n    outputs[0].usage = ModelUsage()\n"
        "    return model_graded_qa(partial_credit=True, model=get_model('mockllm/model', custom_outputs=outputs))\n"
    )
    assert (await said(opened("inspect-scorer:graders.py:grader"), case("x", "y")))["score"] == 0.5


@local
def test_what_is_no_scorer_is_refused(scorer):
    with pytest.raises(UsageError, match="makes no scorer but a int"):
        scorer("plain")
    with pytest.raises(UsageError, match="unexpected keyword argument 'colour'"):
        scorer("mine?colour=red")
    with pytest.raises(UsageError, match="no function 'absent'"):
        scorer("absent")
    assert scorer("mine?factor=2").fingerprint != scorer("mine").fingerprint


@local
async def test_a_scorer_compares_no_two(scorer):
    with pytest.raises(ProgramFailed, match="one response at a time") as error:
        await said(scorer("mine"), request())
    assert "pointwise" in error.value.hint
    json.dumps(scorer("mine").fingerprint)
