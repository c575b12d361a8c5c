"""A model with known replies, for tests and examples: a list, or a function of the request. No network.

It keeps what it was asked and how many calls were in flight at once, and nothing else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from biasscope.ask import Reply, Request
from biasscope.errors import BadRequest, ProviderError

Script = Sequence[Reply | ProviderError | str] | Callable[[Request], Reply | str]


class ScriptedModel:
    """Completes requests from a script; a `ProviderError` in it is raised, a text becomes a reply.

    A list is used up in the order in which calls begin, and a call beyond its end raises `BadRequest`; a
    function may raise a `ProviderError` itself. `delay` is the seconds that every call takes. `requests` holds
    every request in the order of arrival, `peak` the highest number of calls in flight so far.
    """

    def __init__(
        self, replies: Script, *, name: str = "scripted", delay: float = 0.0, max_in_flight: int = 32
    ) -> None:
        self._replies = replies
        self._name = name
        self._delay = delay
        self._max_in_flight = max_in_flight
        self._in_flight = 0
        self.requests: list[Request] = []
        self.peak = 0

    @property
    def spec(self) -> str:
        """The name it was given."""
        return self._name

    @property
    def endpoint(self) -> str:
        """Its own: two scripted models with different names do not compete."""
        return f"scripted:{self._name}"

    @property
    def max_in_flight(self) -> int:
        """As it was given."""
        return self._max_in_flight

    @property
    def fingerprint(self) -> Mapping[str, object]:
        """Provider and name: whoever changes the script of a stored run gives it another name."""
        return {"provider": "scripted", "model": self._name}

    @property
    def resolved(self) -> str:
        """Its name, which every reply without a model id of its own reports."""
        return self._name

    async def complete(self, request: Request) -> Reply:
        """Give the scripted reply; raises the `ProviderError` that the script holds instead."""
        index = len(self.requests)
        self.requests.append(request)
        self._in_flight += 1
        self.peak = max(self.peak, self._in_flight)
        try:
            await asyncio.sleep(self._delay)  # a delay of 0 still lets the other calls begin
            return self._reply(index, request)
        finally:
            self._in_flight -= 1

    async def close(self) -> None:
        """Nothing to release."""

    def _reply(self, index: int, request: Request) -> Reply:
        if callable(self._replies):
            reply: Reply | ProviderError | str = self._replies(request)
        elif index < len(self._replies):
            reply = self._replies[index]
        else:
            raise BadRequest(f"{self._name} has no reply for call {index + 1}; its script holds {index}")
        if isinstance(reply, ProviderError):
            raise reply
        if isinstance(reply, str):
            return Reply(reply, model=self._name)
        return reply if reply.model else replace(reply, model=self._name)
