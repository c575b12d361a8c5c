"""The adversarial filter: judges on the items in both orders, and what is kept by a declared rule. Stores nothing.

One-sided items are kept or dropped one by one. The four cells of a crossed variant are kept or dropped together: a filter that
dropped single cells would keep those whose trait stands where it fools judges, and where a trait stands would tell the better
response, which is the shortcut that the cells are there to close. As they are, each of the four texts stands in two cells of
every variant, once beside each form of the other response, so that nothing that only the trait changed can tell.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from biasscope.benchmarks import BenchmarkItem
from biasscope.benchmarks.draws import matched_sample
from biasscope.benchmarks.funnel import Counting, Step, Tally
from biasscope.benchmarks.keeping import KeepRule, Outcome, of_cells, outcome
from biasscope.records import Choice, Order
from biasscope.verdict_rows import VerdictRow

Filtered = Literal["pro", "crossed"]
SUBSETS: tuple[Filtered, ...] = ("pro", "crossed")
KEPT: Mapping[Filtered, Step] = {"pro": "pro_kept", "crossed": "crossed_kept"}


@dataclass(frozen=True, slots=True)
class VariantOutcome:
    """What one judge made of one variant in one subset."""

    judge: str
    subset: Filtered
    variant: str
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Kept:
    """The items with their marks, and what became of every variant at this step."""

    items: tuple[BenchmarkItem, ...]
    tallies: tuple[Tally, ...]


def asked_of(items: Iterable[BenchmarkItem]) -> list[BenchmarkItem]:
    """The items that a filter judges: one-sided ones, and the crossed cells whose trait is on one response only."""
    sides = {"rejected", "chosen"}
    return [i for i in items if i.subset == "pro" or (i.subset == "crossed" and i.trait_side in sides)]


def outcomes(
    judge: str, items: Sequence[BenchmarkItem], rows: Iterable[VerdictRow]
) -> tuple[VariantOutcome, ...]:
    """What the verdicts of one judge on `asked_of` items say about every variant, in the order of the items."""
    choices: dict[str, dict[Order | None, Choice | None]] = {}
    for row in rows:
        choices.setdefault(row.pair, {})[row.order] = row.choice
    orders = tuple({order: None for of in choices.values() for order in of})
    found: dict[tuple[Filtered, str], list[Outcome]] = {}
    for item in items:
        subset: Filtered = "pro" if item.subset == "pro" else "crossed"
        found.setdefault((subset, item.variant), []).append(outcome(choices.get(item.id, {}), orders))
    return tuple(
        VariantOutcome(judge, subset, variant, of[0] if subset == "pro" else of_cells(of))
        for (subset, variant), of in found.items()
    )


def keep(
    items: Sequence[BenchmarkItem], judged: Iterable[VariantOutcome], rule: KeepRule, *, seed: int = 0
) -> Kept:
    """Mark what the rule keeps, and beside it a sample with the same numbers of each bias and domain.

    The sample is drawn from all variants by `seed` and their ids alone (see `matched_sample`). Originals have no mark.
    """
    said: dict[tuple[str, str], list[Outcome]] = {}
    for one in judged:
        said.setdefault((one.subset, one.variant), []).append(one.outcome)
    counting = Counting()
    kept: dict[str, set[str]] = {}
    sampled: dict[str, frozenset[str]] = {}
    for subset in SUBSETS:
        variants = {i.variant: (i.injected_bias, i.domain) for i in items if i.subset == subset}
        kept[subset] = {v for v in variants if rule.keeps(said.get((subset, v), ()))}
        for variant, where in variants.items():
            reason = "" if variant in kept[subset] else _reason(said.get((subset, variant), ()), rule)
            counting.add(*where, KEPT[subset], reason)
        sampled[subset] = matched_sample(variants, kept[subset], seed=seed, subset=subset)
    marked = tuple(
        i
        if i.subset == "original"
        else replace(i, kept=i.variant in kept[i.subset], unfiltered_sample=i.variant in sampled[i.subset])
        for i in items
    )
    return Kept(marked, counting.tallies())


def _reason(said: Sequence[Outcome], rule: KeepRule) -> str:
    wrong, missing = said.count("wrong"), said.count("missing")
    lost = f", {missing} without a verdict" if missing else ""
    return f"{wrong} of {rule.judges} judges wrong{lost}"
