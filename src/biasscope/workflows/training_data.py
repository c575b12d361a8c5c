"""Preference data that trains a bias away: pairs as they were, and pairs with a trait on one response. Stores nothing.

**Why the trait stands on either side equally often.** If it stood on rejected responses alone, whoever is trained would learn to
dislike it, which is the bias turned round; on chosen ones alone it would learn to like it. With as many on either side the trait
tells nothing, and what is left to learn is which response is better. The other response is the neutral rewrite by the same
writer, so that *was rewritten* tells nothing either, and the trait makes neither side longer.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from biasscope.benchmarks import BenchmarkItem, Form
from biasscope.benchmarks.duplicates import normalised
from biasscope.benchmarks.funnel import Step
from biasscope.catalogue.edits import words
from biasscope.catalogue.known import Catalogue
from biasscope.records import Bias, PreferencePair, RewrittenSide
from biasscope.seeds import derive_seed
from biasscope.stats.side_balance import Added, Sides, balance_sides
from biasscope.steps.judge import Table
from biasscope.steps.perturb import Writer
from biasscope.workflows.benchmark import build

SIDES: tuple[RewrittenSide, ...] = ("chosen", "rejected")
PASSED_OVER: Step = "drawn"
"""A bias that a response shows as it is costs the pair nothing: the next one in its order is taken."""
SHOWN = "every bias shows in the pair as it is"
EQUAL = "chosen equals rejected once rewritten"


@dataclass(frozen=True, slots=True)
class Mix:
    """How much is augmented: the share of the rows, and the different biases that an augmented pair gets."""

    augmented: float = 0.5
    variants: int = 1
    seed: int = 0

    @property
    def pairs(self) -> float:
        """The share of the source pairs that gives this share of rows."""
        return self.augmented / (self.augmented + self.variants * (1 - self.augmented))

    def plain_beside(self, augmented: int, plain: int) -> int:
        """How many of `plain` pairs may stand beside so many augmented rows; the share is kept to within a row."""
        if not self.augmented:
            return plain
        return min(plain, math.ceil(augmented * (1 - self.augmented) / self.augmented - 1e-9))

    def augmented_beside(self, plain: int, augmented: int) -> int:
        """How many of `augmented` rows may stand beside so many plain pairs; the share is kept to within a row."""
        if self.augmented == 1:
            return augmented
        return min(augmented, math.ceil(plain * self.augmented / (1 - self.augmented) - 1e-9))


@dataclass(frozen=True, slots=True)
class ComposedRow:
    """One row before it is written down: a pair with the better and the worse text to train on.

    `bias` and `side` say which trait stands on which response, and are empty for a pair as it was; then nobody wrote.
    """

    id: str
    pair: PreferencePair
    chosen: str
    rejected: str
    bias: str = ""
    side: RewrittenSide | None = None
    writer: str = ""
    chosen_phrasing: int | None = None
    rejected_phrasing: int | None = None
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Variant:
    """A pair with one bias, in the four cells of a benchmark by their forms (chosen, rejected)."""

    pair: PreferencePair
    cells: Mapping[tuple[Form, Form], BenchmarkItem]

    @property
    def id(self) -> str:
        """Names the row that is made of it."""
        return self._both.variant

    @property
    def bias(self) -> str:
        """Id of the bias."""
        return self._both.injected_bias

    @property
    def _both(self) -> BenchmarkItem:
        return self.cells["biased", "biased"]

    def added(self) -> Added:
        """The words that the trait adds to either response beyond its neutral rewrite."""
        both, neither = self._both, self.cells["neutral", "neutral"]
        chosen, rejected = (length(getattr(both, side)) - length(getattr(neither, side)) for side in SIDES)
        return Added(self.id, self.bias, chosen, rejected)

    def row(self, side: RewrittenSide) -> ComposedRow:
        """The trait on that side, the neutral rewrite on the other."""
        item = self.cells["biased", "neutral"] if side == "chosen" else self.cells["neutral", "biased"]
        return ComposedRow(
            self.id,
            self.pair,
            item.chosen,
            item.rejected,
            self.bias,
            side,
            item.writer,
            item.chosen_phrasing,
            item.rejected_phrasing,
            item.keys,
        )


@dataclass(frozen=True, slots=True)
class Lost:
    """Variants of a bias that did not come through, or rows that were left out to keep a balance (`bias` is empty then)."""

    bias: str
    reason: str
    count: int


@dataclass(frozen=True, slots=True)
class Composed:
    """The rows in the order in which they are written, what stands behind them, and what did not become a row.

    `variants` are those of the augmented rows, by row. `lost` are variants whose pair stays as it was, `spare` rows beyond the
    declared share or dropped for the balance of lengths.
    """

    rows: tuple[ComposedRow, ...]
    variants: Mapping[str, Variant]
    sides: Sides
    lost: tuple[Lost, ...]
    spare: tuple[Lost, ...]
    table: Table = field(repr=False)


def length(text: str) -> int:
    """The length of a text in words."""
    return len(words(text))


async def compose_rows(
    writer: Writer,
    pairs: Sequence[PreferencePair],
    biases: Sequence[Bias],
    mix: Mix,
    *,
    catalogue: Catalogue,
    source: str = "",
) -> Composed:
    """Write what is to be augmented, draw the sides, and keep the declared share.

    `pairs` are labelled and have ids of their own. Pairs to be augmented are drawn by seed; where no rewrite of one comes
    through, it stays as it was and the next one is taken. The same pairs give the same rows in any order. Raises ValueError for
    an unlabelled pair.
    """
    drawn = sorted(pairs, key=lambda p: (derive_seed("augmented", mix.seed, p.id), p.id))
    table, lost = Table(), Counter[tuple[str, str]]()
    found: list[Variant] = []
    used: set[str] = set()
    wanted, tried = _wanted(mix, len(drawn)), 0
    while len(used) < wanted and tried < len(drawn):
        batch = drawn[tried : tried + wanted - len(used)]
        tried += len(batch)
        built = await build(
            writer,
            batch,
            biases,
            variants=mix.variants,
            seed=mix.seed,
            source=source,
            catalogue=catalogue,
        )
        table.rewrites |= built.table.rewrites
        more = list(_told_apart(_variants(batch, built.items), lost))
        found += more
        used |= {variant.pair.id for variant in more}
        for tally in built.tallies:
            if tally.reason and tally.step != PASSED_OVER:
                lost[tally.bias, tally.reason] += tally.count
        asked_for = {pair for pair, _ in built.table.rewrites}
        lost["", SHOWN] += sum(pair.id not in asked_for for pair in batch)
    return _mixed(drawn, found, mix, table, lost)


def _wanted(mix: Mix, count: int) -> int:
    """How many pairs are to be augmented; where both kinds are wanted there is at least one of each."""
    share = round(mix.pairs * count)
    return share if mix.augmented in (0, 1) else min(max(share, 1), max(count - 1, 0))


def _variants(pairs: Sequence[PreferencePair], items: Sequence[BenchmarkItem]) -> Iterator[Variant]:
    by_id = {pair.id: pair for pair in pairs}
    cells: dict[str, dict[tuple[Form, Form], BenchmarkItem]] = {}
    for item in items:
        if item.subset == "crossed":
            cells.setdefault(item.variant, {})[item.chosen_form, item.rejected_form] = item
    for of in cells.values():
        yield Variant(by_id[of["biased", "biased"].source_pair], of)


def _told_apart(variants: Iterable[Variant], lost: Counter[tuple[str, str]]) -> Iterator[Variant]:
    """The variants of which neither row would have the same text twice."""
    for variant in variants:
        rows = [variant.row(side) for side in SIDES]
        if any(normalised(row.chosen) == normalised(row.rejected) for row in rows):
            lost[variant.bias, EQUAL] += 1
        else:
            yield variant


def _mixed(
    pairs: Sequence[PreferencePair],
    found: Sequence[Variant],
    mix: Mix,
    table: Table,
    lost: Mapping[tuple[str, str], int],
) -> Composed:
    """The rows of what was written and of what stays as it was, at the declared share."""
    used = {variant.pair.id for variant in found}
    plain = [pair for pair in pairs if pair.id not in used]
    most = mix.augmented_beside(len(plain), len(found))
    kept = sorted(found, key=lambda v: (derive_seed("share", mix.seed, v.id), v.id))[:most]
    sides = balance_sides((variant.added() for variant in kept), seed=mix.seed)
    variants = {variant.id: variant for variant in kept if variant.id not in sides.dropped}
    beside = plain[: mix.plain_beside(len(variants), len(plain))]
    rows = [
        *(v.row("chosen" if name in sides.chosen else "rejected") for name, v in variants.items()),
        *(ComposedRow(f"{pair.id}/plain", pair, pair.chosen, pair.rejected) for pair in beside),
    ]
    rows.sort(key=lambda row: (derive_seed("row", mix.seed, row.id), row.id))
    spare = (
        Lost("", "more augmented rows than the declared share takes", len(found) - len(kept)),
        Lost("", "dropped, so that the trait makes neither side longer", len(sides.dropped)),
        Lost("", "more plain pairs than the declared share takes", len(plain) - len(beside)),
    )
    return Composed(
        tuple(rows),
        variants,
        sides,
        tuple(Lost(bias, reason, count) for (bias, reason), count in sorted(lost.items()) if count),
        tuple(one for one in spare if one.count),
        table,
    )
