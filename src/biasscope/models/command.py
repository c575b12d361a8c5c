"""A judge that is a command: one process that lives as long as the run, one JSON object a line each way.

Every line that is sent has an ``id`` and its answer repeats it, so that answers may come in any order and nothing
that a program prints besides can be taken for one.
"""

from __future__ import annotations

import asyncio
import shlex
import shutil
from pathlib import Path
from typing import Any

from biasscope.ask import Reply, Request
from biasscope.config import ModelExecution, ModelSpec
from biasscope.errors import ProgramFailed, UsageError
from biasscope.models.child import Child, Ended
from biasscope.models.programs import Failed, ProgramModel, hash_of

IN_FLIGHT = 8

ENDS_IN_A_ROW, ENDS = 5, 20
"""A process that ended so often without an answer in between, or so often at all, is not started again."""


def open_command(spec: ModelSpec, execution: ModelExecution) -> CommandModel:
    """Read a command line; raises UsageError where it cannot be read or its program is not found. Starts nothing."""
    line = spec.spec.partition(":")[2]
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise UsageError(f"{line!r} is no command line: {error}", hint="Quote it as for a shell.") from error
    if not words or not words[0]:
        raise UsageError(f"{spec.spec!r} names no command", hint="Write command:PROGRAM ARGUMENT...")
    if shutil.which(words[0]) is None:
        there = Path(words[0]).is_file()
        hint = f"Make it executable (chmod +x {words[0]})." if there else "Check its name, or give its path."
        raise UsageError(f"{words[0]!r} is no command that can be run", hint=hint)
    files = {word: hash_of(Path(word)) for word in words if Path(word).is_file()}
    return CommandModel(spec, execution, words, files)


class CommandModel(ProgramModel):
    """A process that is started by the first case, again where it ends, and ended by `close`."""

    def __init__(
        self, spec: ModelSpec, execution: ModelExecution, words: list[str], files: dict[str, str]
    ) -> None:
        identity = {"provider": "command", "command": words, "files": files}
        super().__init__(spec, execution, Path(words[0]).name, identity, max_in_flight=IN_FLIGHT)
        self._words = words
        self._child: Child | None = None
        self._starting = asyncio.Lock()
        self._alone = asyncio.Lock()
        self._ends = 0
        self._ends_in_a_row = 0

    async def answer(self, case: dict[str, Any], request: Request) -> Reply:
        """Put a case to the process; `Failed` where it answers with no JSON, not in time, or ends because of it.

        When the process ends, every case that it had is put to the next one alone, so that none is blamed for
        another; whatever comes meanwhile waits behind them.
        """
        async with self._alone:
            pass
        try:
            return await self._ask(case)
        except Ended:
            async with self._alone:
                try:
                    return await self._ask(case)
                except Ended as error:
                    if not self._answered:
                        raise ProgramFailed(f"{self._spec} ended and answered nothing: {error}") from None
                    raise Failed(f"it ended over this case: {error}") from None

    async def _ask(self, case: dict[str, Any]) -> Reply:
        child = await self._running()
        text = await child.ask(case, self._timeout_s)
        self._ends_in_a_row = 0
        return Reply(text)

    async def close(self) -> None:
        """End the process and everything that it started."""
        if self._child is not None:
            await self._child.stop()
        self._child = None

    async def _running(self) -> Child:
        """The process, started anew where it has ended; raises ProgramFailed once it has ended too often."""
        async with self._starting:
            if self._child is not None and self._child.ended is not None:
                self._ends += 1
                self._ends_in_a_row += 1
                if self._ends_in_a_row >= ENDS_IN_A_ROW or self._ends >= ENDS:
                    raise ProgramFailed(
                        f"{self._spec} ended {self._ends} times: {self._child.ended}",
                        hint="It has to go on reading until its input ends; what it answered so far is kept.",
                    )
                await self.close()
            if self._child is None:
                self._child = await Child.start(self._words)
            return self._child
