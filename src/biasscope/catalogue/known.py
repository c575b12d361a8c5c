"""The catalogue as a value: entries by id, the ones that come with biasscope, and those of the seed library."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from biasscope.catalogue import families
from biasscope.catalogue.base import CatalogueEntry
from biasscope.records import Bias, BiasLibrary

SEED_IDS = (
    "length",
    "position",
    "authority",
    "compassion_fade",
    "fallacy_oversight",
    "sentiment",
    "refinement",
)
"""The biases that discovery starts from, in a fixed order."""


@dataclass(frozen=True)
class Catalogue:
    """Known biases in a fixed order, each id once; `families` are names of groups of them, with their ids.

    Raises ValueError for an id that is there twice."""

    entries: tuple[CatalogueEntry, ...]
    families: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def __post_init__(self) -> None:
        ids = [known.bias.id for known in self.entries]
        twice = sorted({i for i in ids if ids.count(i) > 1})
        if twice:
            raise ValueError(f"a catalogue holds every id once, got {twice} more than once")

    def get(self, bias_id: str) -> CatalogueEntry | None:
        """The entry of a known bias, None for a bias that has none (one that was discovered)."""
        return next((known for known in self.entries if known.bias.id == bias_id), None)

    def family(self, name: str) -> tuple[CatalogueEntry, ...]:
        """The entries of a family; none for a name that is no family."""
        ids = dict(self.families).get(name, ())
        return tuple(known for known in self.entries if known.bias.id in ids)

    def including(self, added: Iterable[CatalogueEntry]) -> Catalogue:
        """The catalogue with more entries; raises ValueError for an id that is there already."""
        return Catalogue((*self.entries, *added), self.families)

    @property
    def biases(self) -> tuple[Bias, ...]:
        """The biases of all entries."""
        return tuple(known.bias for known in self.entries)


@cache
def built_in() -> Catalogue:
    """What comes with biasscope: `ENTRIES` of every module in `catalogue.families`, the seeds first."""
    found: dict[str, tuple[CatalogueEntry, ...]] = {}
    for module in sorted(m.name for m in pkgutil.iter_modules(families.__path__)):
        found[module] = tuple(importlib.import_module(f"{families.__name__}.{module}").ENTRIES)
    entries = [known for of_family in found.values() for known in of_family]
    seeds = [known for name in SEED_IDS for known in entries if known.bias.id == name]
    others = [known for known in entries if known.bias.id not in SEED_IDS]
    members = tuple((name, tuple(known.bias.id for known in of)) for name, of in found.items())
    return Catalogue((*seeds, *others), members)


def seed_library() -> BiasLibrary:
    """The biases that discovery starts from, as a library."""
    return BiasLibrary(tuple(known.bias for known in built_in().entries if known.bias.id in SEED_IDS))


def entry(bias_id: str) -> CatalogueEntry | None:
    """The entry of a bias that comes with biasscope."""
    return built_in().get(bias_id)
