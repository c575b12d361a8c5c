"""Running the work of a command under its progress display, until it is done or somebody stops it."""

from __future__ import annotations

import signal
from collections.abc import Coroutine
from typing import Any, ClassVar, TypeVar

from biasscope.api import waiting
from biasscope.cli.progress import Progress
from biasscope.errors import BiasscopeError

T = TypeVar("T")


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
            return waiting.run_kept(work, progress.say, (signal.SIGINT, signal.SIGTERM))
    except KeyboardInterrupt:
        raise Interrupted("interrupted") from None
