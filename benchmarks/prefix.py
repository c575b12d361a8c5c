"""What a shared beginning saves a local model: tokens of prompts that llama.cpp evaluates, by its own counters.

The same requests are sent twice to a judge in process: grouped as runs send them (pair by pair, arms next to each other),
and shuffled, so that no request follows one that it shares its beginning with. Then grouped again: no score may change.
Without weights nothing is measured; `biasscope models fetch smollm2-135m` gets 98 MB.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.results import Ratio, Result, Size
from biasscope.ask import Request
from biasscope.catalogue.known import built_in
from biasscope.errors import MissingExtra, WeightsError
from biasscope.judges.pairwise import PairwiseAsk
from biasscope.models.llama import Llama
from biasscope.models.local import LocalModel, open_local
from biasscope.objective import generate
from biasscope.records import ORDERS, ORIGINAL, Order
from biasscope.steps.judge import Table, presentations
from biasscope.steps.perturb import Job, RuleWriter, perturb_pairs

MODEL = "smollm2-135m"
PAIRS = {"smoke": 0, "small": 4, "full": 8}
BIASES = ("authority", "sentiment")
NEUTRALS = 2
FIRST = 0.5


@dataclass
class _Counters:
    """Tokens of prompts evaluated since the last look; llama.cpp's own count."""

    tokens: int = 0

    def take(self) -> int:
        """Give the count and start again."""
        taken, self.tokens = self.tokens, 0
        return taken


def measure(size: Size) -> Result:
    """Evaluate all requests three times and count."""
    if not PAIRS[size]:
        return Result("prefix", skipped="a smoke run loads no model")
    try:
        model = open_local(MODEL)
    except (WeightsError, MissingExtra) as error:
        return Result("prefix", skipped=str(error))
    return asyncio.run(_measure(model, PAIRS[size]))


async def _measure(model: LocalModel, pairs: int) -> Result:
    requests = await _requests(pairs)
    counters = _counted()
    try:
        await _scores(model, [requests[0][1]])  # loads the model
        counters.take()
        grouped: dict[Order, int] = {}
        scores = []
        for order, some in _by_order(requests):
            scores += await _scores(model, some)
            grouped[order] = grouped.get(order, 0) + counters.take()
        again = await _scores(model, [request for _, request in requests])
        counters.take()
        mixed = [*range(len(requests))]
        random.Random(0).shuffle(mixed)
        alone: dict[Order, int] = {}
        shuffled = [0.0] * len(requests)
        for number in mixed:
            order, request = requests[number]
            shuffled[number] = (await _scores(model, [request]))[0]
            alone[order] = alone.get(order, 0) + counters.take()
    finally:
        await model.close()
    differences = [max(abs(a - b), abs(a - c)) for a, b, c in zip(scores, again, shuffled, strict=True)]
    return Result(
        "prefix",
        (
            Ratio(
                "tokens evaluated, chosen first: grouped / shuffled",
                grouped["chosen_first"] / alone["chosen_first"],
                FIRST,
            ),
            Ratio(
                "tokens evaluated, rejected first: grouped / shuffled",
                grouped["rejected_first"] / alone["rejected_first"],
            ),
            Ratio(
                "tokens evaluated, both orders: grouped / shuffled", sum(grouped.values()) / sum(alone.values())
            ),
            Ratio("largest difference of a score between runs", max(differences), 0.0),
        ),
        {"model": MODEL, "requests": len(requests), "grouped": grouped, "shuffled": alone},
        "Counted by llama.cpp (timings.prompt_n); a shared beginning that is evaluated first is counted in both.",
    )


async def _requests(pairs: int) -> list[tuple[Order, Request]]:
    """What a measurement by rules asks about these pairs, in its order: the original, the biases, their neutral edits."""
    shown = list(generate(pairs, seed=4))
    table, writer = Table(), RuleWriter()
    found = [built_in().get(name) for name in BIASES]
    biases = [entry.bias for entry in found if entry is not None]
    jobs = [
        job
        for pair in shown
        for bias in biases
        for job in (*writer.neutral_jobs(pair, bias, NEUTRALS), Job(pair, bias.id, bias))
    ]
    await perturb_pairs(writer, table, jobs)
    arms = {pair.id: [ORIGINAL, *(j.arm for j in jobs if j.pair.id == pair.id)] for pair in shown}
    asked = [PairwiseAsk(p, "label") for p in presentations(table, shown, arms, None)]
    return [(ask.shown.order or ORDERS[0], ask.request(0)) for ask in asked]


def _by_order(requests: Sequence[tuple[Order, Request]]) -> list[tuple[Order, list[Request]]]:
    """Neighbours of the same order together, in the order of the requests."""
    grouped: list[tuple[Order, list[Request]]] = []
    for order, request in requests:
        if not grouped or grouped[-1][0] != order:
            grouped.append((order, []))
        grouped[-1][1].append(request)
    return grouped


async def _scores(model: LocalModel, requests: Sequence[Request]) -> list[float]:
    """For each request the log-probability of the most probable token at the place of the label."""
    return [(await model.complete(request)).positions[0].top[0][1] for request in requests]


def _counted() -> _Counters:
    """Count what llama.cpp says it evaluated, for every evaluation of any model of this process."""
    counters, evaluate = _Counters(), Llama.evaluate

    def counting(self: Llama, tokens: Sequence[int], *, reuse: bool, **options: object) -> Mapping[str, Any]:
        answer = evaluate(self, tokens, reuse=reuse, **options)
        counters.tokens += answer["timings"]["prompt_n"]
        return answer

    Llama.evaluate = counting  # type: ignore[method-assign]  # the counters are nowhere else
    return counters
