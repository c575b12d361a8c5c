"""Whole files and JSON lines of records: written at once or not at all, checked when read. Knows no folder."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import GenericAlias
from typing import Any, TypeVar

from pydantic import ConfigDict, TypeAdapter, ValidationError

from biasscope.errors import DataError, RunError

T = TypeVar("T")

_SURROGATE = re.compile("[\ud800-\udfff]")
_STRICT = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


@contextmanager
def named_errors(path: Path) -> Iterator[None]:
    """Turn the operating system's refusals into one line that names the path."""
    try:
        yield
    except OSError as error:
        raise RunError(
            f"cannot use {path}: {error.strerror}", hint="Check the path, its permissions and the free space."
        ) from error


def write_whole(path: Path, parts: Iterable[str]) -> None:
    """Write a UTF-8 file so that a reader, or a kill, finds the old or the new content and nothing between.

    Lone surrogates, which models do send and UTF-8 cannot hold, become U+FFFD; the ledger keeps them.
    """
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(without_surrogates(part) for part in parts)
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a path to write to, and put what was written in the place of `path` at the end, at once or not at all."""
    temporary = path.with_name(f".{path.name}.tmp")
    with named_errors(path):
        try:
            yield temporary
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)


def without_surrogates(text: str) -> str:
    """The text with U+FFFD in the place of lone surrogates, which no file in UTF-8 can hold."""
    return _SURROGATE.sub("\ufffd", text)


def record_lines(records: Iterable[object]) -> Iterator[str]:
    """Serialise dataclasses, one JSON line each, and make sure that each line can be read again.

    Raises ValueError for NaN, an infinite number or a value of the wrong type: a fault of whoever made it.
    """
    adapters: dict[type, tuple[TypeAdapter[Any], TypeAdapter[Any]]] = {}
    for number, record in enumerate(records, 1):
        of = type(record)
        if of not in adapters:
            adapters[of] = TypeAdapter(of), _reader(of)
        writer, reader = adapters[of]
        try:
            fields = writer.dump_python(record, warnings="none")
            line = json.dumps(fields, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
            line = without_surrogates(line)
            reader.validate_json(f"[{line}]")
        except (TypeError, ValueError) as error:
            raise ValueError(f"{of.__name__} {number} cannot be written: {error}") from error
        yield line + "\n"


def read_records(path: Path, of: type[T]) -> list[T]:
    """Read JSON lines as dataclasses; raises `DataError` naming the line where a field or a type is wrong."""
    lines = _content(path).splitlines()  # bytes split at line ends only, not at U+2028
    reader = _reader(of)
    return [_parsed(reader, line, f"{path}, line {number}") for number, line in enumerate(lines, 1)]


def read_record(path: Path, of: type[T]) -> T:
    """Read a JSON file as one dataclass; raises `DataError` where a field or a type is wrong."""
    return _parsed(_reader(of), _content(path), str(path))


def record_parser(of: type[T]) -> Callable[[bytes, str], T]:
    """Make a function of one JSON line, and of where it stands, that raises `DataError` where a field or a type is wrong."""
    reader = _reader(of)
    return lambda line, source: _parsed(reader, line, source)


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror}") from error


def _reader(of: type[T]) -> TypeAdapter[tuple[T]]:
    # A dataclass takes over the settings of what it is nested in; by itself it would ignore unknown fields.
    single: Any = GenericAlias(tuple, (of,))
    return TypeAdapter(single, config=_STRICT)


def _parsed(reader: TypeAdapter[tuple[T]], text: bytes, source: str) -> T:
    try:
        return reader.validate_json(b"[" + text + b"]")[0]
    except ValidationError as error:
        problem = describe(error, skip=1)
        raise DataError(f"{source}: {problem}", hint="Run the same command again to write it anew.") from error


def describe(error: ValidationError, *, skip: int = 0) -> str:
    """Say in one line what is wrong first, where (less `skip` steps), and how much more there is."""
    first, *more = error.errors(include_url=False)
    where = ".".join(str(part) for part in first["loc"][skip:])
    rest = f" (and {len(more)} more)" if more else ""
    return f"{where}: {first['msg']}{rest}" if where else f"{first['msg']}{rest}"
