"""The columns of BiasScope's released benchmarks: question, two responses, label 1 or 2.

A file whose labels are all 1 is fine: which response is shown first is decided later, never by the file. Rows
that come from JudgeBench (told by their `source`), or that say so in a column `objective`, are objective, others are not.
"""

from __future__ import annotations

from collections.abc import Iterator

from biasscope.datasets.base import (
    ONE_OR_TWO,
    Format,
    Reading,
    Sample,
    by_columns,
    labelled_one_or_two,
    two_responses,
)
from biasscope.datasets.fields import flag, optional_text
from biasscope.datasets.judgebench import domain_of
from biasscope.datasets.rows import Row

COLUMNS = ("question", "response_A", "response_B", "label")


def _read(row: Row) -> Iterator[Reading]:
    source = optional_text(row, "source")
    yield two_responses(
        row,
        ("question", "response_A", "response_B"),
        labelled_one_or_two(row),
        id_column="pair_id" if "pair_id" in row.values else "id",
        domain=optional_text(row, "domain", "all"),
        source=source,
        objective=flag(row, "objective", default=domain_of(source) is not None),
    )


def numbered(sample: Sample) -> bool:
    """Tell whether the labels of the sample are the numbers of the responses."""
    return all(str(value) in ONE_OR_TWO for value in sample.values("label"))


FORMAT = Format("biasscope", ", ".join(COLUMNS) + " (1 or 2)", "pairs", by_columns(COLUMNS, _read), numbered)
