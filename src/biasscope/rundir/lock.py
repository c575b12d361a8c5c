"""One writer per folder: an operating-system lock, which ends with the process however it ends."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from biasscope.errors import RunLocked

LOCK = ".lock"

if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 30  # Windows locks bytes for readers too, so lock one that nobody reads

    def _take(file: IO[str]) -> None:
        file.seek(_FAR)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take(file: IO[str]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder's lock; raises `RunLocked` naming the process that holds it.

    The lock file stays: removing it would let two processes hold locks on two files of one name.
    """
    with (folder / LOCK).open("a+", encoding="utf-8") as file:
        try:
            _take(file)
        except OSError as error:
            file.seek(0)
            raise RunLocked(f"{folder} is in use by {file.read() or 'another process'}") from error
        file.truncate(0)
        file.write(f"process {os.getpid()} on {socket.gethostname()}")
        file.flush()
        try:
            yield
        finally:
            file.truncate(0)
