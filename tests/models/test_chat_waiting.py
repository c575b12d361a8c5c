"""`ChatModel` and time: waits that a server asks for, deadlines, many calls at once, one client after another."""

import asyncio
import socket
from email.utils import formatdate
from typing import Any

import pytest

from biasscope.ask import Request
from biasscope.errors import AuthenticationFailed, ProviderError, RateLimited, ServerFault, Unreachable
from biasscope.models.chat import LONGEST_RETRY_AFTER_S, ChatModel
from biasscope.records import Message


def ask(text: str = "Which is better?", **fields: Any) -> Request:
    return Request((Message("user", text),), max_tokens=16, **fields)


async def raised(model: ChatModel) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        await model.complete(ask())
    return caught.value


async def test_the_wait_asked_for_in_seconds_is_kept(server: Any, model: ChatModel, clock: Any) -> None:
    server.answers = [(429, "slow", {"Retry-After": "75"}), server.says()]
    await model.complete(ask())
    assert 75 <= clock.slept[0] < 76


async def test_the_wait_asked_for_as_a_date_is_kept(server: Any, model: ChatModel, clock: Any) -> None:
    server.answers = [(503, "busy", {"Retry-After": formatdate(clock.now + 40, usegmt=True)}), server.says()]
    await model.complete(ask())
    assert 40 <= clock.slept[0] < 41


async def test_the_wait_asked_for_in_milliseconds_is_kept_inside_a_success_too(
    server: Any, model: ChatModel, clock: Any
) -> None:
    body = {"error": {"code": "rate_limit_exceeded", "message": "slow"}}
    server.answers = [(200, body, {"Retry-After-Ms": "9000"}), server.says()]
    await model.complete(ask())
    assert 9 <= clock.slept[0] < 10


async def test_a_wait_beyond_the_cap_ends_the_run_and_says_so(server: Any, model: ChatModel, clock: Any) -> None:
    server.answers = [(429, "come back tomorrow", {"Retry-After": "86400"})]
    error = await raised(model)
    assert isinstance(error, RateLimited)
    assert error.retry_after == 86400
    assert f"86400 s; at most {LONGEST_RETRY_AFTER_S:.0f} s" in str(error)
    assert clock.slept == []


async def test_while_the_server_asks_one_call_to_wait_the_others_are_kept_back(
    server: Any, model: ChatModel, clock: Any
) -> None:
    woken, asleep = asyncio.Event(), asyncio.Semaphore(0)

    async def sleep(seconds: float) -> None:
        clock.slept.append(seconds)
        asleep.release()
        await woken.wait()

    model._sleep = sleep
    server.answers = [(429, "slow", {"Retry-After": "30"}), server.says()]
    first = asyncio.create_task(model.complete(ask()))
    await asleep.acquire()
    second = asyncio.create_task(model.complete(ask("another")))
    await asleep.acquire()
    assert len(server.bodies) == 1
    assert clock.slept[1] == 30
    clock.now += 40
    woken.set()
    assert [(await first).text, (await second).text] == ["Verdict: 1", "Verdict: 1"]


async def test_a_hung_call_ends_at_the_deadline(server: Any, open_model: Any) -> None:
    server.answers = ["hangs"]
    model = open_model(timeout_s=0.05, retries=1)
    async with asyncio.timeout(5):
        error = await raised(model)
    assert type(error) is Unreachable
    assert "within 0.05 s (after 2 attempts)" in str(error)


async def test_a_call_after_a_hung_one_is_answered(server: Any, open_model: Any) -> None:
    server.answers = ["hangs", server.says()]
    model = open_model(timeout_s=0.2)
    assert (await model.complete(ask())).text == "Verdict: 1"


async def test_a_server_that_never_ran_is_named_at_once(open_model: Any, clock: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as reserved:
        port = reserved.getsockname()[1]
    model = open_model(f"http://127.0.0.1:{port}/v1")
    error = await raised(model)
    assert type(error) is Unreachable
    assert f"nothing answers at http://127.0.0.1:{port}/v1" in str(error)
    assert clock.slept == []


async def test_a_key_that_has_worked_is_tried_again_twice(server: Any, model: ChatModel, clock: Any) -> None:
    server.answers = [
        server.says(),
        (401, {"error": {}}),
        (401, {"error": {}}),
        server.says(),
        (401, {"error": {}}),
    ]
    await model.complete(ask())
    await model.complete(ask())
    assert len(clock.slept) == 2
    assert isinstance(await raised(model), AuthenticationFailed)
    assert len(server.bodies) == 1 + 3 + 3


async def test_sixty_four_calls_share_one_client(server: Any, model: ChatModel) -> None:
    server.answers, server.barrier = ["echo"], asyncio.Barrier(64)  # nobody is answered before all have asked
    replies = await asyncio.gather(*(model.complete(ask(f"pair {n}")) for n in range(64)))
    assert [reply.text for reply in replies] == [f"pair {n}" for n in range(64)]


async def test_a_client_may_be_closed_twice_and_a_new_one_works(server: Any, open_model: Any) -> None:
    server.answers = [server.says()]
    for _ in range(2):
        model = open_model()
        await model.complete(ask())
        await model.close()
        await model.close()


async def test_waits_grow_differ_between_requests_and_are_the_same_in_every_run(
    server: Any, open_model: Any
) -> None:
    server.answers = [(503, "busy")]

    async def waits(text: str) -> list[float]:
        model, slept = open_model(retries=9), []

        async def sleep(seconds: float) -> None:
            slept.append(seconds)

        model._sleep = sleep
        with pytest.raises(ServerFault):
            await model.complete(ask(text))
        return slept

    first = await waits("one")
    assert first == await waits("one")
    assert first != await waits("two")
    assert all(0.25 * 2**n <= wait <= 0.75 * 2**n for n, wait in enumerate(first[:6]))
    assert all(15 <= wait <= 45 for wait in first[6:])
