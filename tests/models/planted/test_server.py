import asyncio
import contextlib
import email.utils
import json

import aiohttp
import openai
import pytest

from biasscope.ask import Request, TokenPosition
from biasscope.errors import UsageError
from biasscope.models.planted import open_planted
from biasscope.models.planted.faults import FAULTS, Faults
from biasscope.models.planted.server import PlantedServer, ServerOptions, serve
from biasscope.models.planted.tempers import PRESETS

CALL = "/chat/completions"


@pytest.fixture
async def client():
    async with aiohttp.ClientSession() as session:
        yield session


def body_of(request: Request, model: str = "fair", **more):
    # A client may write the number 1.0 as 1.
    temperature = int(request.temperature)
    messages = [{"role": m.role, "content": m.content} for m in request.messages]
    return {
        "model": model,
        "messages": messages,
        "max_tokens": request.max_tokens,
        "temperature": temperature,
    } | more


async def post(client, server, body, **settings):
    async with client.post(server.url + CALL, json=body, **settings) as response:
        return response.status, await response.json(content_type=None)


async def stats(client, server):
    async with client.get(server.url.removesuffix("/v1") + "/stats") as response:
        return await response.json()


async def test_the_server_says_what_the_models_say_in_process(client, prompted, pairs):
    judging = [prompted.judge(p, p.chosen, p.rejected) for p in pairs[:10]]
    judging += [prompted.judge(pairs[0], "a", "b", temperature=1.0)]
    writing = [prompted.neutral(p, p.rejected) for p in pairs[:10]]
    async with PlantedServer() as server:
        for name, requests in (
            ("two-biases", judging),
            ("teacher", writing),
            ("biases=analogy@1;seed=3", judging),
        ):
            for request in requests:
                status, found = await post(client, server, body_of(request, name))
                wanted = await open_planted(name).complete(request)
                assert (status, found["model"]) == (200, name)
                assert found["choices"][0]["message"]["content"] == wanted.text
                assert found["choices"][0]["finish_reason"] == "stop"
                assert found["usage"]["completion_tokens"] == wanted.output_tokens


async def test_log_probabilities_come_when_asked_for_and_as_many_as_asked_for(client, prompted, pairs):
    request = prompted.judge(pairs[0], pairs[0].chosen, pairs[0].rejected, mode="label")
    async with PlantedServer() as server:
        _, with_two = await post(client, server, body_of(request, logprobs=True, top_logprobs=2))
        _, without = await post(client, server, body_of(request))
    wanted = (await open_planted("fair").complete(request)).positions[0]
    (token,) = with_two["choices"][0]["logprobs"]["content"]
    found = TokenPosition(token["token"], tuple((t["token"], t["logprob"]) for t in token["top_logprobs"]))
    assert found == TokenPosition(wanted.token, wanted.top[:2])
    assert without["choices"][0]["logprobs"] is None


async def test_the_official_client_can_use_it(prompted, pairs):
    request = prompted.judge(pairs[0], pairs[0].chosen, pairs[0].rejected)
    async with PlantedServer(ServerOptions(key="secret")) as server:
        async with openai.AsyncOpenAI(base_url=server.url, api_key="secret", max_retries=0) as model:
            reply = await model.chat.completions.create(**body_of(request))
            assert [m.id async for m in model.models.list()] == list(PRESETS)
        async with openai.AsyncOpenAI(base_url=server.url, api_key="wrong", max_retries=0) as model:
            with pytest.raises(openai.AuthenticationError):
                await model.chat.completions.create(**body_of(request))
    assert reply.choices[0].message.content == (await open_planted("fair").complete(request)).text


async def test_a_key_that_is_required_is_looked_at_before_anything_else(client, prompted, pairs):
    body = body_of(prompted.judge(pairs[0], "a", "b"))
    async with PlantedServer(ServerOptions(key="secret")) as server:
        status, said = await post(client, server, body)
        assert (status, said["error"]["code"]) == (401, "invalid_api_key")
        status, _ = await post(client, server, body, headers={"Authorization": "Bearer secret"})
        assert status == 200
        counts = await stats(client, server)
    assert (counts["unauthorised"], counts["served"]) == (1, 1)


async def test_repeated_bodies_are_counted_however_they_are_spelled(client, prompted, pairs):
    one, other = (body_of(prompted.judge(pairs[0], *texts)) for texts in (("a", "b"), ("b", "a")))
    async with PlantedServer() as server:
        for body in (one, other, one, dict(reversed(one.items()))):
            await post(client, server, body)
        counts = await stats(client, server)
    assert (counts["requests"], counts["served"], counts["distinct"], counts["repeated"]) == (4, 4, 2, 2)


