"""Reading and comparing final answers. It knows the form of an answer line, not what is right.

A response ends in a line ``Final answer: X``; where there are several, the last one counts.
"""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal

_LINE = re.compile(
    r"^[ \t>#*_`-]*final answer[ \t*_`]*:[ \t*_`]*(?P<answer>.*?)[ \t*_`]*$", re.IGNORECASE | re.MULTILINE
)
_GROUPED = re.compile(r"(?<![\d.])\d{1,3}(?:[,' ]\d{3})+(?!\d)")
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")


def final_answer(response: str) -> str | None:
    """Read the answer after the last ``Final answer:`` at the start of a line, without markup around it.

    None when there is no such line or nothing follows on it.
    """
    answers = [match["answer"] for match in _LINE.finditer(response)]
    return answers[-1] or None if answers else None


def same_answer(a: str, b: str) -> bool:
    """Tell whether two answers say the same.

    Case, markup, white space, a full stop at the end, thousands separators and the way a number is written
    (``7`` and ``7.0``) make no difference.

    >>> same_answer("**1,204.**", "1204"), same_answer("yes", "no")
    (True, False)
    """
    left, right = _fold(a), _fold(b)
    if _NUMBER.fullmatch(left) and _NUMBER.fullmatch(right):
        return Decimal(left) == Decimal(right)
    return left == right


def _fold(answer: str) -> str:
    text = unicodedata.normalize("NFKC", answer).replace("−", "-").casefold()
    text = " ".join(re.sub(r"[*`$]", "", text).split())
    text = text.strip("_\"'“”‘’ ").rstrip(". ")
    return _GROUPED.sub(lambda match: re.sub(r"\D", "", match[0]), text)
