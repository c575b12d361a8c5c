"""Read a benchmark back to its items: the columns of JudgeBench-Pro, and where each row comes from if it says so.

It is a folder as it was published or built, or one file of rows; what had a hand in it stands in a summary beside the rows.

A file with the plain columns (question, response_A, response_B, label, injected_bias, domain) is read as one-sided items
of which no source pair is known. What cannot be used is counted, as for every format.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

from biasscope.ask import digest
from biasscope.benchmarks import BenchmarkItem, Form, Subset
from biasscope.benchmarks.provenance import Provenance
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
from biasscope.datasets.sources import HUB, rows_of
from biasscope.errors import DataError
from biasscope.seeds import question_hash

T = TypeVar("T", bound=str)

COLUMNS = ("question", "response_A", "response_B", "label")
"""What a file must have; everything else may be lacking."""
PROVENANCE = ("source_pair", "chosen_form", "rejected_form", "subset")
"""What tells which rows belong together; a file has all of these, or none but the last, which others use for something else."""


SUMMARIES = ("benchmark.json", "report.json")
"""What sums a benchmark up: in a published folder, and in that of a build."""
SUMMARY = "biasscope.benchmark/"
"""How its schema begins."""
BUILT = "items.jsonl"
DATA = "data"
"""The file of the items of a build, and the folder of the files of a published benchmark."""
ENDINGS = (".parquet", ".jsonl")
RULE = "rule"
"""Stands for a writer that is no model."""


@dataclass(frozen=True, slots=True)
class LoadedItems:
    """The items of a benchmark.

    `plain` is True where it has the published columns alone, so that rows of one question are all that is known to belong
    together. `read` counts rows, `skipped` what was not kept and why, `sha256` is of the content. `made_by` are the models that
    had a hand in it, as far as rows and summary say so.
    """

    path: str
    items: tuple[BenchmarkItem, ...]
    plain: bool
    read: int
    skipped: tuple[Skip, ...]
    sha256: str
    made_by: Provenance


def load_items(path: str) -> LoadedItems:
    """Load the items of a benchmark from its folder, one file or a hub path; a row that several files hold counts once.

    Raises DataError where the columns are not those of a benchmark, where a value cannot be understood, where files do not
    agree on a row, and where no row can be used.
    """
    files = [_read(file) for file in _files(path)]
    items: dict[str, BenchmarkItem] = {}
    for one in files:
        for item in one.items:
            if items.setdefault(item.id, item) != item:
                raise DataError(
                    f"{one.path} holds another row {item.id!r} than a file of {path} before it",
                    hint="Publish the benchmark again, or name one file.",
                )
    skipped = tuple(skip for one in files for skip in one.skipped)
    if not items:
        reasons = ", ".join(f"{skip.reason}: {skip.count}" for skip in skipped)
        raise DataError(f"no row of {path} can be used ({reasons})", hint="Look at its first rows.")
    hashes = [one.sha256 for one in files]
    return LoadedItems(
        path,
        tuple(items.values()),
        any(one.plain for one in files),
        sum(one.read for one in files),
        skipped,
        hashes[0] if len(hashes) == 1 else digest(hashes),
        _made_by(path, items.values()),
    )


def _files(path: str) -> list[str]:
    """The files with rows that a path stands for."""
    folder = Path(path)
    if path.startswith(HUB) or not folder.is_dir():
        return [path]
    if (folder / BUILT).is_file():
        return [str(folder / BUILT)]
    data = folder / DATA
    found = sorted(str(f) for f in data.iterdir() if f.suffix in ENDINGS) if data.is_dir() else []
    if not found:
        raise DataError(
            f"{path} is no benchmark: it holds neither {BUILT} nor rows in a folder {DATA}",
            hint="Name the folder that biasscope benchmark publish wrote, or a file of rows.",
        )
    return found


@dataclass(frozen=True, slots=True)
class _File:
    path: str
    items: tuple[BenchmarkItem, ...]
    plain: bool
    read: int
    skipped: tuple[Skip, ...]
    sha256: str


def _read(path: str) -> _File:
    opened, sha256 = rows_of(path)
    rows, intake = tuple(opened), Intake()
    if not rows:
        raise DataError(f"{path} holds no rows")
    plain = _is_plain(path, frozenset(column for row in rows for column in row.values))
    items = tuple(_items(intake, rows, plain=plain))
    return _File(path, items, plain, intake.read, intake.skipped, sha256)


def _is_plain(path: str, columns: frozenset[str]) -> bool:
    """Whether a file has the published columns alone; raises DataError where it is no benchmark."""
    lacking = [c for c in COLUMNS if c not in columns]
    if lacking:
        raise DataError(
            f"{path} is no benchmark: it has no column {lacking[0]!r}",
            hint=f"A benchmark has the columns {', '.join(COLUMNS)}, injected_bias and domain.",
        )
    known = [c for c in PROVENANCE[:-1] if c in columns]
    if known and not columns.issuperset(PROVENANCE):
        absent = next(c for c in PROVENANCE if c not in columns)
        raise DataError(
            f"{path} has a column {known[0]!r} but none {absent!r}",
            hint=f"Give all of {', '.join(PROVENANCE)}, or none of them.",
        )
    return not known


def _made_by(path: str, items: Iterable[BenchmarkItem]) -> Provenance:
    """Writers that rows name, and what the summary beside them says; raises DataError for one that cannot be understood."""
    writers = dict.fromkeys(item.writer for item in items if item.writer not in ("", RULE))
    said = _summary(path)
    try:
        filters = [str(judge["judge"]) for judge in (said.get("filter") or {"judges": ()})["judges"]]
        found = [str(judge) for bias in said.get("biases", ()) for judge in bias["discovered_on"]]
        writers |= dict.fromkeys(str(writer) for writer in said.get("writers", ()) if writer != RULE)
    except (KeyError, TypeError) as error:
        raise DataError(
            f"the summary beside {path} does not say who made it as it should ({error})", hint="Publish it again."
        ) from None
    return Provenance(tuple(writers), tuple(dict.fromkeys(filters)), tuple(dict.fromkeys(found)))


def _summary(path: str) -> dict[str, Any]:
    """The summary in the folder, or in that of the file or above it; empty where there is none."""
    if path.startswith(HUB):
        return {}
    place = Path(path)
    folders = (place,) if place.is_dir() else (place.parent, place.parent.parent)
    for file in (folder / name for folder in folders for name in SUMMARIES):
        if not file.is_file():
            continue
        try:
            said = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise DataError(f"{file} cannot be read: {error}", hint="Publish the benchmark again.") from None
        if isinstance(said, dict) and str(said.get("schema_version", "")).startswith(SUMMARY):
            return said
    return {}


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
        id=optional_text(row, "pair_id" if "pair_id" in row.values else "id")
        or content_id(words, one, other, bias),
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
        reviewed=flag(row, "reviewed", default=False),
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
