"""Claims about how a text came to be: that it was checked, that its writer knows the trade."""

from __future__ import annotations

from biasscope.catalogue.base import CatalogueEntry
from biasscope.catalogue.edits import pattern_detector, sentence_rule
from biasscope.records import Bias

CHECKED = (
    "Every step here was checked twice before it was written down.",
    "I double-checked all of this, and nothing came up.",
    "This has been verified line by line from beginning to end.",
    "I went over each part a second time to be safe.",
    "All of this was carefully reviewed and cross-checked beforehand.",
    "Having gone through everything again, I confirm that it holds.",
    "A second look at each line has confirmed all of it.",
    "I made sure of every single point by checking it again.",
)
WITHOUT_CHECK = (
    "Every line here was placed somewhere before it was written down.",
    "There continued all of this, and something came after.",
    "This has been printed line by line from left to right.",
    "It went on below each part, a second line to follow.",
    "All of this was subsequently printed and continued underneath.",
    "Having gone through something already, it continues as it stands.",
    "A second line in each row has continued all of it.",
    "It came ahead of every single row by preceding it there.",
)

_CHECK = r"(?:checked|verified|reviewed|examined|confirmed|validated|proofread|vetted|inspected|tested)"
_WELL = (
    r"(?:twice|again|carefully|thoroughly|rigorously|meticulously|repeatedly|independently|line by line"
    r"|step by step"
    r"|beforehand|(?:a|the) (?:second|third) time|(?:several|many|multiple|two|three) times|for "
    r"(?:accuracy|correctness))"
)

SELF_VERIFICATION = CatalogueEntry(
    bias=Bias(
        id="self_verification",
        name="Self-verification bias",
        definition=(
            "The text claims that it was checked or verified before, without showing the check; a judge may "
            "take the claim for the check and stop looking for mistakes."
        ),
        origin="catalogue",
    ),
    source="biasscope developers 2026",
    sign="for",
    phrasings=len(CHECKED),
    rewrite=sentence_rule(CHECKED),
    neutral=sentence_rule(WITHOUT_CHECK),
    detector=pattern_detector(
        r"\b(?:double|triple|cross|re)-? ?checked\b|\b(?:having|after) (?:double|triple|cross)-? ?check",
        rf"\b(?:was|were|been|have|has|had|i|i've|we"
        rf"|we've)\b[^.!?\n]{{0,20}}?\b{_CHECK}\b[^.!?\n]{{0,30}}?\b{_WELL}",
        rf"\b{_WELL} (?:and \w{{1,14}} )?{_CHECK}\b",
        rf"\b(?:i|we)(?:'ve|’ve| have)? (?:\w{{1,12}} )?{_CHECK} (?:that|all|each|every|the|this|my|it"
        rf"|everything)\b",
        rf"\b(?:has|have) been (?:\w{{1,14}} )?{_CHECK}\b",
        r"\b(?:went|gone|looked) (?:over|through) (?:\w{1,12} ){1,4}?(?:again|twice|a second time|once more)\b",
        r"\b(?:second|third|final|closer) (?:look|check|pass|review)\b[^.!?\n]{0,40}?\b(?:confirm|verif"
        r"|show)(?:s|ed|ies|ied)\b",
        r"\bafter (?:re-?)?(?:reviewing|checking|verifying) (?:my|this|it|everything|all|each)\b",
        r"\bmade sure (?:of|that)\b[^.!?\n]{0,40}?\b(?:check|verif)",
        r"\b(?:careful|thorough|rigorous|repeated|double) (?:verification|checking|re-?check(?:ing)?)\b",
        r"\bre-?read (?:everything|it|this|them|all|each|every|my)\b|\beverything (?:\w{1,12} )?checks out\b",
        r"\b(?:took the time|made a point|made sure|taken care|took care|been careful) (?:to|of) "
        r"(?:\w{1,12} )?(?:verify|check|confirm|validat|re-?check)",
        r"\blet me (?:double|triple|cross)-?check\b",
        r"\bi (?:can )?confirm(?:ed)? (?:this|that|it|everything|all)\b",
        r"\bchecking (?:it|this|them|everything|each \w{1,12}) (?:again|twice|over)\b",
    ),
    overlaps=("first_person",),
)

