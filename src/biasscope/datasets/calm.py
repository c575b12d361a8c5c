"""CALM's rewritten answers: ``answer1`` beside ``answer1_TRAIT``, several traits a row.

Ye et al. 2024, arXiv 2410.02736. The trait is the rest of the column's name, as CALM writes it. A row that
lacks one of the file's rewritten columns counts one missing rewrite for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from biasscope.datasets.base import Fit, Format, Sample
from biasscope.datasets.fields import is_missing, optional_text, question, text
from biasscope.datasets.rewrites import SuppliedRewrite
from biasscope.datasets.rows import Row

_REWRITTEN = re.compile(r"(answer\d+)_(.+)")
_ORIGINAL = re.compile(r"answer\d+")


def _rewritten(columns: Iterable[str]) -> list[tuple[str, str, str]]:
    """Give (column, column of the original, trait) of every rewritten column, in the order of their names."""
    matches = (_REWRITTEN.fullmatch(column) for column in sorted(columns))
    return [(match[0], match[1], match[2]) for match in matches if match]


def _fit(sample: Sample) -> Fit[SuppliedRewrite] | None:
    found = _rewritten(sample.columns)
    if "question" not in sample.columns or not found or not sample.columns >= {base for _, base, _ in found}:
        return None
    originals = {column for column in sample.columns if _ORIGINAL.fullmatch(column)}

    def read(row: Row) -> Iterator[SuppliedRewrite]:
        prompt = question(row, "question")
        for column, base, trait in _rewritten(sample.columns | row.values.keys()):
            yield SuppliedRewrite(
                original=text(row, base, "missing original"),
                rewritten="" if is_missing(row.values.get(column)) else text(row, column, "missing rewrite"),
                trait=trait,
                prompt=prompt,
                source=optional_text(row, "data_resource"),
            )

    return Fit(frozenset({"question", *originals, *(column for column, _, _ in found)}), read)


FORMAT = Format("calm", "question, answer1 and answer1_TRAIT (or answer2 ...)", "rewrites", _fit)
