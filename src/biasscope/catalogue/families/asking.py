"""How a judge is asked: the labels of the two responses and the direction of a scale. Nothing is written or shown."""

from __future__ import annotations

from biasscope.catalogue.base import CatalogueEntry
from biasscope.records import Bias

LABEL_SCHEME = CatalogueEntry(
    bias=Bias(
        id="label_scheme",
        name="Label bias",
        definition=(
            "A response is preferred for the label that the prompt gives it, such as 1 rather than 2 or A rather than "
            "B, whatever it says and wherever it is shown."
        ),
        origin="catalogue",
        estimand="format",
    ),
    source="Zheng et al. 2023, Large Language Models Are Not Robust Multiple Choice Selectors (arXiv 2309.03882)",
    sign="open",
)

SCALE_DIRECTION = CatalogueEntry(
    bias=Bias(
        id="scale_direction",
        name="Scale-direction bias",
        definition="More verdicts are wrong, or fewer, where low scores instead of high ones stand for what is good.",
        origin="catalogue",
        estimand="format",
    ),
    source="biasscope developers 2026",
    sign="open",
)

ENTRIES = (LABEL_SCHEME, SCALE_DIRECTION)
