"""Variants of one discovery, each differing from it in one setting: what they found and what it did on held-out pairs.

Asks nobody: a variant is run as any discovery is, and described here from what it stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from biasscope.quantities import Estimate
from biasscope.records import ORIGINAL, Trial
from biasscope.stats.estimates import estimate
from biasscope.stats.reading import clustered_se
from biasscope.stats.transfer import Difference, paired_differences
from biasscope.workflows.recount import ITEM, Items, item_scores


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant that was run: its verdicts, its trials, the judge's error on the originals, and the calls that it asked for.

    `asked` are calls whether they were paid or read from the shared ledger, `paid` those that were paid for it.
    """

    label: str
    verdicts: pl.DataFrame
    trials: tuple[Trial, ...]
    error: float | None
    named: int
    asked: int
    paid: int


@dataclass(frozen=True, slots=True)
class Ablated:
    """One variant beside the first one.

    `named` counts candidates, `validated` those that hold, `in_base` those of them that hold in the first variant too.
    `before`, `neutral` and `after` are error rates on held-out pairs, `gain` is after - neutral with its interval, and
    `difference` the gain less that of the first variant on the pairs that both have. `published` is the mean error over
    what holds on the pairs that selected it, as the paper reports it, inflated by selection; `error` that on the originals.
    """

    label: str
    named: int
    validated: int
    in_base: int
    before: float | None
    neutral: float | None
    after: float | None
    gain: Estimate | None
    difference: Difference | None
    error: float | None
    published: float | None
    asked: int
    paid: int


@dataclass(frozen=True, slots=True)
class _HeldOut:
    before: Items
    neutral: Items
    after: Items

    @property
    def gains(self) -> Items:
        keys = self.before.values.keys() & self.neutral.values.keys() & self.after.values.keys()
        return Items({k: self.after.values[k] - self.neutral.values[k] for k in keys})


def ablated(variants: Sequence[Variant]) -> tuple[Ablated, ...]:
    """Describe variants beside the first one; one correction over the differences to it."""
    held_out = [_held_out(v) for v in variants]
    gains = [h.gains for h in held_out]
    columns = []
    for other in gains[1:]:
        keys = sorted(gains[0].values.keys() & other.values.keys())
        columns.append((gains[0].at(keys), other.at(keys), _clusters(keys)))
    differences = [None, *paired_differences(columns, limit=2.0)]
    base = {t.bias.id for t in _held(variants[0])}
    return tuple(
        _described(v, h, g, d, base) for v, h, g, d in zip(variants, held_out, gains, differences, strict=True)
    )


def _described(
    variant: Variant, held_out: _HeldOut, gains: Items, difference: Difference | None, base: set[str]
) -> Ablated:
    keys = sorted(gains.values)
    held = _held(variant)
    errors = [t.error_biased for t in held if t.error_biased is not None]
    return Ablated(
        label=variant.label,
        named=variant.named,
        validated=len(held),
        in_base=sum(t.bias.id in base for t in held),
        before=_mean(held_out.before, keys),
        neutral=_mean(held_out.neutral, keys),
        after=_mean(held_out.after, keys),
        gain=_gain(gains, keys),
        difference=difference,
        error=variant.error,
        published=sum(errors) / len(errors) if errors else None,
        asked=variant.asked,
        paid=variant.paid,
    )


def _held_out(variant: Variant) -> _HeldOut:
    """Errors of every held-out pair on its original, its neutral rewrite and the one with an accepted bias."""
    of = variant.verdicts.filter(pl.col("role") == "holdout")
    accepted = [t.bias.id for t in _held(variant)]
    biased = pl.col("arm").is_in(accepted)
    kinds = (
        pl.col("arm") == ORIGINAL,
        (pl.col("arm") != ORIGINAL) & ~biased,
        biased,
    )
    found = [Items({})] * 3
    if of.height:
        scores = item_scores(of)
        rows = [scores.filter(kind).select(*ITEM, "score").iter_rows() for kind in kinds]
        found = [Items({(pair, question): score for pair, question, score in each}) for each in rows]
    return _HeldOut(*found)


def _gain(gains: Items, keys: Sequence[tuple[str, str]]) -> Estimate | None:
    if not keys:
        return None
    values = gains.at(keys)
    se = clustered_se(values, _clusters(keys)) if len(keys) > 1 else None
    return estimate(float(values.mean()), se, len(keys), limit=1.0)


def _clusters(keys: Sequence[tuple[str, str]]) -> np.ndarray:
    _, numbers = np.unique([question for _, question in keys], return_inverse=True)
    return numbers.astype(np.int64)


def _held(variant: Variant) -> list[Trial]:
    return [t for t in variant.trials if t.status == "accepted"]


def _mean(items: Items, keys: Sequence[tuple[str, str]]) -> float | None:
    return float(items.at(keys).mean()) if keys else None
