"""EvalBiasBench: hand-made pairs of six bias types, a JSON object of arrays; the type becomes the domain.

Park et al. 2024, arXiv 2407.06551 (OffsetBias).
"""

from __future__ import annotations

from collections.abc import Iterator

from biasscope.datasets.base import Format, Reading, by_columns, labelled_one_or_two, two_responses
from biasscope.datasets.fields import optional_text
from biasscope.datasets.rows import Row

COLUMNS = ("bias", "instruction", "response1", "response2", "label")


def _read(row: Row) -> Iterator[Reading]:
    yield two_responses(
        row,
        ("instruction", "response1", "response2"),
        labelled_one_or_two(row),
        domain=optional_text(row, "bias", row.group or "all"),
    )


FORMAT = Format("evalbiasbench", ", ".join(COLUMNS) + " (1 or 2)", "pairs", by_columns(COLUMNS, _read))
