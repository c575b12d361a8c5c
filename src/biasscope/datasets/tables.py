"""Parquet, CSV and files of the Hugging Face hub through polars. Gives plain dictionaries, knows no format.

All CSV columns are text: whether ``1`` is a number is for the format to say. polars' own errors are translated
here, and only here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl

from biasscope.errors import DataError

_BATCH = 512
"""Rows that are turned into Python values at a time; the rest stays in polars' compact columns."""

SCANS: dict[str, Callable[[str], pl.LazyFrame]] = {
    ".parquet": pl.scan_parquet,
    ".csv": lambda url: pl.scan_csv(url, infer_schema=False),
    ".jsonl": lambda url: pl.scan_ndjson(url, infer_schema_length=None),
}
"""How a location is scanned, by its ending; polars fetches ``hf://`` locations itself."""


def parquet_rows(path: Path) -> Iterator[dict[str, object]]:
    """Give the rows of a Parquet file."""
    try:
        frame = pl.read_parquet(path, glob=False)
    except pl.exceptions.PolarsError as error:
        raise DataError(
            f"{path}: damaged Parquet ({_first_line(error)})", hint="Fetch the file again."
        ) from error
    return frame.iter_rows(named=True, buffer_size=_BATCH)


def csv_rows(path: Path, delimiter: str) -> Iterator[dict[str, object]]:
    """Give the rows of a CSV file with a header; an empty field is None, a quoted empty field is empty text."""
    try:
        frame = pl.read_csv(path, separator=delimiter, infer_schema=False, glob=False)
    except pl.exceptions.PolarsError as error:
        _refuse_bad_utf8(path)
        raise DataError(
            f"{path}: broken CSV ({_first_line(error)})",
            hint="Fields with commas, quotes or line ends must stand in double quotes, quotes inside doubled.",
        ) from error
    names = [name.strip() for name in frame.columns]
    for name in names:
        # polars renames the second of two equal headers to NAME_duplicated_0
        if names.count(name) > 1 or f"{name}_duplicated_0" in names:
            raise DataError(f"{path}: the column {name!r} comes twice", hint="Rename or remove one of them.")
    frame.columns = names
    return frame.iter_rows(named=True, buffer_size=_BATCH)


def hub_rows(url: str) -> Iterator[dict[str, object]]:
    """Give the rows of a Parquet, CSV or JSON lines file on the hub; DataError where it cannot be had."""
    scan = SCANS.get(Path(url).suffix.lower())
    if scan is None:
        raise DataError(
            f"{url}: hub paths end in {', '.join(SCANS)}", hint="Download other files and give their path."
        )
    try:
        frame = scan(url).collect()
    except (pl.exceptions.PolarsError, OSError) as error:
        raise DataError(
            f"{url} cannot be had from the hub ({_first_line(error)})",
            hint="Check the network and the path (hf://datasets/OWNER/NAME/FILE); private data needs HF_TOKEN. "
            "Or download the file and give its path.",
        ) from error
    return frame.iter_rows(named=True, buffer_size=_BATCH)


def _refuse_bad_utf8(path: Path) -> None:
    with path.open("rb") as stream:
        for number, line in enumerate(stream, start=1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as error:
                raise DataError(
                    f"{path}, line {number}: not UTF-8 ({error.reason})", hint="Save the file as UTF-8."
                ) from error


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).split("\n", 1)[0]
