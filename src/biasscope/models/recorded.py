"""Verdicts that were given before, looked up: a file of what some judge said about texts or about pairs.

Knows the rows of such a file and nothing of the judge who gave them. A row may speak of places (first, second) or of
sides (chosen, rejected): what is kept speaks of places. What is not in the file is `not_recorded`; a
verdict is never carried over to other texts or to the other order.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from biasscope.ask import Reply, Request, digest
from biasscope.config import ModelExecution, ModelSpec
from biasscope.errors import DataError, UsageError
from biasscope.models.programs import Failed, ProgramModel, hash_of
from biasscope.parsing.judgebench import output_verdicts

IN_FLIGHT = 64

ROWS = (
    "A row holds question, first, second and choice; or question, response and score; or pair_id, order and choice, "
    "and arm where it is not the original."
)

_VERDICT = ("choice", "margin", "score", "reason")
_NUMBERS = ("margin", "score")
_SIDES = ("chosen", "rejected")


def open_recorded(spec: ModelSpec, execution: ModelExecution) -> RecordedModel:
    """Read a file of verdicts (JSONL, JSON or CSV, also with .gz); raises UsageError and DataError."""
    name = spec.spec.partition(":")[2].strip()
    path = Path(name)
    if not path.is_file():
        raise UsageError(
            f"there is no file {name!r}", hint="Write recorded:FILE, with a path from the working folder."
        )
    return RecordedModel(spec, execution, path, _read(path))


class RecordedModel(ProgramModel):
    """A file of verdicts by what was shown."""

    def __init__(
        self, spec: ModelSpec, execution: ModelExecution, path: Path, verdicts: dict[str, dict[str, object]]
    ) -> None:
        identity = {"provider": "recorded", "file": hash_of(path)}
        super().__init__(spec, execution, path.name, identity, max_in_flight=IN_FLIGHT)
        self._verdicts = verdicts

    async def answer(self, case: dict[str, Any], request: Request) -> Reply:
        """Look a case up by its texts, then by its pair; nothing was recorded of a second reply to the same request."""
        if request.replicate:
            raise Failed("a verdict on the same texts once more", "not_recorded")
        for address in (_by_text(case), _by_pair(case)):
            if address in self._verdicts:
                found = self._verdicts[address]
                if found == _TWICE:
                    raise Failed("recorded several times, and not alike", "ambiguous")
                return Reply(json.dumps(found, ensure_ascii=False))
        raise Failed(f"pair {case.get('pair_id')}, arm {case.get('arm')}, {case.get('order')}", "not_recorded")

    def _note(self, failure: str) -> None:
        """What is not recorded, or was recorded as no verdict, is no failure of the file."""


_TWICE: dict[str, object] = {"twice": True}


def _by_text(case: Mapping[str, Any]) -> str:
    return digest([case.get(field) or "" for field in ("question", "first", "second", "response")])


def _by_pair(case: Mapping[str, Any]) -> str:
    return digest([str(case.get("pair_id") or ""), case.get("arm") or "original", case.get("order") or ""])


def _read(path: Path) -> dict[str, dict[str, object]]:
    verdicts: dict[str, dict[str, object]] = {}
    count = 0
    rows = list(_rows(path))
    of_sides = any(_word(row) in _SIDES for _, row in rows)
    for number, row in rows:
        for address, verdict in _recorded(row, f"{path.name}, row {number}", of_sides):
            count += 1
            known = verdicts.setdefault(address, verdict)
            if known | {"reason": None} != verdict | {"reason": None}:
                verdicts[address] = _TWICE
    if not count:
        raise DataError(f"{path.name} holds no verdict", hint=ROWS)
    return verdicts


def _rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows of a file, counted from 1."""
    name = path.name.removesuffix(".gz")
    try:
        data = path.read_bytes()
        text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8-sig")
        if name.endswith((".csv", ".tsv")):
            csv.field_size_limit(1 << 27)
            dialect = "excel-tab" if name.endswith(".tsv") else "excel"
            found: list[Any] = list(csv.DictReader(io.StringIO(text), dialect=dialect))
        elif name.endswith(".json"):
            found = json.loads(text)
        else:
            found = [json.loads(line) for line in text.split("\n") if line.strip()]
    except (OSError, ValueError, EOFError, csv.Error) as error:
        raise DataError(f"{path.name} cannot be read: {error}", hint=ROWS) from error
    if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
        raise DataError(f"{path.name} is no list of rows", hint=ROWS)
    yield from enumerate(found, 1)


