"""Markup for special matter: a table, a code block, typeset formulas, against the same words as plain text.

Nothing of the text itself is moved: tables and code of its own cannot be taken apart without loss. An inserted
block that says nothing carries the look.
"""

from __future__ import annotations

import re

from biasscope.catalogue.base import CatalogueEntry
from biasscope.catalogue.edits import lines, sentence_rule
from biasscope.catalogue.restyle import blocked
from biasscope.records import Bias

DEVELOPERS = "biasscope developers 2026"

# Two headings, and two rows of two cells.
_CELLS = (
    ("Part", "Place", "this line", "here", "next line", "below"),
    ("Line", "Position", "present one", "here", "following one", "below"),
    ("Passage", "Spot", "this one", "at hand", "others", "further on"),
    ("Section", "Where", "present", "here", "later", "further down"),
    ("Sentence", "Site", "this one", "on the spot", "next one", "after it"),
    ("Piece", "Location", "current", "right here", "coming", "underneath"),
    ("Paragraph", "Order", "this", "now", "others", "afterwards"),
    ("Item", "Setting", "one of them", "in here", "the rest", "down there"),
)


def _table(cells: tuple[str, ...]) -> str:
    rows = [f"| {left} | {right} |" for left, right in zip(cells[::2], cells[1::2], strict=True)]
    return "\n".join([rows[0], "|---|---|", *rows[1:]])


def _as_sentence(cells: tuple[str, ...]) -> str:
    return "{}, {}: {}, {}; {}, {}.".format(*cells)


def shows_table(text: str) -> bool:
    """Whether a line of a text, outside of code, divides the head of a table from its rows."""
    rows = (text[line.start : line.end].strip() for line in lines(text) if line.kind in ("other", "prose"))
    return any("|" in row and "--" in row and set(row) <= set("|-: \t") for row in rows)


TABLE = CatalogueEntry(
    bias=Bias(
        id="table",
        name="Table bias",
        definition=(
            "The text sets in rows and columns what a short sentence says as well; a judge may take the table for "
            "a fuller treatment."
        ),
        origin="catalogue",
    ),
    source=DEVELOPERS,
    sign="open",
    phrasings=len(_CELLS),
    rewrite=blocked(tuple(_table(cells) for cells in _CELLS)),
    neutral=blocked(tuple(_as_sentence(cells) for cells in _CELLS)),
    detector=shows_table,
    keeps="words",
)

# What stands in the fence, and what stands behind it: a fence that ends a text reads as its result.
_FENCED = (
    ("this line is set by itself", "More lines come after it."),
    ("one line in its own place", "What is next stands below."),
    ("a line of plain words", "Other words go on from here."),
    ("some words in one row", "Their place is at this point."),
    ("the words of this line", "The next line is another one."),
    ("these words are kept together", "They are followed by others."),
    ("here a line is written", "Then the text continues."),
    ("a short line and nothing else", "Behind it stands the rest."),
)


def shows_code_fence(text: str) -> bool:
    """Whether a text holds a fence of code, closed or not."""
    return any(line.kind == "code" for line in lines(text))


CODE_FENCE = CatalogueEntry(
    bias=Bias(
        id="code_fence",
        name="Code-block bias",
        definition=(
            "The text sets plain words in a block of code though they are no code; a judge may take the block for "
            "technical substance."
        ),
        origin="catalogue",
    ),
    source=DEVELOPERS,
    sign="open",
    phrasings=len(_FENCED),
    rewrite=blocked(tuple(f"```\n{inside}\n```\n\n{behind}" for inside, behind in _FENCED)),
    neutral=blocked(tuple(f"{inside}\n\n{behind}" for inside, behind in _FENCED)),
    detector=shows_code_fence,
    keeps="words",
)

TYPESET = (
    "Let $T$ denote this text, so that $T = T$ may be written.",
    "We write $P \\in T$ for a part $P$ of the whole text $T$ given here.",
    "Every line $l \\in T$ has some place $p$ in this text $T$ before us.",
    "For the lines $l$ and $m$ of this text there is $l \\neq m$ in general.",
    "The text $T$ is mapped to the text $T$ by the identity $i$ of texts.",
    "Let $w$ be a word of this text, with $w = w$ for each such word.",
    "If $S$ is a sentence of the present text $T$, it holds that $S \\in T$ here.",
    "The parts $P$ and $Q$ of this text are called $P$ and $Q$ from here on.",
)
PLAIN = (
    "Let T denote this text, so that T = T may be written.",
    "We write P of T for a part P of the whole text T given here.",
    "Every line l of T has some place p in this text T before us.",
    "For the lines l and m of this text there is l /= m in general.",
    "The text T is mapped to the text T by the identity i of texts.",
    "Let w be a word of this text, with w = w for each such word.",
    "If S is a sentence of the present text T, it holds that S of T here.",
    "The parts P and Q of this text are called P and Q from here on.",
)
_TYPESET = re.compile(
    r"(?<![\w$\\])\$(?=[^\s$])(?=[^$\r\n]{0,199}[A-Za-z\\=^_])[^$\r\n]{1,200}(?<=[^\s$])\$(?![\w$])"
    r"|\\\([^\r\n]{1,200}?\\\)|\\(?:frac|sqrt|text|boxed|times|cdot|sum|int)\b"
)


def shows_latex(text: str) -> bool:
    """Whether a text, outside of code, holds formulas in LaTeX."""
    return any(
        line.kind == "formula" or (line.kind != "code" and _TYPESET.search(text, line.start, line.end))
        for line in lines(text)
    )


LATEX = CatalogueEntry(
    bias=Bias(
        id="latex",
        name="Typeset-formula bias",
        definition=(
            "The text writes in mathematical typesetting (LaTeX) what plain words and letters say as well; a judge "
            "may take the notation for rigour."
        ),
        origin="catalogue",
    ),
    source=DEVELOPERS,
    sign="open",
    phrasings=len(TYPESET),
    rewrite=sentence_rule(TYPESET),
    neutral=sentence_rule(PLAIN),
    detector=shows_latex,
    common=True,
)

ENTRIES = (TABLE, CODE_FENCE, LATEX)
