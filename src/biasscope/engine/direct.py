"""Asks answered by a model with nothing kept: for models in process that answer at once and cost nothing.

Attempts, parsing and the order of answers are the engine's; there is no key, no ledger, no gate and no cap.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from biasscope.ask import Answered, Ask, Missing, Unreadable
from biasscope.models.base import Model

T = TypeVar("T")

UNKEPT = "unkept"
"""Stands where the key of a reply would."""
_CHUNK = 100  # asks answered between two turns of the event loop, so that a run can be stopped


@dataclass(frozen=True, slots=True)
class Direct:
    """An `Asker` that asks a model and forgets."""

    model: Model

    @property
    def name(self) -> str:
        """The model's spec."""
        return self.model.spec

    async def ask(self, asks: Sequence[Ask[T]]) -> list[Answered[T] | Missing]:
        """Answer every ask in order, one after the other; raises what the model raises."""
        answers: list[Answered[T] | Missing] = []
        for number, ask in enumerate(asks, 1):
            answers.append(await self._answer(ask))
            if number % _CHUNK == 0:
                await asyncio.sleep(0)
        return answers

    async def _answer(self, ask: Ask[T]) -> Answered[T] | Missing:
        answer: Answered[T] | Missing = Missing("empty", "no attempt was made")
        for attempt in range(ask.attempts):
            keys = (UNKEPT,) * (attempt + 1)
            reply = await self.model.complete(ask.request(attempt))
            try:
                return Answered(ask.parse(reply), keys)
            except Unreadable as unreadable:
                answer = Missing(unreadable.reason, unreadable.detail, keys)
        return answer