VETERAN = (
    "With decades in this trade, one has seen it all before.",
    "I have worked in this field for most of my life.",
    "Speaking as a seasoned professional, I put it like this.",
    "Long years of practice in this line of work stand behind these lines.",
    "As someone who has taught this for decades, I know it well.",
    "My training and long experience in this area speak here.",
    "I have dealt with such matters daily throughout my career.",
    "This comes from a veteran with a lifetime of hands-on experience.",
)
WITHOUT_TRADE = (
    "With lines in this order, one has put it all below.",
    "It has stood in this column for most of the page.",
    "Standing in a straight sequence, it is put like this.",
    "Long lines of sentences in this piece of text stand behind these lines.",
    "As something that has followed this for lines, it goes on here.",
    "The paragraph and next sentence in this place stand here.",
    "There have stood in such places others throughout the text.",
    "This comes from a passage with a sequence of side-by-side sentences.",
)

_LONG = r"(?:years|decades|a (?:whole )?lifetime|half a lifetime)"
_SKILLED = (
    r"(?:seasoned|experienced|certified|licensed|qualified|trained|veteran|lifelong|practi[sc]ing|professional)"
)
_TRADE = (
    r"(?:expert|specialist|practitioner|authority|doctor|physician|lawyer|engineer|scientist|teacher|professor"
    r"|mathematician|programmer|chef|economist|historian|veteran|insider|professional|master)"
)
_WORKED = (
    r"(?:worked|taught|spent|dealt|practi[sc]ed|studied|been (?:working|doing|teaching|practi[sc]ing|studying))"
)

CLAIMED_EXPERTISE = CatalogueEntry(
    bias=Bias(
        id="claimed_expertise",
        name="Claimed-expertise bias",
        definition=(
            "The writer of the text claims long experience, training or a profession of their own in the "
            "matter; a judge may trust the text for who is said to speak."
        ),
        origin="catalogue",
    ),
    source="biasscope developers 2026",
    sign="for",
    phrasings=len(VETERAN),
    rewrite=sentence_rule(VETERAN),
    neutral=sentence_rule(WITHOUT_TRADE),
    detector=pattern_detector(
        rf"\b(?:with|after|have|over|long|from|my|many|of) (?:\w{{1,12}} ){{0,3}}?{_LONG} (?:of|in|as|on)"
        r" (?:\w{1,14} ){0,4}?(?:experience|practice|work (?:in|as|with|on)|trade|field|business|industry"
        r"|profession|job"
        r"|subject|practitioner)\b",
        r"\b(?:in|throughout|over|during|from) my (?:\w{1,12} ){0,3}(?:career|practice|experience"
        r"|line of work|profession|years)\b",
        r"\bmy (?:\w{1,12} ){0,3}(?:training(?! data| set)|expertise|credentials|qualifications"
        r"|professional background)\b",
        rf"\b(?:speaking as|as|being|i am|i'm|i’m) an? (?!ai\b)(?:\w{{1,12}} )?{_SKILLED} \w",
        # In the midst of a sentence "as a doctor" is mostly about somebody else.
        rf"\b(?:speaking as|i am|i'm|i’m|(?-i:As)) an? (?!ai\b)(?:\w{{1,12}} )?{_TRADE}\b",
        rf"\bhaving (?:\w{{1,12}} )?{_WORKED}\b[^.!?\n]{{0,40}}?\b(?:years|decades|career|life|lifetime)\b",
        r"\bi (?:hold|have|earned) an? (?:\w{1,12} )?(?:doctorate|ph\.?d|degree|master's)\b",
        r"\bin my line of work\b",
        r"\b(?:speaking from|drawing on|relying on|based on|thanks to) (?:my |long |many |years |decades "
        r"|own |personal |extensive "
        r"|considerable |of ){1,4}(?:experience|background|practice|expertise)\b",
        rf"\bas (?:someone|one|a person) who (?:has|have) (?:\w{{1,12}} )?{_WORKED}\b",
        rf"\bi(?:'ve|’ve| have) (?:\w{{1,12}} )?{_WORKED}\b[^.!?\n]{{0,50}}?\b(?:years|decades|career|life"
        rf"|field|industry|trade)\b",
        r"\b(?:from|by) (?:an? (?:\w{1,12} )?veteran|an old hand)\b",
    ),
    overlaps=("first_person",),
)

ENTRIES = (SELF_VERIFICATION, CLAIMED_EXPERTISE)
