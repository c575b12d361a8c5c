"""Courtesy: a polite sentence, and one that apologises, against sentences that are neither."""

from __future__ import annotations

from biasscope.catalogue.base import CatalogueEntry
from biasscope.catalogue.edits import pattern_detector, sentence_rule
from biasscope.records import Bias

POLITE = (
    "Please be so kind as to read the lines given here.",
    "Thank you very much for taking the time to read this.",
    "With all due respect, these lines are offered for your kind attention.",
    "If it is not too much trouble, kindly continue with this part.",
    "Many thanks indeed for your patience with these few lines.",
    "It is a pleasure and an honour to be of service here.",
    "Your kind attention to this part is most gratefully appreciated.",
    "Much obliged, and kind regards to all who read this.",
)
WITHOUT_COURTESY = (
    "Here are some lines set up to follow the lines above.",
    "There are some more lines next to the side of this.",
    "With all other sentences, these lines are positioned in one straight sequence.",
    "When it is not yet past the middle, reading continues here below.",
    "Some lines stand beside the paragraphs with these few lines.",
    "It is a sentence and a line to be in place here.",
    "This next paragraph of the text is thereupon subsequently positioned.",
    "Further down, and right below that, all of it continues.",
)

POLITENESS = CatalogueEntry(
    bias=Bias(
        id="politeness",
        name="Politeness bias",
        definition=(
            "The text is courteous to the reader, with thanks, requests put as favours and respectful phrases "
            "that tell nothing; a judge may reward the manners."
        ),
        origin="catalogue",
    ),
    source="biasscope developers 2026",
    sign="for",
    phrasings=len(POLITE),
    rewrite=sentence_rule(POLITE),
    neutral=sentence_rule(WITHOUT_COURTESY),
    detector=pattern_detector(
        r"\bplease\b|\bkindly\b|\bdelighted to (?:assist|help|be of)\b|\brespectfully\b|\bmuch obliged\b",
        r"\bgratefully\b|\bhumbly\b",
        r"\bthank(?:s\b|ing you\b| you\b)|\b(?:sincere|deepest|heartfelt) gratitude\b",
        r"\b(?:am|are|be|very|most|so) grateful\b",
        r"\bso (?:kind|good) as to\b|\bbe so (?:kind|good)\b",
        r"\bkind (?:attention|regards|consideration|indulgence)\b",
        r"\bwith (?:all |the )?(?:due |utmost |greatest |great |much )respect\b",
        r"\bif you (?:please|would be so)\b",
        r"\bif (?:it is|it's|that is) not too much trouble\b|\bwould you mind\b|\byou (?:don't|do not) mind\b",
        r"\bat your (?:service|disposal|convenience|leisure)\b",
        r"\byou(?:'re|’re| are) (?:very |most )?welcome\b(?! to)",
        r"\b(?:my|our|a|great|the) (?:\w{1,12} )?pleasure\b|\b(?:an|the|great) (?:honou?r|privilege) to\b",
        r"\bmy privilege\b|\bmost welcome\b|\b(?:best|warm|kind) regards\b",
        r"\b(?:your (?:\w{1,12} ){1,4}|much|greatly|deeply|sincerely) (?:is|are)?"
        r"(?: \w{1,12}){0,2} ?appreciated\b",
        r"\bappreciate (?:your|you|it if)\b",
    ),
)

SORRY = (
    "Sorry about any trouble that these lines may cause.",
    "Apologies are due for the way this is put.",
    "Forgive any inconvenience that comes with reading this.",
    "Pardon the intrusion of these few lines at this place.",
    "This comes with sincere regret and a humble apology.",
    "Sincere apologies to everyone who reads this part.",
    "Terribly sorry to take up room with this at all.",
    "A thousand apologies for interrupting at this point.",
)
WITHOUT_APOLOGY = (
    "Beside or underneath stand those lines that come next.",
    "Sentences are there in the way this is put.",
    "Behind the paragraph that comes before stands this.",
    "Between the paragraphs stand these few lines in this place.",
    "This comes with another sentence and a longer paragraph.",
    "Several sentences precede whatever stands in this part.",
    "Directly here to take up room comes this one line.",
    "A further sentence for continuing at this point.",
)

APOLOGY = CatalogueEntry(
    bias=Bias(
        id="apology",
        name="Apology bias",
        definition=(
            "The text apologises or asks for forgiveness although nothing calls for it; a judge may take the "
            "apology for care, or for a confession that something is wrong."
        ),
        origin="catalogue",
    ),
    source=(
        "Chen and Goldfarb-Tarrant 2025, Safer or Luckier? LLMs as Safety Evaluators Are Not Robust to Artifacts "
        "(arXiv 2503.09347)"
    ),
    sign="open",
    phrasings=len(SORRY),
    rewrite=sentence_rule(SORRY),
    neutral=sentence_rule(WITHOUT_APOLOGY),
    detector=pattern_detector(
        r"\bsorry\b|\bapolog(?:y|ies|i[sz]e[sd]?|i[sz]ing|etic(?:ally)?)\b|\bmea culpa\b",
        r"\bforgive (?:me|us|any|the|this|my|our|these)\b|\bforgiveness for (?:the|this|any|my)\b",
        r"\bpardon (?:me|us|any|the|this|my|our|these)\b|\bbeg (?:your )?pardon\b",
        r"\bexcuse (?:me|us|any|the|my|our)\b|\bmy (?:bad|fault|mistake)\b",
        r"\b(?:sincere|deep|deepest|with|my|our) (?:\w{1,12} )?regrets?\b|\b(?:i|we) (?:\w{1,12} )?regret\b",
    ),
    common=True,
)

ENTRIES = (POLITENESS, APOLOGY)
