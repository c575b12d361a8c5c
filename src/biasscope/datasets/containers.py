"""From a path to rows: which container a file is, and what cannot be a data file at all. Knows no format."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from pathlib import Path

from biasscope.datasets import tables
from biasscope.datasets.json_rows import BOM, json_document, json_lines
from biasscope.datasets.rows import Row
from biasscope.errors import DataError

_LINES = (".jsonl", ".ndjson")
_DELIMITERS = {".csv": ",", ".tsv": "\t"}


def file_rows(path: Path) -> Iterator[Row]:
    """Give the rows of a file; blank lines are no rows.

    The container is told by content (Parquet, JSON) and by ending (.jsonl, .ndjson, .csv, .tsv). Raises
    DataError where there is no such file or it cannot be understood.
    """
    check_path(path)
    with path.open("rb") as stream:
        start = stream.read(4096).removeprefix(BOM).lstrip()
    suffix = path.suffix.lower()
    if start.startswith(b"PAR1"):
        return _numbered(str(path), tables.parquet_rows(path))
    if start.startswith(b"\x1f\x8b"):
        raise DataError(f"{path} is compressed", hint="Unpack it first (gunzip).")
    if suffix in _LINES:
        return json_lines(path)
    if suffix in _DELIMITERS:
        return _numbered(str(path), tables.csv_rows(path, _DELIMITERS[suffix]))
    if start[:1] in (b"[", b"{", b""):
        return json_document(path)
    raise DataError(
        f"{path} is neither Parquet nor JSON", hint="Known endings: .parquet, .jsonl, .ndjson, .json, .csv, .tsv."
    )


def hub_rows(url: str) -> Iterator[Row]:
    """Give the rows of a file on the Hugging Face hub (``hf://datasets/OWNER/NAME/FILE``)."""
    return _numbered(url, tables.hub_rows(url))


def _numbered(file: str, rows: Iterable[dict[str, object]]) -> Iterator[Row]:
    for number, values in enumerate(rows, start=1):
        if any(value is not None for value in values.values()):
            yield Row(file, f"row {number}", values)


def check_path(path: Path) -> None:
    """Raise DataError unless the path is a file that holds something."""
    if path.is_dir():
        inside = sorted(child.name for child in path.iterdir() if child.is_file())
        listing = f" In this folder: {', '.join(inside[:8])}." if inside else ""
        raise DataError(f"{path} is a folder, not a file", hint=f"Give one data file.{listing}")
    if not path.exists():
        raise DataError(f"no such file: {path}", hint=_near(path))
    if path.stat().st_size == 0:
        raise DataError(f"{path} is empty", hint="Was it downloaded or written completely?")


def _near(path: Path) -> str:
    folder = path.parent
    names = [child.name for child in folder.iterdir()] if folder.is_dir() else []
    near = difflib.get_close_matches(path.name, names, n=1)
    return f"Did you mean {folder / near[0]}?" if near else "Check the path; it is relative to where you are."
