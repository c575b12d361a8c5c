"""The items of a benchmark as tables in Parquet or JSON lines, by the columns of JudgeBench-Pro and then where each row is from."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from biasscope.benchmarks import BenchmarkItem
from biasscope.rundir.files import named_errors, replacing, without_surrogates

TableFormat = Literal["parquet", "jsonl"]

TEXTS = ("question", "response_A", "response_B")
COLUMNS = (
    *TEXTS, "label", "injected_bias", "domain", "id", "subset", "variant", "source_pair", "source", "question_hash", "chosen_form",
    "rejected_form", "writer", "chosen_phrasing", "rejected_phrasing", "keys", "objective", "kept", "unfiltered_sample", "reviewed",
)  # fmt: skip
"""The columns in their order; the first six are those of JudgeBench-Pro."""


def schema() -> dict[str, Any]:
    """The columns with their types in polars."""
    import polars as pl

    whole = ("label", "chosen_phrasing", "rejected_phrasing")
    truths = ("objective", "kept", "unfiltered_sample", "reviewed")
    types = dict.fromkeys(whole, pl.Int64) | dict.fromkeys(truths, pl.Boolean) | {"keys": pl.List(pl.String)}
    return {column: types.get(column, pl.String) for column in COLUMNS}


def write_items(path: Path, items: Sequence[BenchmarkItem], form: TableFormat) -> None:
    """Write items as one file, whole or not at all; the same items give the same bytes. Raises RunError where it cannot."""
    import polars as pl

    columns = {name: [_cell(getattr(item, name)) for item in items] for name in COLUMNS}
    frame = pl.DataFrame(columns, schema=schema())
    with named_errors(path), replacing(path) as temporary:
        if form == "parquet":
            frame.write_parquet(temporary, compression="zstd", statistics=False)
        else:
            frame.write_ndjson(temporary)
        with temporary.open("rb") as file:
            os.fsync(file.fileno())


def _cell(value: Any) -> Any:
    if isinstance(value, str):
        return without_surrogates(value)
    return list(value) if isinstance(value, tuple) else value
