"""The same words set otherwise: as lists, in bold, under headings, with odd space or signs; or half of them.

Every function takes any text and leaves code, formulas, tables and inline code byte for byte. A frame that opens
the text is what shows a style where the text itself gives it no place. Knows no bias.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from biasscope.catalogue.base import RewriteRule
from biasscope.catalogue.edits import (
    is_finished,
    is_unfinished,
    line_break,
    lines,
    passages,
    place,
    plain_stretches,
    sentences,
)

Edit = tuple[int, int, str]
"""From where to where a text is replaced, and by what."""
Restyle = Callable[[str], str]
"""body -> the same body in another dress."""

START = 0
"""The phrasing whose place is the start of a text."""
LEAST_WORDS = 5
"""A shorter statement gets no words in bold: nothing would be left beside them."""
REACH = 400
"""So many characters behind a conclusion what stands out can still read as the result."""

_LEAD = re.compile(r"[^\W\d_]{1,20}(?: [^\W\d_]{1,20}){0,2}(?![\w'’-])")
_CONCLUDES = re.compile(r"\b(?:therefore|thus|hence|so|conclusion|consequently|finally)\b", re.IGNORECASE)
_BETWEEN_WORDS = re.compile(r"(?<=[^\W\d_]) (?=[^\W\d_])")
_ENDS = ".!?…。！？"


def framed(frames: tuple[str, ...], *restyles: Restyle, apart: bool = False) -> RewriteRule:
    """Make the rule that dresses a body and opens it with the frame of its phrasing.

    Phrasings rotate over the ways to dress it; with none of them only the frame is put in. With `apart` the frame
    stands in lines of its own. A body that opens with the frame already is handed back.
    """

    def rule(body: str, phrasing: int) -> str:
        phrasing %= len(frames)
        frame = frames[phrasing].replace("\n", line_break(body))
        if body.lstrip().startswith(frame):
            return body
        dressed = restyles[phrasing % len(restyles)](body) if restyles else body
        return opened(dressed, frame, apart=apart)

    return rule


def opened(body: str, frame: str, *, apart: bool = False) -> str:
    """Put a frame in front of a text; with `apart` a blank line behind it whatever follows."""
    gap = place(body, START)
    after = line_break(body) * 2 if apart and body.strip() else gap.after
    return body[: gap.offset] + gap.before + frame + after + body[gap.offset :]


def blocked(blocks: tuple[str, ...]) -> RewriteRule:
    """Make the rule that puts a block in lines of its own: at the start or, every second one, before a later paragraph."""

    def rule(body: str, phrasing: int) -> str:
        phrasing %= len(blocks)
        block = blocks[phrasing].replace("\n", line_break(body))
        if block in body:
            return body
        places = breaks(body)
        chosen = places[min(phrasing % 2, len(places) - 1)]
        after = line_break(body) * 2 if body.strip() else ""
        return body[:chosen] + block + after + body[chosen:]

    return rule


def breaks(body: str) -> list[int]:
    """Where a block of its own may stand: the first line, and paragraphs of prose that follow a finished one."""
    found: list[int] = []
    filled = [line for line in lines(body) if line.kind != "blank"]
    for before, line in zip([None, *filled], filled, strict=False):
        apart = before is not None and len(body[before.end : line.start].splitlines()) > 1
        prose = before is not None and before.kind == line.kind == "prose"
        if before is None or (apart and prose and not _leads_in(body, line.start)):
            found.append(line.start)
    return found or [0]


def titled(body: str, titles: tuple[str, ...]) -> str:
    """Put titles above parts of a text, the first on top; all the others where there are paragraphs for them."""
    places = breaks(body)
    few = min(len(titles), len(places))
    between = line_break(body) * 2
    edits = [(places[i * len(places) // few],) * 2 + (titles[i] + between,) for i in range(few)]
    return _edited(body, edits)


def listed(body: str, bullet: str) -> str:
    """Set every paragraph of two sentences or more as list items; a last one that leads in to what follows stays."""
    edits: list[Edit] = []
    end_of_line = line_break(body)
    for passage in passages(body):
        spans = list(passage.spans)
        if passage.kind == "item" or passage.above == "item" or len(spans) < 2:
            continue
        lead_in = [spans.pop()] if is_unfinished(body[slice(*spans[-1])]) else []
        if len(spans) < 2:
            continue
        texts = [f"{bullet} {body[start:end]}" for start, end in spans]
        following = end_of_line * 2 if lead_in else ""
        end = lead_in[0][0] if lead_in else spans[-1][1]
        edits.append((spans[0][0], end, end_of_line.join(texts) + following))
    return _edited(body, edits)


def emphasised(body: str) -> str:
    """Set the first words of every second sentence of prose, and of every list item, in bold.

    What has marks of its own is left alone, and so are places where bold words would read as the result: behind
    a lead-in, and behind a conclusion in the last line.
    """
    edits: list[Edit] = []
    last_line = body.rfind("\n", 0, len(body.rstrip())) + 1
    for passage in passages(body):
        text = body[passage.spans[0][0] : passage.spans[-1][1]] if passage.spans else ""
        code = passage.kind == "prose" and not any(is_finished(body[slice(*span)]) for span in passage.spans)
        if code or "*" in text or "__" in text:
            continue
        for start, end in passage.spans[::2]:
            lead = _LEAD.match(body, start, end)
            concludes = (
                _CONCLUDES.search(body, max(last_line, start - REACH), start) if start > last_line else None
            )
            expected = concludes or (passage.kind == "prose" and _leads_in(body, start))
            if lead and len(body[start:end].split()) >= LEAST_WORDS and not expected:
                edits.append((start, lead.end(), f"**{lead[0]}**"))
    return _edited(body, edits)


def signed(body: str, signs: tuple[str, ...]) -> str:
    """Put one of these signs behind every second finished sentence of prose, in rotation."""
    ends = [end for passage in sentences(body) for _, end in passage.spans if body[end - 1] in _ENDS]
    edits: list[Edit] = []
    for i, end in enumerate(ends[::2]):
        after = "" if end == len(body) or body[end].isspace() else " "
        edits.append((end, end, f" {signs[i % len(signs)]}{after}"))
    return _edited(body, edits)


def spaced(body: str) -> str:
    """Three spaces between sentences of a line, two at the end of a paragraph, and one more blank line in front of it."""
    edits: list[Edit] = []
    end_of_line = line_break(body)
    for i, passage in enumerate(sentences(body)):
        if i and passage.above == "blank":
            edits.append((passage.spans[0][0], passage.spans[0][0], end_of_line))
        for (_, end), (start, _) in zip(passage.spans, passage.spans[1:], strict=False):
            if start > end and not body[end:start].strip(" \t"):
                edits.append((end, start, "   "))
        edits.append((passage.spans[-1][1], passage.spans[-1][1], "  "))
    return _edited(body, edits)


def sprinkled(body: str, sign: str, every: int) -> str:
    """Put a sign behind the space between two words of prose, every so many spaces; inline code and quotations stay."""
    edits: list[Edit] = []
    seen = 0
    for start, end in plain_stretches(body):
        for space in _BETWEEN_WORDS.finditer(body, start, end):
            if seen % every == 0:
                edits.append((space.end(), space.end(), sign))
            seen += 1
    return _edited(body, edits)


def _leads_in(body: str, place: int) -> bool:
    """Whether what stands in front of a place leads in to it."""
    return is_unfinished(body[max(0, place - 60) : place])


def _edited(body: str, edits: list[Edit]) -> str:
    """Apply edits that are in order and do not overlap."""
    parts: list[str] = []
    done = 0
    for start, end, text in edits:
        parts += [body[done:start], text]
        done = end
    return "".join([*parts, body[done:]])
