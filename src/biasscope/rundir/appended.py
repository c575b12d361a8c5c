"""JSON lines that grow: each is on the disk before anybody is told so, and what a kill tore is counted, not guessed."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from biasscope.errors import DataError
from biasscope.rundir.files import named_errors, record_lines, record_parser

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Lines(Generic[T]):
    """What could be read of a file that grows: the records in order, and (number, reason) of each line that is none.

    `torn` says that the last line has no end: a kill or a full disk cut it off.
    """

    records: tuple[T, ...]
    unreadable: tuple[tuple[int, str], ...] = ()
    torn: bool = False


def read_appended(path: Path, of: type[T]) -> Lines[T]:
    """Read the lines of a file that grows; none where there is no file yet. Raises `DataError` where it cannot be read.

    A line that is no record stops nothing: the others are what people said, and must not be lost with it.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return Lines(())
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror}") from error
    parse = record_parser(of)
    records: list[T] = []
    unreadable: list[tuple[int, str]] = []
    for number, line in enumerate(content.splitlines(), 1):
        if not line.strip():
            continue
        try:
            records.append(parse(line, f"line {number}"))
        except DataError as error:
            unreadable.append((number, str(error)))
    return Lines(tuple(records), tuple(unreadable), bool(content) and not content.endswith(b"\n"))


class Appender:
    """Appends records to a file, one line each, and returns when the line is on the disk. May be used by several threads."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self._descriptor = descriptor
        self._one_at_a_time = threading.Lock()

    @classmethod
    @contextmanager
    def open(cls, path: Path) -> Iterator[Appender]:
        """Open a file to append to it; a line that was torn is ended, so that what follows is not lost with it."""
        with named_errors(path):
            descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o644)
        try:
            with named_errors(path):
                _keep_name(path)
                end = os.lseek(descriptor, 0, os.SEEK_END)
                if end:
                    os.lseek(descriptor, end - 1, os.SEEK_SET)
                    if os.read(descriptor, 1) != b"\n":
                        _write(descriptor, b"\n")
            yield cls(path, descriptor)
        finally:
            os.close(descriptor)

    def append(self, record: object) -> None:
        """Write one record and wait until it is on the disk.

        Raises `RunError` where that fails, with the file as it was, and ValueError for a record that cannot be written.
        """
        line = next(record_lines([record])).encode("utf-8")
        with self._one_at_a_time, named_errors(self.path):
            before = os.fstat(self._descriptor).st_size
            try:
                _write(self._descriptor, line)
                os.fsync(self._descriptor)
            except OSError:
                os.ftruncate(self._descriptor, before)
                raise


def _write(descriptor: int, content: bytes) -> None:
    while content:
        content = content[os.write(descriptor, content) :]


def _keep_name(path: Path) -> None:
    """Put the name of a file that may be new on the disk too, where the system lets a folder be opened for that."""
    if hasattr(os, "O_DIRECTORY"):
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
