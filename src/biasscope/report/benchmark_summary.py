"""From the records of a benchmark's folder to its summary. Reads no file and asks nobody."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from biasscope import __version__
from biasscope.benchmarks import BenchmarkItem, Subset
from biasscope.benchmarks.funnel import FunnelRow, Tally, funnel
from biasscope.benchmarks.keeping import Outcome
from biasscope.catalogue.known import Catalogue
from biasscope.config import BenchmarkIdentity
from biasscope.records import Bias
from biasscope.report.benchmarked import (
    BenchmarkOut,
    FilterCellOut,
    FilterJudgeOut,
    FilterOut,
    FunnelOut,
    GrowthOut,
    InjectedOut,
    LossOut,
    Scope,
    ShortcutOut,
)
from biasscope.report.summarising import missing_out
from biasscope.report.summary import CallsOut
from biasscope.stats.rates import clustered_rate
from biasscope.workflows.benchmark_facts import check_shortcuts, growth
from biasscope.workflows.benchmark_filter import SUBSETS, Filtered, VariantOutcome

SCOPES: tuple[Scope, ...] = ("all", "kept", "unfiltered")
ALL_SUBSETS: tuple[Subset, ...] = ("original", "pro", "crossed")
MOST_GROWTH = 0.15
"""Mean growth of biased over neutral rewrites above which a note says so: then a trait comes with its length."""
LEAST_SHOWN, MOST_IN_NEUTRAL = 0.8, 0.2
"""Shares of biased and neutral rewrites that show a trait, beyond which a note says that the rewriting failed."""


@dataclass(frozen=True, slots=True)
class TraitCount:
    """In how many of the rewrites that were read a trait shows."""

    bias: str
    shown: int
    read: int
    shown_in_neutral: int
    read_neutral: int


@dataclass(frozen=True, slots=True)
class BuildFacts:
    """What is known once a benchmark was built and cannot be read from its items."""

    pairs: int
    unlabelled: int
    skipped: int
    source: str
    biases: tuple[Bias, ...]
    discovered_on: tuple[tuple[str, tuple[str, ...]], ...] = ()
    traits: tuple[TraitCount, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FilterJudge:
    """A judge of the filter: its spec, how it was asked, and what of its verdicts is missing, as (arm, reason, count)."""

    spec: str
    instrument: str
    missing: tuple[tuple[str, str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class FilterRun:
    """The filter that was run: its rule as written, and its judges."""

    keep: str
    judges: tuple[FilterJudge, ...]


@dataclass(frozen=True, slots=True)
class Filtering:
    """A filter with what its judges made of every variant."""

    run: FilterRun
    outcomes: tuple[VariantOutcome, ...]


def benchmark_out(
    run: str,
    identity: BenchmarkIdentity,
    facts: BuildFacts,
    items: Sequence[BenchmarkItem],
    tallies: Sequence[Tally],
    filtering: Filtering | None,
    *,
    catalogue: Catalogue,
    review: int = 0,
    calls: CallsOut | None = None,
) -> BenchmarkOut:
    """Sum up a benchmark; shortcuts are tried on every subset, and on what a filter kept beside the sample."""
    grown = tuple(GrowthOut(bias=g.bias, side=g.side, over_original=g.over_original, over_neutral=g.over_neutral)
                  for g in growth(items))  # fmt: skip
    shortcuts = tuple(shortcuts_out(items, catalogue, filtered=filtering is not None, seed=identity.seed))
    counts = Counter(i.subset for i in items)
    out = BenchmarkOut(
        version=__version__,
        run=run,
        data=facts.source,
        pairs=facts.pairs,
        unlabelled=facts.unlabelled,
        skipped=facts.skipped,
        variants=identity.variants,
        rewrites=identity.rewrites,
        writers=tuple(sorted({i.writer for i in items if i.writer})),
        biases=tuple(_injected(facts, bias) for bias in sorted(facts.biases, key=lambda b: b.id)),
        items={subset: counts[subset] for subset in ALL_SUBSETS},
        funnel=tuple(_row(row) for row in funnel(tallies)),
        growth=grown,
        shortcuts=shortcuts,
        filter=None if filtering is None else _filter(filtering, items),
        review=review,
        notes=(),
        calls=calls,
    )
    return out.model_copy(update={"notes": (*facts.notes, *_notes(out, items))})


def shortcuts_out(
    items: Sequence[BenchmarkItem], catalogue: Catalogue, *, filtered: bool, seed: int
) -> Iterator[ShortcutOut]:
    """The baselines on each subset; after a filter also on what it kept and on the sample."""
    for subset in ALL_SUBSETS:
        scopes = SCOPES if filtered and subset != "original" else SCOPES[:1]
        for scope in scopes:
            own = [i for i in items if i.subset == subset and _in_scope(i, scope)]
            for check in check_shortcuts(own, catalogue=catalogue, seed=seed) if own else ():
                found = check.found
                yield ShortcutOut(
                    subset=subset,
                    scope=scope,
                    baseline=check.baseline,
                    items=len(own),
                    questions=None if found is None else found.questions,
                    auc=None if found is None else found.auc,
                    accuracy=None if found is None else found.accuracy,
                    standing=None if found is None else found.standing,
                    top=check.top,
                )


def _in_scope(item: BenchmarkItem, scope: Scope) -> bool:
    return scope == "all" or (item.kept is True if scope == "kept" else item.unfiltered_sample)


def _row(row: FunnelRow) -> FunnelOut:
    lost = tuple(LossOut(step=step, reason=reason, count=count) for step, reason, count in row.lost)
    return FunnelOut(bias=row.bias, domain=row.domain, passed=row.passed, lost=lost)


def _injected(facts: BuildFacts, bias: Bias) -> InjectedOut:
    trait = next((t for t in facts.traits if t.bias == bias.id), TraitCount(bias.id, 0, 0, 0, 0))
    return InjectedOut(
        bias=bias.id,
        name=bias.name,
        definition=bias.definition,
        origin=bias.origin,
        estimand=bias.estimand,
        discovered_on=dict(facts.discovered_on).get(bias.id, ()),
        shown=trait.shown,
        read=trait.read,
        shown_in_neutral=trait.shown_in_neutral,
        read_neutral=trait.read_neutral,
    )


def _filter(filtering: Filtering, items: Sequence[BenchmarkItem]) -> FilterOut:
    of = {subset: _variants(items, subset) for subset in SUBSETS}
    counts = {s: (len(v), sum(i.kept is True for i in v.values()), sum(i.unfiltered_sample for i in v.values()))
              for s, v in of.items()}  # fmt: skip
    return FilterOut(
        keep=filtering.run.keep,
        judges=tuple(_judge(judge, filtering, of) for judge in filtering.run.judges),
        pro=counts["pro"],
        crossed=counts["crossed"],
    )


def _variants(items: Sequence[BenchmarkItem], subset: Filtered) -> dict[str, BenchmarkItem]:
    """One item of every variant of a subset: its cells have the same marks."""
    return {i.variant: i for i in items if i.subset == subset}


def _judge(
    judge: FilterJudge, filtering: Filtering, of: Mapping[Filtered, Mapping[str, BenchmarkItem]]
) -> FilterJudgeOut:
    said = {(o.subset, o.variant): o.outcome for o in filtering.outcomes if o.judge == judge.spec}

    def cells(subset: Filtered) -> tuple[FilterCellOut, ...]:
        return tuple(
            _cell(scope, [i for i in of[subset].values() if _in_scope(i, scope)], said, subset)
            for scope in SCOPES
        )

    return FilterJudgeOut(
        judge=judge.spec,
        instrument=judge.instrument,
        pro=cells("pro"),
        crossed=cells("crossed"),
        missing=missing_out(judge.missing),
    )


def _cell(
    scope: Scope, items: Sequence[BenchmarkItem], said: Mapping[tuple[Filtered, str], Outcome], subset: Filtered
) -> FilterCellOut:
    found = [said.get((subset, i.variant), "missing") for i in items]
    wrong = np.array([float(o == "wrong") for o in found], dtype=np.float64)
    _, clusters = np.unique(np.array([i.question_hash for i in items], dtype=str), return_inverse=True)
    rate = clustered_rate(wrong, clusters.astype(np.int64))
    return FilterCellOut(scope=scope, variants=len(items), wrong=rate, missing=found.count("missing"))


def _notes(out: BenchmarkOut, items: Sequence[BenchmarkItem]) -> list[str]:
    objective = sum(i.objective for i in items if i.subset == "original")
    return [*_notes_on_pairs(out, objective), *_notes_on_rewrites(out), *_notes_on_survivors(out)]


def _notes_on_pairs(out: BenchmarkOut, objective: int) -> Iterator[str]:
    if out.unlabelled:
        yield f"{out.unlabelled:,} pairs were left out, since nobody has labelled them."
    if len(out.biases) < out.variants:
        most = len(out.biases)
        yield f"There are {most} biases, so that each pair has at most {most} variants and not {out.variants}."
    if not objective:
        yield "No label rests on an answer that can be checked: an error is a choice against the label."
    elif objective < out.items["original"]:
        yield f"The labels of {objective:,} of {out.items['original']:,} pairs rest on an answer that can be checked."


def _notes_on_rewrites(out: BenchmarkOut) -> Iterator[str]:
    over = next((g.over_neutral.value for g in out.growth if not g.bias and g.side == "rejected"), 0.0)
    if abs(over) > MOST_GROWTH:
        yield f"Biased rewrites are {over:+.1%} long beside neutral ones: what they do may be their length."
    for one in out.biases:
        if one.read and one.shown / one.read < LEAST_SHOWN:
            yield f"{one.bias} shows in {one.shown} of {one.read} biased rewrites that were read."
        if one.read_neutral and one.shown_in_neutral / one.read_neutral > MOST_IN_NEUTRAL:
            seen = f"{one.shown_in_neutral} of {one.read_neutral}"
            yield f"{one.bias} shows in {seen} neutral rewrites that were read."


def _notes_on_survivors(out: BenchmarkOut) -> Iterator[str]:
    rows = [f for f in out.funnel if f.bias and not f.domain]
    gone = [f.bias for f in rows if not f.passed["deduplicated"]]
    if gone:
        yield f"No item carries {', '.join(gone)}."
    if out.filter is None:
        return
    none = [f.bias for f in rows if f.bias not in gone and not f.passed["pro_kept"] + f.passed["crossed_kept"]]
    if none:
        yield f"The filter kept nothing with {', '.join(none)}."
