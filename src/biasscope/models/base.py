"""The seam between asks and the world: what a model is. Nothing here talks to one.

A `Model` turns one request into one reply or raises a `ProviderError`. It retries transport faults itself
(it alone knows the protocol), knows nothing of keys, ledgers or budgets, and says how many calls it bears at
once; the engine keeps one gate per `endpoint`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from biasscope.ask import Reply, Request


class Model(Protocol):
    """Something that completes requests."""

    @property
    def spec(self) -> str:
        """The spec as the user wrote it, such as ``openai:gpt-4o``."""
        ...

    @property
    def endpoint(self) -> str:
        """What calls compete for: models with the same endpoint share one gate."""
        ...

    @property
    def max_in_flight(self) -> int:
        """How many calls the endpoint bears at once (at least 1)."""
        ...

    @property
    def fingerprint(self) -> Mapping[str, object]:
        """What determines replies and is known before the first call: provider, endpoint label, model, revision.

        For local models the weight hash, runtime version, chat template and scoring mode. JSON values only;
        never a key, a timeout or a concurrency.
        """
        ...

    @property
    def resolved(self) -> str | None:
        """The id that replies will report, where it is known before the first call; None for remote models."""
        ...

    async def complete(self, request: Request) -> Reply:
        """Complete one request; raises `ProviderError` when the endpoint fails in spite of retries."""
        ...

    async def close(self) -> None:
        """Release connections and memory; may be called twice."""
        ...