@pytest.mark.parametrize("name", ["temperature", "seed", "logprobs", "response_format"])
async def test_a_refused_parameter_is_named_and_without_it_the_call_goes_through(name, client, prompted, pairs):
    body = body_of(prompted.judge(pairs[0], "a", "b"))
    extra = {"temperature": 0, "seed": 3, "logprobs": True, "response_format": {"type": "json_object"}}
    async with PlantedServer(ServerOptions(refuse=(name,))) as server:
        status, said = await post(client, server, body | {name: extra[name]})
        assert (status, said["error"]["param"], said["error"]["code"]) == (400, name, "unsupported_parameter")
        assert f"'{name}'" in said["error"]["message"]
        body.pop(name, None)
        status, _ = await post(client, server, body)
        counts = await stats(client, server)
    assert (status, counts["refused"], counts["served"]) == (200, 1, 1)


async def test_refusing_log_probabilities_refuses_their_number_too(client, prompted, pairs):
    body = body_of(prompted.judge(pairs[0], "a", "b"), top_logprobs=5)
    async with PlantedServer(ServerOptions(refuse=("logprobs",))) as server:
        status, said = await post(client, server, body)
    assert (status, said["error"]["param"]) == (400, "logprobs")


async def attempt(client, server, body):
    """How one attempt ends, as a client sees it."""
    try:
        async with client.post(
            server.url + CALL, json=body, timeout=aiohttp.ClientTimeout(total=0.5)
        ) as response:
            text = await response.text()
    except TimeoutError:
        return "hang"
    except aiohttp.ClientPayloadError:
        return "truncated"
    kinds = {500: "server_error", 429: "rate_limit"}
    if response.status != 200:
        return kinds[response.status]
    try:
        json.loads(text)
    except json.JSONDecodeError:
        return "malformed"
    return "served"


@pytest.mark.parametrize("fault", FAULTS)
async def test_each_fault_looks_to_a_client_as_it_should_and_a_retry_gets_through(fault, client, prompted, pairs):
    body = body_of(prompted.judge(pairs[0], pairs[0].chosen, pairs[0].rejected))
    async with PlantedServer(ServerOptions(faults=Faults(**{fault: 1.0}, attempts=1))) as server:
        assert await attempt(client, server, body) == fault
        assert await attempt(client, server, body) == "served"
        counts = await stats(client, server)
    assert counts["faults"] == {fault: 1}
    assert (counts["served"], counts["repeated"]) == (1, 0)


async def test_faults_depend_on_seed_body_and_attempt_alone(client, prompted, pairs):
    bodies = [body_of(prompted.judge(p, "a", "b")) for p in pairs[:12]]
    options = ServerOptions(faults=Faults(server_error=0.3, rate_limit=0.3, malformed=0.2), seed=1)

    async def ends(order, **changed):
        fields = {"faults": options.faults, "seed": options.seed} | changed
        async with PlantedServer(ServerOptions(**fields)) as server:
            found = {i: [await attempt(client, server, bodies[i]) for _ in range(3)] for i in order}
        return [found[i] for i in range(len(bodies))]

    forward = await ends(range(12))
    assert forward == await ends(reversed(range(12)))
    assert forward != await ends(range(12), seed=2)
    assert {end for ends_ in forward for end in ends_} == {"server_error", "rate_limit", "malformed", "served"}


async def test_a_rate_limit_says_when_to_come_back_as_seconds_or_as_a_date(client, prompted, pairs):
    said = set()
    async with PlantedServer(ServerOptions(faults=Faults(rate_limit=1.0), retry_after_s=7)) as server:
        for p in pairs[:12]:
            body = body_of(prompted.judge(p, "a", "b"))
            async with client.post(server.url + CALL, json=body) as response:
                after = response.headers["Retry-After"]
                if not after.isdigit():
                    now = email.utils.parsedate_to_datetime(response.headers["Date"])
                    wait = (email.utils.parsedate_to_datetime(after) - now).total_seconds()
                    assert 6 <= wait <= 8
                said.add(after if after.isdigit() else "date")
    assert said == {"7", "date"}


async def test_no_more_calls_are_worked_on_at_once_than_there_are_slots(client, prompted, pairs):
    bodies = [body_of(prompted.judge(p, "a", "b")) for p in pairs[:12]]
    peaks = {}
    for slots in (None, 3):
        async with PlantedServer(ServerOptions(slots=slots, latency_ms=20)) as server:
            ended = await asyncio.gather(*(post(client, server, body) for body in bodies))
            peaks[slots] = (await stats(client, server))["peak"]
        assert [status for status, _ in ended] == [200] * 12
    assert peaks[3] == 3
    assert peaks[None] > 3


