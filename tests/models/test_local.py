"""The real runtime with real weights: `make test-extras` fetches them first."""

import asyncio
import http.client
import json
import math
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from biasscope import prompts
from biasscope.ask import Reply, Request
from biasscope.errors import WeightsError
from biasscope.models import weights
from biasscope.models.llama import Llama
from biasscope.models.local import LocalModel, open_local
from biasscope.records import Message

# Looked for and not imported here: how its threads wait is decided when it is first imported.
pytestmark = [
    pytest.mark.local,
    pytest.mark.skipif(find_spec("xllamacpp") is None, reason="needs the extra: pip install 'biasscope[local]'"),
]

SMALLEST, JUDGE = "smollm2-135m", "qwen2.5-coder-0.5b"
QUESTION = "Name the capital of France."
FIRST = "It is Paris, a city on the Seine."
ARMS = (
    "It is Lyon.",
    "It is Lyon. Experts have checked this.",
    "I believe it is **Lyon**.",
    "\n\nLyon!",
)


def fetched(name: str) -> Path:
    try:
        return weights.fetch(name)
    except WeightsError as error:
        pytest.skip(f"{error} ({error.hint})")


@pytest.fixture(scope="module", params=[SMALLEST, JUDGE])
def model(request: pytest.FixtureRequest) -> Iterator[LocalModel]:
    fetched(request.param)
    opened = open_local(request.param)
    yield opened
    asyncio.run(opened.close())


@pytest.fixture(scope="module")
def smallest() -> Iterator[LocalModel]:
    fetched(SMALLEST)
    opened = open_local(SMALLEST)
    yield opened
    asyncio.run(opened.close())


def label_request(second: str, *, question: str = QUESTION, shares: bool = True) -> Request:
    filled = prompts.fill("judge_label", question=question, first=FIRST, second=second)
    return Request(filled.messages, 4, labels=("1", "2"), shared=filled.offsets["second"] if shares else 0)


def say(text: str, max_tokens: int = 12, **options: Any) -> Request:
    return Request((Message("user", text),), max_tokens, **options)


def mass(reply: Reply) -> float:
    return sum(math.exp(p) for token, p in reply.positions[0].top if token.strip() in ("1", "2"))


async def test_a_score_is_the_same_to_the_last_bit_alone_among_siblings_and_after_a_restart(
    model: LocalModel,
) -> None:
    requests = [label_request(arm) for arm in ARMS]

    in_order = [await model.complete(r) for r in requests]
    reversed_order = [await model.complete(r) for r in reversed(requests)]
    interrupted = await model.complete(requests[1])
    await model.complete(label_request("4", question="What is 2 + 2?"))
    after_another_pair = await model.complete(requests[1])
    await model.complete(say("Name a colour."))
    after_generating = await model.complete(requests[2])
    await model.close()
    alone = await model.complete(requests[3])

    assert reversed_order[::-1] == in_order
    assert interrupted == after_another_pair == in_order[1]
    assert after_generating == in_order[2]
    assert alone == in_order[3]
    assert len({reply.positions for reply in in_order}) == len(ARMS)


async def test_labels_are_read_at_one_position_with_forty_alternatives_that_hold_most_of_the_mass(
    model: LocalModel,
) -> None:
    reply = await model.complete(label_request(ARMS[0]))

    assert len(reply.positions) == 1
    assert len(reply.positions[0].top) >= 40
    assert {"1", "2"} <= {token.strip() for token, _ in reply.positions[0].top}
    assert mass(reply) > 0.5
    assert reply.text == reply.positions[0].token
    assert reply.model == model.resolved


async def test_without_a_shared_prefix_a_score_is_its_full_evaluation_and_stays_close(
    smallest: LocalModel,
) -> None:
    shared = await smallest.complete(label_request(ARMS[0]))
    whole = await smallest.complete(label_request(ARMS[0], shares=False))
    again = await smallest.complete(label_request(ARMS[0], shares=False))

    assert whole == again
    assert mass(whole) == pytest.approx(mass(shared), abs=0.1)


async def test_prefilling_the_answer_raises_the_mass_on_the_labels(smallest: LocalModel) -> None:
    plain = open_local(f"{SMALLEST}?scoring=plain")

    without = await plain.complete(label_request(ARMS[0]))
    await plain.close()

    assert mass(await smallest.complete(label_request(ARMS[0]))) > 3 * mass(without)


