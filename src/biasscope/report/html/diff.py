"""Two texts word by word: what one has beyond the other. Pure; marks nothing up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

MOST_COMPARISONS = 4_000_000
"""Words of one text times those of the other, equal beginnings and ends aside, up to which they are compared."""

_TOKEN = re.compile(r"(?P<space>[^\S\n]*)(?P<token>\n\s*|\w+|[^\w\s]|$)")


Kind = Literal["same", "added", "removed"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text that both have (``same``), only the one (``added``) or only the other (``removed``)."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class _Token:
    """A word, sign or line break with the blanks before it; blanks are shown and not compared."""

    space: str
    text: str

    @property
    def key(self) -> str:
        return "\n" * self.text.count("\n") or self.text


_Run = tuple[Kind, list[_Token]]


def compare(text: str, other: str) -> tuple[Piece, ...]:
    """What `text` has beyond `other` and lacks of it; the pieces that are not ``removed`` make up `text`.

    Words, signs and line breaks are compared, blanks are not. Texts that are too long to be compared word by word are one
    piece removed and one added between their equal ends.
    """
    mine, theirs = _tokens(text), _tokens(other)
    head = _common(mine, theirs)
    tail = _common(mine[head:][::-1], theirs[head:][::-1])
    runs: list[_Run] = [("same", mine[:head])]
    runs += _middle(mine[head : len(mine) - tail], theirs[head : len(theirs) - tail])
    runs.append(("same", mine[len(mine) - tail :]))
    return _pieces(_aligned(runs))


def _tokens(text: str) -> list[_Token]:
    found = [_Token(m["space"], m["token"]) for m in _TOKEN.finditer(text)]
    return [t for t in found if t.space or t.text]


def _common(one: Sequence[_Token], other: Sequence[_Token]) -> int:
    """How many tokens are the same from the beginning."""
    count = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine.key != theirs.key:
            break
        count += 1
    return count


def _middle(mine: list[_Token], theirs: list[_Token]) -> list[_Run]:
    if len(mine) * len(theirs) > MOST_COMPARISONS:
        return [("removed", theirs), ("added", mine)]
    matcher = SequenceMatcher(None, [t.key for t in theirs], [t.key for t in mine], autojunk=False)
    runs: list[_Run] = []
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            runs.append(("same", mine[c:d]))
        else:
            runs += [("removed", theirs[a:b]), ("added", mine[c:d])]
    return runs


def _aligned(runs: Sequence[_Run]) -> list[_Run]:
    """Without empty runs; what was put in before a full stop begins after the last one, as it was written.

    Of two signs that are alike either may be the one that both texts have.
    """
    found = [(kind, list(tokens)) for kind, tokens in runs if tokens]
    for before, (kind, run), after in zip(found, found[1:], found[2:], strict=False):
        if kind == "same" or before[0] != "same" or after[0] != "same":
            continue
        while after[1] and not run[0].text.isalnum() and run[0].key == after[1][0].key:
            first, common = run.pop(0), after[1].pop(0)
            before[1].append(first if kind == "added" else common)
            run.append(common if kind == "added" else first)
    return found


def _joined(tokens: Sequence[_Token]) -> str:
    return "".join(t.space + t.text for t in tokens)


def _pieces(runs: Sequence[_Run]) -> tuple[Piece, ...]:
    """Runs as text, neighbours of one kind joined; the blanks before what was put in are not a part of it."""
    found: list[Piece] = []

    def put(kind: Kind, text: str) -> None:
        if text and found and found[-1].kind == kind:
            found[-1] = Piece(kind, found[-1].text + text)
        elif text:
            found.append(Piece(kind, text))

    for kind, run in runs:
        text = _joined(run)
        if kind == "added":
            put("same", run[0].space if run else "")
            text = text.removeprefix(run[0].space) if run else ""
        put(kind, text)
    return tuple(found)
