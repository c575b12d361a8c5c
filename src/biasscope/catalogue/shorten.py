"""About half of what a text says, in its order and word for word. Code, formulas, tables and headings stay whole."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from biasscope.catalogue.edits import Line, is_finished, lines, sentences, words

SHARE = 0.5
"""Share of the words of all statements that is left out, as near as whole statements come to it."""
MOST = 0.65
"""Up to any place of the text no more than this is left out: one long sentence may not take all."""

_BOLD = re.compile(r"\*\*|__")
_RESULT = re.compile(
    r"\b(?:therefore|thus|hence|so|conclusion|consequently|finally|answer|option|choice|guess)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class _Group:
    """Sentences of a paragraph, or items of a list: where they lie, and whether all of them can go."""

    spans: tuple[tuple[int, int], ...]
    whole: bool = False


def shortened(body: str) -> str:
    """Leave out the later sentences of paragraphs, the later items of lists, and some short paragraphs whole.

    What leads in to something else stays, and a text that gives nothing to leave out is handed back.
    """
    seen = gone = 0
    left_out: list[tuple[int, int]] = []
    groups = _groups(body)
    starts = {end: start for group in groups for start, end in group.spans}
    for number, group in enumerate(groups):
        sizes = [len(words(body[start:end])) for start, end in group.spans]
        seen += sum(sizes)
        first = 0 if group.whole and number else 1
        for span, size in reversed(list(zip(group.spans, sizes, strict=True))[first:]):
            if gone + size / 2 > SHARE * seen or gone + size > MOST * seen:
                break
            left_out.append(span)
            gone += size
    parts: list[str] = []
    done = 0
    for start, end in _up_to_a_plain_end(body, sorted(left_out), starts):
        parts.append(body[done:start].rstrip())
        done = end
    return "".join([*parts, body[done:]])


def _up_to_a_plain_end(
    body: str, left_out: list[tuple[int, int]], starts: dict[int, int]
) -> list[tuple[int, int]]:
    """Put statements at the end of a text back until it ends in none that would read as its result.

    `starts` holds where the statement starts that ends at an offset.
    """
    end = _end(body, len(body))
    kept = len(left_out)
    while kept and left_out[kept - 1][1] == end:
        kept -= 1
        end = _end(body, left_out[kept][0])
    back = kept
    while back < len(left_out) and _stands_out(body, starts.get(end, end), end):
        end = left_out[back][1]
        back += 1
    return left_out[:kept] + left_out[back:]


def _stands_out(body: str, start: int, end: int) -> bool:
    """Whether a statement, or bold words of its line, would read as a result where nothing came behind it."""
    line = max(body.rfind(sign, 0, end) for sign in "\r\n") + 1
    return bool(_RESULT.search(body, start, end) or _BOLD.search(body, line, end))


def _end(body: str, before: int) -> int:
    """The end of what stands in front of an offset, less white space."""
    while before and body[before - 1].isspace():
        before -= 1
    return before


def _groups(body: str) -> list[_Group]:
    """What can be shortened from its end, in order of the text."""
    return sorted([*_paragraphs(body), *_lists(body)], key=lambda group: group.spans[0])


def _paragraphs(body: str) -> Iterator[_Group]:
    for passage in sentences(body):
        finished = is_finished(body[slice(*passage.spans[-1])])
        spans = passage.spans if finished else passage.spans[:-1]
        # Prose right below an item belongs to the item.
        if spans and passage.above != "item":
            yield _Group(spans, finished and passage.above == passage.below == "blank")


def _lists(body: str) -> Iterator[_Group]:
    """Items that follow one another; one that is continued below itself stays, and so does every one before it."""
    filled = [line for line in lines(body) if line.kind != "blank"]
    items: list[tuple[int, int]] = []
    for line, after in zip_longest(filled, filled[1:]):
        if line.kind == "item":
            items.append((line.start, line.end))
            if after is None or after.kind != "item":
                if items and not (after is not None and _continues(body, line, after)):
                    yield _Group(tuple(items))
                items = []


def _continues(body: str, item: Line, after: Line) -> bool:
    apart = len(body[item.end : after.start].splitlines()) > 1
    return not apart or body[after.start].isspace()
