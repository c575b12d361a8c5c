"""LLMBar: an instruction, two outputs, label 1 or 2, one file per subset.

Zeng et al. 2023, arXiv 2310.07641. The subset stands in the name of the file or of its folder only; it becomes
the domain where it is one of the five.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from biasscope.datasets.base import Fit, Format, Reading, Sample, labelled_one_or_two, two_responses
from biasscope.datasets.rows import Row

COLUMNS = frozenset({"input", "output_1", "output_2", "label"})
SUBSETS = ("Natural", "Neighbor", "GPTInst", "GPTOut", "Manual")


def _fit(sample: Sample) -> Fit[Reading] | None:
    if not sample.columns >= COLUMNS:
        return None
    path = PurePath(sample.path)
    subset = next((name for name in (path.stem, path.parent.name) if name in SUBSETS), "all")

    def read(row: Row) -> Iterator[Reading]:
        yield two_responses(row, ("input", "output_1", "output_2"), labelled_one_or_two(row), domain=subset)

    return Fit(COLUMNS, read)


FORMAT = Format("llmbar", "input, output_1, output_2, label (1 or 2)", "pairs", _fit)
