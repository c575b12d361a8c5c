"""A child process that is asked by lines of JSON: started, written to, read from, ended. Knows no judge.

A process may hold several cases and do one after the other. So time runs for the oldest of them alone: a case is
timed by itself, and a process that has stopped is known by its first case.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from biasscope.errors import ProgramFailed
from biasscope.models.failures import SHOWN_CHARACTERS, plain
from biasscope.models.programs import Failed

LONGEST_LINE = 1 << 24
"""Bytes of one line of output, at most."""

GRACE_S = 2.0
"""What a process has for ending by itself once it is told to."""

KEPT_LINES = 20
"""Of what it wrote to stderr, the last lines; the last one that says something is shown where it ends."""


class Ended(Exception):
    """The process ended: how, and the last line that it wrote to stderr."""


@dataclass(eq=False, slots=True)
class _Case:
    """A case that the process holds."""

    answer: asyncio.Future[str]
    timeout_s: float


class Child:
    """One process in a group of its own: an interrupt from the terminal reaches it only through us."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._waiting: dict[int, _Case] = {}
        self._timed: _Case | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._count = 0
        self._answers = 0
        self._said: deque[str] = deque(maxlen=KEPT_LINES)
        self.ended: str | None = None
        self._errors = asyncio.create_task(self._keep_errors())
        self._reader = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, words: Sequence[str]) -> Child:
        """Start a process; raises ProgramFailed where the system refuses."""
        pipe = asyncio.subprocess.PIPE
        try:
            process = await asyncio.create_subprocess_exec(
                *words, stdin=pipe, stdout=pipe, stderr=pipe, limit=LONGEST_LINE, start_new_session=True
            )
        except OSError as error:
            raise ProgramFailed(f"{words[0]} cannot be started: {error.strerror}") from error
        return cls(process)

    async def ask(self, case: dict[str, Any], timeout_s: float) -> str:
        """Send a case and wait for its answer; raises `Failed`, and `Ended` where the process ends before it.

        `timeout_s` counts from when no older case is left.
        """
        if self.ended is not None:
            raise Ended(self.ended)
        number = self._count
        self._count += 1
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._waiting[number] = _Case(answer, timeout_s)
        self._time_oldest()
        line = json.dumps({"id": number, **case}, ensure_ascii=False)
        try:
            await self._write(line + "\n")
            return await answer
        finally:
            del self._waiting[number]
            answer.cancel()
            self._time_oldest()

    async def stop(self) -> None:
        """End the process with everything that it started; may be called twice."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._signal(signal.SIGTERM)
        _, still = await asyncio.wait({self._reader}, timeout=GRACE_S)
        if still:
            self._signal(signal.SIGKILL)
            _, still = await asyncio.wait({self._reader}, timeout=GRACE_S)
        for task in still:  # what it started elsewhere holds its output open
            task.cancel()
        self._errors.cancel()

    def _oldest(self) -> _Case | None:
        return next((case for case in self._waiting.values() if not case.answer.done()), None)

    def _time_oldest(self) -> None:
        """Let the time of the oldest case run, from now on where it does not run yet."""
        oldest = self._oldest()
        if oldest is self._timed:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timed = oldest
        if oldest is not None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(oldest.timeout_s, self._expire, oldest, self._answers)

    def _expire(self, case: _Case, answers: int) -> None:
        """Give a case up, and with it the process where it has answered nobody since the case was the oldest."""
        if not case.answer.done():
            case.answer.set_exception(Failed(f"no answer within {case.timeout_s:g} s", "timed_out"))
            if self._answers == answers:
                self._signal(signal.SIGKILL)
        self._time_oldest()

    async def _write(self, line: str) -> None:
        assert self._process.stdin is not None
        # A process that ended is noticed by whoever reads from it.
        with suppress(BrokenPipeError, ConnectionResetError):
            self._process.stdin.write(line.encode("utf-8", "replace"))
            await self._process.stdin.drain()

    async def _read(self) -> None:
        """Hand every line to whom it answers, until the process ends."""
        output = self._process.stdout
        assert output is not None
        trouble = ""
        try:
            while line := await output.readline():
                self._take(line.decode("utf-8", "replace").strip())
        except ValueError:
            trouble = f"a line of more than {LONGEST_LINE >> 20} MiB; "
        with suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), GRACE_S)
        self._signal(signal.SIGKILL)  # without its output it is of no use, nor is what it started
        await asyncio.wait({self._errors}, timeout=GRACE_S)
        code = await self._process.wait()
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        last = next((s for s in reversed(self._said) if s), "nothing on stderr")
        self.ended = f"{trouble}{how}, {last}"
        for case in self._waiting.values():
            if not case.answer.done():
                case.answer.set_exception(Ended(self.ended))

    def _take(self, line: str) -> None:
        """Give a line to the case whose id it repeats; any other takes the place of the oldest answer."""
        if not line:
            return
        number, text = _answered(line)
        if number is None:
            oldest = self._oldest()
            if oldest is not None:
                error = Failed(f"it printed {plain(line, 80)!r}, which answers no id", "unparsable")
                oldest.answer.set_exception(error)
            return
        self._answers += 1  # one that comes too late shows as well that the process works
        case = self._waiting.get(number)
        if case is not None and not case.answer.done():
            case.answer.set_result(text)

    async def _keep_errors(self) -> None:
        output = self._process.stderr
        assert output is not None
        rest = b""
        while chunk := await output.read(1 << 16):
            *lines, rest = (rest + chunk).split(b"\n")
            self._said.extend(_readable(line) for line in lines)
        self._said.append(_readable(rest))

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)


def _readable(line: bytes) -> str:
    return plain(line.decode("utf-8", "replace"), SHOWN_CHARACTERS)


def _answered(line: str) -> tuple[int | None, str]:
    """The id that a line repeats, None where it repeats none, and the answer without it."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None, line
    number = found.pop("id", None) if isinstance(found, dict) else None
    if isinstance(number, bool) or not isinstance(number, int):
        return None, line
    return number, json.dumps(found, ensure_ascii=False)
