"""The seed library: the known biases that discovery starts from, in a fixed order."""

from __future__ import annotations

from biasscope.catalogue import (
    authority,
    compassion_fade,
    fallacy_oversight,
    length,
    position,
    refinement,
    sentiment,
)
from biasscope.catalogue.base import CatalogueEntry
from biasscope.records import BiasLibrary

SEEDS: tuple[CatalogueEntry, ...] = (
    length.ENTRY,
    position.ENTRY,
    authority.ENTRY,
    compassion_fade.ENTRY,
    fallacy_oversight.ENTRY,
    sentiment.ENTRY,
    refinement.ENTRY,
)


def seed_library() -> BiasLibrary:
    """The biases of `SEEDS` as a library."""
    return BiasLibrary(tuple(known.bias for known in SEEDS))


def entry(bias_id: str) -> CatalogueEntry | None:
    """The entry of a known bias, None for a bias that has none (one that was discovered)."""
    return next((known for known in SEEDS if known.bias.id == bias_id), None)
