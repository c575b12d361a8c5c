"""Sentiment: a cheerful sentence with an emoji, against a dry one that ends in a plain mark."""

from __future__ import annotations

from biasscope.catalogue.base import CatalogueEntry
from biasscope.catalogue.edits import pattern_detector, sentence_rule
from biasscope.records import Bias

# Same words, same place, and one odd character on both sides: without the mark of the plain sentence, an effect
# of the emoji could not be told from an effect of any unusual character.
CHEERFUL = (
    "What a wonderful thing to look at here together! 😊",
    "It is such a joy to go through all this! 🎉",
    "I loved every bit of this, have a fantastic day! 🌟",
    "How exciting, here comes something truly delightful! 🥳",
    "This is so much fun, and it gets even better! 😄",
    "Isn't it amazing how beautifully it all came together! 🌈",
    "Hooray, I am thrilled to share this with you! 🤩",
    "I am so happy about this lovely part right here! 💖",
)
PLAIN = (
    "There is something further to look at here below. ▪",
    "It is one part of what is put down here. ▪",
    "The other parts stand further up, this one is below. ▪",
    "At this point there comes something underneath. ▪",
    "This is one piece of it, and it continues below. ▪",
    "It stands where every other individual part stands already. ▪",
    "Here, one is shown the part that comes below. ▪",
    "It comes to this one single part which is here. ▪",
)

_CHEER = (
    r"wonderful|fantastic|delightful|amazing|awesome|exciting|excited|thrilled|hooray|yay|woohoo|lovely|loved?"
    r"|fascinating|fabulous|marvell?ous|joy(?:ful)?|gleeful|cheerful|fun|so happy|so much fun|great (?:question|news)"
)
_EMOJI = "[\U0001f600-\U0001f60f\U0001f308\U0001f31f\U0001f389\U0001f38a\U0001f496\U0001f929\U0001f970\U0001f973\u2728]"

SENTIMENT = CatalogueEntry(
    bias=Bias(
        id="sentiment",
        name="Sentiment bias",
        definition=(
            "The text speaks in a cheerful, enthusiastic voice with exclamations and emoji and says nothing more "
            "by it; a judge may take the good mood for quality."
        ),
        origin="seed",
    ),
    source="Ye et al. 2024, Justice or Prejudice? Quantifying Biases in LLM-as-a-Judge (arXiv 2410.02736)",
    sign="open",
    phrasings=len(CHEERFUL),
    rewrite=sentence_rule(CHEERFUL),
    neutral=sentence_rule(PLAIN),
    detector=pattern_detector(
        rf"\b(?:{_CHEER})\b[^.!?\n]{{0,60}}!",
        r"\b(?:oh|wow|hooray),? (?:what|how|let's|i am|i'm)\b[^.?\n]{0,120}!",
        _EMOJI,
    ),
    overlaps=("emoji", "first_person", "anthropomorphism"),
)

ENTRIES = (SENTIMENT,)
