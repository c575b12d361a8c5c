"""RM-Bench: three styles of a right and of a wrong response to one prompt.

Liu et al. 2024, arXiv 2410.16184. The three are, in order, concise, detailed as plain text, and detailed with
Markdown. Each row gives three pairs, chosen and rejected in the *same* style, so that style cannot be what
tells them apart; the id ends in the style. The lists may be stored as text.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator

from biasscope.datasets.base import Format, Reading, Sample, by_columns
from biasscope.datasets.fields import SkipRow, content_id, is_missing, optional_text, question
from biasscope.datasets.rows import Row
from biasscope.errors import DataError
from biasscope.records import PreferencePair

COLUMNS = ("prompt", "chosen", "rejected")
STYLES = ("concise", "detailed", "markdown")


def _texts(value: object) -> list[str] | None:
    """Read a list of texts, also one that is stored as text; None for anything else."""
    if isinstance(value, str):
        value = _literal(value)
    if not isinstance(value, list) or not value or not all(isinstance(item, str) for item in value):
        return None
    return [str(item) for item in value]


def _literal(words: str) -> object:
    if not words.startswith("["):
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # a response in brackets may hold odd escapes
        warnings.simplefilter("ignore", DeprecationWarning)  # the same, before Python 3.12
        try:
            return ast.literal_eval(words)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return None


def _styles(row: Row, column: str) -> list[str]:
    value = row.values.get(column)
    if is_missing(value):
        raise SkipRow("missing response")
    texts = _texts(value)
    if texts is None or len(texts) != len(STYLES):
        raise DataError(f"{row.where}: {column!r} is not a list of {len(STYLES)} texts ({', '.join(STYLES)})")
    return texts


def _read(row: Row) -> Iterator[Reading]:
    prompt = question(row, "prompt")
    chosen, rejected = _styles(row, "chosen"), _styles(row, "rejected")
    name = optional_text(row, "id") or content_id(prompt[0].content, chosen, rejected)
    subset = optional_text(row, "subset")
    for style, better, worse in zip(STYLES, chosen, rejected, strict=True):
        yield Reading(
            PreferencePair(
                id=f"{name}/{style}",
                prompt=prompt,
                chosen=better,
                rejected=worse,
                domain=optional_text(row, "domain", subset or "all"),
                source=subset,
            )
        )


def lists_of_texts(sample: Sample) -> bool:
    """Tell whether chosen and rejected are lists of texts throughout the sample."""
    values = sample.values("chosen") + sample.values("rejected")
    return bool(values) and all(_texts(value) is not None for value in values)


FORMAT = Format(
    "rmbench",
    "prompt, chosen and rejected as lists of three texts",
    "pairs",
    by_columns(COLUMNS, _read),
    lists_of_texts,
)
