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


class Interrupted(BiasscopeError):
    """A person or the system stopped the command."""

    exit_code: ClassVar[int] = 130
    default_hint = "Everything answered so far is kept; the same command continues."


def run_kept(work: Coroutine[Any, Any, T], progress: Progress) -> T:
    """Run a coroutine under a progress display; Ctrl-C and SIGTERM end it cleanly, as `Interrupted`."""
    try:
        with progress:
            return asyncio.run(_told(work, progress))
    except KeyboardInterrupt:
        raise Interrupted("interrupted") from None


async def _told(work: Coroutine[Any, Any, T], progress: Progress) -> T:
    """Say at the first signal that calls in flight are waited for, then let asyncio cancel the work."""
    cancel = signal.getsignal(signal.SIGINT)
    if not callable(cancel):  # who started us wants SIGINT to be ignored
        return await work
    loop = asyncio.get_running_loop()
    told: list[int] = []

    def interrupt(number: int, frame: FrameType | None) -> None:
        if not told:
            told.append(number)
            loop.call_soon_threadsafe(
                progress.say, "Waiting for the calls in flight, which are paid for (Ctrl-C again drops them) ..."
            )
        cancel(number, frame)

    previous = {number: signal.signal(number, interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        return await work
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
