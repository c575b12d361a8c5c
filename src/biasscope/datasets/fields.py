"""Reading one field of a row: text, label, messages, flag. Knows no format and counts nothing.

What a row *says* but cannot be used (a tie, a missing label, an empty cell) raises `SkipRow` with a reason
and is counted by whoever reads; what cannot be *understood* (a label outside the format's, a number where
text belongs) is a `DataError`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Literal

from biasscope.ask import digest
from biasscope.datasets.rows import Row, kind
from biasscope.errors import DataError
from biasscope.records import Message, Role

Reason = Literal[
    "missing prompt",  # no prompt, or a blank one
    "missing response",  # null, or a conversation that does not end with the assistant
    "empty response",  # there, but blank
    "identical responses",  # equal but for white space at the ends
    "missing label",
    "tie",
    "prompts differ",  # chosen and rejected answer different conversations
    "not text",  # a message with an image or another part that is no text
    "invalid characters",  # lone surrogates, which no UTF-8 file or request can hold
    "duplicate",  # the same id with the same texts
    "missing original",
    "missing rewrite",  # null or blank
    "unchanged rewrite",
    "missing trait",
    "missing definition",
]

First = Literal["first", "second"]
"""Which of two listed responses is the better one."""

_ROLES: dict[str, Role] = {"system": "system", "developer": "system", "user": "user", "assistant": "assistant"}
_NO_LABEL = ("", "nan", "null", "none")


class SkipRow(Exception):
    """A row that is understood and cannot be used; counted under its reason."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason: Reason = reason


def is_missing(value: object) -> bool:
    """Tell null from a value; NaN, which tables use for null, counts as null."""
    return value is None or (isinstance(value, float) and math.isnan(value))


def text(row: Row, column: str, missing: Reason) -> str:
    """Read a text as it is written; null is skipped as `missing`, anything but text is a DataError."""
    value = row.values.get(column)
    if is_missing(value):
        raise SkipRow(missing)
    if not isinstance(value, str):
        raise DataError(f"{row.where}: {column!r} is {kind(value)}, not text", hint="Write it as a text.")
    return value


def optional_text(row: Row, column: str, default: str = "") -> str:
    """Read a text or number as text; null, blank or no such column gives `default`."""
    value = row.values.get(column)
    if is_missing(value) or value == "":
        return default
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # a column of whole numbers with gaps is stored as floats
    if isinstance(value, bool | dict | list):
        raise DataError(f"{row.where}: {column!r} is {kind(value)}, not text or a number")
    return str(value)


def question(row: Row, column: str) -> tuple[Message, ...]:
    """Read a prompt that is one text as one user message."""
    words = text(row, column, "missing prompt")
    if not words.strip():
        raise SkipRow("missing prompt")
    return (Message("user", words),)


def response(row: Row, column: str) -> str:
    """Read a response that is one text."""
    return text(row, column, "missing response")


def response_fault(chosen: str, rejected: str) -> Reason | None:
    """Why two responses cannot be compared: one is blank, or both are the same but for white space; None where they can."""
    if not chosen.strip() or not rejected.strip():
        return "empty response"
    return "identical responses" if chosen.strip() == rejected.strip() else None


def unwritable(texts: Iterable[str]) -> Reason | None:
    """Why texts cannot be sent or stored: lone surrogates; None where they can."""
    try:
        for words in texts:
            words.encode("utf-8")
    except UnicodeEncodeError:
        return "invalid characters"
    return None


def label(row: Row, column: str, words: Mapping[str, First | Literal["tie"]]) -> First:
    """Read which response is better from the format's label words (compared without case).

    A tie and a missing label skip the row; any other value is a DataError that names the words known, since
    guessing would turn roles round.
    """
    value = row.values.get(column)
    word = "" if is_missing(value) else optional_text(row, column).strip().casefold()
    if word in _NO_LABEL:
        raise SkipRow("missing label")
    choice = words.get(word)
    if choice is None:
        raise DataError(f"{row.where}: unknown {column} {value!r}", hint=f"Known here: {', '.join(words)}.")
    if choice == "tie":
        raise SkipRow("tie")
    return choice


def flag(row: Row, column: str, *, default: bool) -> bool:
    """Read true or false (also as text or 1 and 0); null or no such column gives `default`."""
    word = str(row.values.get(column)).strip().casefold()
    if word in _NO_LABEL:
        return default
    if word in ("true", "1", "1.0", "yes"):
        return True
    if word in ("false", "0", "0.0", "no"):
        return False
    raise DataError(f"{row.where}: {column!r} is {row.values[column]!r}, not true or false")


def messages(row: Row, column: str) -> tuple[Message, ...]:
    """Read a conversation: a list of objects with `role` and `content`, or a text as one user message.

    Null, a blank text and an empty list give no messages. Content may be a list of parts of type text.
    """
    value = row.values.get(column)
    if is_missing(value):
        return ()
    if isinstance(value, str):
        return (Message("user", value),) if value.strip() else ()
    if not isinstance(value, list):
        raise DataError(f"{row.where}: {column!r} is {kind(value)}, not text or messages")
    return tuple(_message(row, column, item) for item in value)


def _message(row: Row, column: str, item: object) -> Message:
    if not isinstance(item, Mapping) or "role" not in item or "content" not in item:
        raise DataError(
            f"{row.where}: {column!r} holds {kind(item)} where a message belongs",
            hint='A message is an object such as {"role": "user", "content": "..."}.',
        )
    role = _ROLES.get(str(item["role"]))
    if role is None:
        raise DataError(f"{row.where}: unknown role {item['role']!r}", hint=f"Known: {', '.join(_ROLES)}.")
    content = item["content"]
    if isinstance(content, list):
        parts = [part.get("text") if isinstance(part, Mapping) else None for part in content]
        if not all(isinstance(part, str) for part in parts):
            raise SkipRow("not text")
        content = "\n".join(str(part) for part in parts)
    if not isinstance(content, str):
        raise SkipRow("not text")
    return Message(role, content)


def content_id(*texts: object) -> str:
    """Make an id from the content itself, so that reordering or cutting a file changes no id."""
    return digest(list(texts))[:16]
