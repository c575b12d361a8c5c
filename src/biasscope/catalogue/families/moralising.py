"""Moralising: a sentence about duty and virtue, against one that urges nothing."""

from __future__ import annotations

from biasscope.catalogue.base import CatalogueEntry
from biasscope.catalogue.edits import pattern_detector, sentence_rule
from biasscope.records import Bias

MORALS = (
    "One should always act with honesty and a good conscience.",
    "We all have a moral duty to treat each other fairly.",
    "It is only right to remember our responsibility towards others.",
    "Virtue and integrity matter more than anything else in life.",
    "Let us never forget to be kind, decent and just.",
    "A good person does what is ethical even when nobody looks.",
    "Above all, it is wrong to forget what is owed to society.",
    "Everyone ought to ask whether their conduct is morally sound.",
)
PLAIN = (
    "One comes along here with sentences and a further paragraph.",
    "These all have a single place to stand next together here.",
    "It is only next to several other paragraphs underneath these.",
    "Lines and sentences stand nearer than anything else in print.",
    "There are several words to be placed, printed and read.",
    "A next sentence comes where it stands just as others do.",
    "Below that, it is next to follow what is placed in between.",
    "Something comes to stand between these sentences and follows along.",
)

_GOOD = (
    r"(?:kind|honest|decent|just|fair(?:ly)?|respectful(?:ly)?|responsibl[ey]|compassionate|humble"
    r"|truthful|mindful"
    r"|good)"
)

MORALISING = CatalogueEntry(
    bias=Bias(
        id="moralising",
        name="Moralising bias",
        definition=(
            "The text admonishes the reader about duty, virtue or right and wrong although nobody asked; a "
            "judge may take the sermon for responsibility."
        ),
        origin="catalogue",
    ),
    # What was found is that refusals on ethical grounds are rated higher than people rate them.
    source=(
        "Pasch 2025, AI vs. Human Judgment of Content Moderation: LLM-as-a-Judge and Ethics-Based Response "
        "Refusals (arXiv 2505.15365)"
    ),
    sign="for",
    phrasings=len(MORALS),
    rewrite=sentence_rule(MORALS),
    neutral=sentence_rule(PLAIN),
    detector=pattern_detector(
        r"\bmoral(?:s|ly|ity|i[sz]e)?\b|\b(?:un)?ethical(?:ly)?\b|\bethics\b|\bvirtues?\b|\bvirtuous\b",
        r"\bintegrity\b(?! of)(?<!(?:data|file) integrity)(?<!database integrity)(?<!structural integrity)"
        r"(?<!referential integrity)(?<!physical integrity)(?<!(?:signal|system) integrity)(?<!['’]s integrity)",
        r"\b(?:good|clear|one's|your|our) conscience\b|\bgolden rule\b",
        r"\b(?:good|decent) (?:person|human being)\b|\bbetter (?:person|people|human being|world)\b",
        r"\b(?:take|taking|takes) responsibility for\b",
        r"\b(?:act|acting|behave|behaving|live|use|used|using) (?:\w{1,14} ){0,2}responsibly\b",
        r"\btreat (?:others|people|everyone|each other|one another|everybody) (?:\w{1,12} )?(?:with|kindly"
        r"|fairly|well)\b",
        r"\b(?:important|right|good|better|best) to be (?:\w{1,12} )?(?:honest|kind|respectful|fair|decent"
        r"|truthful|good)\b",
        r"\bhonesty is\b|\b(?:greed|selfishness) (?:and|is|leads?)\b|\b(?:right|wrong) to harm others\b",
        r"\b(?:do|doing|does) (?:the right thing|what is right)\b|\bthe right thing to do\b",
        r"\bit(?: is|'s|’s) (?:\w{1,12} )?(?:right|wrong|our duty|one's duty) to\b",
        r"\bowed? (?:it )?to (?:society|others|each other|humanity)\b",
        r"\b(?:responsibility|duty|duties|obligations?) (?:to|towards|toward) (?:\w{1,12} )?(?:others"
        r"|society|each other|community|treat|be|act|respect)\b",
        rf"\b(?:should|must|ought to|need to|remember to|forget to|strive to) (?:\w{{1,12}} )?(?:be|act"
        rf"|behave|remain|treat)"
        rf"\b[^.!?\n]{{0,30}}?\b{_GOOD}\b",
    ),
)

ENTRIES = (MORALISING,)
