"""Position: the slot in which a response is shown. There is nothing to write: the order is the treatment."""

from __future__ import annotations

from biasscope.catalogue.base import CatalogueEntry
from biasscope.records import Bias

POSITION = CatalogueEntry(
    bias=Bias(
        id="position",
        name="Position bias",
        definition="A response is preferred for the slot in which it is shown, first or second, whatever it says.",
        origin="seed",
        estimand="slot",
    ),
    source="Wang et al. 2023, Large Language Models are not Fair Evaluators (arXiv 2305.17926)",
    sign="open",
)

ENTRIES = (POSITION,)
