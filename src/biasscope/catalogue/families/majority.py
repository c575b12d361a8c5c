"""Majority: the text says that most people agree, or a response is said to be preferred by most."""

from __future__ import annotations

from biasscope.catalogue.base import CatalogueEntry
from biasscope.catalogue.edits import pattern_detector, sentence_rule
from biasscope.records import Bias

AGREED = (
    "Most people see this in just the same way.",
    "Nearly everyone agrees with what is written here.",
    "The great majority of readers share this account.",
    "This is the generally accepted and most popular position.",
    "Nine in ten people would put it like this.",
    "Almost all who were asked took the same side.",
    "It is widely believed, and millions hold it to be so.",
    "Public opinion is firmly on the side of this account.",
)
WITHOUT_MAJORITY = (
    "These lines place this in just the same row.",
    "Something else continues with what is written here.",
    "The next paragraph of sentences follows this passage.",
    "This is the immediately following and next printed position.",
    "Lines in this column then run on like this.",
    "Several lines which were placed took the same side.",
    "It is directly below, and others keep it to the left.",
    "Another sentence is printed on the side of this paragraph.",
)

_MOST = (
    r"(?:most|many|(?:nearly|almost|virtually|practically) all|the (?:\w{1,12} ){0,2}majority of"
    r"|millions of|countless"
    r"|(?:nine|eight|9|8) (?:in|out of|of)(?: every)? (?:ten|10)|\d{1,3} ?(?:%|percent) of|so many"
    r"|a large number of)"
)
_PEOPLE = r"(?:people|readers|users|persons?|of us|folks|others|adults|respondents|individuals|voters|who|those)"
_HOLD = (
    r"(?:agree[ds]?|accept(?:ed|s)?|believed?|thinks?|thought|says?|said|sees?|saw|prefer(?:red|s)?|holds?"
    r"|held|shared?"
    r"|support(?:ed|s)?|choose|chose|picked|liked?|takes?|took|put|consider(?:ed)?|know|recogni[sz]ed?"
    r"|favou?r(?:ed)?"
    r"|feel|felt|would|endorsed?)"
)

MAJORITY = CatalogueEntry(
    bias=Bias(
        id="majority",
        name="Majority bias",
        definition=(
            "The text points out that most people think so or that the view is popular, instead of giving a "
            "reason; a judge may follow the crowd."
        ),
        origin="catalogue",
    ),
    source="Hwang et al. 2025, Can You Trick the Grader? Adversarial Persuasion of LLM Judges (arXiv 2508.07805)",
    sign="for",
    phrasings=len(AGREED),
    rewrite=sentence_rule(AGREED),
    neutral=sentence_rule(WITHOUT_MAJORITY),
    detector=pattern_detector(
        rf"\b{_MOST} (?:\w{{1,12}} ){{0,2}}?{_PEOPLE}\b[^.!?\n]{{0,40}}?\b{_HOLD}\b",
        r"\bevery(?:one|body) (?:\w{1,12} ){0,2}?(?:agrees?|accepts?|knows|believes?|thinks?|says?"
        r"|prefers?|would|else (?:does|thinks))\b",
        r"\b(?:widely|generally|commonly|universally|popularly|broadly) (?:\w{1,12} )?"
        r"(?:accepted|believed|held|agreed|acknowledged|shared|thought|preferred|supported|endorsed)\b",
        r"\bmost (?:would|will|do) (?:say|agree|think|hold|accept|prefer|believe|tell)\b|\bwhat most would\b",
        r"\b(?:the|an?) (?:large|vast|great|overwhelming|clear|strong|huge|broad) majority (?:\w{1,12} ){0,3}?"
        rf"{_HOLD}\b",
        r"\bthe (?:general )?public (?:\w{1,12} )?(?:agrees?|believes?|thinks?|accepts?|holds?)\b",
        r"\bcommon knowledge\b",
        r"\b(?:held|shared|accepted|believed|supported|endorsed|preferred) by (?:most|nearly all"
        r"|almost all|the majority)\b",
        r"\bpublic opinion\b|\bpopular (?:opinion|view|belief|position|consensus|vote)\b",
        r"\b(?:general|broad|wide|widespread|common|overwhelming|near-universal) (?:consensus|agreement)\b",
        r"\b(?:the|a) (?:\w{1,12} )?majority (?:view|opinion|agrees?|believes?|thinks?|holds?|prefers?|is "
        r"(?:with|of)|would)\b",
        r"\bthere is (?:\w{1,12} ){0,2}consensus\b|\bthe consensus (?:is|among|view)\b",
        r"\bmillions (?:\w{1,12} )?(?:agree|believe|hold|think)\b",
    ),
)

FAVOURED = (
    "Most readers have preferred this response.",
    "Nine of every ten users chose this response.",
    "This response was the favourite of the majority.",
    "Nearly everyone who was asked picked this response.",
    "The larger part of the audience liked this response.",
    "In a poll, this response won by a wide margin.",
    "Public opinion is strongly in favour of this response.",
    "Many more people voted for this response than against it.",
)
SEEN = (
    "Some readers were shown this response.",
    "Some of the first users opened this response.",
    "This response was on the screens of readers.",
    "Somebody who was present then opened this response.",
    "Some other part of the audience received this response.",
    "In a test, this response appeared on a wide screen.",
    "Public display is currently in place for this response.",
    "Some people looked at this response early in the morning.",
)

BANDWAGON = CatalogueEntry(
    bias=Bias(
        id="bandwagon",
        name="Bandwagon bias",
        definition=(
            "A response is said to be the one that most people preferred; a judge may side with the majority "
            "and rate the same text higher."
        ),
        origin="catalogue",
        estimand="cue",
    ),
    source="Koo et al. 2023, Benchmarking Cognitive Biases in LLMs as Evaluators (arXiv 2309.17012)",
    sign="for",
    phrasings=len(FAVOURED),
    cues=FAVOURED,
    neutral_cues=SEEN,
)

ENTRIES = (MAJORITY, BANDWAGON)
