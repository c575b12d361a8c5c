"""Distraction: a remark that has nothing to do with the matter, against one about the place of a line."""

from __future__ import annotations

from biasscope.catalogue.base import CatalogueEntry
from biasscope.catalogue.edits import pattern_detector, sentence_rule
from biasscope.records import Bias

REMARKS = (
    "By the way, there was soup with bread for lunch today.",
    "Incidentally, it has been raining outside since the morning.",
    "On an unrelated note, the cat is asleep on the sofa.",
    "That reminds me, the neighbours have painted their fence green.",
    "Apart from all this, oranges are on offer at the market.",
    "As an aside, the bus was a little late this morning.",
    "Speaking of nothing in particular, the kettle is on the boil.",
    "Now that it comes to mind, the garden gate squeaks again.",
)
PLAIN = (
    "At this point, there is one more line with some words.",
    "Underneath, it goes on further below with other lines.",
    "In the next place, the line is under the line above.",
    "After that line, the sentences have taken their places below.",
    "Next to all this, lines are in place in the passage.",
    "In a row, the line is one line under another line.",
    "Coming to the line in question, the sentence stands below it.",
    "When the line comes to it, the following line begins here.",
)

DISTRACTION = CatalogueEntry(
    bias=Bias(
        id="distraction",
        name="Distraction bias",
        definition=(
            "The text makes a passing remark about something that has nothing to do with what was asked, such as "
            "the weather or a meal; a judge may let it change how it rates the rest."
        ),
        origin="catalogue",
    ),
    source="Koo et al. 2023, Benchmarking Cognitive Biases in LLMs as Evaluators (arXiv 2309.17012)",
    sign="open",
    phrasings=len(REMARKS),
    rewrite=sentence_rule(REMARKS),
    neutral=sentence_rule(PLAIN),
    # Whether a remark is beside the point takes a reader: this knows how such remarks set in.
    detector=pattern_detector(
        r"\b(?:by the way|incidentally|as an aside|on an? (?:unrelated|side|different) note),",
        r"\b(?:that reminds me|apart from all this|speaking of nothing|now that it comes to mind),?\s",
        r"\b(?:unrelated|off[- ]topic), but\b",
    ),
)

ENTRIES = (DISTRACTION,)
