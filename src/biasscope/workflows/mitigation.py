"""Before and after: the same items judged by a judge as it was and with each fix, and what every fix does. Asks nobody."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from biasscope.benchmarks import BenchmarkItem
from biasscope.quantities import Estimate, Unit
from biasscope.stats import multiple
from biasscope.stats.estimates import Array
from biasscope.stats.mitigation import CELLS, FixEffect, Judged, fix_effects
from biasscope.stats.paired import sign_flip_p_of
from biasscope.stats.rates import Clusters, Rate, clustered_mean, clustered_rate
from biasscope.stats.reading import by_cluster
from biasscope.verdict_rows import VerdictRow
from biasscope.workflows.ranked_scores import Judgements
from biasscope.workflows.ranked_set import ItemRow

Tokens = Mapping[str, tuple[int, int]]
"""Tokens that were sent and received, by the key of a reply."""


@dataclass(frozen=True, slots=True)
class PlainChange:
    """The pairs as they were, before and after a fix."""

    before: Rate | None
    """Error rate before, on the pairs that both have; null without one."""
    after: Rate | None
    """Error rate after."""
    change: Estimate | None
    """After less before, paired, a fraction in [-1, 1]."""
    q_rise: float | None
    """Benjamini-Hochberg value, over the fixes, that it rises."""
    q_fall: float | None
    """The same, that it falls."""


@dataclass(frozen=True, slots=True)
class SlotChange:
    """P(prefers the response shown first) - .5 on the pairs as they were, before and after a fix."""

    before: Estimate | None
    """Before, in [-.5, .5]; null for a judge that has no orders."""
    after: Estimate | None
    """After; 0 where both orders are asked each time."""
    shrink: Estimate | None
    """By how much its size falls, paired."""
    q: float | None
    """Benjamini-Hochberg value, over the fixes, that it falls."""
    consistency_before: float | None
    """Share of the pairs judged alike in both orders, in [0, 1]; null without orders."""
    consistency_after: float | None
    """The same after; null where both orders are asked each time, so that nothing can differ."""
    by_construction: bool
    """Whether no habit can be left after the fix, whatever the judge does."""


@dataclass(frozen=True, slots=True)
class VerdictUse:
    """What verdicts there were, and what they took."""

    asked: int
    """Verdicts that were asked for."""
    missing: tuple[tuple[str, int], ...]
    """How many are missing, by reason."""
    ties: float | None
    """Share of ties among those there are, in [0, 1]."""
    replies: float | None
    """Replies of models behind a verdict, on average."""
    input_tokens: float | None
    """Tokens that were sent for a verdict, on average over those whose replies all say so; null without one."""
    output_tokens: float | None
    """Tokens that came back, likewise."""


@dataclass(frozen=True, slots=True)
class FixOutcome:
    """What one fix does."""

    plain: PlainChange
    slot: SlotChange
    biases: tuple[tuple[str, FixEffect], ...]
    use: VerdictUse
    scale: float | None
    """Standard deviation of the margins after over that before; null without margins on both sides."""


@dataclass(frozen=True, slots=True)
class Compared:
    """The judge as it was, and each fix in the order in which they were given."""

    use: VerdictUse
    fixes: tuple[FixOutcome, ...]


@dataclass(frozen=True, slots=True)
class _Plain:
    """The pairs as they were, and the number of each one's question."""

    items: list[ItemRow]
    clusters: Clusters


@dataclass(frozen=True, slots=True)
class _Variants:
    """The crossed items of one bias: a row of items per cell, and the number of each variant's question."""

    bias: str
    cells: tuple[tuple[ItemRow, ...], ...]
    clusters: Clusters


def compare_fixes(
    items: Sequence[BenchmarkItem],
    before: Sequence[VerdictRow],
    after: Sequence[Sequence[VerdictRow]],
    *,
    unit: Unit = "fraction",
    slot_side: float = 1.0,
    q: float = 0.05,
    tokens: Tokens | None = None,
) -> Compared:
    """What fixes do: `before` are the rows of the judge as it was, `after` those of each fix, on the same items.

    `tokens` are those sent and received by key of the reply, where they are known. `slot_side` is 1 for a judge that prefers what is shown first and -1 for the other, as seen on other pairs. Pulls are in `unit` where both sides have margins, and in fractions of verdicts elsewhere. All fixes and biases are
    corrected for together.
    """
    originals = [item for item in items if item.subset == "original"]
    plain = _Plain([_row(item) for item in originals], _numbered(item.question_hash for item in originals))
    variants = _variants(items)
    was, now = Judgements(before), [Judgements(rows) for rows in after]
    judged = [_judged(of, was, one, unit) for one in now for of in variants]
    effects = iter(fix_effects(judged, q=q))
    biases = [tuple((of.bias, next(effects)) for of in variants) for _ in now]
    plains, slots = _plain(plain, was, now), _slots(plain, was, now, slot_side)
    rows = [_row(item) for item in items]
    fixes = [
        FixOutcome(
            plains[k], slots[k], biases[k], _use(one, rows, after[k], tokens or {}), _scale(rows, was, one)
        )
        for k, one in enumerate(now)
    ]
    return Compared(_use(was, rows, before, tokens or {}), tuple(fixes))


