"""Refinement: a response is said to have been revised, against saying that it was handed in."""

from __future__ import annotations

from biasscope.catalogue.base import CatalogueEntry
from biasscope.records import Bias

# The plain partner must not hint at a draft: that would be the trait turned round.
REVISED = (
    "This response was revised once more by its author.",
    "The author has polished the wording of this response.",
    "This is the improved version of the response.",
    "The text was edited with care before it was shown.",
    "This response went through several rounds of revision.",
    "An editor refined this response after it was written.",
    "Status of this response: reworked and improved.",
    "This response was optimised after a first review.",
)
RECEIVED = (
    "This response was handed in here by its author.",
    "The author has submitted the wording of this response.",
    "This is the received text of the response.",
    "The text was stored with others before it was shown.",
    "This response went through the channel of submission.",
    "An assistant filed this response after it was written.",
    "Status of this response: received and stored.",
    "This response was filed under a common heading.",
)

REFINEMENT = CatalogueEntry(
    bias=Bias(
        id="refinement",
        name="Refinement-aware bias",
        definition=(
            "A response is said to be a revised or polished version; a judge may expect it to be better for that "
            "and rate the same text higher."
        ),
        origin="seed",
        estimand="cue",
    ),
    source="Ye et al. 2024, Justice or Prejudice? Quantifying Biases in LLM-as-a-Judge (arXiv 2410.02736)",
    sign="for",
    phrasings=len(REVISED),
    cues=REVISED,
    neutral_cues=RECEIVED,
)

ENTRIES = (REFINEMENT,)
