"""From a spec to an opened source: which file, which format, which rows. The only place that knows all formats.

``FORMAT:PATH`` names the format; for a bare ``PATH`` it is recognised: of the formats that fit, the one that
explains the most columns. Two that explain different columns are an error that names both.
"""

from __future__ import annotations

import difflib
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any

from biasscope.datasets import (
    biasscope_parquet,
    calm,
    evalbiasbench,
    generic,
    judgebench,
    llmbar,
    objective,
    rewardbench,
    rewrites,
    rmbench,
    seed_library,
)
from biasscope.datasets.base import Fit, Format, Sample
from biasscope.datasets.containers import file_rows, hub_rows
from biasscope.datasets.rows import Row
from biasscope.errors import DataError

FORMATS: tuple[Format[Any], ...] = (
    judgebench.FORMAT,
    rewardbench.FORMAT,
    biasscope_parquet.FORMAT,
    llmbar.FORMAT,
    evalbiasbench.FORMAT,
    rmbench.FORMAT,
    calm.FORMAT,
    rewrites.FORMAT,
    seed_library.FORMAT,
    generic.PAIRS,
    generic.LISTED,
)
"""Every format of a file. Where two explain the same columns, the earlier one is taken."""

HUB = "hf://"
SAMPLE_ROWS = 50


@dataclass(frozen=True, slots=True)
class Opened:
    """A source with its format bound: rows to come, how to read one, and the hash of the content."""

    path: str
    format: Format[Any]
    fit: Fit[Any]
    rows: Iterator[Row]
    sha256: str


def open_source(spec: str) -> Opened:
    """Open ``FORMAT:PATH`` or ``PATH``, where PATH is a file or a hub path.

    Raises DataError: unknown format, no such file, a file that cannot be understood or holds no rows, columns
    that do not fit the format, or a format that cannot be told.
    """
    name, path = _split(spec)
    rows, sha256 = rows_of(path)
    sample = Sample(path, tuple(islice(rows, SAMPLE_ROWS)))
    if not sample.rows:
        raise DataError(f"{path} holds no rows")
    chosen, fit = _bind(name, sample) if name else recognise(sample)
    return Opened(path, chosen, fit, chain(sample.rows, rows), sha256)


def rows_of(path: str) -> tuple[Iterator[Row], str]:
    """The rows of a file or a hub path, whatever their columns, and the hash of its content; DataError where it cannot be read."""
    try:
        return _hub(path) if path.startswith(HUB) else _file(Path(path))
    except OSError as error:
        raise DataError(
            f"{path} cannot be read ({error.strerror})", hint="Check the path and its rights."
        ) from error


def recognise(sample: Sample) -> tuple[Format[Any], Fit[Any]]:
    """Tell the format of a file from its first rows; DataError where none or more than one is possible."""
    fits = [(f, fit) for f in FORMATS if f.looks(sample) and (fit := f.fit(sample)) is not None]
    best = [
        (one, fit)
        for index, (one, fit) in enumerate(fits)
        if not any(
            fit.columns < other.columns or (fit.columns == other.columns and earlier < index)
            for earlier, (_, other) in enumerate(fits)
        )
    ]
    if len(best) == 1:
        return best[0]
    if best:
        names = ", ".join(f.name for f, _ in best)
        raise DataError(
            f"{sample.path} could be any of: {names}", hint=f"Say which: {best[0][0].name}:{sample.path}"
        )
    raise DataError(
        f"{sample.path}: cannot tell the format from the columns {_columns(sample)}",
        hint=f"Name the columns prompt, chosen, rejected, or give FORMAT:PATH with one of {', '.join(_names())}.",
    )


def _bind(name: str, sample: Sample) -> tuple[Format[Any], Fit[Any]]:
    chosen = next(f for f in FORMATS if f.name == name)
    fit = chosen.fit(sample)
    if fit is None:
        raise DataError(
            f"{sample.path}: format {name} wants {chosen.wants}; found {_columns(sample)}",
            hint="Leave the format out to have it recognised, or rename the columns.",
        )
    return chosen, fit


def _split(spec: str) -> tuple[str, str]:
    """Split a spec into (format or "", path); a file whose own name holds a colon is a path."""
    head, colon, path = spec.partition(":")
    if not colon or spec.startswith(HUB):
        return "", spec
    if head in _names():
        return head, path
    if spec.startswith(objective.PREFIX):
        raise DataError(f"{spec} makes pairs; there is no file to open", hint="It can be loaded as pairs only.")
    # one letter is a drive of Windows, a separator means that the colon stands inside a path
    if len(head) == 1 or "/" in head or "\\" in head or Path(spec).exists():
        return "", spec
    near = difflib.get_close_matches(head, [*_names(), "objective"], n=1)
    guess = f"Did you mean {near[0]}? " if near else ""
    raise DataError(f"unknown format {head!r}", hint=f"{guess}Known: {', '.join(_names())}, {objective.PREFIX}N.")


def _names() -> tuple[str, ...]:
    return tuple(f.name for f in FORMATS)


def _columns(sample: Sample) -> str:
    names = sorted(sample.columns)
    return f"[{', '.join(names[:20])}{', ...' if len(names) > 20 else ''}]"


def _file(path: Path) -> tuple[Iterator[Row], str]:
    rows = file_rows(path)
    with path.open("rb") as stream:
        return rows, hashlib.file_digest(stream, "sha256").hexdigest()


def _hub(url: str) -> tuple[Iterator[Row], str]:
    rows = tuple(hub_rows(url))
    sha256 = hashlib.sha256()
    for row in rows:  # polars gives no bytes of a hub file, so its rows are hashed
        sha256.update(json.dumps(dict(row.values), sort_keys=True, default=str).encode() + b"\n")
    return iter(rows), sha256.hexdigest()
