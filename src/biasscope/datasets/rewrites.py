"""Rewrites that somebody else wrote: an original, its rewritten form, and the trait that was added.

Bring your own: columns original, rewritten, trait, and optionally pair_id, prompt and domain.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from biasscope.datasets.base import Format, by_columns
from biasscope.datasets.fields import Reason, messages, optional_text, text
from biasscope.datasets.rows import Row
from biasscope.records import Message

COLUMNS = ("original", "rewritten", "trait")


@dataclass(frozen=True, slots=True)
class SuppliedRewrite:
    """A response and its rewritten form that shows `trait`, as supplied in a file.

    `pair_id` links it to a preference pair where the file says so, and `prompt` is what was answered (empty
    where the file does not say). `source` is what the file says about where the texts come from.
    """

    original: str
    rewritten: str
    trait: str
    pair_id: str = ""
    prompt: tuple[Message, ...] = ()
    domain: str = "all"
    source: str = ""


def fault(rewrite: SuppliedRewrite) -> Reason | None:
    """Say why a rewrite cannot be used; None where it can."""
    if not rewrite.trait.strip():
        return "missing trait"
    if not rewrite.original.strip():
        return "missing original"
    if not rewrite.rewritten.strip():
        return "missing rewrite"
    return "unchanged rewrite" if rewrite.rewritten.strip() == rewrite.original.strip() else None


def _read(row: Row) -> Iterator[SuppliedRewrite]:
    yield SuppliedRewrite(
        original=text(row, "original", "missing original"),
        rewritten=text(row, "rewritten", "missing rewrite"),
        trait=optional_text(row, "trait").strip(),
        pair_id=optional_text(row, "pair_id"),
        prompt=messages(row, "prompt"),
        domain=optional_text(row, "domain", "all"),
    )


FORMAT = Format("rewrites", ", ".join(COLUMNS), "rewrites", by_columns(COLUMNS, _read))
