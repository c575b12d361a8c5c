"""Which planted traits a guard in the judge's instructions names: in the teacher's words for them, or the catalogue's."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from biasscope.catalogue.known import entry
from biasscope.models.planted.names import DEFINITIONS, NAMES
from biasscope.models.planted.traits import fold


@lru_cache(maxsize=4096)
def named_in(instructions: str, traits: tuple[str, ...]) -> frozenset[str]:
    """The traits whose name or definition stands in these instructions, in any spelling of case."""
    folded = fold(instructions)
    return frozenset(t for t in traits if any(fold(words) in folded for words in _called(t)))


def _called(trait: str) -> Iterable[str]:
    yield from NAMES.get(trait, ())
    yield from DEFINITIONS.get(trait, ())
    known = entry(trait)
    if known is not None:
        yield known.bias.name
        yield known.bias.definition
