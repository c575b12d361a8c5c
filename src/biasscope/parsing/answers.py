"""Find, cut out and put back the final answer of a response.

Knows how answers are announced: in words, in a box, as a letter five times, in bold on the last line, as a
closing code block. It cuts whole sentences and lines, so that the rest stays readable, and knows nothing about
whether an answer is right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

TAIL = 400
"""How many characters may follow a weak sign (*the answer is*, code, bold) for it to be the final answer."""
_LEAD_IN = 240
_LONGEST = 200
_SHORT = 3

_I = re.IGNORECASE
_KEPT_WHOLE = re.compile(
    r"^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1[^\n]*$|\Z)|\\\[.*?\\\]|\$\$.*?\$\$|\\begin\{(\w+\*?)\}.*?\\end\{\2\}",
    re.DOTALL | re.MULTILINE,
)
_BOUNDARY = re.compile(r"\n+|(?<=[.!?。])[\"'”’)\]*_]*\s+")
_MARKER = re.compile(r"(?:^|\n)[ \t]*(?:\d{1,3}|[A-Za-z])[.)]\s+$")
_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})[^\n`]*\n(?P<value>.*?)^[ \t]*\1[ \t]*$", re.DOTALL | re.MULTILINE)

_BRACE = re.compile(r"\\(?:boxed|fbox)\s?\{|(?<!\\)[{}]")
_VALUE = r"(?P<value>(?:\\\[|\$\$)?\s*\S[^\n]*?)(?=[.!?](?:[\s*_\"')\]]|$)|\n|$)"
_EMPHASISED = r"(?P<value>(?P<stars>\*{1,3}|_{2})(?=[^\s*_])[^\n*]{1,60}(?P=stars))"
_CONCLUDING = r"(?:^|(?<=[.!?]\s))[#*_> \t]{0,12}(?:therefore|thus|hence|so|in conclusion|consequently|finally)\b"
_NO_VALUE = r"(?!\W*(?:that|to|not|no longer|correct|incorrect|wrong|right|clear|based|given|in|as|found|about|then|also|\w{3,}ed)\b)"
# A strong sign counts wherever it stands, a weak one only near the end.
_STRONG = tuple(
    re.compile(pattern, _I | re.MULTILINE)
    for pattern in (
        r"(?<![A-Za-z])(?P<value>(?-i:([A-P])\2{4,9}))(?![A-Za-z])",  # the letter five times
        r"^####[ \t]+(?P<value>[^\n:]+)\s*\Z",
        rf"(?:^|(?<=[.!?]\s))[#*_> \t]{{0,12}}final answer[*_]*\s*[:：][*_]*\s*{_VALUE}",
    )
)
_WEAK = tuple(
    re.compile(pattern, _I | re.MULTILINE)
    for pattern in (
        rf"^[#*_> \t]{{0,12}}(?:final |correct |my )?answer(?:[*_]*(?:\s+is)?[*_]*[ \t]*[:：][*_]*[ \t]*|[*_]*[ \t]*\n)\s*{_VALUE}",
        r"\b(?:the|my|our|final|correct|right|best)\s+(?:\w+\s+)?answers?\b[^.\n:;?!]{0,80}?"
        rf"(?:\b(?:is|are|(?:would|should|must|will) be|becomes)\b|[:=]){_NO_VALUE}[*_]*\s*:?\s*{_VALUE}",
        r"\b(?:option|choice|guess)\b[^.\n:;?!]{0,40}?(?:\b(?:is|(?:would|should|must|seems to) be)\b|:)[*_]*\s*:?\s*"
        r"(?P<value>[(*_\\$\[]*(?:(?:option|choice|text(?:bf)?\{)\s*)?[(*_]*(?-i:[A-K])(?![\w'])[^\n]{0,80}?)(?=[.!?](?:\s|$)|\n|$)",
        rf"\bguess (?:is|would be):?\s*{_EMPHASISED}",
        rf"(?:(?<=:\n)|(?<=:\n\n)|(?<=:\*\*\n)|(?<=:\*\*\n\n))[ \t]*{_EMPHASISED}[.!]?[ \t]*$",
        rf"^[ \t]*{_EMPHASISED}[.!]?\s*\Z",
        rf"{_CONCLUDING}[^\n]{{1,300}}?{_EMPHASISED}[^\n*]{{0,120}}\s*\Z",
        rf"{_CONCLUDING}[^\n]{{1,300}}?\b(?:is|are|equals|=)\s+"
        r"(?P<value>(?:\\[(\[]\s*|\$)?[-+]?\d[\d,./]*%?(?:\s*\\[)\]]|\$)?)[.!]?\s*\Z",
    )
)


@dataclass(frozen=True, slots=True)
class SplitAnswer:
    """A response in three parts; ``before + answer + after`` is the response. `answer` is empty where none is found."""

    before: str
    answer: str
    after: str


@dataclass(frozen=True, slots=True)
class _Found:
    start: int
    end: int
    value: str


def split_answer(text: str) -> SplitAnswer:
    """Cut out the last final answer of a response, with the sentences or lines that announce it.

    The parts join to the text again. Where an answer is stated twice in a row ("The answer is F." and then
    FFFFF) both are cut. A sign that may stand in any prose counts only within `TAIL` characters of the end.

    >>> split_answer("Two threes make six. The answer is 6.")
    SplitAnswer(before='Two threes make six. ', answer='The answer is 6.', after='')
    """
    found = _answers(text)
    if not found:
        return SplitAnswer(text, "", "")
    last = max(found, key=lambda f: (f.end, -f.start))
    units = _units(text)
    first = max(i for i, (start, _) in enumerate(units) if start <= last.start)
    while first > 0 and (_leads_in(text, units[first - 1]) or any(_inside(f, units[first - 1]) for f in found)):
        first -= 1
    start = units[first][0]
    end = next(stop for _, stop in units if stop >= last.end)
    end -= len(text[:end]) - len(text[:end].rstrip())
    return SplitAnswer(text[:start], text[start:end], text[end:])


def reattach(before: str, split: SplitAnswer) -> str:
    """Put an answer behind another text, with the space that stood between them."""
    body, gap = before.rstrip(), split.before[len(split.before.rstrip()) :]
    return (body + gap if body or not split.before.strip() else "") + split.answer + split.after


def same_answer(a: str, b: str) -> bool:
    """Compare two answers, or two sentences that state one: space, case, Markdown and LaTeX dress do not count.

    >>> same_answer("Therefore, the answer is **(B)**.", "BBBBB"), same_answer("1,204", "1204."), same_answer("4", "5")
    (True, True, False)
    """
    return _bare(_value(a)) == _bare(_value(b))


def mentions_answer(text: str, answer: str) -> bool:
    """Tell whether a text gives an answer away.

    An answer of fewer than three characters (a letter, a small number) and *yes* or *no* occur in any text: they
    count only where the text states them as an answer. A longer one counts wherever it stands as a word.
    """
    wanted = _bare(_value(answer))
    if not wanted:
        return False
    if any(_bare(found.value) == wanted for found in _answers(text, anywhere=True)):
        return True
    long = len(wanted) >= _SHORT and wanted not in {"yes", "no", "true", "false"}
    return long and bool(
        re.search(rf"(?<![\w.]){re.escape(wanted)}(?!\w|\.\d)", " ".join(_undressed(text).casefold().split()))
    )


def _answers(text: str, *, anywhere: bool = False) -> list[_Found]:
    """List what looks like a statement of the final answer, with the value it states."""
    end = len(text.rstrip())
    earliest = 0 if anywhere else end - TAIL
    found = list(_boxes(text))
    for pattern in _STRONG:
        found += [
            _Found(match.start("value"), match.end("value"), match["value"]) for match in pattern.finditer(text)
        ]
    for pattern in _WEAK:
        matches = (
            match
            for match in pattern.finditer(text)
            if match.end() >= earliest and len(match["value"]) <= _LONGEST
        )
        found += [_Found(match.start(), match.end("value"), match["value"]) for match in matches]
    fences = list(_FENCE.finditer(text))
    if fences and fences[-1].end() == end and fences[-1]["value"].strip():
        found.append(_Found(fences[-1].start(), fences[-1].end(), fences[-1]["value"]))
    outside = [f for f in found if not any(m.start() < f.start and f.end < m.end() for m in fences)]
    return sorted(outside, key=lambda f: f.start)


def _boxes(text: str) -> Iterator[_Found]:
    """Find boxes by matching braces in one pass."""
    open_braces: list[re.Match[str]] = []
    for brace in _BRACE.finditer(text):
        if brace[0] != "}":
            open_braces.append(brace)
        elif open_braces:
            opening = open_braces.pop()
            if opening[0] != "{":
                yield _Found(opening.start(), brace.end(), text[opening.end() : brace.start()])


def _units(text: str) -> list[tuple[int, int]]:
    """Split a text into sentences and lines; code blocks and displayed formulas stay whole."""
    whole = [match.span() for match in _KEPT_WHOLE.finditer(text)]
    ends: list[int] = []
    for boundary in _BOUNDARY.finditer(text):
        inside = any(start < boundary.end() < end or start < boundary.start() < end for start, end in whole)
        if not inside and (
            "\n" in boundary[0] or not _MARKER.search(text[ends[-1] if ends else 0 : boundary.end()])
        ):
            ends.append(boundary.end())
    if not ends or ends[-1] < len(text):
        ends.append(len(text))
    return list(zip([0, *ends[:-1]], ends, strict=True))


def _leads_in(text: str, unit: tuple[int, int]) -> bool:
    words = text[unit[0] : unit[1]].strip().rstrip("*_")
    return words.endswith((":", "：")) and len(words) <= _LEAD_IN


def _inside(found: _Found, unit: tuple[int, int]) -> bool:
    return unit[0] <= found.start < unit[1]


def _value(answer: str) -> str:
    """Reduce the text of an answer to what it states: the last value announced in it, or all of it."""
    found = _answers(answer, anywhere=True)
    return max(found, key=lambda f: f.end).value if found else answer


_FRACTION = re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_WRAPPER = re.compile(r"\\(?:text|textbf|mathrm|mathbf|mathit|boxed|fbox)\s*\{([^{}]*)\}")
_DRESS = re.compile(r"\\[()\[\],;! ]|[*_`$]+|\\(?:left|right|quad|displaystyle)(?![a-z])")
_AFTERTHOUGHT = re.compile(r",\s+(?:as|so|since|because|which|but|and so)\b.*", re.DOTALL)
_CHOICE = re.compile(
    r"(?:[Oo]ption |[Cc]hoice )?(?:\((?P<enclosed>[A-K])\)(?:\s.*)?|(?P<listed>[A-K])[.):](?:\s.*)?|(?P<alone>[A-K]))",
    re.DOTALL,
)
_FIVE = re.compile(r"([A-P])\1{4,9}")


def _bare(value: str) -> str:
    """Undress a value for comparison; a lettered choice (``(B) 1.4``, BBBBB) is its letter."""
    text = _AFTERTHOUGHT.sub("", _undressed(value)).strip(" \t\r\n.!\"'“”")
    if five := _FIVE.fullmatch(text):
        text = five[1]
    elif choice := _CHOICE.fullmatch(text):
        text = choice[choice.lastgroup or 0]
    return " ".join(text.casefold().split())


def _undressed(text: str) -> str:
    text = _DRESS.sub("", _WRAPPER.sub(r"\1", _FRACTION.sub(r"\1/\2", text)))
    return re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text)
