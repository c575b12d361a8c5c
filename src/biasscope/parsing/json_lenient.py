"""Parse one JSON object or array as models write them, from a position in a text.

Knows trailing commas, comments, single and typographic quotes, Python's literals, bare keys, raw line breaks, bad
escapes and unescaped quotation marks. It evaluates nothing and invents nothing: what is not written raises, and a
key that is written twice raises.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

_SKIP = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/|#[^\n]*)*", re.DOTALL)
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.])")
_WORD = re.compile(r"[A-Za-z_$][\w$-]*")
_LITERALS = {
    "true": True, "false": False, "null": None, "True": True, "False": False, "None": None,
    "undefined": None, "NaN": None, "nan": None, "Infinity": None,
}  # fmt: skip
_CLOSING = {'"': '"', "'": "'", "“": "”", "”": "”", "„": "“", "‘": "’", "’": "’", "「": "」"}
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "'": "'"}
# Commands of LaTeX whose first letters are an escape of JSON: \theta is no tab.
_LATEX = re.compile(
    r"[bf][a-z]|(?:t(?:heta|au|imes|ext|an|o|riangle|ilde|frac|op)|n(?:abla|eq|e|u|ot|i|mid|eg|ewline)|"
    r"r(?:ho|ight\w*|angle|m|ceil|floor|e))(?![a-z])",
)
_ENDS_KEY = re.compile(r"\s*:")
_ENDS_VALUE = re.compile(
    r"\s*(?:[}\]]|,\s*(?:[\"'“‘}\]\[{/]|[A-Za-z_$][\w$-]*\s*:|[-+\d]|(?:true|false|null|True|False|None)\b)|//|/\*|$)"
)
DEPTH = 64
"""How many objects and arrays may stand inside each other."""


class BadJSON(ValueError):
    """What stands at the position is no JSON, however leniently read."""


class CutOff(BadJSON):
    """The text ends inside the object."""


class TooDeep(BadJSON):
    """Objects and arrays are nested beyond `DEPTH`."""


class RepeatedKey(BadJSON):
    """An object has a key twice, so it cannot be told which value is meant."""


def unique(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    """Build an object from its pairs (a hook for `json.loads`); raises `RepeatedKey`."""
    value = dict(pairs)
    if len(value) < len(pairs):
        keys = [key for key, _ in pairs]
        raise RepeatedKey(f"the key {next(key for key in keys if keys.count(key) > 1)!r} is there twice")
    return value


_STRICT = json.JSONDecoder(object_pairs_hook=unique, parse_constant=lambda _: None)


def parse_at(text: str, start: int) -> tuple[object, int]:
    """Parse the object or array that starts at `start`; give it with the position behind it.

    Strict JSON is read as it is; the lenient rules apply only where that fails. Raises `BadJSON`.
    """
    try:
        return _STRICT.raw_decode(text, start)
    except RepeatedKey:
        raise
    except (ValueError, RecursionError):
        reader = _Reader(text, start)
        return reader.value(0), reader.at


class _Reader:
    """A recursive-descent reader with one position."""

    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at

    def value(self, depth: int) -> object:
        first = self._peek()
        if depth > DEPTH:
            raise TooDeep("the JSON object is nested too deeply")
        if first == "{":
            return self._object(depth)
        if first == "[":
            return self._array(depth)
        if first in _CLOSING:
            return self._string(_ENDS_VALUE)
        if number := _NUMBER.match(self.text, self.at):
            self.at = number.end()
            return self._number(number[0])
        word = _WORD.match(self.text, self.at)
        if not word or word[0] not in _LITERALS:
            raise BadJSON(f"no value at {self.text[self.at : self.at + 20]!r}")
        self.at = word.end()
        return _LITERALS[word[0]]

    def _object(self, depth: int) -> dict[str, object]:
        self.at += 1
        pairs: list[tuple[str, object]] = []
        while self._peek(inside=bool(pairs)) != "}":
            key = self._key()
            if self._peek(inside=True) != ":":
                raise BadJSON(f"no colon after {key!r}")
            self.at += 1
            self._peek(inside=True)
            pairs.append((key, self.value(depth + 1)))
            if self._peek(inside=True) == ",":
                self.at += 1
            elif self._peek() != "}":
                raise BadJSON(f"no comma after {key!r}")
        self.at += 1
        return unique(pairs)

    def _array(self, depth: int) -> list[object]:
        self.at += 1
        items: list[object] = []
        while self._peek(inside=bool(items)) != "]":
            items.append(self.value(depth + 1))
            if self._peek(inside=True) == ",":
                self.at += 1
            elif self._peek() != "]":
                raise BadJSON("no comma in an array")
        self.at += 1
        return items

    def _key(self) -> str:
        if self._peek() in _CLOSING:
            return self._string(_ENDS_KEY)
        word = _WORD.match(self.text, self.at)
        if not word:
            raise BadJSON(f"no key at {self.text[self.at : self.at + 20]!r}")
        self.at = word.end()
        return word[0]

    def _string(self, ends: re.Pattern[str]) -> str:
        opening = self.text[self.at]
        closing = _CLOSING[opening]
        parts: list[str] = []
        self.at += 1
        while self.at < len(self.text):
            char = self.text[self.at]
            if char == closing and ends.match(self.text, self.at + 1):
                self.at += 1
                return "".join(parts)
            parts.append(self._escape() if char == "\\" else char)
            self.at += char != "\\"
        raise CutOff("the JSON object is cut off inside a string")

    def _escape(self) -> str:
        """Read an escape; one that JSON does not know is text, backslash and all."""
        rest = self.text[self.at + 1 : self.at + 13]
        if unicode := re.match(r"u([0-9a-fA-F]{4})(?:\\u([0-9a-fA-F]{4}))?", rest):
            first, second = int(unicode[1], 16), int(unicode[2] or "0", 16)
            paired = 0xD800 <= first < 0xDC00 <= second < 0xE000
            self.at += 12 if paired else 6
            return chr(0x10000 + ((first - 0xD800) << 10) + second - 0xDC00) if paired else chr(first)
        if rest[:1] in _ESCAPES and not _LATEX.match(rest):
            self.at += 2
            return _ESCAPES[rest[:1]]
        self.at += 1
        return "\\"

    def _number(self, digits: str) -> int | float:
        try:
            return int(digits) if re.fullmatch(r"[-+]?\d+", digits) else float(digits)
        except ValueError as error:  # more digits than Python converts
            raise BadJSON("a number too long to read") from error

    def _peek(self, *, inside: bool = False) -> str:
        """Skip space and comments; give the next character. At the end of the text raises."""
        skipped = _SKIP.match(self.text, self.at)
        self.at = skipped.end() if skipped else self.at
        if self.at >= len(self.text):
            raise (CutOff if inside else BadJSON)("the JSON object is cut off")
        return self.text[self.at]
