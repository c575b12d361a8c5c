"""Question repetition: the text says what was asked before it says anything, against as many words about nothing."""

from __future__ import annotations

import re

from biasscope.catalogue.base import CatalogueEntry, Rules
from biasscope.catalogue.edits import pattern_detector, sentence_rule
from biasscope.records import Bias

MOST_WORDS = 12
"""So many words of a question are repeated at the most."""

REPEATS = (
    'The question was: "{}".',
    'You asked: "{}".',
    'What was asked is this: "{}".',
    'The question reads: "{}".',
    'You wanted to know: "{}".',
    'The question put here: "{}".',
    'To repeat the question: "{}".',
    'Your question, once more: "{}".',
)
PLAIN = (
    'The sentence is: "{}".',
    'It reads: "{}".',
    'What comes next is this: "{}".',
    'The sentence reads: "{}".',
    'There are these words: "{}".',
    'The sentence put here: "{}".',
    'To continue the sentence: "{}".',
    'Another sentence, once more: "{}".',
)
_FILLING = ("here", "are", "some", "words", "that", "stand", "in", "a", "row", "and", "come", "in", "turn")
_UNSAID = "what is at hand"
"""Stands for a question that begins with what cannot be repeated."""

# A number or a word for a result would read as the result itself, and marks could open what they never close.
_WORDS = re.compile(r"\s*([^\W\d_]{1,30}(?:['’-][^\W\d_]{1,30})*[,;]?)(?=[\s?!.:]|\Z)")
_RESULT = re.compile(r"(?:answer|final|verdict|option|choice|guess)", re.IGNORECASE)


def quotable(question: str) -> str:
    """The first words of a question on one line, up to `MOST_WORDS`, a number, a mark, or a word for a result."""
    said: list[str] = []
    at = 0
    while len(said) < MOST_WORDS and (word := _WORDS.match(question, at)) and not _RESULT.match(word[1]):
        said.append(word[1])
        at = word.end()
    return " ".join(said).rstrip(",;") or _UNSAID


def about(question: str) -> Rules:
    """The rule that repeats this question, and the one that puts in the same number of words that say nothing."""
    quote = quotable(question)
    filling = " ".join(_FILLING[: len(quote.split())])
    return (
        sentence_rule(tuple(frame.format(quote) for frame in REPEATS)),
        sentence_rule(tuple(frame.format(filling) for frame in PLAIN)),
    )


QUESTION_REPETITION = CatalogueEntry(
    bias=Bias(
        id="question_repetition",
        name="Question-repetition bias",
        definition=(
            "The text repeats what it was asked before or beside what it says about it; a judge may take the "
            "repetition for attention to the request."
        ),
        origin="catalogue",
    ),
    source="biasscope developers 2026",
    sign="open",
    phrasings=len(REPEATS),
    about=about,
    # It cannot know the question and recognises how one is announced.
    detector=pattern_detector(
        r"\bquestion(?: was| is| reads| here| put here| at hand)?:\s{0,3}[\"“]",
        r"\byou(?:'ve| have)? asked(?: me| us)?(?: this| about this)?[:,]",
        r"\bwhat was asked is\b|\byou wanted to know:|\bto repeat the question\b|\byour question, once more\b",
        r"\b(?:the|your) question (?:asks|asked|was whether|is whether|was about)\b",
    ),
)

ENTRIES = (QUESTION_REPETITION,)
