"""`ChatModel` against a real server on a local socket: what is sent, what comes back, what is tried again."""

from typing import Any

import pytest

from biasscope.ask import Reply, Request
from biasscope.config import ModelSpec
from biasscope.errors import (
    AuthenticationFailed,
    BadRequest,
    ModelNotFound,
    ProviderError,
    RateLimited,
    ServerFault,
    Unreachable,
)
from biasscope.models.chat import ChatModel, open_chat
from biasscope.records import Message

KEY = "sk-test-1234567890abcdef"  # as in conftest


def ask(text: str = "Which is better?", **fields: Any) -> Request:
    return Request((Message("user", text),), max_tokens=16, **fields)


async def raised(model: ChatModel) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        await model.complete(ask())
    return caught.value


async def test_a_request_is_sent_as_it_is_and_its_reply_is_read(server: Any, model: ChatModel) -> None:
    server.answers = [server.says("Verdict: 2", usage={"prompt_tokens": 7, "completion_tokens": 3})]
    schema = '{"type":"object"}'
    reply = await model.complete(ask(temperature=0.5, seed=3 + 2**40, schema=schema, labels=("1", "2")))
    assert reply == Reply("Verdict: 2", model="small-2026", input_tokens=7, output_tokens=3)
    assert server.bodies == [
        {
            "model": "small",
            "messages": [{"role": "user", "content": "Which is better?"}],
            "max_tokens": 16,
            "temperature": 0.5,
            "seed": 3 + 2**40 - 512 * 2**31,
            "logprobs": True,
            "top_logprobs": 40,
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "reply", "schema": {"type": "object"}, "strict": True},
            },
        }
    ]
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"


async def test_what_is_not_asked_for_is_not_sent(server: Any, model: ChatModel) -> None:
    server.answers = [server.says()]
    await model.complete(ask(temperature=None))
    assert server.bodies[0].keys() == {"model", "messages", "max_tokens"}


@pytest.mark.parametrize(
    "passing",
    [
        (429, {"error": {"message": "slow down"}}),
        (500, {"error": {"message": "boom"}}),
        (503, {"error": {"message": "loading"}}),
        (529, {"error": {"message": "overloaded"}}),
        (408, {"error": {}}),
        (502, "<html>bad gateway</html>"),
        (200, "<html>please log in</html>"),
        (200, '{"choices": [{"mess'),
        (200, ""),
        (200, {"object": "chat.completion"}),
        (200, {"error": {"code": 429, "message": "slow down"}}),
        (200, {"choices": [{"finish_reason": "error", "error": {"code": 502}, "message": {"content": ""}}]}),
        "breaks off",
        "hangs up",
    ],
)
async def test_what_may_pass_is_tried_again_and_then_answered(
    passing: object, server: Any, model: ChatModel, clock: Any
) -> None:
    server.answers = [passing, server.says()]
    assert (await model.complete(ask())).text == "Verdict: 1"
    assert len(server.bodies) == 2
    assert 0.25 <= clock.slept[0] <= 0.75


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ((400, {"error": {"message": "messages must not be empty"}}), BadRequest),
        ((401, {"error": {"message": "bad key"}}), AuthenticationFailed),
        ((403, {"error": {"message": "not in your country"}}), AuthenticationFailed),
        ((404, {"error": {"message": "no such thing"}}), ModelNotFound),
        (
            (400, {"error": {"message": "The model `small` does not exist", "code": "model_not_found"}}),
            ModelNotFound,
        ),
        ((402, {"error": {"message": "pay first"}}), BadRequest),
        ((429, {"error": {"message": "no more", "code": "insufficient_quota"}}), BadRequest),
        ((200, {"error": {"code": 401, "message": "bad key"}}), AuthenticationFailed),
    ],
)
async def test_what_will_not_pass_is_raised_at_once(
    answer: object, kind: type[ProviderError], server: Any, model: ChatModel, clock: Any
) -> None:
    server.answers = [answer]
    error = await raised(model)
    assert type(error) is kind
    assert len(server.bodies) == 1
    assert clock.slept == []


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ((429, {"error": {}}), RateLimited),
        ((503, {"error": {}}), ServerFault),
        ("breaks off", ServerFault),
        ("speaks no HTTP", ServerFault),
        ("hangs up", Unreachable),
    ],
)
async def test_retries_end_with_a_typed_error_that_counts_the_attempts(
    answer: object, kind: type[ProviderError], server: Any, model: ChatModel, clock: Any
) -> None:
    server.answers = [answer]
    error = await raised(model)
    assert type(error) is kind
    assert "after 4 attempts" in str(error)
    assert server.url in str(error)
    assert len(server.bodies) == 4
    assert all(later > sooner / 3 for sooner, later in zip(clock.slept, clock.slept[1:], strict=False))
    assert sum(clock.slept) <= (0.5 + 1 + 2) * 1.5


async def test_a_request_that_does_not_fit_is_a_reply_and_costs_one_call(server: Any, model: ChatModel) -> None:
    server.answers = [
        (400, {"error": {"message": "request (9000 tokens) too big", "type": "exceed_context_size_error"}})
    ]
    assert (await model.complete(ask())).over_long
    assert len(server.bodies) == 1


async def test_a_silently_cut_prompt_is_marked_over_long(server: Any, model: ChatModel) -> None:
    server.answers = [server.says(usage={"prompt_tokens": 2048, "completion_tokens": 2})]
    words = " ".join(f"word{n}" for n in range(4000))
    assert (await model.complete(ask(words))).over_long
    assert not (await model.complete(ask(words[:8000]))).over_long


async def test_an_unknown_model_is_told_with_what_the_server_offers(server: Any, model: ChatModel) -> None:
    server.answers = [(404, {"error": {"message": "model 'small' not found"}})]
    server.models = ["large", "small-2026"]
    error = await raised(model)
    assert "does not know the model 'small'" in str(error)
    assert error.hint == "Did you mean 'small-2026'? The server offers large, small-2026."
    assert await model.offered() == ["large", "small-2026"]


async def test_offered_models_that_cannot_be_had_are_an_error(server: Any, model: ChatModel) -> None:
    server.answers = [(404, {"error": {"message": "model 'small' not found"}})]
    with pytest.raises(ModelNotFound):
        await model.offered()
    assert "usually ends in /v1" in (await raised(model)).hint


async def test_the_key_is_in_no_error_hint_or_representation(server: Any, open_model: Any) -> None:
    padding = "x" * (300 - 10)  # the cut of what is shown falls into the key
    server.models = [KEY]
    for answer in (
        (401, {"error": {"message": f"API key {KEY} is invalid"}}),
        (400, {"error": {"message": padding + KEY}}),
        (404, {"error": {"message": f"{KEY} has no such model"}}),
        (500, f"<html>{KEY}</html>"),
        (200, f"<html>{KEY}</html>"),
    ):
        model = open_model(retries=0)
        server.answers = [answer]
        error = await raised(model)
        shown = f"{error} {error!r} {error.hint} {model!r} {model.fingerprint} {model.endpoint}"
        assert KEY not in shown
        assert KEY[:6] not in str(error)
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"


async def test_a_server_of_our_own_needs_no_key_and_is_sent_none(server: Any) -> None:
    server.answers = [server.says()]
    model = open_chat(ModelSpec(spec="openai:small"), environ={"OPENAI_BASE_URL": server.url})
    await model.complete(ask())
    await model.close()
    assert "Authorization" not in server.headers[0]
