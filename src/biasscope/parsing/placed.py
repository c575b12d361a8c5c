"""A judge's reply as a decision by place: the response shown first, the one shown second, or a tie.

Knows the formats in common use and tells which of them a handful of replies is written in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from biasscope.ask import Unreadable
from biasscope.parsing.formats import (
    BOXED,
    BRACKETED,
    COMPARED,
    FEEDBACK_RESULT,
    NUMBERED,
    OUTPUTS,
    WINNER_JSON,
    VerdictFormat,
)
from biasscope.parsing.verdicts import read_as, read_comparison

Decision = Literal["first", "second", "tie"]

FORMS: Mapping[str, VerdictFormat] = {
    "[[A>>B]]": COMPARED,
    "[[A]]": BRACKETED,
    "Output (a)": OUTPUTS,
    "[RESULT] A": FEEDBACK_RESULT,
    "BOXED[A]": BOXED,
    '{"winner": "A"}': WINNER_JSON,
    "Decision: 1": NUMBERED,
    "Decision: A": VerdictFormat(("A", "B"), tie="tie"),
}
"""Formats of a comparison by an example of each, the more particular first."""

LOOKED_AT = 40
"""Replies that are read in every format to tell theirs."""


def read_placed(text: str, form: VerdictFormat) -> Decision:
    """Read a reply in a format whose labels stand for the first response, the second and a tie.

    Raises `Unreadable` as `read_as` does.
    """
    if form == COMPARED:
        label = read_comparison(text, form).label
        return "tie" if label is None else "first" if label == "A" else "second"
    label = read_as(text, form)
    return "first" if label == form.labels[0] else "second" if label == form.labels[1] else "tie"


def recognise_form(replies: Sequence[str]) -> str | None:
    """Name the format that most of the replies can be read in; None where none reads half of them.

    Of many replies `LOOKED_AT`, spread evenly, are looked at.
    """
    step = max(1, len(replies) // LOOKED_AT)
    looked = replies[::step][:LOOKED_AT]
    counts = {name: sum(_is_readable(text, form) for text in looked) for name, form in FORMS.items()}
    best = max(counts, key=lambda name: counts[name])
    return best if looked and 2 * counts[best] >= len(looked) else None


def _is_readable(text: str, form: VerdictFormat) -> bool:
    try:
        read_placed(text, form)
    except Unreadable:
        return False
    return True
