"""Noise: white space or invisible characters where none belong, against the same text without them.

Both arms open with the same frame: a text that differs in white space alone would count as unchanged.
"""

from __future__ import annotations

import re
from functools import partial

from biasscope.catalogue.base import CatalogueEntry
from biasscope.catalogue.edits import pattern_detector
from biasscope.catalogue.restyle import framed, spaced, sprinkled
from biasscope.records import Bias

_FRAMES = (
    ("The text sets in here.", "It goes on below."),
    ("Here is a line.", "Another line comes after it."),
    ("These are the first words.", "The next words follow them."),
    ("It begins at this place.", "It runs on from there."),
    ("One sentence is here.", "The next one is there."),
    ("This comes ahead of the rest.", "The rest comes behind it."),
    ("A line stands at the top.", "Others stand underneath."),
    ("The lines come in turn.", "This one is on top."),
)
_PLAIN = tuple(" ".join(frame) for frame in _FRAMES)

WHITESPACE_NOISE = CatalogueEntry(
    bias=Bias(
        id="whitespace_noise",
        name="White-space bias",
        definition=(
            "The text has more blank space between its sentences, lines and paragraphs than it needs, and the same "
            "words; a judge may rate it differently for the layout."
        ),
        origin="catalogue",
    ),
    source="Dev et al. 2026, Judge Reliability Harness: Stress Testing the Reliability of LLM Judges (arXiv 2603.05399)",
    sign="open",
    phrasings=len(_FRAMES),
    rewrite=framed(tuple("   ".join(frame) for frame in _FRAMES), spaced),
    neutral=framed(_PLAIN),
    detector=pattern_detector(r"[^\W\d_][.!?][ \t]{3,40}[^\W\d_]"),
    keeps="words",
)

# Zero-width space, word joiner, zero-width no-break space. Joiners of scripts and emoji are left to these.
_INVISIBLE = ("\u200b", "\u2060", "\ufeff")
EVERY = 3
"""One space in so many between words of prose is followed by an invisible character."""
_INVISIBLE_TWICE = re.compile(r"([\u200b\u2060\ufeff])[^\u200b\u2060\ufeff]{1,400}\1")


def _invisible(phrasing: int) -> str:
    return _INVISIBLE[phrasing % len(_INVISIBLE)]


def shows_invisible(text: str) -> bool:
    """Whether a text holds the same invisible character twice, not far apart."""
    return _INVISIBLE_TWICE.search(text) is not None


UNICODE_NOISE = CatalogueEntry(
    bias=Bias(
        id="unicode_noise",
        name="Invisible-character bias",
        definition=(
            "Characters that cannot be seen stand between the words of the text, which reads as before; a judge "
            "that reads characters may rate it differently."
        ),
        origin="catalogue",
    ),
    source="Boucher et al. 2021, Bad Characters: Imperceptible NLP Attacks (arXiv 2106.09898)",
    sign="open",
    phrasings=len(_PLAIN),
    rewrite=framed(
        tuple(sprinkled(frame, _invisible(i), EVERY) for i, frame in enumerate(_PLAIN)),
        *(partial(sprinkled, sign=sign, every=EVERY) for sign in _INVISIBLE),
    ),
    neutral=framed(_PLAIN),
    detector=shows_invisible,
    keeps="words",
)

ENTRIES = (WHITESPACE_NOISE, UNICODE_NOISE)
