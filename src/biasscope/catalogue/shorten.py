"""About half of what a text says, in its order and word for word. Code, formulas, tables and headings stay whole."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from biasscope.catalogue.edits import Line, is_finished, lines, sentences, words

SHARE = 0.5
"""Share of the words of all statements that is left out, as near as whole statements come to it."""
MOST = 0.65
"""Up to any place of the text no more than this is left out: one long sentence may not take all."""


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
    for number, group in enumerate(_groups(body)):
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
    for start, end in sorted(left_out):
        parts.append(body[done:start].rstrip())
        done = end
    return "".join([*parts, body[done:]])


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
