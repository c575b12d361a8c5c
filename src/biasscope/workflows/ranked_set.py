"""What judges are ranked on: the items of a benchmark by view, which of them belong together, and their originals. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from biasscope.benchmarks import BenchmarkItem
from biasscope.errors import DataError
from biasscope.records import ORIGINAL, PreferencePair
from biasscope.seeds import derive_seed
from biasscope.workflows.judged_items import original_item

View = Literal["hardened", "unfiltered", "crossed", "crossed_unfiltered", "originals"]
"""``hardened``: the one-sided items that the filter kept, or all where none ran. ``unfiltered``: the one-sided sample that was
drawn before any verdict. ``crossed``: the four cells of the kept variants, ``crossed_unfiltered`` those of the sample.
``originals``: the source pairs as they were."""
VIEWS: tuple[View, ...] = ("hardened", "unfiltered", "crossed", "crossed_unfiltered", "originals")
CROSSED: tuple[View, ...] = ("crossed", "crossed_unfiltered")
TraitSide = Literal["chosen", "rejected", "both", "neither"]
"""Which response carries the trait."""


@dataclass(frozen=True, slots=True)
class ItemRow:
    """An item as it is stored beside the verdicts, without its texts: with these everything can be counted again.

    `pair` is its id, as in the table of verdicts; items with one `cluster` are one draw. `original` is the id of its
    original, None without one.
    """

    pair: str
    views: tuple[View, ...]
    bias: str
    side: TraitSide
    domain: str
    variant: str
    source_pair: str
    cluster: int
    original: str | None


@dataclass(frozen=True, slots=True)
class RankSet:
    """The items of each view that has any, and what ties them.

    `clusters` numbers what counts as one draw, by id of the item: a source pair, and source pairs that ask the same; the
    question where no source pair is known. `originals` is the id of the original of an item, where there is one; `unmatched`
    counts the items without. `left_out` counts rows that are in no view: those that the filter dropped.
    """

    views: Mapping[View, tuple[BenchmarkItem, ...]]
    clusters: Mapping[str, int]
    originals: Mapping[str, str]
    unmatched: int = 0
    left_out: int = 0

    @property
    def items(self) -> tuple[BenchmarkItem, ...]:
        """Every item once, those of one cluster beside each other: they share what a judge is shown first."""
        once = {item.id: item for items in self.views.values() for item in items}
        return tuple(sorted(once.values(), key=lambda item: self.clusters[item.id]))

    @property
    def main(self) -> View:
        """The view that the set is about: the first of `VIEWS` that has items."""
        return next(view for view in VIEWS if view in self.views)

    @property
    def rows(self) -> tuple[ItemRow, ...]:
        """Every item without its texts, in the order of `items`."""
        views: dict[str, list[View]] = {}
        for view, held in self.views.items():
            for item in held:
                views.setdefault(item.id, []).append(view)
        return tuple(
            ItemRow(
                item.id,
                tuple(views[item.id]),
                item.injected_bias,
                item.trait_side,
                item.domain,
                item.variant,
                item.source_pair,
                self.clusters[item.id],
                self.originals.get(item.id),
            )
            for item in self.items
        )


def rank_set(
    items: Sequence[BenchmarkItem],
    *,
    pairs: Sequence[PreferencePair] | None = None,
    limit: int | None = None,
    seed: int = 0,
) -> RankSet:
    """Sort the items of a benchmark into views.

    `pairs` are the source pairs, in place of originals that the items hold. `limit` draws so many clusters by `seed`. Raises
    DataError where no item is in a view, or where pairs are given and none of them is the original of an item.
    """
    if pairs is not None:
        held = [item for item in items if item.subset != "original"]
        items = [*held, *_originals(held, pairs)]
    clusters = _clusters(items, limit, seed)
    kept = [item for item in items if item.id in clusters]
    views = {view: found for view in VIEWS if (found := tuple(i for i in kept if view in views_of(i)))}
    views = _distinct(views)
    if not views:
        raise DataError(
            "no row of the benchmark is to be ranked on", hint="The filter dropped every row, and kept no sample."
        )
    known = _Originals.of(views.get("originals", ()))
    made = [i for i in kept if i.subset != "original" and views_of(i)]
    of = {item.id: name for item in made if (name := known.find(item)) is not None}
    if pairs is not None and made and not of:
        raise DataError(
            "none of the given originals belongs to an item of the benchmark",
            hint="Give the data that the benchmark was made of: ids, or questions and better responses, must be the same.",
        )
    used = set(of.values())
    if "originals" in views and made:
        views["originals"] = tuple(item for item in views["originals"] if item.id in used)
        if not views["originals"]:
            del views["originals"]
    left = sum(not views_of(item) for item in kept)
    return RankSet(views, clusters, of, unmatched=len(made) - len(of) if used else 0, left_out=left)


def views_of(item: BenchmarkItem) -> tuple[View, ...]:
    """The views that an item is in; none for one that the filter dropped and that is in no sample."""
    if item.subset == "original":
        return ("originals",)
    whole: View = "hardened" if item.subset == "pro" else "crossed"
    sample: View = "unfiltered" if item.subset == "pro" else "crossed_unfiltered"
    return (*([whole] if item.kept is not False else []), *([sample] if item.unfiltered_sample else []))


def _clusters(items: Sequence[BenchmarkItem], limit: int | None, seed: int) -> dict[str, int]:
    """The number of each item's cluster, in an order drawn by seed; with a limit those of the first so many alone."""
    questions: dict[str, str] = {}
    names = {
        item.id: questions.setdefault(item.source_pair, item.question_hash)
        if item.source_pair
        else item.question_hash
        for item in items
    }
    # Pairs of which nothing was made take no place of those that the benchmark is about.
    made = {names[item.id] for item in items if item.subset != "original"} or set(names.values())
    drawn = sorted(made, key=lambda name: (derive_seed("rank", seed, name), name))[:limit]
    numbers = {name: number for number, name in enumerate(drawn)}
    return {item: numbers[name] for item, name in names.items() if name in numbers}


