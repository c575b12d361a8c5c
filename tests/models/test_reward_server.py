"""A reward model behind a server's route for classifiers: a real server on a local socket."""

import json
import socket

import pytest
from aiohttp import web
from tests.models.programs import opened, request, said

from biasscope.errors import AuthenticationFailed, ProgramFailed, ServerFault


@pytest.fixture
async def server():
    """Answer the route for classifiers with what a test puts into `answers`, and keep what was sent."""
    sent, answers = [], []

    async def classify(asked):
        sent.append(json.loads(await asked.read()))
        status, body = answers[0] if len(answers) == 1 else answers.pop(0)
        return web.json_response(body, status=status)

    app = web.Application()
    app.router.add_post("/classify", classify)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    listening = socket.create_server(("127.0.0.1", 0))
    await web.SockSite(runner, listening).start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}", sent, answers
    await runner.cleanup()


@pytest.fixture
async def judge(server):
    models = []

    def make(path="/v1", **execution):
        models.append(opened("reward:org/reward-1b", url=server[0] + path, **{"retries": 0} | execution))
        return models[-1]

    yield make
    for model in models:
        await model.close()


def scored(*probs, **more):
    return 200, {"model": "org/reward-1b", "data": [{"index": 0, "label": "LABEL_0", "probs": list(probs)}],
                 "usage": {"prompt_tokens": 12}} | more  # fmt: skip


@pytest.mark.parametrize("path", ["", "/v1", "/v1/", "/classify"])
async def test_the_conversation_is_sent_and_the_raw_score_is_read(server, judge, path):
    _, sent, answers = server
    answers.append(scored(-3.25))
    model = judge(path)
    reply = await model.complete(request(response="Because."))
    assert json.loads(reply.text) == {"score": -3.25}
    assert (reply.model, reply.input_tokens) == ("org/reward-1b", 12)
    assert sent == [
        {
            "model": "org/reward-1b",
            "messages": [{"role": "user", "content": "Why?"}, {"role": "assistant", "content": "Because."}],
            "use_activation": False,
        }
    ]


async def test_a_server_that_is_busy_is_asked_again(server, judge):
    server[2].extend([(503, {"error": {"message": "busy"}}), scored(1.0)])
    assert await said(judge(retries=1), request(response="x")) == {"score": 1.0}


async def test_a_conversation_that_is_too_long_is_a_fact_about_it(server, judge):
    server[2].append((400, {"error": {"message": "This model's maximum context length is 512 tokens."}}))
    assert (await judge().complete(request(response="x"))).over_long


async def test_a_classifier_with_several_classes_is_no_reward_model(server, judge):
    server[2].append(scored(0.2, 0.8))
    with pytest.raises(ProgramFailed, match="2 classes"):
        await said(judge(), request(response="x"))


async def test_a_success_without_a_score_is_a_fault_of_the_server(server, judge):
    server[2].append((200, {"data": []}))
    with pytest.raises(ServerFault, match="no score") as error:
        await said(judge(), request(response="x"))
    assert "--runner pooling" in error.value.hint


async def test_a_server_without_the_route_is_named(server, judge):
    with pytest.raises(ProgramFailed, match="no route /classify"):
        await said(judge("/elsewhere"), request(response="x"))


def test_a_key_that_no_header_can_carry_is_refused_before_anything_is_asked(judge, monkeypatch):
    monkeypatch.setenv("MY_KEY", "sk\u2013long")
    with pytest.raises(AuthenticationFailed, match="MY_KEY holds characters") as error:
        judge(key_variable="MY_KEY")
    assert "long" not in str(error.value)


async def test_a_reward_model_compares_no_two(judge):
    with pytest.raises(ProgramFailed, match="one response at a time") as error:
        await said(judge())
    assert "pointwise" in error.value.hint


def test_it_is_known_by_host_model_and_route(server, judge):
    assert judge().fingerprint == judge("/classify").fingerprint
    assert judge().fingerprint["model"] == "org/reward-1b"
    assert judge().fingerprint["activation"] is False