async def test_a_client_that_gives_up_frees_its_slot(client, prompted, pairs):
    one, other = (body_of(prompted.judge(p, "a", "b")) for p in pairs[:2])
    async with PlantedServer(ServerOptions(slots=1, faults=Faults(hang=1.0, attempts=1))) as server:
        assert await attempt(client, server, one) == "hang"
        assert await attempt(client, server, other) == "hang"
        assert await attempt(client, server, one) == "served"


async def test_stopping_lets_go_of_what_hangs(client, prompted, pairs):
    server = PlantedServer(ServerOptions(faults=Faults(hang=1.0)))
    await server.start()
    hanging = asyncio.create_task(post(client, server, body_of(prompted.judge(pairs[0], "a", "b"))))
    for _ in range(10_000):
        if server.counts.working:
            break
        await asyncio.sleep(0)
    assert server.counts.working == 1
    await server.stop()
    await server.stop()
    with contextlib.suppress(aiohttp.ClientError):
        await asyncio.wait_for(hanging, 5)


async def test_unknown_models_and_unreadable_bodies_are_refused_with_the_reason(client, prompted, pairs):
    good = body_of(prompted.judge(pairs[0], "a", "b"))
    async with PlantedServer() as server:
        status, said = await post(client, server, good | {"model": "fare"})
        assert (status, said["error"]["code"]) == (404, "model_not_found")
        assert "Did you mean 'fair'?" in said["error"]["message"]
        for bad in (
            {"model": "fair"},
            good | {"messages": []},
            good | {"stream": True},
            good | {"messages": [{"role": "user", "content": "Hello."}]},
            good | {"messages": [{"role": "tool", "content": "x"}]},
            good | {"messages": [{"role": "user", "content": 3}]},
            [1, 2],
        ):
            assert (await post(client, server, bad))[0] == 400
        for data in (b"{not json", b'{"temperature": NaN}'):
            async with client.post(server.url + CALL, data=data) as response:
                assert response.status == 400
        counts = await stats(client, server)
    assert (counts["served"], counts["bad_requests"]) == (0, 9)


async def test_content_may_come_in_parts(client, prompted, pairs):
    body = body_of(prompted.judge(pairs[0], pairs[0].chosen, pairs[0].rejected))
    for message in body["messages"]:
        text = message["content"]
        message["content"] = [{"type": "text", "text": text[:9]}, {"type": "text", "text": text[9:]}]
    async with PlantedServer() as server:
        _, found = await post(client, server, body)
    wanted = await open_planted("fair").complete(prompted.judge(pairs[0], pairs[0].chosen, pairs[0].rejected))
    assert found["choices"][0]["message"]["content"] == wanted.text


async def test_a_port_in_use_gives_one_line_and_a_hint():
    async with PlantedServer() as server:
        port = int(server.url.split(":")[2].removesuffix("/v1"))
        with pytest.raises(UsageError, match=f"cannot listen on 127.0.0.1:{port}") as caught:
            await serve(ServerOptions(port=port))
    assert "0 for a free one" in caught.value.hint


async def test_serving_goes_on_until_it_is_cancelled(client, unused_tcp_port):
    listening = asyncio.get_running_loop().create_future()
    serving = asyncio.create_task(serve(ServerOptions(port=unused_tcp_port), ready=listening.set_result))
    url = await asyncio.wait_for(listening, 5)
    assert url == f"http://127.0.0.1:{unused_tcp_port}/v1"
    async with client.get(f"{url}/models") as response:
        assert [m["id"] for m in (await response.json())["data"]] == list(PRESETS)
    serving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await serving
    with pytest.raises(aiohttp.ClientConnectorError):
        await client.get(f"{url}/models")


@pytest.mark.parametrize("rates", [{"hang": -0.1}, {"hang": 0.6, "malformed": 0.6}])
def test_fault_rates_are_shares(rates):
    with pytest.raises(ValueError, match="fault rates"):
        Faults(**rates)


def test_fault_rates_are_met():
    faults = Faults(server_error=0.2, rate_limit=0.1, truncated=0.1, malformed=0.05, hang=0.05)
    drawn = [faults.draw(0, f"body {i}", attempt) for i in range(1000) for attempt in range(4)]
    for name, rate in (("server_error", 0.2), ("rate_limit", 0.1), ("hang", 0.05), (None, 0.5)):
        assert drawn.count(name) / len(drawn) == pytest.approx(rate, abs=0.03)