def _recorded(row: dict[str, Any], where: str, of_sides: bool) -> Iterator[tuple[str, dict[str, object]]]:
    """What one row records: an address and a verdict; two of them in an output of JudgeBench."""
    if "judgments" in row:
        yield from _judgebench(row, where)
        return
    said = {field: row[field] for field in _VERDICT if row.get(field) not in (None, "")}
    for field in _NUMBERS:
        if field in said:
            said[field] = _number(said[field], field, where)
    if "choice" not in said and "score" not in said:
        raise DataError(f"{where} has neither choice nor score", hint=ROWS)
    if "choice" in said:
        _turn_to_places(said, row, where, of_sides)
    texts = ("question", "first", "second") if "choice" in said else ("question", "response")
    if all(isinstance(row.get(field), str) for field in texts):
        yield _by_text({field: row[field] for field in texts}), said
    elif row.get("pair_id") not in (None, "") and "choice" in said:
        _order(row, where)
        yield _by_pair(row), said
    else:
        raise DataError(f"{where} does not say what was judged", hint=ROWS)


def _turn_to_places(said: dict[str, Any], row: Mapping[str, Any], where: str, of_sides: bool) -> None:
    """Say of first and second what a row says of chosen and rejected, the side that its margin favours included.

    The margin of a tie is of sides where the file speaks of them anywhere.
    """
    word = _word(row)
    if word == "0":
        raise DataError(
            f"{where}: the choice 0 could mean either response",
            hint="A choice is first, second or tie; where responses are counted, the first is 1.",
        )
    if word in _SIDES:
        said["choice"] = "first" if f"{word}_first" == _order(row, where) else "second"
    elif not (of_sides and word == "tie" and said.get("margin")):
        return
    if "margin" in said and _order(row, where) == "rejected_first":
        said["margin"] = -said["margin"]


def _word(row: Mapping[str, Any]) -> str:
    return str(row.get("choice")).strip().lower()


def _order(row: Mapping[str, Any], where: str) -> str:
    order = row.get("order")
    if order not in ("chosen_first", "rejected_first"):
        raise DataError(f"{where} has no order", hint="It is chosen_first or rejected_first.")
    return str(order)


def _number(value: object, field: str, where: str) -> float:
    try:
        return float(str(value))
    except ValueError:
        raise DataError(f"{where}: {value!r} is no {field}", hint=ROWS) from None


_UNDECIDED: dict[str, object] = {"error": "no decision was read from the judge's reply", "reason": "unparsable"}


def _judgebench(row: dict[str, Any], where: str) -> Iterator[tuple[str, dict[str, object]]]:
    """The two verdicts of a JudgeBench output: A shown first, then B; decisions and scores go by place."""
    question, both = row.get("question"), (row.get("response_A"), row.get("response_B"))
    if not (isinstance(row["judgments"], list) and all(isinstance(text, str) for text in (question, *both))):
        raise DataError(f"{where} is no output of JudgeBench", hint=ROWS)
    for one in output_verdicts(row):
        if one is None:
            continue
        shown = both[::-1] if one.swapped else both
        said: dict[str, object] = {"choice": one.choice, "reason": one.reply}
        texts = {"question": question, "first": shown[0], "second": shown[1]}
        yield _by_text(texts), _UNDECIDED if one.choice is None else said
        for text, score in zip(shown, one.scores, strict=False):
            yield _by_text({"question": question, "response": text}), {"score": _number(score, "score", where)}
