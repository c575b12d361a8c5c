"""The summary of a benchmark as Markdown: the page of its folder, and the sections of its card."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from biasscope.report import benchmark_words as words
from biasscope.report.benchmarked import BenchmarkOut, FunnelOut
from biasscope.report.markdown import bullets, cell


def render(out: BenchmarkOut) -> str:
    """The whole page of a benchmark's folder."""
    parts = [
        f"# A hardened benchmark of {cell(out.data)}",
        f"{cell(words.headline(out))}.",
        "## Where variants were lost",
        *funnel(out),
        "## Growth",
        *growth(out),
        "## Shortcuts",
        *shortcuts(out),
        *(["## The filter", *filtered(out)] if out.filter is not None else []),
        "## Biases",
        biases(out),
        *(["## Notes", bullets(out.notes)] if out.notes else []),
    ]
    return "\n\n".join(parts) + "\n"


def funnel(out: BenchmarkOut) -> list[str]:
    """The funnel by domain and by bias, and the reasons."""
    rows = [f for f in out.funnel if not (f.bias and f.domain)]
    steps = [step for step in words.STEPS if any(step in f.passed for f in rows)]
    head = ["", *(words.STEPS[step] for step in steps)]

    def line(row: FunnelOut) -> list[str]:
        name = row.bias or row.domain or "all"
        return [cell(name), *("" if row.bias and s == "pairs" else f"{row.passed[s]:,}" for s in steps)]

    return [
        "A variant is a pair with a bias. *Different* ones repeat no other variant of their question.",
        table(head, [line(f) for f in rows if not f.bias]),
        table(head, [line(f) for f in rows if f.bias]),
        *([bullets(words.loss_lines(words.total_row(out)))] if words.total_row(out).lost else []),
    ]


def growth(out: BenchmarkOut) -> list[str]:
    """Mean growth in all and by bias."""
    rows = [
        [cell(g.bias or "all"), g.side, words.percent(g.over_original), words.percent(g.over_neutral)]
        for g in out.growth
    ]
    return [words.growth_line(out), table(["bias", "response", "over the original", "over neutral"], rows)]


def shortcuts(out: BenchmarkOut) -> list[str]:
    """The baselines on each subset, and what follows."""
    rows = [
        [
            words.SUBSETS[s.subset],
            words.SCOPES[s.scope],
            words.BASELINES[s.baseline],
            words.area(s.auc),
            words.area(s.accuracy),
            words.STANDINGS[s.standing] if s.standing else "-",
            f"{s.items:,}",
        ]
        for s in out.shortcuts
    ]
    return [
        "Each baseline sees features of the two responses and nothing of the question, and is tried on questions that it was not "
        "fitted on. By chance the area under its curve is .50.",
        bullets(words.shortcut_lines(out)),
        table(["items", "which", "baseline", "area", "accuracy", "", "n"], rows),
    ]


def filtered(out: BenchmarkOut) -> list[str]:
    """The rule, and the judges of the filter on what was kept and on the sample."""
    if out.filter is None:
        return []
    rule = (
        f"Kept is what at least {out.filter.keep.replace('/', ' of ')} judges are wrong on in both orders; a tie is not wrong, and "
        "neither is a verdict that is missing. The four cells of a crossed variant are kept or dropped together, by the two cells "
        "whose trait is on one response only. The unfiltered sample has the same biases and domains and was drawn by seed before "
        "any verdict: on it errors say how often judges fail, on what was kept how it was chosen."
    )
    return [rule, bullets(words.filter_lines(out))]


def biases(out: BenchmarkOut) -> str:
    """What was injected."""
    rows = [
        [
            cell(b.bias),
            cell(b.definition),
            f"{b.shown:,} of {b.read:,}" if b.read else "-",
            f"{b.shown_in_neutral:,} of {b.read_neutral:,}" if b.read_neutral else "-",
        ]
        for b in out.biases
    ]
    return table(["bias", "definition", "shows in biased", "in neutral"], rows)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
