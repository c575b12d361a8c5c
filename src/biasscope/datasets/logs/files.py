"""From a log to its rows, as far as it can be read: half a file is half a log, and says so.

Elsewhere a broken file stops a command. A log is what is left of a run that may have been cut off, and what stands in
it is true; so lines and entries that cannot be read are counted, and the rest is given.
"""

from __future__ import annotations

import csv
import hashlib
import io
import re
import zlib
from collections.abc import Iterator
from pathlib import Path

from biasscope.datasets import tables
from biasscope.datasets.containers import check_path
from biasscope.datasets.json_rows import BOM, DECODER, value_rows
from biasscope.datasets.logs.verdicts import Tally
from biasscope.datasets.rows import Row
from biasscope.errors import DataError

GZIP = b"\x1f\x8b"

CUT_OFF = "the compressed file breaks off"
BROKEN_OFF = "the JSON array breaks off here"
NOT_UTF_8 = "bytes that are not UTF-8"
NO_OBJECT = "no JSON object"
OTHER_FIELDS = "more or fewer fields than the header"

_LINES = (".jsonl", ".ndjson")
_DELIMITERS = {".csv": ",", ".tsv": "\t"}
_BETWEEN = re.compile(r"[\s,]*")


def log_rows(path: Path, tally: Tally) -> tuple[list[Row], str]:
    """Read the rows of a log (JSON lines, JSON, CSV, TSV, Parquet; also gzip) and the SHA-256 of its bytes.

    What cannot be read is counted in `tally`. Raises DataError where there is no such file, or nothing in it can be read.
    """
    check_path(path)
    data = path.read_bytes()
    sha256 = hashlib.sha256(data).hexdigest()
    if data.startswith(b"PAR1"):
        return [Row(str(path), f"row {n}", v) for n, v in enumerate(tables.parquet_rows(path), 1)], sha256
    text = _text(_unpacked(path, data, tally).removeprefix(BOM), tally)
    suffix = Path(path.name.removesuffix(".gz")).suffix.lower()
    if suffix in _DELIMITERS:
        rows = list(_table(path, text, _DELIMITERS[suffix], tally))
    elif suffix in _LINES:
        rows = list(_lines(path, text, tally))
    elif text.lstrip().startswith("["):
        rows = list(_array(path, text, tally))
    else:
        rows = list(_objects(path, text, tally))
    if not rows:
        raise DataError(
            f"{path} holds no row that can be read",
            hint="A log is JSON lines, a JSON array of objects, CSV with a header, Parquet, or Inspect's .eval.",
        )
    return rows, sha256


def _unpacked(path: Path, data: bytes, tally: Tally) -> bytes:
    """Unpack gzip as far as it goes; a file may hold several members one after the other."""
    if not data.startswith(GZIP):
        return data
    parts: list[bytes] = []
    while data.startswith(GZIP):
        unpacker = zlib.decompressobj(wbits=31)
        try:
            parts.append(unpacker.decompress(data))
        except zlib.error as error:
            raise DataError(f"{path}: damaged gzip ({error})", hint="Fetch the file again.") from error
        if not unpacker.eof:
            tally.skip(CUT_OFF, "end of the file")
        data = unpacker.unused_data
    return b"".join(parts)


def _text(data: bytes, tally: Tally) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        tally.note(NOT_UTF_8, f"line {line}")
        return data.decode("utf-8", "replace")


def _objects(path: Path, text: str, tally: Tally) -> Iterator[Row]:
    """A JSON document that is an object, or JSON lines."""
    try:
        value = DECODER.decode(text)
    except (ValueError, RecursionError):
        yield from _lines(path, text, tally)
    else:
        yield from value_rows(str(path), value)


def _lines(path: Path, text: str, tally: Tally) -> Iterator[Row]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            value: object = DECODER.decode(line)
        except (ValueError, RecursionError):
            value = None
        yield from _row(path, f"line {number}", value, tally)


def _array(path: Path, text: str, tally: Tally) -> Iterator[Row]:
    """The entries of an array one after the other, up to where it breaks off."""
    at, number = text.index("[") + 1, 0
    while True:
        number += 1
        at = _BETWEEN.match(text, at).end()  # type: ignore[union-attr]  # the pattern fits anywhere
        if text[at : at + 1] == "]":
            return
        try:
            value, at = DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            tally.skip(BROKEN_OFF, f"item {number}")
            return
        yield from _row(path, f"item {number}", value, tally)


def _row(path: Path, place: str, value: object, tally: Tally) -> Iterator[Row]:
    if isinstance(value, dict):
        yield Row(str(path), place, value)
    else:
        tally.skip(NO_OBJECT, place)


def _table(path: Path, text: str, delimiter: str, tally: Tally) -> Iterator[Row]:
    """The rows of a table with a header; an empty field is None."""
    csv.field_size_limit(1 << 27)
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        header = [name.strip() for name in next(lines, [])]
        if len(set(header)) < len(header):
            raise DataError(f"{path}: a column comes twice", hint="Rename or remove one of them.")
        for number, fields in enumerate(lines, 1):
            if len(fields) == len(header):
                yield Row(str(path), f"row {number}", dict(zip(header, (f or None for f in fields), strict=True)))
            elif fields:
                tally.skip(OTHER_FIELDS, f"row {number}")
    except csv.Error as error:
        raise DataError(
            f"{path}: broken CSV ({error})",
            hint="Fields with commas, quotes or line ends stand in double quotes.",
        ) from error
