"""Work that may be interrupted: what is paid for is waited for and kept. Knows no workflow."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Coroutine
from types import FrameType
from typing import Any, ClassVar, TypeVar

from biasscope.cli.progress import Progress
from biasscope.errors import BiasscopeError

T = TypeVar("T")

PATIENCE = 2
"""After so many signals in vain the next one ends the process wherever it is."""


class Interrupted(BiasscopeError):
    """A person or the system stopped the command."""

    exit_code: ClassVar[int] = 130
    default_hint = "Everything answered so far is kept; the same command continues."


def run_kept(work: Coroutine[Any, Any, T], progress: Progress) -> T:
    """Run a coroutine under a progress display; Ctrl-C and SIGTERM end it as `Interrupted`.

    The first signal lets the calls in flight finish, the second one drops them.
    """
    try:
        with progress:
            return asyncio.run(_stoppable(work, progress))
    except (asyncio.CancelledError, KeyboardInterrupt):
        raise Interrupted("interrupted") from None


async def _stoppable(work: Coroutine[Any, Any, T], progress: Progress) -> T:
    """Await work; cancel it at the first signal, and everything that it started at the second.

    The loop does so between two steps: a KeyboardInterrupt in the midst of asyncio's own code, as its default
    handler raises it at the second signal, may leave a task that never wakes.
    """
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    signals: list[int] = []

    def stop() -> None:
        for running in [task] if len(signals) == 1 else asyncio.all_tasks():
            running.cancel()

    def interrupt(number: int, _: FrameType | None) -> None:
        signals.append(number)
        if len(signals) > PATIENCE:
            raise KeyboardInterrupt
        if len(signals) == 1:
            loop.call_soon_threadsafe(
                progress.say, "Waiting for the calls in flight, so that none is lost; Ctrl-C again drops them"
            )
        loop.call_soon_threadsafe(stop)

    heeded = [s for s in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(s) is not signal.SIG_IGN]
    previous = {number: signal.signal(number, interrupt) for number in heeded}
    try:
        return await work
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
