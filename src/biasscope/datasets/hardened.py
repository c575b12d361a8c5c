"""Read a published benchmark back to its items: the columns of JudgeBench-Pro, and where each row comes from if it says so.

A file with the plain columns (question, response_A, response_B, label, injected_bias, domain) is read as one-sided items
of which no source pair is known. What cannot be used is counted, as for every format.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar, get_args

from biasscope.benchmarks import BenchmarkItem, Form, Subset
from biasscope.datasets.base import ONE_OR_TWO
from biasscope.datasets.fields import (
    SkipRow,
    content_id,
    flag,
    is_missing,
    label,
    optional_text,
    question,
    response,
    response_fault,
    unwritable,
)
from biasscope.datasets.intake import Intake, Skip
from biasscope.datasets.rows import Row
from biasscope.datasets.sources import rows_of
from biasscope.errors import DataError
from biasscope.seeds import question_hash

T = TypeVar("T", bound=str)

COLUMNS = ("question", "response_A", "response_B", "label")
"""What a file must have; everything else may be lacking."""
PROVENANCE = ("subset", "source_pair", "chosen_form", "rejected_form")
"""What tells which rows belong together; a file has all of these or is a plain one."""


@dataclass(frozen=True, slots=True)
class LoadedItems:
    """The items of one file.

    `plain` is True where it has the published columns alone, so that rows of one question are all that is known to belong
    together. `read` counts rows, `skipped` what was not kept and why, `sha256` is of the content.
    """

    path: str
    items: tuple[BenchmarkItem, ...]
    plain: bool
    read: int
    skipped: tuple[Skip, ...]
    sha256: str


def load_items(path: str) -> LoadedItems:
    """Load the items of a published benchmark from a file or a hub path.

    Raises DataError where the columns are not those of a benchmark, where a value cannot be understood, and where no row
    can be used.
    """
    opened, sha256 = rows_of(path)
    rows = tuple(opened)
    if not rows:
        raise DataError(f"{path} holds no rows")
    columns = frozenset(column for row in rows for column in row.values)
    lacking = [c for c in COLUMNS if c not in columns]
    if lacking:
        raise DataError(
            f"{path} is no benchmark: it has no column {lacking[0]!r}",
            hint=f"A benchmark has the columns {', '.join(COLUMNS)}, injected_bias and domain.",
        )
    known = [c for c in PROVENANCE if c in columns]
    if known and len(known) < len(PROVENANCE):
        absent = next(c for c in PROVENANCE if c not in columns)
        raise DataError(
            f"{path} has a column {known[0]!r} but none {absent!r}",
            hint=f"Give all of {', '.join(PROVENANCE)}, or none of them.",
        )
    intake = Intake()
    items = tuple(_items(intake, rows, plain=not known))
    if not items:
        reasons = ", ".join(f"{skip.reason}: {skip.count}" for skip in intake.skipped)
        raise DataError(f"no row of {path} can be used ({reasons})", hint="Look at its first rows.")
    return LoadedItems(path, items, not known, intake.read, intake.skipped, sha256)


def _items(intake: Intake, rows: Iterable[Row], *, plain: bool) -> Iterator[BenchmarkItem]:
    for row in rows:
        intake.read += 1
        try:
            item = _plain(row) if plain else _traced(row)
        except SkipRow as skipped:
            intake.skip(skipped.reason, row.place)
            continue
        texts = (item.question, item.chosen, item.rejected)
        reason = response_fault(item.chosen, item.rejected) or unwritable(texts)
        if reason:
            intake.skip(reason, row.place)
        elif (unique := intake.admit(item.id, (*texts, item.injected_bias), row.place)) is not None:
            yield item if unique == item.id else replace(item, id=unique)


def _plain(row: Row) -> BenchmarkItem:
    """A row of which nothing but the texts is known: the trait is on the rejected response, and nothing was filtered here."""
    words, one, other, better, bias = _said(row)
    return BenchmarkItem(
        id=optional_text(row, "id") or content_id(words, one, other, bias),
        subset="pro",
        variant="",
        question=words,
        response_A=one,
        response_B=other,
        label=better,
        injected_bias=bias,
        domain=optional_text(row, "domain", "all"),
        source_pair="",
        source=optional_text(row, "source"),
        question_hash=question_hash(words),
        chosen_form="original",
        rejected_form="biased",
    )


def _traced(row: Row) -> BenchmarkItem:
    words, one, other, better, bias = _said(row)
    name = optional_text(row, "id") or content_id(words, one, other, bias)
    return BenchmarkItem(
        id=name,
        subset=_word(row, "subset", get_args(Subset)),
        variant=optional_text(row, "variant", name),
        question=words,
        response_A=one,
        response_B=other,
        label=better,
        injected_bias=bias,
        domain=optional_text(row, "domain", "all"),
        source_pair=optional_text(row, "source_pair"),
        source=optional_text(row, "source"),
        question_hash=question_hash(words),
        chosen_form=_word(row, "chosen_form", get_args(Form)),
        rejected_form=_word(row, "rejected_form", get_args(Form)),
        writer=optional_text(row, "writer"),
        objective=flag(row, "objective", default=False),
        kept=None if is_missing(row.values.get("kept")) else flag(row, "kept", default=False),
        unfiltered_sample=flag(row, "unfiltered_sample", default=False),
    )


def _said(row: Row) -> tuple[str, str, str, Literal[1, 2], str]:
    """Question, both responses, the better one, and the bias."""
    words = question(row, "question")[0].content
    one, other = response(row, "response_A"), response(row, "response_B")
    better: Literal[1, 2] = 1 if label(row, "label", ONE_OR_TWO) == "first" else 2
    return words, one, other, better, optional_text(row, "injected_bias")


def _word(row: Row, column: str, known: Sequence[T]) -> T:
    said = optional_text(row, column)
    found = next((word for word in known if word == said), None)
    if found is None:
        raise DataError(
            f"{row.where}: unknown {column} {row.values.get(column)!r}", hint=f"Known here: {', '.join(known)}."
        )
    return found
