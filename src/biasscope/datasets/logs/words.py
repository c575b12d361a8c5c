"""The words of a log for choices, labels and orders: which place, which listed response, or which side they mean."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from biasscope.ask import Unreadable
from biasscope.parsing.formats import VerdictFormat
from biasscope.parsing.placed import Decision
from biasscope.parsing.verdicts import read_value
from biasscope.records import Order

_FIRST = ("a", "1", "left", "a>b", "a>>b")
_SECOND = ("b", "2", "right", "b>a", "b>>a")
_TIE = ("c", "a=b", "equal", "even", "draw", "both", "neither", "same")
_NONE = (
    "",
    "null",
    "none",
    "nan",
    "n/a",
    "na",
    "error",
    "failed",
    "invalid",
    "unparsable",
    "unparseable",
    "unknown",
)
_PLACES = ("first", "second")
_SIDES = ("chosen", "rejected")

_WORDS = VerdictFormat(
    ("first", "second"),
    tie="tie",
    aliases=(
        *((word, "first") for word in _FIRST),
        *((word, "second") for word in _SECOND),
        *((word, "tie") for word in _TIE),
    ),
    where="whole",
    prose=False,
)

_AS_LISTED = ("ab", "a_first", "original", "normal", "forward", "unswapped", "listed", "false", "0", "no")
_SWAPPED = ("ba", "b_first", "swapped", "swap", "reversed", "reverse", "backward", "flipped", "true", "1", "yes")


@dataclass(frozen=True, slots=True)
class Word:
    """What a word means: a tie, or a response by its `kind` of name.

    ``place`` (first, second) is where it was shown, ``listed`` (A, 1, the name of its column) may be that or the response
    as the row lists it, and ``side`` (chosen, rejected) is the better or the worse one, `first` standing for chosen.
    """

    choice: Decision
    kind: Literal["place", "listed", "side"]


def plain_word(value: object) -> str:
    """A value as a word: without case and space at its ends; a whole number as such, and nothing for null and NaN."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value).strip().casefold()


def says_nothing(value: object) -> bool:
    """Whether a value stands for no choice at all, such as null, ``none`` or ``error``."""
    return plain_word(value) in _NONE


def read_word(value: object, columns: Mapping[str, Decision]) -> Word | None:
    """Read a choice or a label; None for a word that is not known. `columns` names the columns of the two responses."""
    word = plain_word(value)
    if word in _SIDES:
        return Word("first" if word == "chosen" else "second", "side")
    if word in columns and word not in _PLACES:
        return Word(columns[word], "listed")
    try:
        read: str = read_value(word, _WORDS)
    except Unreadable:
        return None
    choice: Decision = "first" if read == "first" else "second" if read == "second" else "tie"
    return Word(choice, "place" if word in _PLACES else "listed")


def read_order(value: object) -> Order | Literal["listed", "swapped"] | None:
    """Read an order: by sides, or by whether the two responses were shown as the row lists them."""
    word = plain_word(value)
    if word == "chosen_first":
        return "chosen_first"
    if word == "rejected_first":
        return "rejected_first"
    return "listed" if word in _AS_LISTED else "swapped" if word in _SWAPPED else None


def other(choice: Decision) -> Decision:
    """The other response; a tie stays one."""
    return {"first": "second", "second": "first", "tie": "tie"}[choice]  # type: ignore[return-value]  # mypy widens it
