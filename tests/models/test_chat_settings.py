"""How a `ChatModel` is set up, and how it finds out what a server refuses, against a real local server."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from aiohttp import web

from biasscope.ask import Reply, Request, request_key
from biasscope.config import ModelExecution, ModelSpec
from biasscope.errors import AuthenticationFailed, BadRequest, ConfigError
from biasscope.models.chat import ChatModel, open_chat
from biasscope.records import Message


class PickyServer:
    """Refuses the fields in `refusals` with their message, and more alternatives than `most`."""

    def __init__(self) -> None:
        self.refusals: dict[str, str] = {}
        self.most = 1000
        self.bodies: list[dict[str, Any]] = []
        self.url = ""

    async def chat(self, request: web.Request) -> web.StreamResponse:
        body = json.loads(await request.read())
        self.bodies.append(body)
        for name, message in self.refusals.items():
            if name in body or (name == "system" and body["messages"][0]["role"] == "system"):
                return web.json_response({"error": {"message": message}}, status=400)
        if body.get("top_logprobs", 0) > self.most:
            said = f"Requested {body['top_logprobs']} sample logprobs, greater than the {self.most} allowed"
            return web.json_response({"error": {"message": said}}, status=400)
        return web.json_response({"choices": [{"finish_reason": "stop", "message": {"content": "1"}}]})


@pytest.fixture
async def server(serve: Callable[..., Awaitable[str]]) -> PickyServer:
    served = PickyServer()
    served.url = await serve(served.chat)
    return served


@pytest.fixture
async def model(server: PickyServer) -> AsyncIterator[ChatModel]:
    opened = open_chat(ModelSpec(spec="openai:m", url=server.url), environ={})
    yield opened
    await opened.close()


def ask(**fields: Any) -> Request:
    return Request((Message("user", "Which is better?"),), max_tokens=16, **fields)


@pytest.mark.parametrize(
    ("field", "name", "message"),
    [
        ("temperature", "temperature", "Unsupported value: 'temperature' does not support 0 with this model."),
        ("seed", "seed", "Per-request seed is not supported here"),
        ("logprobs", "logprobs", "logprobs are not supported with reasoning models"),
        ("response_format", "schema", "This server knows no response_format of type json_schema"),
    ],
)
async def test_a_refused_parameter_is_found_out_once_and_dropped_visibly(
    field: str, name: str, message: str, server: PickyServer, model: ChatModel
) -> None:
    server.refusals = {field: message}
    request = ask(seed=1, labels=("1", "2"), schema="{}")
    first, second = await model.complete(request), await model.complete(request)
    assert first == second == Reply("1", dropped=(name,))
    assert [field in body for body in server.bodies] == [True, False, False]
    assert request_key({}, request, dropped=frozenset(first.dropped)) != request_key({}, request)
    assert (await model.complete(ask(temperature=None))).dropped == ()


async def test_several_refusals_in_a_row_are_all_learned(server: PickyServer, model: ChatModel) -> None:
    server.refusals = {
        "max_tokens": "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
        "temperature": "Only the default temperature is possible",
        "seed": "Unknown name 'seed'",
    }
    assert (await model.complete(ask(seed=5))).dropped == ("seed", "temperature")
    assert server.bodies[-1].keys() == {"model", "messages", "max_completion_tokens"}
    await model.complete(ask(seed=5))
    assert len(server.bodies) == 4 + 1


async def test_calls_that_start_together_learn_together(server: PickyServer, model: ChatModel) -> None:
    server.refusals = {"seed": "seed is not supported", "temperature": "temperature is not supported"}
    requests = [ask(seed=1, temperature=None), ask(), ask(temperature=None)]
    replies = await asyncio.gather(*(model.complete(request) for request in requests))
    assert [reply.dropped for reply in replies] == [("seed",), ("temperature",), ()]
    sent = len(server.bodies)
    await model.complete(ask(seed=3))
    assert len(server.bodies) == sent + 1


async def test_the_number_of_alternatives_is_lowered_to_what_is_allowed(
    server: PickyServer, model: ChatModel
) -> None:
    server.most = 7
    assert (await model.complete(ask(labels=("1", "2")))).dropped == ()
    await model.complete(ask(labels=("1", "2")))
    assert [body["top_logprobs"] for body in server.bodies] == [40, 7, 7]


async def test_a_system_message_that_is_refused_moves_and_is_not_lost(
    server: PickyServer, model: ChatModel
) -> None:
    server.refusals = {"system": "System role not supported"}
    request = Request((Message("system", "Be strict."), Message("user", "Judge.")), max_tokens=4)
    assert (await model.complete(request)).dropped == ("system",)
    assert server.bodies[-1]["messages"] == [{"role": "user", "content": "Be strict.\n\nJudge."}]


async def test_a_refusal_of_something_else_is_a_bad_request_and_teaches_nothing(
    server: PickyServer, model: ChatModel
) -> None:
    server.refusals = {"messages": "I will not talk about the temperature of the sea"}
    with pytest.raises(BadRequest, match="temperature of the sea"):
        await model.complete(ask(seed=1))
    server.refusals = {}
    assert (await model.complete(ask(seed=1))).dropped == ()


async def test_a_lesson_counts_only_after_a_call_has_worked_with_it(
    server: PickyServer, model: ChatModel
) -> None:
    server.refusals = {"seed": "no seed, please", "messages": "the context window is too small"}
    assert (await model.complete(ask(seed=1))).over_long
    server.refusals = {}
    assert (await model.complete(ask(seed=1))).dropped == ()


def test_openai_itself_needs_a_key_before_the_first_call() -> None:
    with pytest.raises(AuthenticationFailed, match="needs a key") as caught:
        open_chat(ModelSpec(spec="openai:gpt-x"), ModelExecution(key_variable="MY_KEY"), environ={})
    assert "MY_KEY" in caught.value.hint


def test_a_key_that_no_header_can_carry_is_refused_without_being_shown() -> None:
    with pytest.raises(AuthenticationFailed) as caught:
        open_chat(ModelSpec(spec="openai:m"), environ={"OPENAI_API_KEY": "sk-one\nsk-two"})
    assert "sk-" not in f"{caught.value!r} {caught.value.hint}"


@pytest.mark.parametrize(
    "url", ["localhost:8000", "ftp://host/v1", "http://", "http://a..b/v1", "http://h:99999/v1"]
)
def test_a_url_that_cannot_be_used_is_refused(url: str) -> None:
    with pytest.raises(ConfigError, match="is not a URL"):
        open_chat(ModelSpec(spec="openai:m", url=url), environ={})


async def test_identity_is_host_model_and_revision_and_the_gate_is_the_address() -> None:
    spec = ModelSpec(
        spec="openai:org/judge:8b", url="https://User:Secret@Models.Example.org/api/v1", revision="r1"
    )
    model = open_chat(spec, environ={})
    assert model.fingerprint == {
        "provider": "openai-compatible",
        "endpoint": "models.example.org",
        "model": "org/judge:8b",
        "revision": "r1",
    }
    assert (model.spec, model.endpoint, model.resolved) == (spec.spec, "https://models.example.org:443", None)
    assert model.max_in_flight == 32
    assert "Secret" not in repr(model)
    await model.close()


async def test_a_label_replaces_the_host_and_a_local_server_bears_fewer_calls() -> None:
    spec = ModelSpec(spec="openai:m", url="http://localhost:8000/v1", label="lab")
    model = open_chat(spec, environ={})
    assert model.fingerprint["endpoint"] == "lab"
    assert (model.endpoint, model.max_in_flight) == ("http://localhost:8000", 8)
    capped = open_chat(spec, ModelExecution(max_in_flight=3), environ={})
    assert capped.max_in_flight == 3
    await model.close()
    await capped.close()
