"""The words for a benchmark: what was built, kept and lost, and which shortcuts work. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from biasscope.benchmarks.funnel import Step
from biasscope.quantities import Estimate
from biasscope.report.benchmarked import BenchmarkOut, FilterCellOut, FunnelOut, Scope, ShortcutOut
from biasscope.stats.rates import Rate
from biasscope.workflows.benchmark_facts import Baseline

STEPS: dict[Step, str] = {
    "pairs": "pairs",
    "drawn": "drawn",
    "written": "written",
    "checked": "checked",
    "deduplicated": "different",
    "pro_kept": "kept, one-sided",
    "crossed_kept": "kept, crossed",
    "reviewed": "review",
}
BASELINES: dict[Baseline, str] = {
    "length": "length alone",
    "format": "format alone",
    "trait": "trait detector alone",
    "words": "words alone",
}
SCOPES: dict[Scope, str] = {"all": "all", "kept": "kept", "unfiltered": "unfiltered sample"}
SUBSETS = {"original": "source pairs", "pro": "one-sided", "crossed": "crossed"}
STANDINGS = {"shortcut": "a shortcut", "near_chance": "near chance", "open": "cannot be told"}


def headline(out: BenchmarkOut) -> str:
    """What there is, in a sentence."""
    total = total_row(out)
    line = (
        f"{total.passed['deduplicated']:,} of {total.passed['drawn']:,} variants of {out.pairs:,} pairs: "
        f"{out.items['pro']:,} one-sided and {out.items['crossed']:,} crossed items"
    )
    if out.filter is None:
        return f"{line}, not filtered"
    return f"{line}; the filter {out.filter.keep} kept {out.filter.pro[1]:,} one-sided and {out.filter.crossed[1]:,} crossed variants"


def total_row(out: BenchmarkOut) -> FunnelOut:
    """The funnel of everything."""
    return next(row for row in out.funnel if not row.bias and not row.domain)


def loss_lines(row: FunnelOut) -> Iterator[str]:
    """What was lost at each step, largest first."""
    for step, words in STEPS.items():
        lost = [one for one in row.lost if one.step == step]
        if lost:
            yield f"Lost at {words}: {'; '.join(f'{one.reason} {one.count:,}' for one in lost)}."


def growth_line(out: BenchmarkOut) -> str:
    """How much longer biased rewrites are, over all biases."""
    parts = [
        f"{g.side} {percent(g.over_original)} over the original, {percent(g.over_neutral)} over neutral"
        for g in out.growth
        if not g.bias
    ]
    return f"Mean growth of biased rewrites in words: {'; '.join(parts)}." if parts else "Growth is not known."


def percent(found: Estimate) -> str:
    """A growth in percent with its interval."""
    if found.low is None or found.high is None:
        return f"{found.value:+.1%}"
    return f"{found.value:+.1%} ({found.low:+.1%} to {found.high:+.1%})"


def share(rate: Rate | None) -> str:
    """A rate in percent with its interval, ``-`` where it is not known."""
    if rate is None:
        return "-"
    if rate.low is None or rate.high is None:
        return f"{rate.value:.1%}"
    return f"{rate.value:.1%} ({rate.low:.1%} to {rate.high:.1%})"


def area(found: Estimate | None) -> str:
    """An area under the curve or an accuracy with its interval, ``-`` where it is not known."""
    if found is None:
        return "-"
    if found.low is None or found.high is None:
        return f"{found.value:.2f}"
    return f"{found.value:.2f} ({found.low:.2f} to {found.high:.2f})"


def shortcut_lines(out: BenchmarkOut) -> Iterator[str]:
    """What the baselines say about the crossed items, then about the one-sided ones, where they are expected to win."""
    scope: Scope = "all" if out.filter is None else "kept"
    crossed = [s for s in out.shortcuts if s.subset == "crossed" and s.scope == scope]
    found = [s for s in crossed if s.standing == "shortcut"]
    if not any(s.auc for s in crossed):
        yield "Shortcuts cannot be looked for: there are too few different questions."
        return
    if found:
        for one in found:
            yield f"Crossed items have a shortcut: {BASELINES[one.baseline]} reaches an area of {area(one.auc)}{_source(out, one)}."
    chance = [BASELINES[s.baseline] for s in crossed if s.standing == "near_chance"]
    if chance:
        yield f"Near chance on crossed items: {', '.join(chance)}."
    unknown = [f"{BASELINES[s.baseline]} {area(s.auc)}" for s in crossed if s.standing == "open"]
    if unknown:
        yield f"Cannot be told on crossed items: {', '.join(unknown)}."
    pro = [s for s in out.shortcuts if s.subset == "pro" and s.scope == scope and s.standing == "shortcut"]
    if pro:
        names = ", ".join(f"{BASELINES[s.baseline]} {area(s.auc)}" for s in pro)
        yield f"On one-sided items these win, as is to be expected where the trait is on rejected responses alone: {names}."


def _source(out: BenchmarkOut, one: ShortcutOut) -> str:
    """Whether the source pairs have the same shortcut."""
    same = next((s for s in out.shortcuts if s.subset == "original" and s.baseline == one.baseline), None)
    if same is None or same.auc is None or one.auc is None:
        return ""
    told = f", on the source pairs {area(same.auc)}"
    high = one.auc.value if one.auc.high is None else one.auc.high
    return f"{told}, so that it is theirs" if same.standing == "shortcut" and same.auc.value <= high else told


def filter_lines(out: BenchmarkOut) -> Iterator[str]:
    """What each judge of the filter made of what was kept, and of the sample that tells prevalence."""
    if out.filter is None:
        return
    for judge in out.filter.judges:
        for name, cells in (("one-sided", judge.pro), ("crossed", judge.crossed)):
            by_scope = {cell.scope: cell for cell in cells}
            rates = ", ".join(f"{SCOPES[s]} {share(by_scope[s].wrong)}" for s in SCOPES if by_scope[s].variants)
            yield f"{judge.judge} on {name} variants, wrong in both orders: {rates}.{_missing(cells)}"


def _missing(cells: Sequence[FilterCellOut]) -> str:
    lost = next((c.missing for c in cells if c.scope == "all"), 0)
    return f" {lost:,} without a verdict, which counts as not wrong." if lost else ""
