"""`ScriptedModel` gives what the script says and remembers what it was asked."""

import asyncio

import pytest

from biasscope.ask import Reply, Request
from biasscope.errors import BadRequest, RateLimited
from biasscope.models.base import Model
from biasscope.models.scripted import ScriptedModel
from biasscope.records import Message


def ask(text: str = "Q") -> Request:
    return Request((Message("user", text),), max_tokens=5)


async def test_a_list_is_used_up_in_order() -> None:
    model = ScriptedModel(["one", Reply("two", model="other"), RateLimited("slow")])
    assert await model.complete(ask()) == Reply("one", model="scripted")
    assert await model.complete(ask()) == Reply("two", model="other")
    with pytest.raises(RateLimited, match="slow"):
        await model.complete(ask())
    with pytest.raises(BadRequest, match="no reply for call 4"):
        await model.complete(ask())
    assert len(model.requests) == 4


async def test_a_function_sees_the_request() -> None:
    model = ScriptedModel(lambda request: request.messages[0].content.upper(), name="loud")
    assert await model.complete(ask("hello")) == Reply("HELLO", model="loud")
    assert model.requests == [ask("hello")]


async def test_the_peak_counts_calls_in_flight() -> None:
    model = ScriptedModel(lambda _: "x", delay=0.001)
    await asyncio.gather(*(model.complete(ask()) for _ in range(5)))
    await model.complete(ask())
    assert model.peak == 5


async def test_it_is_a_model_with_a_name_of_its_own() -> None:
    model: Model = ScriptedModel([], name="judge", max_in_flight=2)
    assert (model.spec, model.resolved, model.endpoint) == ("judge", "judge", "scripted:judge")
    assert model.fingerprint == {"provider": "scripted", "model": "judge"}
    assert model.max_in_flight == 2
    await model.close()
    await model.close()
