"""Which rewrites of one question are the same thing twice: by their texts, and by what they changed of the original."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

SHINGLE = 4
"""Tokens in a row that are compared."""
NEAR = 0.8
"""Jaccard index of two edits, or two texts, from which on they count as one."""

Reason = Literal["same_text", "near_duplicate"]

_TOKEN = re.compile(r"\w+|[^\w\s]|\n")
# Signs and line ends are tokens, and case is kept: some traits are nothing else.


@dataclass(frozen=True, slots=True)
class Variation:
    """A rewritten response with the original and the other response that it stands beside; `question` is a hash."""

    id: str
    question: str
    original: str
    rewritten: str
    beside: str


def normalised(text: str) -> str:
    """The text without what nobody sees: NFKC, and runs of spaces or of line ends as one."""
    lines = (" ".join(line.split()) for line in unicodedata.normalize("NFKC", text).splitlines())
    return "\n".join(line for line in lines if line)


def shingles(text: str) -> frozenset[tuple[str, ...]]:
    """All runs of `SHINGLE` tokens of a normalised text; of a shorter text the one run that it is."""
    tokens = _TOKEN.findall(normalised(text))
    return frozenset(tuple(tokens[i : i + SHINGLE]) for i in range(max(1, len(tokens) - SHINGLE + 1)))


def edit(before: str, after: str) -> frozenset[tuple[str, ...]]:
    """What a rewrite changed: the runs of tokens that it added, and, marked, those that it took away.

    A rule adds one sentence to a long text, so that all its texts look alike; their edits do not.
    """
    old, new = shingles(before), shingles(after)
    return (new - old) | {("-", *gone) for gone in old - new}


def jaccard(one: frozenset[tuple[str, ...]], other: frozenset[tuple[str, ...]]) -> float:
    """Shared share of two sets, in [0, 1]; 1 for two empty ones."""
    union = len(one | other)
    return len(one & other) / union if union else 1.0


@dataclass(frozen=True, slots=True)
class _Seen:
    """A variation that was kept, ready to be compared."""

    original: str
    beside: str
    text: str
    whole: frozenset[tuple[str, ...]]
    edit: frozenset[tuple[str, ...]]


def find_duplicates(variations: Iterable[Variation]) -> dict[str, Reason]:
    """The ids of variations that repeat an earlier one of the same question, with the reason; earlier ones stay.

    Two rewrites of one original repeat each other where their normalised texts are equal or the Jaccard index of their edits
    is at least `NEAR`. Rewrites of different originals repeat each other where what they stand beside is the same and the
    index of the whole texts is at least `NEAR`. Items whose other response differs are different items.
    """
    kept: dict[str, list[_Seen]] = defaultdict(list)
    found: dict[str, Reason] = {}
    for one in variations:
        new = _Seen(
            normalised(one.original),
            normalised(one.beside),
            normalised(one.rewritten),
            shingles(one.rewritten),
            edit(one.original, one.rewritten),
        )
        reason = next((r for old in kept[one.question] if (r := _same(old, new)) is not None), None)
        if reason is None:
            kept[one.question].append(new)
        else:
            found[one.id] = reason
    return found


def _same(old: _Seen, new: _Seen) -> Reason | None:
    if old.beside != new.beside:
        return None
    if old.text == new.text:
        return "same_text"
    near = jaccard(old.edit, new.edit) if old.original == new.original else jaccard(old.whole, new.whole)
    return "near_duplicate" if near >= NEAR else None
