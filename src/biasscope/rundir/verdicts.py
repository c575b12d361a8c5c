"""The verdicts of a run as a table in a Parquet file: for whoever counts again, and for comparing runs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from biasscope.errors import DataError
from biasscope.rundir.files import replacing, without_surrogates
from biasscope.verdict_rows import VerdictRow

if TYPE_CHECKING:
    import polars as pl

FILE = "verdicts.parquet"


def schema() -> dict[str, Any]:
    """The columns by name with their types."""
    import polars as pl

    text = ("judge", "role", "pair", "question", "domain", "arm", "order", "choice")
    return dict.fromkeys(text, pl.String) | {
        "margin": pl.Float64,
        "missing": pl.String,
        "keys": pl.List(pl.String),
    }


def write_verdicts(path: Path, rows: Sequence[VerdictRow]) -> None:
    """Write rows as a Parquet file, whole or not at all; the same rows give the same bytes."""
    import polars as pl

    columns = {name: [getattr(row, name) for row in rows] for name in schema()}
    for name in ("judge", "pair", "domain", "arm"):
        columns[name] = [without_surrogates(value) for value in columns[name]]
    frame = pl.DataFrame(columns, schema=schema())
    with replacing(path) as temporary:
        frame.write_parquet(temporary, compression="zstd", statistics=False)
        with temporary.open("rb") as file:
            os.fsync(file.fileno())


def read_verdicts(path: Path) -> pl.DataFrame:
    """Read the verdicts of a run; raises DataError where there are none, or where the file is damaged or of another shape."""
    import polars as pl

    try:
        # Read before it is parsed, since a file that is mapped into memory must not be replaced.
        frame = pl.read_parquet(path.read_bytes())
    except FileNotFoundError:
        raise DataError(
            f"{path.parent} holds no verdicts",
            hint="It is unfinished, or of an earlier version; run the same command with it again: replies are kept.",
        ) from None
    except (OSError, pl.exceptions.PolarsError) as error:
        raise DataError(
            f"cannot read {path}: {str(error).splitlines()[0]}",
            hint="Run the same command again to write it anew.",
        ) from None
    wanted = pl.Schema(schema())
    if frame.schema != wanted:
        raise DataError(
            f"{path} has other columns than {', '.join(wanted)}",
            hint="Run the same command again to write it anew.",
        )
    return frame