def _distinct(views: dict[View, tuple[BenchmarkItem, ...]]) -> dict[View, tuple[BenchmarkItem, ...]]:
    """Without a sample that is the very items of its whole: no filter ran, and it would say the same twice."""
    samples: dict[View, View] = {"unfiltered": "hardened", "crossed_unfiltered": "crossed"}
    same = [one for one, whole in samples.items() if one in views and views.get(whole) == views[one]]
    return {view: items for view, items in views.items() if view not in same}


@dataclass(frozen=True, slots=True)
class _Originals:
    """Ids of originals by source pair, by question and better response, and by a question that only one of them asks."""

    by_pair: Mapping[str, str]
    by_texts: Mapping[tuple[str, str], str]
    by_question: Mapping[str, str]

    @classmethod
    def of(cls, items: Sequence[BenchmarkItem]) -> _Originals:
        asked: dict[str, list[str]] = {}
        for item in items:
            asked.setdefault(item.question_hash, []).append(item.id)
        return cls(
            {item.source_pair: item.id for item in items if item.source_pair},
            {(item.question_hash, item.chosen): item.id for item in items},
            {question: ids[0] for question, ids in asked.items() if len(ids) == 1},
        )

    def find(self, item: BenchmarkItem) -> str | None:
        """The original of an item: by its source pair, else by its texts, else by a question that only one of them asks."""
        if (found := self.by_pair.get(item.source_pair)) is not None:
            return found
        same = self.by_texts.get((item.question_hash, item.chosen))
        return same if same is not None else self.by_question.get(item.question_hash)


def _originals(items: Sequence[BenchmarkItem], pairs: Sequence[PreferencePair]) -> list[BenchmarkItem]:
    """Pairs as original items, under ids that no item has."""
    taken = {item.id for item in items}
    sources = {item.source_pair for item in items if item.source_pair}
    return [
        original_item(
            pair,
            name=pair.id if pair.id not in taken else f"{pair.id}#{ORIGINAL}",
            source_pair=pair.id if pair.id in sources else "",
            source=pair.source,
        )
        for pair in pairs
        if pair.labelled
    ]
