"""Formatting of prose: list items, bold words, headings, emoji, against the same words set as plain text.

Both arms open with the same frame, so that they differ from the original in the same way; only one is dressed.
"""

from __future__ import annotations

import re
from functools import partial

from biasscope.catalogue.base import CatalogueEntry
from biasscope.catalogue.edits import line_break, lines, pattern_detector
from biasscope.catalogue.restyle import emphasised, framed, listed, signed, titled
from biasscope.records import Bias

LISTS_TO_EMOJIS = (
    "Zhang et al. 2024, From Lists to Emojis: How Format Bias Affects Model Alignment (arXiv 2409.11704)"
)
RM_BENCH = "Liu et al. 2024, RM-Bench: Benchmarking Reward Models with Subtlety and Style (arXiv 2410.16184)"

_PARTS = (
    ("This is one part of the text.", "The other parts come below."),
    ("Here the first part stands.", "Underneath stands the next part."),
    ("One part is put here.", "All further parts are put below."),
    ("The text begins at this place.", "It goes on at the next place."),
    ("There is a line here.", "There are more lines after it."),
    ("This line comes first.", "The remaining lines come later."),
    ("The parts are put down in turn.", "The first of them is this."),
    ("Each part has its place.", "The place of this part is here."),
)
_BULLETS = ("-", "•")


def _bullet(phrasing: int) -> str:
    return _BULLETS[phrasing % len(_BULLETS)]


def shows_list(text: str) -> bool:
    """Whether a text holds two list items or more, outside of code."""
    return sum(line.kind == "item" for line in lines(text)) > 1


LIST = CatalogueEntry(
    bias=Bias(
        id="list",
        name="List bias",
        definition=(
            "The text sets out as list items what could stand in running sentences, in the same words; a judge may "
            "take the layout for order and clarity of thought."
        ),
        origin="catalogue",
    ),
    source=LISTS_TO_EMOJIS,
    sign="for",
    phrasings=len(_PARTS),
    rewrite=framed(
        tuple("\n".join(f"{_bullet(i)} {part}" for part in parts) for i, parts in enumerate(_PARTS)),
        *(partial(listed, bullet=bullet) for bullet in _BULLETS),
        apart=True,
    ),
    neutral=framed(tuple(" ".join(parts) for parts in _PARTS)),
    detector=shows_list,
    keeps="words",
    common=True,
)

# The words in bold, and the rest of the frame.
_OPENINGS = (
    ("What follows", "is put down in one piece."),
    ("This line", "comes before the other lines."),
    ("The first words", "of the text are these."),
    ("All of it", "is written in sentences below."),
    ("At this point", "the text sets in."),
    ("The lines below", "come one behind the other."),
    ("From here on", "the text runs to its end."),
    ("The next part", "is placed under this one."),
)
_BOLD = re.compile(
    r"(?<![\w*])\*\*(?=[^\s*])[^*\r\n]{1,200}(?<=[^\s*])\*\*(?![\w*])|(?<!\w)__(?=[^\s_])[^_\r\n]{1,200}(?<=[^\s_])__(?!\w)"
)


def shows_bold(text: str) -> bool:
    """Whether a text holds words in bold, outside of code."""
    return any(line.kind != "code" and _BOLD.search(text, line.start, line.end) for line in lines(text))


BOLD = CatalogueEntry(
    bias=Bias(
        id="bold",
        name="Bold-type bias",
        definition=(
            "The text sets some of its words in bold without saying anything else; a judge may take the emphasis "
            "for substance."
        ),
        origin="catalogue",
    ),
    source=LISTS_TO_EMOJIS,
    sign="for",
    phrasings=len(_OPENINGS),
    rewrite=framed(tuple(f"**{lead}** {rest}" for lead, rest in _OPENINGS), emphasised),
    neutral=framed(tuple(f"{lead} {rest}" for lead, rest in _OPENINGS)),
    detector=shows_bold,
    keeps="words",
    common=True,
)

