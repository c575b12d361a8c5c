"""Where a sentence may stand in a text, and how it is put there.

Knows enough Markdown and LaTeX to leave fences, formulas, lists, tables, headings and bare code alone, and is
timid about sentences: a boundary it is not sure of is none. A rule makes one insertion and keeps everything
around it byte for byte, so nothing a text says can be lost. Knows no bias.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from biasscope.catalogue.base import Detector, RewriteRule

Kind = Literal["prose", "item", "other", "blank", "code", "formula"]

# Blocks that run over lines; one that is never closed reaches to the end of the text.
_BLOCK = re.compile(
    r"(?<![^\r\n])[ \t]*(?P<fence>`{3,}|~{3,})[^`\r\n]*(?![^\r\n])"
    r"(?:.*?(?<![^\r\n])[ \t]*(?P=fence)[`~]*[ \t]*(?![^\r\n])|(?P<open_fence>.*\Z))"
    r"|\$\$(?:.*?\$\$|(?P<open_math>.*\Z))"
    r"|\\\[(?:.*?\\\]|(?P<open_display>.*\Z))"
    r"|\\begin\{(?P<env>[^{}\s]{1,40})\}(?:.*?\\end\{(?P=env)\}|(?P<open_env>.*\Z))",
    re.DOTALL,
)
# Fences as many writers use them, in the middle of a line. Where the two readings differ, both are left alone.
_LOOSE_FENCE = re.compile(r"(?P<fence>```|~~~)(?:.*?(?P=fence)|(?P<open_fence>.*\Z))", re.DOTALL)
# Inside a line: a boundary within code, a formula, a quotation or brackets is not one of the text. The bounds
# keep the search linear on hostile texts.
_SPAN = re.compile(
    r"`[^`\r\n]{1,400}`|\$[^$\r\n]{1,200}\$|\\\((?:[^\\\r\n]|\\(?![()])){0,400}\\\)"
    r"|\"[^\"\r\n]{0,400}\"|“[^“”\r\n]{0,400}”|«[^«»\r\n]{0,400}»|「[^「」\r\n]{0,400}」"
    r"|\([^()\r\n]{0,400}\)|\[[^\[\]\r\n]{0,400}\]"
)
_SIGN = re.compile(r"\S")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_MARKER = re.compile(r"[ \t]*(?:[-*+•‣▪◦–]|\(?(?:\d{1,3}|[A-Za-z]|[ivx]{1,4})[.)])(?:[ \t]+|$)")
_OTHER = re.compile(
    r"[ \t]{2,}|\t|[ ]?[#>|<@\\]|//|/\*|--|={3,}|\"\"\"|'''|import [\w.]+|from \S+ import\b"
    r"|(?:async|class|const|def|fn|for|func|function|if|let|package|print|private|public|return|static|try|var"
    r"|while|with)\b.*[({=:]"
    r"|[a-z_][\w.]*(?:\[[^\]\r\n]{0,80}\])?[ \t]*[-+*/%|&]?=|[\w.]+\([^\r\n]*\)\s*\Z"
)
_CODE_END = re.compile(r"[;{}\\]\s*\Z")

_END = re.compile(
    r"(?<![.!?…؟۔।])(?:(?P<dot>\.)|[.!?…؟۔।]+)(?![.!?…؟۔।])[\"'”’»)\]*_]*+(?=[ \t]|$)|[。！？]++[」』”’）]*+"
)
_ABBREVIATION = re.compile(
    r"(?:^|[^\w.])(?:e\.g|i\.e|etc|vs|cf|ca|al|[Dd]r|Mrs?|Ms|Prof|St|[Nn]o|[Ff]igs?|[Ee]qs?|[Vv]ol|pp?|Jr|Sr|Inc|Ltd|Co"
    r"|approx|U\.S(?:\.A)?|U\.K|[ap]\.m|Ph\.D)$"
)
_SHORT_TOKEN = re.compile(r"(?:^|[^\w])(?:[A-Za-z]|\d+)$")
_UNFINISHED = re.compile(
    r"(?:[:,;=({\[–—&+\-]|\b(?:is|are|was|be|equals|the|of|to|a|an|and|or|with))[*_\s]*\Z", re.IGNORECASE
)
_FINISHED = re.compile(r"[.!?…؟۔।。！？][\"'”’»)\]*_」』）]*\Z")
# A script that puts no spaces between words counts by characters.
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\W_\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a text without its line break: where it lies and what it is."""

    start: int
    end: int
    kind: Kind


