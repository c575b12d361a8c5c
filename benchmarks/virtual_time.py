"""An event loop whose clock jumps to the next timer as soon as nothing else is to be done.

What sleeps takes no time and what computes takes none either, so that a run of an hour takes as long as its arithmetic
and its end says what waiting alone costs. Work in threads (the ledger's commits) stops the clock while it lasts.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from biasscope.ledger import Ledger

T = TypeVar("T")


class _Selector(selectors.DefaultSelector):
    """Waits for threads only; for everything else it moves the clock."""

    loop: VirtualLoop

    def select(self, timeout: float | None = None) -> Any:
        """Say what is ready; in the place of waiting so long, let so much time pass."""
        if timeout is not None and timeout > 0:
            if self.loop.outside:
                return super().select(None)
            self.loop.now += timeout
            timeout = 0
        return super().select(timeout)


class VirtualLoop(asyncio.SelectorEventLoop):
    """The loop; `now` is its time in seconds, `outside` how many things are waited for that are no timers."""

    def __init__(self) -> None:
        self.now = 0.0
        self.outside = 0
        selector = _Selector()
        selector.loop = self
        super().__init__(selector)

    def time(self) -> float:
        """Seconds since the loop was made."""
        return self.now


class TimelessLedger(Ledger):
    """A ledger whose commits take no time of a `VirtualLoop`."""

    pause_s = 0.0

    async def _write(self, change: Callable[..., T], *, more: bool = False) -> T:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        loop.outside += 1
        try:
            return await super()._write(change, more=more)
        finally:
            loop.outside -= 1


def run_in_virtual_time(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end on a loop of its own."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(work)