def _row(item: BenchmarkItem) -> ItemRow:
    # Clusters are numbered where they are used.
    return ItemRow(
        item.id, (), item.injected_bias, item.trait_side, item.domain, item.variant, item.source_pair, 0, None
    )


def _variants(items: Iterable[BenchmarkItem]) -> list[_Variants]:
    """The variants of each bias that have all four cells, by id of the bias."""
    by_variant: dict[str, dict[str, BenchmarkItem]] = {}
    for item in items:
        if item.subset == "crossed":
            by_variant.setdefault(item.variant, {})[item.trait_side] = item
    of_bias: dict[str, list[dict[str, BenchmarkItem]]] = {}
    for cells in by_variant.values():
        if len(cells) == len(CELLS):
            of_bias.setdefault(cells["neither"].injected_bias, []).append(cells)
    return [
        _Variants(
            bias,
            _by_cell(found),
            _numbered(cells["neither"].question_hash for cells in found),
        )
        for bias, found in sorted(of_bias.items())
    ]


def _by_cell(found: Sequence[Mapping[str, BenchmarkItem]]) -> tuple[tuple[ItemRow, ...], ...]:
    return tuple(tuple(_row(cells[cell]) for cells in found) for cell in CELLS)


def _numbered(names: Iterable[str]) -> Clusters:
    number: dict[str, int] = {}
    return np.array([number.setdefault(name, len(number)) for name in names], dtype=np.int64)


def _judged(of: _Variants, was: Judgements, now: Judgements, unit: Unit) -> Judged:
    before, after = (np.stack([one.errors(cell) for cell in of.cells]) for one in (was, now))
    if unit != "fraction":
        soft = [-np.stack([one.margins(cell) for cell in of.cells]) for one in (was, now)]
        # A mean over the verdicts that happen to have margins would be one of other items.
        if all(
            (np.isnan(hard) == np.isnan(margins)).all()
            for hard, margins in zip((before, after), soft, strict=True)
        ):
            return Judged(before, after, soft[0], soft[1], of.clusters, unit)
    return Judged(before, after, before, after, of.clusters)


def _plain(plain: _Plain, was: Judgements, now: Sequence[Judgements]) -> list[PlainChange]:
    items, clusters = plain.items, plain.clusters
    before = was.errors(items)
    changes = [one.errors(items) - before for one in now]
    rises, falls = (_corrected([sign * c for c in changes], clusters) for sign in (1, -1))
    found = []
    for change, rise, fall in zip(changes, rises, falls, strict=True):
        known = ~np.isnan(change)
        found.append(
            PlainChange(
                clustered_rate(before[known], clusters[known]),
                clustered_rate((before + change)[known], clusters[known]),
                clustered_mean(change, clusters, limit=1.0),
                rise,
                fall,
            )
        )
    return found


def _slots(plain: _Plain, was: Judgements, now: Sequence[Judgements], side: float) -> list[SlotChange]:
    items, clusters = plain.items, plain.clusters
    before = was.first_answers(items)
    known = ~np.isnan(before)
    # The side comes from other pairs: that of these would make any habit that is noise shrink.
    after = [one.first_answers(items) for one in now]
    gains = [side * (before - one) for one in after]
    qs = _corrected(gains, clusters)
    has = was.has_orders
    consistency = was.position(items)[0]
    return [
        SlotChange(
            clustered_mean(before[k], clusters[k]) if has else None,
            clustered_mean(one[k], clusters[k]) if has else None,
            clustered_mean(gain, clusters) if has else None,
            q if has else None,
            consistency,
            judged.position(items)[0],
            has and not judged.has_orders,
        )
        for one, gain, q, judged in zip(after, gains, qs, now, strict=True)
        for k in [known & ~np.isnan(one)]
    ]


def _corrected(changes: Sequence[Array], clusters: Clusters) -> list[float | None]:
    """Benjamini-Hochberg values, over the fixes, of one-sided tests that a mean is above 0."""
    known = [~np.isnan(c) for c in changes]
    ps = [
        sign_flip_p_of(by_cluster(c[k], clusters[k])) if k.any() else None
        for c, k in zip(changes, known, strict=True)
    ]
    qs = iter(multiple.adjusted([p for p in ps if p is not None]))
    return [None if p is None else next(qs) for p in ps]


def _use(said: Judgements, items: Sequence[ItemRow], rows: Sequence[VerdictRow], tokens: Tokens) -> VerdictUse:
    asked, missing = said.missing(items)
    replies = float(np.mean([len(row.keys) for row in rows])) if rows else None
    sums = [
        np.sum([tokens[key] for key in row.keys], axis=0)
        for row in rows
        if row.keys and all(key in tokens for key in row.keys)
    ]
    sent, received = np.mean(sums, axis=0).tolist() if sums else (None, None)
    return VerdictUse(asked, missing, said.ties(items), replies, sent, received)


def _scale(items: Sequence[ItemRow], was: Judgements, now: Judgements) -> float | None:
    before, after = was.margins(items), now.margins(items)
    known = ~np.isnan(before) & ~np.isnan(after)
    spread = float(before[known].std()) if known.sum() > 1 else 0.0
    return float(after[known].std()) / spread if spread > 0 else None
