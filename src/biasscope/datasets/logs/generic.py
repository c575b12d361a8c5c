"""A log of anybody: one verdict a row, its columns named by the user or found by usual names.

The two responses are taken as shown, first and second, unless an order says that the row lists them the other way
round (``swapped``, ``BA``, ``true``). Then a choice of A or 1 names the response as it is listed, as LLMBar writes it,
unless the column is given as ``place`` or the replies show that it goes by place; *first* and *second* always do.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from biasscope.ask import Unreadable
from biasscope.datasets.logs.columns import find_columns, value_of
from biasscope.datasets.logs.texts import choice_of, order_of, pair_of
from biasscope.datasets.logs.verdicts import Bound, LoggedVerdict, Tally
from biasscope.datasets.logs.words import other, plain_word, read_order, read_word, says_nothing
from biasscope.datasets.rows import Row
from biasscope.parsing.placed import FORMS, Decision, read_placed, recognise_form
from biasscope.records import ORIGINAL, Order

NOT_UNDERSTOOD = "a choice that is not understood"
FROM_ZERO = "a choice that counts from 0, so that 0 could mean either response"
NO_ORDER = "an order that is not understood"
NO_SIDE = "chosen or rejected, of a pair whose order is not known"
NO_NUMBER = "a score is no number"
NO_DECISION = "no decision was recorded"

LABEL_NOT_UNDERSTOOD = "a label that is not understood"
LABEL_TIE = "a label that prefers neither"
CONTRADICTS = "a label that contradicts the order, which is believed"
OTHER_ARM = "a verdict on a rewrite"
NOT_TEXT = "a response that is not text"
BY_PLACE = "a choice that goes by place, as the replies show"


def bind(path: Path, rows: Sequence[Row], given: Mapping[str, str]) -> Bound | None:
    """Bind to a log by its columns; None where no column holds a choice, two scores, or replies about pairs."""
    columns = find_columns(path, rows, given)
    scored = {"first_score", "second_score"} <= columns.keys()
    told = {"choice", "place"} & columns.keys()
    pairs = {"first", "chosen", "order"} & columns.keys() or "pair_id" in {*given, columns.get("pair_id")}
    if not (told or scored or ("reply" in columns and pairs)):
        return None
    named = {columns[f].casefold(): p for f, p in _LISTED.items() if f in columns}
    reader = _Reader(
        path=path,
        columns=columns,
        named=named,
        by_place="place" in columns,
        from_zero=frozenset(f for f in ("choice", "place", "label") if _counts_from_zero(rows, columns.get(f))),
    )
    if not reader.by_place and reader.replies_go_by_place(rows):
        reader = _Reader(path, columns, named, True, reader.from_zero, shown=True)
    return Bound("columns", reader.read, columns)


_LISTED: Mapping[str, Decision] = {"first": "first", "second": "second"}


def _counts_from_zero(rows: Sequence[Row], column: str | None) -> bool:
    return any(plain_word(value_of(row, column)) == "0" for row in rows)


@dataclass(frozen=True, slots=True)
class _Shown:
    """What a row shows: the texts by place, which is better, and whether the row lists them the other way round."""

    first: str | None
    second: str | None
    better: Decision | None
    swapped: bool


@dataclass(frozen=True, slots=True)
class _Reader:
    path: Path
    columns: Mapping[str, str]
    named: Mapping[str, Decision]
    by_place: bool
    from_zero: frozenset[str]
    shown: bool = False

    def read(self, row: Row, tally: Tally) -> list[LoggedVerdict]:
        """The verdict of a row; none for one on a rewrite."""
        if plain_word(self._of(row, "arm")) not in ("", ORIGINAL):
            tally.skip(OTHER_ARM, row.place)
            return []
        shown = self._shown(row, tally)
        question, reply = self._question(row, shown), self._text(row, "reply")
        choice, reason, scores, decided = self._decision(row, shown, tally)
        if self.shown and shown is not None and shown.swapped:
            tally.note(BY_PLACE, row.place)
        first, second, better = (None, None, None) if shown is None else (shown.first, shown.second, shown.better)
        return [
            LoggedVerdict(
                pair_id=self._pair(row, question, first, second),
                judge=self._text(row, "judge") or self.path.name.split(".")[0],
                place=row.place,
                question=question,
                first=first,
                second=second,
                order=self._order(row, shown, question),
                labelled=better is not None,
                choice=choice,
                reason=reason,
                scores=scores,
                decided=decided,
                reply=reply,
            )
        ]

    def replies_go_by_place(self, rows: Sequence[Row]) -> bool:
        """Whether, where responses were swapped, the replies say that a choice goes by place rather than by listing."""
        swapped = [
            (word.choice, reply)
            for row in rows
            if read_order(self._of(row, "order")) == "swapped"
            and (reply := self._text(row, "reply"))
            and (word := read_word(self._of(row, "choice"), self.named))
            and word.kind == "listed"
            and word.choice != "tie"
        ]
        name = recognise_form([reply for _, reply in swapped])
        if name is None:
            return False
        told = [(choice, _placed(reply, name)) for choice, reply in swapped]
        return sum(c == p for c, p in told) > sum(p is not None and c == other(p) for c, p in told)

    def _of(self, row: Row, field: str) -> object:
        return value_of(row, self.columns.get(field))

    def _text(self, row: Row, field: str) -> str | None:
        value = self._of(row, field)
        return value if isinstance(value, str) and value.strip() else None

    def _question(self, row: Row, shown: _Shown | None) -> str | None:
        """The question; a prompt that holds both responses is what the judge was asked, and differs between orders."""
        question = self._text(row, "question")
        texts = (shown.first, shown.second) if shown is not None else (None, None)
        whole = question is not None and all(text and text in question for text in texts)
        return None if whole else question

    def _response(self, row: Row, field: str, tally: Tally) -> str | None:
        value = self._of(row, field)
        if value is not None and not isinstance(value, str):
            tally.note(NOT_TEXT, row.place)
        return value if isinstance(value, str) else None

    def _shown(self, row: Row, tally: Tally) -> _Shown | None:
        """What was shown where; None where an order is given and not understood."""
        order = read_order(self._of(row, "order"))
        if order is None and plain_word(self._of(row, "order")):
            return None
        first, second = self._response(row, "first", tally), self._response(row, "second", tally)
        label = self._label(row, tally)
        if order in ("chosen_first", "rejected_first"):
            better: Decision = "first" if order == "chosen_first" else "second"
            if "chosen" in self.columns:
                sides = self._response(row, "chosen", tally), self._response(row, "rejected", tally)
                first, second = sides if better == "first" else sides[::-1]
            if label is not None and label != better:
                tally.note(CONTRADICTS, row.place)
            return _Shown(first, second, better, swapped=False)
        if order == "swapped":
            return _Shown(second, first, None if label is None else other(label), swapped=True)
        return _Shown(first, second, label, swapped=False)

    def _label(self, row: Row, tally: Tally) -> Decision | None:
        """The better response as the row lists it."""
        value = self._of(row, "label")
        if says_nothing(value):
            return None
        word = None if "label" in self.from_zero else read_word(value, self.named)
        if word is None or word.kind == "side":
            tally.note(LABEL_NOT_UNDERSTOOD, f"{row.place}: {str(value)[:40]!r}")
            return None
        if word.choice == "tie":
            tally.note(LABEL_TIE, row.place)
            return None
        return word.choice

    def _order(self, row: Row, shown: _Shown | None, question: str | None) -> Order | None:
        if shown is None:
            return None
        order = order_of(shown.better, question, shown.first, shown.second)
        if order is None and read_order(self._of(row, "order")) in ("listed", "swapped"):
            return "rejected_first" if shown.swapped else "chosen_first"  # roles drawn by the listing
        return order

    def _pair(self, row: Row, question: str | None, first: str | None, second: str | None) -> str:
        """The pair's own id; else its texts, since an id of another name may be that of the row or of the question."""
        column = self.columns.get("pair_id")
        named = plain_word(self._of(row, "pair_id"))
        if named and (column == "pair_id" or first is None or second is None):
            return str(self._of(row, "pair_id")).strip()
        return row.place if first is None or second is None else pair_of(question, first, second)

    def _decision(
        self, row: Row, shown: _Shown | None, tally: Tally
    ) -> tuple[Decision | None, str, tuple[float, float] | None, bool]:
        """What was decided by place, why nothing was, the scores by place, and whether a decision is recorded at all."""
        field = "place" if "place" in self.columns else "choice"
        recorded = field in self.columns
        if shown is None:
            return None, NO_ORDER, None, True
        scores, broken = self._scores(row, shown)
        if broken:
            return None, NO_NUMBER, None, True
        value = self._of(row, field)
        if not recorded or says_nothing(value):
            if scores is not None:
                return choice_of(scores), "", scores, True
            return None, NO_DECISION, None, recorded
        if field in self.from_zero:
            return None, FROM_ZERO, scores, True
        word = read_word(value, self.named)
        if word is None:
            tally.note(NOT_UNDERSTOOD, f"{row.place}: {str(value)[:40]!r}")
            return None, NOT_UNDERSTOOD, scores, True
        if word.kind == "side" and shown.better is None:
            return None, NO_SIDE, scores, True
        turned = (word.kind == "side" and shown.better == "second") or (
            word.kind == "listed" and shown.swapped and not self.by_place
        )
        return other(word.choice) if turned else word.choice, "", scores, True

    def _scores(self, row: Row, shown: _Shown) -> tuple[tuple[float, float] | None, bool]:
        """The two scores by place, and whether one is there that is no finite number."""
        values = [self._of(row, f) for f in ("first_score", "second_score")]
        if all(value is None for value in values):
            return None, False
        numbers = [_number(value) for value in values]
        if not all(map(math.isfinite, numbers)):
            return None, True
        return (numbers[1], numbers[0]) if shown.swapped else (numbers[0], numbers[1]), False


def _number(value: object) -> float:
    try:
        return float(str(value))
    except ValueError:
        return math.nan


def _placed(reply: str, form: str) -> Decision | None:
    try:
        return read_placed(reply, FORMS[form])
    except Unreadable:
        return None
