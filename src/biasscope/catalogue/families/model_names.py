"""Compassion fade: a response is shown under the name of a well-known system, against an unknown label."""

from __future__ import annotations

from biasscope.catalogue.base import CatalogueEntry
from biasscope.records import Bias

# The labels avoid A, B, 1 and 2, which name the slots in prompts of judges.
NAMED = (
    "This response was written by GPT-4.",
    "The author of this response is Claude.",
    "This text was generated with Gemini.",
    "The response comes from the model Llama.",
    "DeepSeek produced this response.",
    "Model used for this response: Mistral.",
    "Written by ChatGPT.",
    "This is the reply that Qwen gave.",
)
UNNAMED = (
    "This response was written by KX-7.",
    "The author of this response is System-K.",
    "This text was generated with Model-R.",
    "The response comes from the model Tarn.",
    "System-Q produced this response.",
    "Model used for this response: unnamed.",
    "Written by Model-K.",
    "This is the reply that Velm gave.",
)

COMPASSION_FADE = CatalogueEntry(
    bias=Bias(
        id="compassion_fade",
        name="Compassion-fade bias",
        definition=(
            "A response is said to come from a well-known AI system rather than from an unnamed one; a judge may "
            "rate the same text differently because of the name."
        ),
        origin="seed",
        estimand="cue",
    ),
    source="Koo et al. 2023, Benchmarking Cognitive Biases in LLMs as Evaluators (arXiv 2309.17012)",
    sign="open",
    phrasings=len(NAMED),
    cues=NAMED,
    neutral_cues=UNNAMED,
)

ENTRIES = (COMPASSION_FADE,)
