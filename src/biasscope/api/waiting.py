"""Work that may be interrupted: what is paid for is waited for and kept. Knows no workflow and prints nothing."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")

PATIENCE = 2
"""After so many interruptions in vain the next one is raised wherever the process is."""
WAITING = "Waiting for the calls in flight, so that none is lost; Ctrl-C again drops them"
_LOOK_EVERY_S = 0.2  # a signal is seen this late where the system does not end a wait for it


def run_anywhere(work: Coroutine[Any, Any, T], say: Callable[[str], None]) -> T:
    """Run a coroutine to its end from plain code, also where a loop is running, as in a notebook: in a thread then.

    Ctrl-C as for `run_kept`. A program's own handler for it is left in its place in a script; where a loop is running it
    could not work before the end, so that it is replaced until then.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        is_usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
        return run_kept(work, say, (signal.SIGINT,) if is_usual else ())
    return _run_beside(work, say)


def run_kept(work: Coroutine[Any, Any, T], say: Callable[[str], None], signals: Sequence[signal.Signals]) -> T:
    """Run a coroutine in a loop of its own; the first of `signals` lets the calls in flight finish, the second drops them.

    `say` is told that they are waited for. Raises KeyboardInterrupt for work that was stopped.
    """
    try:
        return asyncio.run(_stoppable(work, say, signals))
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


async def _stoppable(
    work: Coroutine[Any, Any, T], say: Callable[[str], None], signals: Sequence[signal.Signals]
) -> T:
    """Await work; cancel it at the first signal, and everything that it started at the second.

    The loop does so between two steps: a KeyboardInterrupt in the midst of asyncio's own code, as its default
    handler raises it at the second signal, may leave a task that never wakes.
    """
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None

    def heed(times: int) -> None:
        if times == 1:
            loop.call_soon_threadsafe(say, WAITING)
        loop.call_soon_threadsafe(_stop, task, times)

    with _heeding(signals, heed):
        return await work


def _run_beside(work: Coroutine[Any, Any, T], say: Callable[[str], None]) -> T:
    """Run a coroutine in a thread of its own while this one waits, and hand on signals that come meanwhile."""
    tasks: list[asyncio.Task[Any]] = []
    came: list[int] = []

    async def noted() -> T:
        task = asyncio.current_task()
        assert task is not None
        tasks.append(task)
        if came:
            task.cancel()
        return await work

    def heed(times: int) -> None:
        came.append(times)
        if times == 1:
            say(WAITING)
        for task in tasks:
            with suppress(RuntimeError):  # its loop has ended meanwhile
                task.get_loop().call_soon_threadsafe(_stop, task, times)

    pool = ThreadPoolExecutor(1, thread_name_prefix="biasscope")
    try:
        with _heeding((signal.SIGINT,), heed):
            running = pool.submit(asyncio.run, noted())
            while not running.done():
                wait([running], _LOOK_EVERY_S)
            return running.result()
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    finally:
        pool.shutdown(wait=False)


def _stop(task: asyncio.Task[Any], times: int) -> None:
    for running in [task] if times == 1 else asyncio.all_tasks(task.get_loop()):
        running.cancel()


@contextmanager
def _heeding(signals: Sequence[signal.Signals], heed: Callable[[int], None]) -> Iterator[None]:
    """Call `heed` with how many of the signals came, in place of what they do elsewhere; one too many is raised.

    Outside the main thread nothing changes, since signals do not come there; one that is ignored stays so.
    """
    came = 0

    def interrupt(_: int, __: FrameType | None) -> None:
        nonlocal came
        came += 1
        if came > PATIENCE:
            raise KeyboardInterrupt
        heed(came)

    is_main = threading.current_thread() is threading.main_thread()
    heeded = [s for s in signals if is_main and signal.getsignal(s) not in (signal.SIG_IGN, None)]
    previous = {number: signal.signal(number, interrupt) for number in heeded}
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
