"""RewardBench: chosen and rejected by name, or the same pairs in BiasScope's columns.

Lambert et al. 2024, arXiv 2403.13787. The domain is the benchmark's section; where the file has no column for
it, it follows from the subset.
"""

from __future__ import annotations

from collections.abc import Iterator

from biasscope.datasets.base import (
    Fit,
    Format,
    Reading,
    Sample,
    labelled_one_or_two,
    pair_content_id,
    two_responses,
)
from biasscope.datasets.fields import optional_text, question, response
from biasscope.datasets.rows import Row
from biasscope.records import PreferencePair

_MODELS = frozenset({"subset", "chosen_model", "rejected_model"})
_NAMED = _MODELS | {"prompt", "chosen", "rejected"}
_NUMBERED = _MODELS | {"question", "response_A", "response_B", "label"}

_SECTIONS = {
    "Chat": ("alpacaeval", "mt-bench-easy", "mt-bench-med"),
    "Chat Hard": ("llmbar", "mt-bench-hard"),
    "Safety": ("donotanswer", "refusals", "xstest"),
    "Reasoning": ("hep", "math-prm"),
}


def section(subset: str) -> str:
    """Give the section of a subset, ``all`` for one that RewardBench does not have."""
    return next((name for name, starts in _SECTIONS.items() if subset.startswith(starts)), "all")


def _read_named(row: Row) -> Iterator[Reading]:
    prompt = question(row, "prompt")
    chosen, rejected = response(row, "chosen"), response(row, "rejected")
    subset = optional_text(row, "subset")
    yield Reading(
        PreferencePair(
            id=optional_text(row, "id") or pair_content_id(prompt, chosen, rejected),
            prompt=prompt,
            chosen=chosen,
            rejected=rejected,
            domain=optional_text(row, "domain", section(subset)),
            source=subset,
        )
    )


def _read_numbered(row: Row) -> Iterator[Reading]:
    subset = optional_text(row, "subset")
    yield two_responses(
        row,
        ("question", "response_A", "response_B"),
        labelled_one_or_two(row),
        id_column="id",
        domain=optional_text(row, "domain", section(subset)),
        source=subset,
    )


def _fit(sample: Sample) -> Fit[Reading] | None:
    if sample.columns >= _NUMBERED:
        return Fit(_NUMBERED, _read_numbered)
    return Fit(_NAMED, _read_named) if sample.columns >= _NAMED else None


FORMAT = Format(
    "rewardbench",
    "subset, chosen_model, rejected_model with prompt, chosen, rejected (or question, response_A, response_B, label)",
    "pairs",
    _fit,
)
