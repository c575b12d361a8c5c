"""Find the JSON object that is a reply's answer.

Knows that the last object is the answer, that thinking and code are not, and that two different objects side by
side are none. How an object is read is for `json_lenient.py`; what its fields mean is for the caller.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import isfinite

from biasscope.ask import Unreadable
from biasscope.parsing.json_lenient import DEPTH, BadJSON, CutOff, RepeatedKey, TooDeep, parse_at
from biasscope.parsing.thinking import split_thinking

_START = re.compile(r"\{|\[(?=\s*\{)|(?m:^[ \t]*(?P<fence>```+|~~~+)[ \t]*(?P<language>\w*))")
_JSON_FENCES = {"", "json", "jsonc", "json5", "jsonl", "text", "txt", "plaintext"}
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_BETWEEN = re.compile(r"[\s,;`]*(?:json)?\s*", re.IGNORECASE)


def read_json(text: str, *, keys: Sequence[str] = ()) -> dict[str, object]:
    """Read the last JSON object of a reply; with `keys`, the last one that has all of them.

    Fences, prose around the object and the slips of `json_lenient` are tolerated; NaN is read as null, and a
    lone surrogate becomes U+FFFD, so that the result can be written. A list of one object stands for the object.

    Raises `Unreadable`: ``ambiguous`` for a key that an object has twice, for a list of several objects and
    for neighbours that contradict each other; ``unparsable`` where there is no object or the last is cut off.

    >>> read_json('Here it is: {"winner": "A", "why": "see {x}",}')
    {'winner': 'A', 'why': 'see {x}'}
    """
    answer = split_thinking(text.lstrip("\ufeff"))[1]
    found = [item for item in _objects(answer) if all(key in item[0] for key in keys)]
    if not found:
        wanted = f" with {', '.join(keys)}" if keys else ""
        raise Unreadable("unparsable", f"no JSON object{wanted} in {answer[-80:]!r}")
    value, start, _ = found[-1]
    if len(found) > 1:
        other, _, end = found[-2]
        differ = any(other[key] != value[key] for key in other.keys() & value.keys())
        if differ and _BETWEEN.fullmatch(answer, end, start):
            raise Unreadable("ambiguous", "two JSON objects side by side that contradict each other")
    return value


def _objects(text: str) -> list[tuple[dict[str, object], int, int]]:
    """List the objects that stand in a text, outside of code, with where they start and end."""
    found: list[tuple[dict[str, object], int, int]] = []
    position = 0
    while start := _START.search(text, position):
        if start["fence"]:
            position = _behind_fence(text, start)
            continue
        try:
            value, position = parse_at(text, start.start())
        except RepeatedKey as error:
            raise Unreadable("ambiguous", str(error)) from error
        except (CutOff, TooDeep) as error:
            raise Unreadable("unparsable", str(error)) from error
        except BadJSON:
            position = start.start() + 1
            continue
        objects = [item for item in value if isinstance(item, dict)] if isinstance(value, list) else [value]
        if len(objects) > 1:
            raise Unreadable("ambiguous", f"a list of {len(objects)} JSON objects instead of one")
        cleaned = [_clean(item) for item in objects]
        found += [(item, start.start(), position) for item in cleaned if isinstance(item, dict) and item]
    return found or _encoded_twice(text)


def _behind_fence(text: str, fence: re.Match[str]) -> int:
    """Give where to read on: inside a fence that may hold JSON, behind one that holds code."""
    if fence["language"].lower() in _JSON_FENCES:
        return fence.end()
    closing = re.compile(rf"(?m)^[ \t]*{fence['fence']}").search(text, fence.end())
    return closing.end() if closing else len(text)


def _encoded_twice(text: str) -> list[tuple[dict[str, object], int, int]]:
    """Read an object that came as the text of a JSON string."""
    stripped = text.strip()
    if not re.fullmatch(r'"\s*\{.*\}\s*"', stripped, re.DOTALL):
        return []
    inner, _ = parse_at('{"text": ' + stripped + "}", 0)
    decoded = inner["text"] if isinstance(inner, dict) else None
    return _objects(decoded) if isinstance(decoded, str) and decoded != stripped else []


def _clean(value: object, depth: int = 0) -> object:
    """Replace what cannot be written all the way down: lone surrogates, numbers that are not finite."""
    if depth > DEPTH:
        raise Unreadable("unparsable", "the JSON object is nested too deeply")
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, list):
        return [_clean(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {_SURROGATE.sub("\ufffd", key): _clean(item, depth + 1) for key, item in value.items()}
    return value