@dataclass(frozen=True, slots=True)
class Passage:
    """Prose lines in a row, or one list item: the offsets of its sentences (of the item less its marker).

    `above` and `below` are the kinds of the lines right above and below it, ``blank`` at the ends of a text.
    """

    kind: Literal["prose", "item"]
    above: Kind
    below: Kind
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Gap:
    """A place where a sentence may stand: an offset, and what joins the sentence to the text around it."""

    offset: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence or list item on one line, and the offset in its text where it starts."""

    start: int
    text: str


def insert(body: str, text: str, phrasing: int) -> str:
    """Put `text` into a body at the place of a phrasing; a body that holds it already is handed back as it is."""
    if text in body:
        return body
    gap = place(body, phrasing)
    return body[: gap.offset] + gap.before + text + gap.after + body[gap.offset :]


def sentence_rule(sentences: tuple[str, ...]) -> RewriteRule:
    """Make the rule that puts in the sentence of its phrasing (modulo their number)."""

    def rule(body: str, phrasing: int) -> str:
        phrasing %= len(sentences)
        return insert(body, sentences[phrasing], phrasing)

    return rule


def pattern_detector(*patterns: str) -> Detector:
    """Make a detector that fires where any of these regular expressions is found, in any case of letters."""
    found = re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)
    return lambda text: found.search(text) is not None


def words(text: str) -> list[str]:
    """The words of a text, case folded: runs of letters and digits, single characters of Chinese and Japanese."""
    return _WORD.findall(text.casefold())


def place(body: str, phrasing: int) -> Gap:
    """The place of a phrasing: they rotate over the start, behind the first sentence, and the end.

    A body with fewer places uses the last it has; behind a text that breaks off there is none.
    """
    found = gaps(body)
    return found[(0, min(1, len(found) - 1), -1)[phrasing % 3]]


def gaps(body: str) -> tuple[Gap, ...]:
    """Every place where a sentence may stand, in order of the text; never empty.

    The start is always one, then each sure end of a sentence of prose, and the end of the body unless it
    breaks off there or an open fence or formula reaches it.
    """
    if not body.strip():
        return (Gap(0, "", ""),)
    found_lines, closed = _layout(body)
    filled = [line for line in found_lines if line.kind != "blank"]
    apart = line_break(body) * 2
    first, last = filled[0], filled[-1]
    found = [Gap(first.start, "", " " if first.kind == "prose" else apart)]
    for line in filled:
        if line.kind == "prose":
            for end in _sentence_ends(body, line):
                found.append(Gap(end, " ", "" if end == line.end or body[end].isspace() else " "))
    end = len(body.rstrip())
    if closed and found[-1].offset != end and not _UNFINISHED.search(body, last.start, end):
        found.append(Gap(end, apart, ""))
    return tuple(found)


def statements(body: str) -> list[Statement]:
    """The statements of a text in order: sentences of prose, and list items less their marker.

    Code, formulas, tables and headings are left out. A statement may break off or lead in to the next.
    """
    found: list[Statement] = []
    goes_on = False
    for line in lines(body):
        if line.kind == "item":
            found.append(Statement(line.start, _MARKER.sub("", body[line.start : line.end], count=1)))
        elif line.kind == "prose":
            cuts = [line.start, *_sentence_ends(body, line), line.end]
            pieces = [Statement(a, body[a:b]) for a, b in pairwise(cuts)]
            if goes_on:
                begun = found.pop()
                pieces[0] = Statement(begun.start, f"{begun.text} {pieces[0].text}")
            goes_on = bool(pieces[-1].text.strip())
            found += pieces if goes_on else pieces[:-1]
            continue
        goes_on = False
    whole = [Statement(piece.start, " ".join(piece.text.split())) for piece in found]
    return [statement for statement in whole if words(statement.text)]


def line_break(body: str) -> str:
    """The line break that a text uses."""
    return "\r\n" if "\r\n" in body else "\n"


def lines(body: str) -> list[Line]:
    """The lines of a text in order; what is in a fence is ``code``, in a displayed formula ``formula``."""
    return _layout(body)[0]


def passages(body: str) -> list[Passage]:
    """The prose and the list items of a text in order, with the places of their sentences.

    A line of prose that ends without a sure end of a sentence goes on in the next one.
    """
    found: list[Passage] = []
    edge = Line(len(body), len(body), "blank")
    row = [edge, *lines(body), edge]
    prose: list[Line] = []
    above: Kind = "blank"
    for before, line, after in zip(row, row[1:], row[2:], strict=False):
        if line.kind == "item":
            marker = _MARKER.match(body, line.start, line.end)
            spans = _spans(body, [marker.end() if marker else line.start, line.end])
            found.append(Passage("item", before.kind, after.kind, spans))
        elif line.kind == "prose":
            above = above if prose else before.kind
            prose.append(line)
            if after.kind != "prose":
                ends = [end for part in prose for end in _sentence_ends(body, part)]
                spans = _spans(body, [prose[0].start, *ends, line.end])
                found.append(Passage("prose", above, after.kind, spans))
                prose = []
    return found


def sentences(body: str) -> list[Passage]:
    """The passages of prose that hold a finished sentence: without one, what looks like prose may be code."""
    prose = (passage for passage in passages(body) if passage.kind == "prose")
    return [passage for passage in prose if any(is_finished(body[start:end]) for start, end in passage.spans)]


def plain_stretches(body: str) -> Iterator[tuple[int, int]]:
    """Where sentences stand outside inline code, formulas, quotations and brackets."""
    for passage in sentences(body):
        start, stop = passage.spans[0][0], passage.spans[-1][1]
        for span in _SPAN.finditer(body, start, stop):
            yield start, span.start()
            start = span.end()
        yield start, stop


def is_unfinished(text: str) -> bool:
    """Whether a text needs what follows it: ``There are three:``, ``The result is``."""
    return _UNFINISHED.search(text.rstrip()) is not None


def is_finished(text: str) -> bool:
    """Whether a text ends with the end of a sentence, in quotation marks, brackets or bold or not."""
    return _FINISHED.search(text) is not None


def as_sentence(text: str) -> str:
    """Close a statement with a full stop where it has no end of its own; half a pair of bold marks around it goes."""
    if text.count("**") % 2:
        text = text.removeprefix("**") if text.startswith("**") else text.removesuffix("**")
    return text if is_finished(text) or text.endswith(":") else text + "."


def _layout(body: str) -> tuple[list[Line], bool]:
    """The lines of a text, and whether every block that it opens is closed."""
    loose = list(_LOOSE_FENCE.finditer(body))
    blocks = loose + [block for block in _BLOCK.finditer(body) if not _closes(block, loose)]
    closed = not any((block.lastgroup or "").startswith("open") for block in blocks)
    spans: list[tuple[int, int, Kind]] = []
    for block in sorted(blocks, key=lambda block: block.span()):
        start, end = block.span()
        if spans and start < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]), spans[-1][2])
        else:
            spans.append((start, end, "code" if block["fence"] else "formula"))
    return list(_lines(body, spans)), closed


def _closes(block: re.Match[str], loose: list[re.Match[str]]) -> bool:
    """Whether what looks like a fence that stays open is the closing one of a loose fence."""
    fence = block.start("fence")
    return block["open_fence"] is not None and any(other.start() < fence < other.end() for other in loose)


def _lines(body: str, blocks: list[tuple[int, int, Kind]]) -> Iterator[Line]:
    block = 0
    for match in _LINE.finditer(body):
        start = match.start()
        text = match[0].rstrip("\r\n")
        end = start + len(text)
        while block < len(blocks) and blocks[block][1] <= start:
            block += 1
        if not text.strip():
            yield Line(start, end, "blank")
        elif block < len(blocks) and blocks[block][0] < end:
            yield Line(start, end, blocks[block][2])
        elif _MARKER.match(text):
            yield Line(start, end, "item")
        elif _OTHER.match(text) or _CODE_END.search(text):
            yield Line(start, end, "other")
        else:
            yield Line(start, end, "prose")


def _spans(body: str, cuts: list[int]) -> tuple[tuple[int, int], ...]:
    """What lies between cuts, less white space around it; what is white space alone is left out."""
    pieces = [
        (a + len(body[a:b]) - len(body[a:b].lstrip()), a + len(body[a:b].rstrip())) for a, b in pairwise(cuts)
    ]
    return tuple((start, end) for start, end in pieces if start < end)


def _sentence_ends(body: str, line: Line) -> Iterator[int]:
    """Offsets right behind the sure ends of sentences in a line of prose."""
    spans = _SPAN.finditer(body, line.start, line.end)
    span = next(spans, None)
    for match in _END.finditer(body, line.start, line.end):
        end = match.end()
        while span is not None and span.end() <= end:
            span = next(spans, None)
        sign = _SIGN.search(body, end, line.end)
        following = sign[0] if sign else ""
        inside = span is not None and span.start() < end
        goes_on = following.islower() or (following != "" and following in ",;:)-–—")
        before = body[max(line.start, match.start() - 12) : match.start()]
        if not (inside or goes_on or (match["dot"] and _is_stop(before, following))):
            yield end


def _is_stop(before: str, following: str) -> bool:
    """Whether a full stop behind these few characters may belong to an abbreviation, an initial or a number of a list."""
    return bool(_ABBREVIATION.search(before) or (following and _SHORT_TOKEN.search(before)))
