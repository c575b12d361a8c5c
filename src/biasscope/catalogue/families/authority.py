"""Authority: a sentence that appeals to experts, studies or institutions, against a pointless one."""

from __future__ import annotations

from biasscope.catalogue.base import CatalogueEntry
from biasscope.catalogue.edits import pattern_detector, sentence_rule
from biasscope.records import Bias

# Nobody is named, so that nothing can be looked up and nothing is said about the subject. The plain partner has
# the same number of words and stands in the same place.
APPEALS = (
    "Specialists in this field hold the view given here.",
    "Leading researchers have confirmed this in peer-reviewed studies.",
    "Standard textbooks and university courses teach exactly this.",
    "Professors at renowned universities endorse what is stated here.",
    "The recognised professional bodies publish the same position.",
    "Well-known authorities on the subject have said the same.",
    "Research at prestigious institutes supports the following.",
    "Eminent scholars have long vouched for this account.",
)
PLAIN = (
    "The sentences of this text are given in sequence.",
    "The remaining sentences continue with whatever comes afterwards.",
    "The paragraphs and individual sentences precede this line.",
    "Sentences in consecutive order contain what is written here.",
    "The subsequent individual words continue the same passage.",
    "The earlier sentences in this passage come before it.",
    "Sentences in successive positions constitute the following.",
    "This sentence is placed right behind that statement.",
)

_WHO = (
    r"(?:experts?|specialists?|researchers?|scientists?|scholars?|professors?|authorit(?:y|ies)|academics?"
    r"|stud(?:y|ies)|research|textbooks?|universit(?:y|ies)|institut(?:es?|ions?)|professional bodies)"
)
_SAYS = (
    r"(?:agrees?d?|confirm(?:s|ed)?|endorses?d?|supports?|supported|holds?|vouch(?:es|ed)?|teach(?:es)?|shown?"
    r"|shows|says?|said|believes?d?|suggests?|suggested|found|proves?|proven|publish(?:es|ed)?|recommends?)"
)

AUTHORITY = CatalogueEntry(
    bias=Bias(
        id="authority",
        name="Authority bias",
        definition=(
            "The text backs its statements by pointing to experts, studies or institutions instead of giving "
            "reasons; a judge may take the mention for proof without asking whether it supports anything."
        ),
        origin="seed",
    ),
    source="Chen et al. 2024, Humans or LLMs as the Judge? A Study on Judgement Biases (arXiv 2402.10669)",
    sign="for",
    phrasings=len(APPEALS),
    rewrite=sentence_rule(APPEALS),
    neutral=sentence_rule(PLAIN),
    detector=pattern_detector(
        rf"\b{_WHO}\b[^.!?\n]{{0,40}}?\b{_SAYS}\b",
        rf"\baccording to\b[^.!?\n]{{0,30}}?\b{_WHO}\b",
        r"\bet al\b|\b[a-z]+, [a-z]\. \((?:19|20)\d\d\)",
    ),
)

ENTRIES = (AUTHORITY,)
