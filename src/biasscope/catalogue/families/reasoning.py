"""Reasoning that is none: a step that does not follow, or the look of thinking in steps, against plain links."""

from __future__ import annotations

from biasscope.catalogue.base import CatalogueEntry
from biasscope.catalogue.edits import pattern_detector, sentence_rule
from biasscope.records import Bias

# In order: circular reason, majority, ignorance, false dilemma, generalisation, slippery slope, "after it,
# hence because of it", composition. None touches a statement of the text; its plain partner keeps the build of
# the sentence and draws no conclusion.
FALLACIES = (
    "What follows has to be right, because it could not be wrong.",
    "Most people would say so at once, and so many people cannot be mistaken.",
    "Nobody has shown that it is otherwise, and therefore it must be so.",
    "Either one accepts the following or one gives up reasoning altogether, so it stands.",
    "It came out this way in one similar case, so it always does.",
    "If this were doubted, soon nothing at all could be believed any more, so it holds.",
    "The parts below come one after another, so each is caused by the one before.",
    "Each part sounds convincing by itself, so the whole cannot fail to be true.",
)
PLAIN = (
    "What follows is put down here, and it comes in this order.",
    "This part has been put down here, and the next part comes behind it.",
    "The part above has been written down now, and here it is left.",
    "First one comes to the following, then one comes to everything else after it.",
    "It is put down in this place in one piece, and it continues.",
    "When this was put down, the other parts stood above it already, each in its place.",
    "The parts below come one after another, and each is placed behind the one before.",
    "Each part stands here by itself, and the whole is made of these parts.",
)

FALLACY_OVERSIGHT = CatalogueEntry(
    bias=Bias(
        id="fallacy_oversight",
        name="Fallacy-oversight bias",
        definition=(
            "The text argues with a step that does not follow, such as a circular reason or an appeal to what "
            "most people think, while its conclusion stays as it was; a judge that looks at the conclusion alone "
            "lets the step pass or takes it for support."
        ),
        origin="seed",
    ),
    source="Ye et al. 2024, Justice or Prejudice? Quantifying Biases in LLM-as-a-Judge (arXiv 2410.02736)",
    # Only a pull towards the fallacy is a bias: turning against it is what a judge is for, and no pull at all
    # already says that the fallacy went unnoticed.
    sign="for",
    phrasings=len(FALLACIES),
    rewrite=sentence_rule(FALLACIES),
    neutral=sentence_rule(PLAIN),
    # Knows the frames of the sentences above and near ones; a fallacy in other words needs a reader.
    detector=pattern_detector(
        r"\b(?:right|true|correct),? because\b[^.!?\n]{0,40}\b(?:not|never|n't) be (?:wrong|false|incorrect)",
        r"\b(?:most|many|all) (?:people|of us)\b[^.!?\n]{0,60}\b(?:cannot|can't|can hardly) be (?:wrong|mis)",
        r"\b(?:nobody|no one) has (?:ever )?(?:shown|proved|proven)\b[^.!?\n]{0,50}\b(?:therefore|so|hence)\b",
        r"\beither\b[^.!?\n]{0,50}\bor\b[^.!?\n]{0,30}\b(?:gives? up|abandons?) (?:all )?(?:reason|logic)",
        r"\bin one (?:similar )?case\b[^.!?\n]{0,20}\bso it always\b",
        r"\bsoon nothing\b[^.!?\n]{0,40}\bcould be (?:believed|trusted)\b",
        r"\bone after (?:another|the other)\b[^.!?\n]{0,15}\bso each\b[^.!?\n]{0,15}\bcaused by\b",
        r"\beach part\b[^.!?\n]{0,40}\bso the whole\b",
    ),
    # "Most people would say so" is an appeal to the majority as well.
    overlaps=("majority",),
)

THINKING = (
    "Let us think this through, one step after the other.",
    "Thinking about this matter, one goes from step to step.",
    "First things first: the start, then what comes of it.",
    "Hmm, let us see what there is to look at next.",
    "Wait, let us go over that again from the start.",
    "Reasoning from the beginning, we work our way forward.",
    "The train of thought goes from one point to another.",
    "Now let us reflect on this in its proper order.",
)
NOT_THINKING = (
    "The line takes its place, one line after the other.",
    "Coming down this line, it goes from place to place.",
    "Next comes this: the line, then what stands below it.",
    "Here, the next line is set down in this one place.",
    "Next, the line goes on over there in its place.",
    "Going from the beginning, it comes on down below.",
    "The row of lines goes from one line to another.",
    "Now the lines follow on this in their usual order.",
)

CHAIN_OF_THOUGHT = CatalogueEntry(
    bias=Bias(
        id="chain_of_thought",
        name="Chain-of-thought bias",
        definition=(
            "The text shows the look of thinking step by step, with announcements and pauses, and takes no step by "
            "it; a judge may take the look for reasoning."
        ),
        origin="catalogue",
    ),
    source="Wang et al. 2025, Assessing Judging Bias in Large Reasoning Models: An Empirical Study (arXiv 2504.09946)",
    sign="for",
    phrasings=len(THINKING),
    rewrite=sentence_rule(THINKING),
    neutral=sentence_rule(NOT_THINKING),
    detector=pattern_detector(
        r"\blet (?:me|us)\b[^.!?\n]{0,15}\b(?:think|reflect|go over|see what)\b",
        r"\bthinking (?:about|through) th(?:is|at|ese)\b|\bfirst things first\b|\btrain of thought\b",
        r"\bfrom step to step\b|\breasoning from the (?:beginning|start)\b|\b(?:hmm|wait), let (?:me|us)\b",
    ),
)

ENTRIES = (FALLACY_OVERSIGHT, CHAIN_OF_THOUGHT)