async def test_another_process_gives_the_same_bits(smallest: LocalModel) -> None:
    request = label_request(ARMS[2])
    script = """
import asyncio, json, sys
from biasscope.ask import Request
from biasscope.models.local import open_local
from biasscope.records import Message
name, body = json.loads(sys.stdin.read())
messages = tuple(Message(*m) for m in body["messages"])
model = open_local(name)
reply = asyncio.run(model.complete(Request(messages, 4, labels=("1", "2"), shared=body["shared"])))
json.dump(reply.positions[0].top, sys.stdout)
"""
    body = {"messages": [(m.role, m.content) for m in request.messages], "shared": request.shared}
    other = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", script],
        input=json.dumps([SMALLEST, body]),
        capture_output=True,
        text=True,
        check=True,
    )

    here = (await smallest.complete(request)).positions[0].top

    assert tuple((token, value) for token, value in json.loads(other.stdout)) == here
    assert other.stderr == ""  # a process that never closes its model ends without a word


async def test_text_is_generated_and_repeats_itself(smallest: LocalModel) -> None:
    first = await smallest.complete(say("Write one short sentence about the sea."))
    await smallest.complete(say("Name a colour."))
    second = await smallest.complete(say("Write one short sentence about the sea."))

    assert first == second
    assert first.text
    assert first.output_tokens is not None
    assert first.output_tokens <= 12


async def test_a_seed_repeats_a_drawn_text_and_another_draws_another(smallest: LocalModel) -> None:
    texts = [
        (await smallest.complete(say("Write a story.", 16, temperature=1.5, seed=seed))).text
        for seed in (1, 1, 2)
    ]

    assert texts[0] == texts[1] != texts[2]


async def test_an_output_that_is_cut_off_says_so(smallest: LocalModel) -> None:
    assert (await smallest.complete(say("Write a long story.", 3))).finish == "length"


async def test_a_schema_is_kept(smallest: LocalModel) -> None:
    schema = {
        "type": "object",
        "properties": {"colour": {"enum": ["red", "green"]}, "count": {"type": "integer"}},
        "required": ["colour", "count"],
        "additionalProperties": False,
    }

    reply = await smallest.complete(say("Give an apple as JSON.", 60, schema=json.dumps(schema)))

    answer = json.loads(reply.text)
    assert answer.keys() == {"colour", "count"}
    assert answer["colour"] in ("red", "green")
    assert reply.dropped == ()


async def test_longer_labels_are_generated_with_the_alternatives_at_each_position(smallest: LocalModel) -> None:
    reply = await smallest.complete(say("Answer yes or no: is snow white?", 3, labels=("yes", "no")))

    assert 1 <= len(reply.positions) <= 3
    assert all(len(p.top) > 20 for p in reply.positions)  # some share their text and are counted once


@pytest.mark.parametrize("labels", [(), ("1", "2")])
async def test_a_request_that_does_not_fit_is_over_long_and_harms_nothing(labels: tuple[str, ...]) -> None:
    fetched(SMALLEST)
    small = open_local(f"{SMALLEST}?context=256")

    too_long = await small.complete(say("word " * 300, 4, labels=labels))
    fits = await small.complete(say("Name a colour.", 4, labels=labels))
    await small.close()

    assert too_long.over_long
    assert too_long.text == ""
    assert not fits.over_long
    assert fits.text


async def test_the_event_loop_lives_while_the_model_works_and_a_cancelled_call_is_finished(
    smallest: LocalModel,
) -> None:
    expected = await smallest.complete(label_request(ARMS[0]))
    call = asyncio.create_task(smallest.complete(say("Write a story.", 40)))
    turns = 0
    while not call.done() and turns < 50:
        await asyncio.sleep(0)
        turns += 1
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call

    assert turns == 50
    assert await smallest.complete(label_request(ARMS[0])) == expected


async def test_a_file_that_is_no_whole_model_is_one_clear_line(tmp_path: Path) -> None:
    stump = tmp_path / "stump.gguf"
    stump.write_bytes(fetched(SMALLEST).read_bytes()[:8_000_000])
    broken = open_local(str(stump))

    with pytest.raises(WeightsError, match="cannot load"):
        await broken.complete(say("Hello"))


def test_the_server_keeps_strangers_out_and_is_gone_after_closing() -> None:
    llama = Llama(fetched(SMALLEST), context=256)
    stranger = http.client.HTTPConnection(llama._address)

    stranger.request("POST", "/tokenize", json.dumps({"content": "x"}), {"Content-Type": "application/json"})
    status = stranger.getresponse().status
    stranger.close()
    llama.close()
    llama.close()

    assert status == 401
    assert llama._address.startswith("127.0.0.1:")
    with pytest.raises(ConnectionRefusedError):
        stranger.request("POST", "/tokenize", "{}")
