"""What planted judges and teachers have in common: the `Model` protocol, in process and deterministic.

A subclass says what is replied; here the reply is cut at the request's limit and given the model's name.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from biasscope.ask import Reply, Request

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

BEHAVIOUR = 1
"""Part of the fingerprint: raise it when the same request is answered differently than before."""

_CHARACTERS_PER_TOKEN = 4
_IN_FLIGHT = 256


class PlantedModel(ABC):
    """A model of known behaviour: its reply is a pure function of the request and of `temper`."""

    def __init__(self, name: str, temper: DataclassInstance) -> None:
        self._name = name
        self._fingerprint = {"provider": "planted", "behaviour": BEHAVIOUR, **asdict(temper)}

    @property
    def spec(self) -> str:
        """``planted:`` and the name as the user wrote it."""
        return f"planted:{self._name}"

    @property
    def endpoint(self) -> str:
        """Each planted model has a gate of its own."""
        return self.spec

    @property
    def max_in_flight(self) -> int:
        """A bound on the asks that wait at once; replies are computed one after the other."""
        return _IN_FLIGHT

    @property
    def fingerprint(self) -> Mapping[str, object]:
        """The whole behaviour in numbers, its seed included; not the name, so two names of one behaviour agree."""
        return dict(self._fingerprint)

    @property
    def resolved(self) -> str:
        """The id that replies report."""
        return self._name

    async def complete(self, request: Request) -> Reply:
        """Reply at once; raises BadRequest for a prompt that is not the project's own."""
        return _finished(self.reply(request), request, self._name)

    async def close(self) -> None:
        """Nothing is held, so nothing is released."""
        return

    @abstractmethod
    def reply(self, request: Request) -> Reply:
        """Say what the model replies, before any limit."""


def _finished(reply: Reply, request: Request, name: str) -> Reply:
    """Cut a reply at the request's limit, as a server would, and count its tokens (four characters each)."""
    limit = request.max_tokens * _CHARACTERS_PER_TOKEN
    text = reply.text[:limit]
    return replace(
        reply,
        text=text,
        finish="stop" if len(text) == len(reply.text) else "length",
        model=name,
        input_tokens=sum(_tokens(m.content) for m in request.messages),
        output_tokens=_tokens(text),
    )


def _tokens(text: str) -> int:
    return -(-len(text) // _CHARACTERS_PER_TOKEN)
