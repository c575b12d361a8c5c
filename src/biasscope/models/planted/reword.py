"""Other words for the same text, and a sentence put into it: what a planted teacher's hands can do.

Rewording touches connecting words and sentence openings only, outside code, so that facts and numbers stay. No
opening announces a conclusion, since a sentence that seems to give the answer away is no faithful rewrite.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from biasscope.models.planted.draws import chance, choose

_SWAPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"therefore|thus|hence", ("therefore", "thus", "hence")),
    (r"because(?! of)", ("since",)),
    (r"in total|in all(?=[,.])|altogether", ("in total", "altogether", "overall")),
    (r"for example|for instance", ("for example", "for instance")),
    (r"in order to", ("to",)),
    (r"gives", ("yields", "produces")),
    (r"yields", ("gives", "produces")),
    (r"giving", ("yielding", "producing")),
    (r"comes to", ("amounts to", "makes")),
    (r"amounts to", ("comes to", "makes")),
    (r"we get|we obtain|we find", ("we get", "we obtain", "we find", "we arrive at")),
    (r"starts with", ("begins with",)),
    (r"begins with", ("starts with",)),
    (r"starting", ("beginning",)),
    (r"however", ("still", "yet")),
    (r"as well as", ("and also",)),
    (r"it is", ("it's",)),
    (r"it's", ("it is",)),
    (r"that is", ("that's",)),
    (r"do not", ("don't",)),
    (r"does not", ("doesn't",)),
    (r"cannot", ("can't",)),
    (r"is not", ("isn't",)),
    (r"large|big", ("large", "big")),
    (r"remaining", ("remaining", "left over")),
    (r"needs", ("requires", "calls for")),
    (r"shows", ("tells us", "reveals")),
)
_SWAP = re.compile("|".join(rf"(?P<s{i}>\b(?:{old})\b)" for i, (old, _) in enumerate(_SWAPS)), re.IGNORECASE)
_SWAPPED = 0.6

_OPENABLE = re.compile(
    r"(?:(?<=\A)|(?<=[.!?] )|(?<=\n))(?=(?:The|This|That|These|Those|They|We|It|There|Each|All|Both|One|Two|Three|From"
    r"|With|In|On|At|By|For|After|Before|Another|Together|Their|Its|Adding|Taking|Every|A|An) \w)"
)
_OPENINGS = ("Here ", "Now ", "Next, ", "As it is, ", "Here then, ", "With that, ", "At this point ")
_OPENED = 2
_CODE = re.compile(r"(```.*?(?:```|\Z)|`[^`\n]+`)", re.DOTALL)
_SENTENCE_END = re.compile(r"(?<=[.!?])(?=[ \t]+[A-Z*\"“(]|[ \t]*(?:\n|\Z))")
_LIST_NUMBER = re.compile(r"^\s*\d{1,3}\.$")


def reword(text: str, *names: object) -> str:
    """Put a text in slightly other words: some connecting words swapped, one or two sentences opened differently."""
    pieces = _CODE.split(text)
    # Odd pieces are code.
    pieces[::2] = [_swap(piece, (i, *names)) for i, piece in enumerate(pieces[::2])]
    return _open_otherwise("".join(pieces), names)


def insert(text: str, sentence: str, *names: object) -> str:
    """Put a sentence at the start, at the end or between two sentences of a text, never into code."""
    places = [0, *_sentence_ends(text)]
    place = choose(places, "place", *names)
    if place == 0:
        gap = " " if text[:1].isalnum() else "\n\n"
        return f"{sentence}{gap}{text}"
    return f"{text[:place]} {sentence}{text[place:]}"


def fitting(sentences: Sequence[str], words: float, *names: object) -> str:
    """Draw a sentence of at most so many words; the shortest where none is that short."""
    shortest = min(len(s.split()) for s in sentences)
    limit = max(words, shortest)
    return choose([s for s in sentences if len(s.split()) <= limit], *names)


def _swap(piece: str, names: tuple[object, ...]) -> str:
    def swapped(match: re.Match[str]) -> str:
        old = match[0]
        options = [o for o in _SWAPS[int(str(match.lastgroup)[1:])][1] if o != old.lower()]
        if not options or not chance(_SWAPPED, "swap", match.start(), *names):
            return old
        new = choose(options, "other", match.start(), *names)
        return new[0].upper() + new[1:] if old[0].isupper() else new

    return _SWAP.sub(swapped, piece)


def _open_otherwise(text: str, names: tuple[object, ...]) -> str:
    code = [m.span() for m in _CODE.finditer(text)]
    places = [m.start() for m in _OPENABLE.finditer(text) if not _inside(m.start(), code)]
    if not places:
        return f"{choose(_OPENINGS, 'opening', *names).strip(' ,')}: {text}"
    opened = {choose(places, "opened", turn, *names) for turn in range(_OPENED)}
    for turn, place in enumerate(sorted(opened, reverse=True)):
        opening = choose(_OPENINGS, "opening", turn, *names)
        text = f"{text[:place]}{opening}{text[place].lower()}{text[place + 1 :]}"
    return text


def _sentence_ends(text: str) -> list[int]:
    code = [m.span() for m in _CODE.finditer(text)]
    return [
        m.start()
        for m in _SENTENCE_END.finditer(text)
        if not _inside(m.start(), code)
        and not _LIST_NUMBER.match(text[text.rfind("\n", 0, m.start()) + 1 : m.start()])
    ]


def _inside(place: int, spans: list[tuple[int, int]]) -> bool:
    return any(start < place < end for start, end in spans)
