"""What models that are programs have in common: a case goes in, an answer comes out, and a failure is an answer.

A subclass says how an answer is got. Here stands when failing stops a run: a program that has never answered and
fails again and again does not work, while one that fails on single cases is measured on the others.
"""

from __future__ import annotations

import asyncio
import hashlib
from abc import ABC, abstractmethod
from collections.abc import Coroutine, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from biasscope.ask import Reason, Reply, Request, Unreadable
from biasscope.config import ModelExecution, ModelSpec
from biasscope.errors import ProgramFailed
from biasscope.models.failures import SHOWN_CHARACTERS, plain
from biasscope.parsing.program import CountedFromZero, check_answer, read_case, write_failure

T = TypeVar("T")

FAILURES = 5
"""Failures in a row, without one answer before them, after which a program does not work: an answer that cannot be
read is a failure too."""


POINTWISE = 'Say that it scores: kind = "pointwise" under [identity.judge], or --judge-kind pointwise.'


class Failed(Exception):
    """A program gave no answer to one case."""

    def __init__(self, said: str, reason: Reason = "failed") -> None:
        self.said = plain(said, SHOWN_CHARACTERS)
        self.reason: Reason = reason
        super().__init__(self.said)


def first_line(error: BaseException) -> str:
    """An exception in one line: its kind and the first line of what it says."""
    said = str(error).strip().splitlines()
    return plain(f"{type(error).__name__}: {said[0]}" if said else type(error).__name__, SHOWN_CHARACTERS)


def hash_of(path: Path) -> str:
    """The sha256 of a file; raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class ProgramModel(ABC):
    """The `Model` protocol for a program; `name` is what replies report, `identity` what else determines them."""

    def __init__(
        self,
        spec: ModelSpec,
        execution: ModelExecution,
        name: str,
        identity: Mapping[str, object],
        *,
        max_in_flight: int,
    ) -> None:
        self._spec = spec.spec
        self._name = name
        self._identity = {**identity, "revision": spec.revision}
        self._max_in_flight = execution.max_in_flight or max_in_flight
        self._timeout_s = execution.timeout_s
        self._answered = False
        self._failures = 0

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._spec!r})"

    @property
    def spec(self) -> str:
        """The spec as the user wrote it."""
        return self._spec

    @property
    def endpoint(self) -> str:
        """Every program has a gate of its own."""
        return self._spec

    @property
    def max_in_flight(self) -> int:
        """The configured number of cases at once, else what its kind of program bears."""
        return self._max_in_flight

    @property
    def fingerprint(self) -> Mapping[str, object]:
        """What the program is, as far as that can be seen from outside, and the declared revision."""
        return self._identity

    @property
    def resolved(self) -> str | None:
        """The name of the program."""
        return self._name

    async def complete(self, request: Request) -> Reply:
        """Put one case to the program; raises `ProgramFailed` where it does not work at all or is sent a prompt."""
        case = read_case(request.messages[-1].content)
        if case is None:
            raise ProgramFailed(
                f"{self._spec} judges, and can be asked nothing else",
                hint="Name a model that answers prompts, such as openai:MODEL, as the teacher and as a writer.",
            )
        try:
            reply = await self.answer(case, request)
        except Failed as error:
            self._note(error.said)
            return Reply(write_failure(error.said, error.reason), model=self._name)
        self._check(case, reply)
        return reply if reply.model else replace(reply, model=self._name)

    async def close(self) -> None:
        """Nothing is held, so nothing is released."""
        return

    @abstractmethod
    async def answer(self, case: dict[str, Any], request: Request) -> Reply:
        """Answer one case with a JSON value as the text of the reply; raises `Failed`."""

    async def _within(self, work: Coroutine[Any, Any, T]) -> T:
        """Await the user's code; whatever it raises, also an attempt to exit, and a deadline is `Failed`."""
        try:
            async with asyncio.timeout(self._timeout_s):
                return await _tried(work)
        except TimeoutError:
            raise Failed(f"no answer within {self._timeout_s:g} s", "timed_out") from None

    def _check(self, case: dict[str, Any], reply: Reply) -> None:
        """Note whether a reply is an answer; what is made of one that is none is for whoever asked.

        Raises ProgramFailed for a choice of 0, which makes every other choice of that program doubtful.
        """
        if reply.over_long:
            return
        try:
            check_answer(case, reply.text)
        except CountedFromZero as error:
            raise ProgramFailed(
                f"{self._spec} answered 0: {error.detail}",
                hint="Where it counts from 0, its 1 was read as the first response, and it meant the second. After the "
                "repair measure into a new folder, or declare another revision.",
            ) from None
        except Unreadable as error:
            self._note(error.detail)
        else:
            self._answered = True

    def _note(self, failure: str) -> None:
        """Count a failure, and stop where the program has done nothing but fail."""
        self._failures += 1
        if not self._answered and self._failures >= FAILURES:
            raise ProgramFailed(
                f"{self._spec} gave {self._failures} answers and none that counts, the last: {failure}"
            )


async def _tried(work: Coroutine[Any, Any, T]) -> T:
    try:
        return await work
    except Failed:
        raise
    except (Exception, SystemExit) as error:
        raise Failed(first_line(error)) from error
