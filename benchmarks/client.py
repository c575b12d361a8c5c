"""What a call costs the processor: everything that biasscope does for it, the bare SDK, and bare aiohttp.

All three send the same bodies to the same server, in turns. biasscope builds the prompt, looks the key up, calls, writes
the ledger and parses the verdict; the SDK and aiohttp are handed finished bodies and read the reply as JSON.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import aiohttp
from openai import AsyncOpenAI, DefaultAioHttpClient

from benchmarks.asks import judge_asks
from benchmarks.canned_server import served
from benchmarks.results import Ratio, Result, Size
from benchmarks.rounds import interleaved, medians, ratio_of
from biasscope.ask import Answered
from biasscope.config import ModelExecution, ModelSpec
from biasscope.engine import Engine
from biasscope.judges.pairwise import PairwiseAsk
from biasscope.ledger import Ledger
from biasscope.models.chat import open_chat
from biasscope.models.dialect import TOP_LOGPROBS, Dialect

TARGET = 1.3
CALLS = {"smoke": 60, "small": 600, "full": 2_000}
ROUNDS = {"smoke": 1, "small": 4, "full": 6}
IN_FLIGHT = {"smoke": (16,), "small": (64, 256), "full": (64, 256)}
LATENCY_MS = 50
MODEL = "canned"

Body = dict[str, Any]


def measure(size: Size) -> Result:
    """Processor seconds for 1,000 calls of each client, for each number of calls in flight."""
    asks = list(judge_asks(CALLS[size]))
    dialect = Dialect(top_logprobs=TOP_LOGPROBS)
    bodies = [dialect.body(MODEL, ask.request(0)) for ask in asks]
    ratios, numbers = [], dict[str, object]()
    with served("benchmarks.canned_server", str(LATENCY_MS)) as url:
        for at_once in IN_FLIGHT[size]:
            cpu = interleaved(
                {
                    "aiohttp": lambda n=at_once: _cpu(_by_aiohttp, url, bodies, n),
                    "sdk": lambda n=at_once: _cpu(_by_sdk, url, bodies, n),
                    "biasscope": lambda n=at_once: _cpu(_by_biasscope, url, asks, n),
                },
                ROUNDS[size],
            )
            numbers[f"cpu_s_per_1000_calls_at_{at_once}"] = medians(cpu)
            ratios += [
                Ratio(f"CPU / bare SDK, {at_once} in flight", ratio_of(cpu, "biasscope", "sdk"), TARGET),
                Ratio(f"CPU / bare aiohttp, {at_once} in flight", ratio_of(cpu, "biasscope", "aiohttp")),
            ]
    numbers |= {"calls": len(asks), "rounds": ROUNDS[size], "latency_ms": LATENCY_MS}
    return Result(
        "client", tuple(ratios), numbers, "Processor seconds of the client's process, ledger thread included."
    )


def _cpu(
    client: Callable[[str, Sequence[Any], int], Awaitable[None]], url: str, work: Sequence[Any], at_once: int
) -> float:
    """Processor seconds for 1,000 calls, opening and closing the client included."""
    start = time.process_time()
    asyncio.run(client(url, work, at_once))
    return (time.process_time() - start) * 1000 / len(work)


async def _by_aiohttp(url: str, bodies: Sequence[Body], at_once: int) -> None:
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector) as session:

        async def call(body: Body) -> None:
            async with session.post(f"{url}/chat/completions", json=body) as response:
                assert (await response.json())["choices"]

        await _all(call, bodies, at_once)


async def _by_sdk(url: str, bodies: Sequence[Body], at_once: int) -> None:
    async with AsyncOpenAI(
        api_key="none", base_url=url, max_retries=0, http_client=DefaultAioHttpClient()
    ) as client:

        async def call(body: Body) -> None:
            assert (await client.chat.completions.create(**body)).choices

        await _all(call, bodies, at_once)


async def _by_biasscope(url: str, asks: Sequence[PairwiseAsk], at_once: int) -> None:
    spec, execution = ModelSpec(spec=f"openai:{MODEL}", url=url), ModelExecution(max_in_flight=at_once)
    model = open_chat(spec, execution, environ={})
    try:
        with tempfile.TemporaryDirectory() as folder, Ledger.open(Path(folder) / "replies.db") as ledger:
            answers = await Engine(ledger).asker(model, "judge").ask(asks)
            assert all(isinstance(answer, Answered) for answer in answers)
    finally:
        await model.close()


async def _all(call: Callable[[Body], Awaitable[None]], bodies: Sequence[Body], at_once: int) -> None:
    """Make all calls, so many at once."""
    waiting = iter(bodies)

    async def work() -> None:
        for body in waiting:
            await call(body)

    await asyncio.gather(*(work() for _ in range(at_once)))
