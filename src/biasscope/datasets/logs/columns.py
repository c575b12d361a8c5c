"""Which column of a log is what: as the user says, else by usual names."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence

from biasscope.datasets.generic import PROMPTS, RESPONSES
from biasscope.datasets.logs.words import read_order, read_word, says_nothing
from biasscope.datasets.rows import Row
from biasscope.errors import DataError, UsageError

NAMES: Mapping[str, tuple[str, ...]] = {
    "question": PROMPTS,
    "choice": (
        "choice", "verdict", "decision", "winner", "preferred", "preference", "prediction", "pred", "vote",
        "judge_choice", "judge_decision", "judge_verdict", "judge_winner",
    ),
    "place": (),
    "label": (
        "label", "gold", "gold_label", "better", "ground_truth", "human_label", "human_winner",
        "human_preference", "target",
    ),
    "order": ("order", "swapped", "swap", "reversed", "flipped", "position"),
    "reply": (
        "reply", "raw", "raw_reply", "raw_output", "raw_response", "judge_reply", "judge_response", "judge_output",
        "judgment", "judgement", "completion", "explanation", "rationale", "reasoning", "reason",
    ),
    "judge": ("judge", "judge_model", "judge_name", "evaluator", "model"),
    "pair_id": ("pair_id", "pair", "item_id", "example_id", "question_id", "sample_id", "uid", "id", "idx"),
    "arm": ("arm",),
}  # fmt: skip
"""Fields of a verdict and the names that their columns usually have, the more telling first."""

PAIRS: tuple[tuple[tuple[str, str], tuple[tuple[str, str], ...]], ...] = (
    (("first", "second"), (("first", "second"), *RESPONSES)),
    (("chosen", "rejected"), (("chosen", "rejected"),)),
    (
        ("first_score", "second_score"),
        (
            ("first_score", "second_score"), ("score_first", "score_second"), ("score_a", "score_b"),
            ("score_A", "score_B"), ("score_1", "score_2"), ("score1", "score2"), ("reward_a", "reward_b"),
        ),
    ),
)  # fmt: skip
"""Fields that come in twos."""

FIELDS = (*(field for fields, _ in PAIRS for field in fields), *NAMES)

_EXAMPLE = "question=prompt,first=answer_a,second=answer_b,choice=winner"


def parse_columns(text: str) -> dict[str, str]:
    """Read ``field=column,field=column``; raises UsageError for a field that is not known or named twice."""
    given: dict[str, str] = {}
    for part in text.split(","):
        field, equals, column = (word.strip() for word in part.partition("="))
        if not equals or not column:
            raise UsageError(f"{part.strip()!r} names no column", hint=f"Write --columns {_EXAMPLE}.")
        if field not in FIELDS:
            near = difflib.get_close_matches(field, FIELDS, n=1)
            guess = f"Did you mean {near[0]}? " if near else ""
            raise UsageError(f"a verdict has no field {field!r}", hint=f"{guess}Known: {', '.join(FIELDS)}.")
        if field in given:
            raise UsageError(f"the field {field} is named twice", hint=f"Write --columns {_EXAMPLE}.")
        given[field] = column
    return given


def find_columns(path: object, rows: Sequence[Row], given: Mapping[str, str]) -> dict[str, str]:
    """Give the column of each field: the one that is named, else the first usual name that is there and not taken.

    A column that nobody named is a choice, a label or an order only if it holds such words. A name such as
    ``judge.winner`` looks into an object. Raises DataError for a named column that no row has.
    """
    there = list(dict.fromkeys(name for row in rows for name in row.values))
    for field, column in given.items():
        if column not in there and all(value_of(row, column) is None for row in rows):
            names = ", ".join(repr(name) for name in there[:20])
            raise DataError(f"{path} has no column {column!r} for {field}", hint=f"It has {names}.")
    found = dict(given)
    free = {name.casefold(): name for name in reversed(there) if name not in given.values()}
    for fields, pairs in PAIRS:
        if not any(field in found for field in fields):
            both = next((p for p in pairs if all(n.casefold() in free for n in p)), None)
            if both is not None:
                found |= {f: free.pop(n.casefold()) for f, n in zip(fields, both, strict=True)}
    for field, usual in NAMES.items():
        name = next((n for n in usual if n.casefold() in free and _fits(field, free[n.casefold()], rows)), None)
        if field not in found and name is not None:
            found[field] = free.pop(name.casefold())
    return found


def _fits(field: str, column: str, rows: Sequence[Row]) -> bool:
    values = [v for v in (row.values.get(column) for row in rows) if not says_nothing(v)]
    if field in ("choice", "label"):
        good = sum(read_word(v, {}) is not None or str(v) in rows[0].values for v in values)
    elif field == "order":
        good = sum(read_order(v) is not None for v in values)
    elif field in ("reply", "question", "judge"):
        good = sum(isinstance(v, str) for v in values)
    else:
        return True
    return 2 * good >= len(values) > 0


def value_of(row: Row, column: str | None) -> object:
    """The value in a column, None without one; a dotted name looks into objects."""
    if column is None:
        return None
    if column in row.values:
        return row.values[column]
    value: object = row.values
    for name in column.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value
