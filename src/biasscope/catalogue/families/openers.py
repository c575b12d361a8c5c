"""Empty openers: the text begins with a label that announces work and does none, against a label of its lines.

A lone colon in front of a text was described as well. It has no rule here: a neutral partner of one character
would be a lone sign again.
"""

from __future__ import annotations

from biasscope.catalogue.base import CatalogueEntry
from biasscope.catalogue.edits import pattern_detector
from biasscope.catalogue.restyle import framed
from biasscope.records import Bias

OPENERS = (
    "Thought process:",
    "Solution:",
    "Let us solve this:",
    "Reasoning process:",
    "Here is the solution:",
    "Detailed explanation:",
    "Step-by-step analysis:",
    "Working it out:",
)
LABELS = (
    "Written passage:",
    "Sentences:",
    "Let us place this:",
    "Following passage:",
    "Here is the sentence:",
    "Successive sentences:",
    "Line-by-line sentences:",
    "Setting it down:",
)

EMPTY_OPENER = CatalogueEntry(
    bias=Bias(
        id="empty_opener",
        name="Empty-opener bias",
        definition=(
            "The text opens with a label that announces reasoning or a solution, such as a heading for a thought "
            "process, and adds none; a judge may credit the label itself."
        ),
        origin="catalogue",
    ),
    source="Zhao et al. 2025, One Token to Fool LLM-as-a-Judge (arXiv 2507.08794)",
    sign="for",
    phrasings=len(OPENERS),
    rewrite=framed(OPENERS),
    neutral=framed(LABELS),
    detector=pattern_detector(
        r"\A\s{0,20}[#*]{0,4} ?(?:(?:here is )?(?:the|my|a )?\s?solution|(?:thought|thinking|reasoning|solution) process"
        r"|let(?:'s|’s| us) solve this(?: problem)?(?: step by step)?|(?:detailed |full )?explanation"
        r"|(?:step-by-step |detailed )?analysis|working it out|reasoning)[*]{0,2}[:.]",
        r"\A\s{0,20}[:.](?:\s|\Z)",
    ),
)

ENTRIES = (EMPTY_OPENER,)
