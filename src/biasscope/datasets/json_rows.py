"""JSON lines and JSON documents as rows. What cannot be understood is an error: skipping it would lose rows.

JSON lines are read line by line and split at line feeds only, so that U+2028 inside a text stays a text. A
document is read whole: an array of objects, an object of such arrays, or an object of objects.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from biasscope.datasets.rows import Row, kind
from biasscope.errors import DataError

BOM = b"\xef\xbb\xbf"

_LINE_HINT = "JSON lines hold one JSON object per line; one JSON array for all rows belongs in a .json file."
_DOCUMENT_HINT = "A .json file holds an array of objects, an object of such arrays, or an object of objects."


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    # json keeps the last of two equal keys, which would lose the first without a word
    values = dict(pairs)
    if len(values) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice!r} comes twice in one object")
    return values


DECODER = json.JSONDecoder(object_pairs_hook=_object)
"""Reads JSON and refuses an object that has a key twice."""


def json_lines(path: Path) -> Iterator[Row]:
    """Give the rows of a JSON lines file; raises DataError naming the line that cannot be understood."""
    with path.open("rb") as stream:
        for number, raw in enumerate(stream, start=1):
            line = raw.removeprefix(BOM) if number == 1 else raw
            if not line.strip():
                continue
            where = f"{path}, line {number}"
            try:
                value = DECODER.decode(line.decode("utf-8"))
            except (ValueError, RecursionError) as error:
                raise _broken(where, error, _LINE_HINT) from error
            if not isinstance(value, dict):
                raise DataError(f"{where}: not a JSON object but {kind(value)}", hint=_LINE_HINT)
            yield Row(str(path), f"line {number}", value)


def json_document(path: Path) -> Iterator[Row]:
    """Give the rows of a JSON document; JSON lines under the ending .json are read as what they are."""
    raw = path.read_bytes().removeprefix(BOM)
    try:
        text = raw.decode("utf-8")
        value = DECODER.decode(text) if text.strip() else []
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise _broken(f"{path}, line {line}", error, _DOCUMENT_HINT) from error
    except json.JSONDecodeError as error:
        if error.msg == "Extra data" and raw.lstrip().startswith(b"{"):
            yield from json_lines(path)
            return
        raise _broken(f"{path}, line {error.lineno}", error, _DOCUMENT_HINT) from error
    except (ValueError, RecursionError) as error:
        raise _broken(str(path), error, _DOCUMENT_HINT) from error
    yield from value_rows(str(path), value)


def value_rows(file: str, value: object) -> Iterator[Row]:
    """Give the rows of a document that is parsed; raises DataError for another shape."""
    if isinstance(value, list):
        yield from _array(file, value, "")
    elif not isinstance(value, dict):
        raise DataError(f"{file}: not a JSON array or object but {kind(value)}", hint=_DOCUMENT_HINT)
    elif value and all(isinstance(entry, dict) for entry in value.values()):
        for name, entry in value.items():
            yield Row(file, f"entry {name!r}", entry, name)
    elif value and all(_is_array_of_rows(entries) for entries in value.values()):
        for name, entries in value.items():
            yield from _array(file, entries, name)
    else:
        yield Row(file, "item 1", value)


def _is_array_of_rows(value: object) -> bool:
    # an array of messages is one value of a single row, not a group of rows
    return isinstance(value, list) and all(isinstance(item, dict) and "role" not in item for item in value)


def _array(file: str, items: list[object], group: str) -> Iterator[Row]:
    for number, item in enumerate(items, start=1):
        place = f"{group!r} item {number}" if group else f"item {number}"
        if not isinstance(item, dict):
            raise DataError(f"{file}, {place}: not a JSON object but {kind(item)}", hint=_DOCUMENT_HINT)
        yield Row(file, place, item, group)


def _broken(where: str, error: ValueError | RecursionError, hint: str) -> DataError:
    match error:
        case UnicodeDecodeError():
            return DataError(f"{where}: not UTF-8 ({error.reason})", hint="Save the file as UTF-8.")
        case json.JSONDecodeError():
            return DataError(f"{where}: broken JSON at column {error.colno} ({error.msg})", hint=hint)
    return DataError(f"{where}: JSON that cannot be used ({error})", hint=hint)