_TITLES = (
    ("What comes first", "What comes next", "What comes after that"),
    ("The first part of this", "The next part of this", "The last part of this"),
    ("Where the text begins", "Where the text goes on", "Where the text goes further"),
    ("The upper part", "The middle part", "The lower part"),
    ("A part to begin with", "A part to go on with", "A part to come after"),
    ("One part of the whole", "Another part of the whole", "A further part of the whole"),
    ("The text from here on", "The text from here onward", "The text from there on"),
    ("A piece of the text", "A second piece of the text", "A third piece of the text"),
)
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+[^\s#]")


def _with_titles(marks: tuple[str, ...], body: str, phrasing: int) -> str:
    """Titles above parts of a text, with a mark before each; a text that has the first of them is handed back."""
    phrasing %= len(_TITLES)
    titles = tuple(f"{marks[phrasing % len(marks)]}{title}" for title in _TITLES[phrasing])
    return body if titles[0] + line_break(body) in body else titled(body, titles)


def shows_heading(text: str) -> bool:
    """Whether a line of a text, outside of code, is marked as a heading."""
    return any(line.kind == "other" and _HEADING.match(text, line.start, line.end) for line in lines(text))


HEADING = CatalogueEntry(
    bias=Bias(
        id="heading",
        name="Heading bias",
        definition=(
            "Parts of the text stand under lines marked as headings that add nothing to what the parts say; a judge "
            "may take the divisions for structure of thought."
        ),
        origin="catalogue",
    ),
    source=RM_BENCH,
    sign="for",
    phrasings=len(_TITLES),
    rewrite=lambda body, phrasing: _with_titles(("# ", "## ", "### "), body, phrasing),
    # The same titles in the same places, as lines of plain text.
    neutral=lambda body, phrasing: _with_titles(("",), body, phrasing),
    detector=shows_heading,
    keeps="words",
    common=True,
)

# Signs of things, apart from moods: those belong to `sentiment`.
_EMOJI = ("📌", "📎", "📝", "👉", "🔹", "📄", "🧩", "🔎")
_PLAIN_SIGN = "▪"
_SIGNED = (
    "Here a part of the text begins.",
    "This line opens what comes below.",
    "More lines stand underneath this one.",
    "The text is put down from here.",
    "One line after another comes now.",
    "In this place the lines set in.",
    "There are some words in this line.",
    "Below it the next words are placed.",
)


def _signs(phrasing: int) -> tuple[str, ...]:
    """Three of the emoji in rotation, from another one for every phrasing."""
    return tuple(_EMOJI[(phrasing + i) % len(_EMOJI)] for i in range(3))


EMOJI = CatalogueEntry(
    bias=Bias(
        id="emoji",
        name="Emoji bias",
        definition=(
            "Small pictures stand between the sentences of the text and say nothing; a judge may rate the text "
            "differently for the decoration."
        ),
        origin="catalogue",
    ),
    source=LISTS_TO_EMOJIS,
    sign="open",
    phrasings=len(_SIGNED),
    rewrite=framed(
        tuple(f"{line} {_EMOJI[i]}" for i, line in enumerate(_SIGNED)),
        *(partial(signed, signs=_signs(k)) for k in range(len(_SIGNED))),
    ),
    # As many odd characters in the same places, so that what is left is the picture.
    neutral=framed(tuple(f"{line} {_PLAIN_SIGN}" for line in _SIGNED), partial(signed, signs=(_PLAIN_SIGN,))),
    detector=pattern_detector(
        "[\U0001f300-\U0001f5ff\U0001f600-\U0001f64f\U0001f680-\U0001f6ff\U0001f7e0-\U0001f7eb\U0001f900-\U0001faff"
        "\u2600-\u2604\u2614\u261d\u2639\u263a\u26a0\u26a1\u2705\u2728\u274c\u2757\u2763\u2764\u2b50]"
    ),
    keeps="words",
)

ENTRIES = (LIST, BOLD, HEADING, EMOJI)
