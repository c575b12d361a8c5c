"""Certainty and hedging: sentences that rule out doubt or invite it, against sentences that do neither."""

from __future__ import annotations

from biasscope.catalogue.base import CatalogueEntry
from biasscope.catalogue.edits import pattern_detector, sentence_rule
from biasscope.records import Bias

SURE = (
    "There is no doubt whatsoever about any of this.",
    "This is beyond all question and entirely certain.",
    "Without a doubt, everything here holds exactly as stated.",
    "It is absolutely certain that this is how things stand.",
    "Nobody could seriously dispute what is stated here.",
    "This is indisputable, and every word of it is definite.",
    "Rest assured: all of this is one hundred percent certain.",
    "Undoubtedly and unquestionably, this is how it is.",
)
WITHOUT_SURETY = (
    "There is one sentence underneath the start of this.",
    "This is behind one paragraph and before another.",
    "After the start, something here comes further down below.",
    "It is another sentence that comes between its two neighbours.",
    "Somebody then directly encounters what is written here.",
    "This is sequential, and every word of it is printed.",
    "Next below: all of this is one passage among several.",
    "Underneath and subsequently, this is where it is.",
)

_WHOLLY = (
    r"(?:absolutely|entirely|completely|totally|perfectly|utterly|fully|quite|(?:one hundred|100) ?(?:%|percent))"
)

CERTAINTY = CatalogueEntry(
    bias=Bias(
        id="certainty",
        name="Certainty bias",
        definition=(
            "The text asserts that what it says is beyond doubt, without giving any reason to be so sure; a "
            "judge may take the confidence for correctness."
        ),
        origin="catalogue",
    ),
    source="Hosking et al. 2023, Human Feedback is not Gold Standard (arXiv 2309.16349)",
    # People were found to fall for assertive texts; language models were also found to mark down signs of
    # certainty (Lee et al. 2024, arXiv 2410.20774).
    sign="open",
    phrasings=len(SURE),
    rewrite=sentence_rule(SURE),
    neutral=sentence_rule(WITHOUT_SURETY),
    detector=pattern_detector(
        r"\b(?:no|without) (?:a |any |the )?(?:\w{1,12} ){0,2}(?:doubts?|question (?:that|about))\b",
        r"\bno (?:room|space|grounds?) (?:for|to) doubt",
        r"\b(?:without|beyond) (?:question|dispute|doubt)\b",
        r"\bbeyond (?:all|any|every|an?|the (?:slightest|shadow)) (?:\w{1,12} ){0,3}?(?:doubt|question"
        r"|dispute)\b",
        r"\b(?:undoubted|unquestionab|indisputab|undeniab|irrefutab|incontrovertib|incontestab|unequivocal"
        r"|unmistakab)",
        r"\b(?:doubtless|indubitably|definitely|unassailable)\b",
        # "Certainly! Here is" agrees to do something and is sure of nothing.
        r"\bcertainly\b(?! ?[!.:])(?!, (?:here|i\b))",
        rf"\b(?<!not )(?<!not be )(?<!n't be ){_WHOLLY} (?:certain|sure|confident|positive|undisputed)\b",
        r"\bit is (?:\w{1,12} )?certain that\b",
        r"\b(?<!say )(?<!know )(?<!tell )for (?:certain|sure)\b|\brest assured\b|\bmake no mistake\b",
        r"\ban established fact\b",
        r"\bis a certainty\b|\bguaranteed to be\b|\bi (?:can )?guarantee\b",
        r"\bimpossible to (?:doubt|dispute|deny|question)\b",
        r"\bwith (?:absolute|complete|full|total|utter|utmost|perfect|great|100 ?%) (?:certainty|confidence)\b",
        r"\b(?:i am|i'm|i’m|we are|(?:one|you) (?:can|may) be) (?:very |quite )?(?:certain|sure|confident"
        r"|positive) (?:that|of|about)\b",
        r"\b(?:cannot|can't|could not|couldn't|can never) (?:\w{1,12} )?be (?:disputed|doubted|denied"
        r"|questioned|refuted)\b",
        r"\b(?:nobody|no one|none) (?:can|could|would|will) (?:\w{1,12} )?(?:dispute|doubt|deny|question"
        r"|refute)\b",
    ),
)

UNSURE = (
    "Perhaps this is so, though it might be otherwise.",
    "It seems that things may well stand roughly like this.",
    "This is possibly the case, but it is hard to say.",
    "One could tentatively suppose that it is somewhat like this.",
    "Maybe it is like this, or maybe it is not.",
    "It would appear, more or less, that this could hold.",
    "As far as one can tell, this is probably how it is.",
    "Arguably this is the case, at least to some extent.",
)
WITHOUT_HEDGE = (
    "Onwards this goes, and then it comes to others.",
    "It is here that several lines come to stand together.",
    "This is placed in line, and it is next to that.",
    "One can subsequently proceed to what is located below this.",
    "Here it is placed so, and there it is not.",
    "It then continues, here and below, when this one stops.",
    "As soon as one has begun, this is directly where it is.",
    "Meanwhile this is the place, in between other such lines.",
)

HEDGING = CatalogueEntry(
    bias=Bias(
        id="hedging",
        name="Hedging bias",
        definition=(
            "The text weakens its statements with words such as perhaps, seemingly or probably, whether or "
            "not anything is uncertain; a judge may mark it down for sounding unsure."
        ),
        origin="catalogue",
    ),
    source=(
        "Lee et al. 2024, Are LLM-Judges Robust to Expressions of Uncertainty? Investigating the Effect of "
        "Epistemic Markers on LLM-based Evaluation (arXiv 2410.20774)"
    ),
    sign="against",
    phrasings=len(UNSURE),
    rewrite=sentence_rule(UNSURE),
    neutral=sentence_rule(WITHOUT_HEDGE),
    detector=pattern_detector(
        r"\b(?:perhaps|maybe|possibly|probably|presumably|conceivably|arguably|seemingly|supposedly"
        r"|tentative(?:ly)?"
        r"|apparently|likely|might)\b",
        r"\b(?:it|this|that|there|which|things|they) (?:\w{1,12} )?(?:seems?|appears?)\b",
        r"\bwould (?:seem|appear)\b|\bmay (?:well|or may not)\b",
        r"\bmay be (?:right|wrong|so|true|that|the case|otherwise)\b",
        r"\bcould (?:well|possibly|conceivably) be\b",
        r"\b(?:could|can) be (?:argued|wrong)\b|\bit is possible that\b|\bin some sense\b|\bgenerally speaking\b",
        r"\b(?:to|is|are|was|seems) somewhat\b|\btends? to\b|\bi (?:think|believe) (?:this|that|it)\b",
        r"\bi'm not sure\b",
        r"\bto the best of my knowledge\b|\b(?:not (?:entirely|completely|fully|quite)|un)clear\b",
        r"\b(?:looks|sounds) like this\b",
        r"\b(?:i|one) (?:\w{1,12} )?(?:guess|suppose|suspect|assume|would think)\b",
        r"\bas far as (?:one|i|we) (?:can|could|know)|\bto (?:some|a certain) (?:extent|degree)\b",
        r"\bmore or less\b",
        r"\b(?:hard|difficult|not easy) to (?:say|tell)\b",
        r"\b(?:not|never) (?:entirely|completely|quite|fully|so) (?:sure|certain)\b",
    ),
    common=True,
)

ENTRIES = (CERTAINTY, HEDGING)
