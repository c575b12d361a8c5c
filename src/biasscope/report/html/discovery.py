"""What the page of a discovery shows, as values: every sentence and every cell, none of it markup."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from biasscope.records import Evidence
from biasscope.report import details, findings, proposals
from biasscope.report.html import drawn, methods, words
from biasscope.report.html.about import About
from biasscope.report.html.charts import Chart
from biasscope.report.html.pairs import Shown, Story, pairs_of, story_of
from biasscope.report.html.tables import Table, missing_table
from biasscope.report.summary import Summary, TrialOut


@dataclass(frozen=True, slots=True)
class Finding:
    """One accepted bias with everything that is said about it."""

    number: int
    name: str
    definition: str
    sentence: str
    exact: str
    advice: str
    marks: tuple[str, ...]
    lines: tuple[str, ...]
    charts: tuple[Chart, ...]
    pairs: tuple[Shown, ...]
    story: Story | None
    also_called: tuple[str, ...]
    seen_on: int
    association: str


@dataclass(frozen=True, slots=True)
class DiscoveryView:
    """The page of a discovery from top to bottom."""

    title: str
    headline: str
    notes: tuple[str, ...]
    findings: tuple[Finding, ...]
    steps: tuple[str, ...]
    picked: str
    effects: Chart | None
    tried: Table | None
    statuses: tuple[str, ...]
    untried: tuple[str, ...]
    seeds: tuple[str, ...]
    instrument: str
    baseline: tuple[str, ...]
    slots: Chart | None
    library: Chart | None
    library_line: str
    detectable: tuple[str, ...]
    growth: Chart | None
    iterations: Table | None
    proposals: tuple[str, ...]
    doubts: tuple[str, ...]
    stopped: str
    null_lines: tuple[str, ...]
    missing: Table | None
    cost: Table
    about: About
    methods: tuple[str, ...]
    references: tuple[str, ...]
    version: str

    @property
    def charts(self) -> tuple[Chart, ...]:
        """Every chart of the page."""
        own = [self.effects, self.slots, self.library, self.growth]
        return (*drawn.present(own), *(c for f in self.findings for c in f.charts))


def discovery_view(
    summary: Summary, evidence: Sequence[Evidence], about: About, notes: Sequence[str]
) -> DiscoveryView:
    """Everything the page says about a run."""
    held = sorted((t for t in summary.trials if t.status == "accepted"), key=lambda t: -(t.effect or 0.0))
    return DiscoveryView(
        title=f"Biases of {summary.judge}",
        headline=findings.headline(summary),
        notes=(*_unfinished(summary), *notes),
        findings=tuple(_finding(t, n, summary, evidence) for n, t in enumerate(held, 1)),
        steps=tuple(findings.next_steps(summary)),
        picked=words.PICKED_AS_PUBLISHED if summary.preset == "paper" else words.PICKED,
        effects=drawn.effects_chart(summary),
        tried=tried(summary),
        statuses=tuple(w for s, w in words.STATUSES.items() if any(t.status == s for t in summary.trials)),
        untried=tuple(b.name for b in summary.untried),
        seeds=tuple(b.name for b in summary.library if b.status == "not_tested"),
        instrument=summary.instrument,
        baseline=tuple(findings.baseline_lines(summary.baseline)) or ("No original pair could be judged.",),
        slots=drawn.slots_chart(summary),
        library=drawn.library_chart(summary),
        library_line=_library_line(summary),
        detectable=_detectable(summary),
        growth=drawn.growth_chart(summary),
        iterations=_iterations(summary),
        proposals=tuple(proposals.proposal_lines(summary)),
        doubts=tuple(findings.doubts(summary)),
        stopped=f"The loop stopped: {summary.stopped}." if summary.complete else "The loop has not ended yet.",
        null_lines=tuple(details.null_lines(summary.null_control)),
        missing=missing_table(summary.missing),
        cost=_cost(summary),
        about=about,
        methods=methods.discovery_methods(summary),
        references=methods.references(summary),
        version=summary.version,
    )


def _unfinished(summary: Summary) -> tuple[str, ...]:
    if summary.complete:
        return ()
    return (
        "This run is not finished: what stands here may change. The same command continues it and pays nothing twice.",
    )


def _finding(trial: TrialOut, number: int, summary: Summary, evidence: Sequence[Evidence]) -> Finding:
    names = {b.id: b.name for b in summary.library} | {t.id: t.name for t in summary.trials}
    called = [name for i in summary.iterations for name, of in i.merged if of == trial.id and name != trial.name]
    charts = [
        drawn.sizes_chart(trial, number),
        drawn.domains_chart(trial, number),
        drawn.features_chart(trial, number),
    ]
    story = story_of(evidence, trial.id, names)
    found = proposals.proposals_of(summary)
    by_feature = found is not None and any(p.candidate == trial.id for p in found.proposals)
    return Finding(
        number=number,
        name=trial.name,
        definition=trial.definition,
        sentence=words.plain_finding(trial, summary.rule),
        exact=findings.finding(trial, summary.rule),
        advice=words.advice(trial),
        marks=tuple(words.MARKS.get(mark, mark) for mark in trial.marks),
        lines=tuple(line for line in (words.length_line(trial), *details.detail_lines(trial)) if line),
        charts=tuple(drawn.present(charts)),
        pairs=pairs_of(evidence, trial.id),
        story=story,
        also_called=tuple(dict.fromkeys(called)),
        seen_on=len(trial.evidence),
        association=(
            "Features of the texts proposed it: the judge's choices on the originals go with it, as the section on how it was "
            "found says." if by_feature and story is None else ""
        ),
    )  # fmt: skip


def tried(summary: Summary) -> Table | None:
    """Everything that was tried, a row each; None where nothing was."""
    if not summary.trials:
        return None
    paper = summary.rule == "paper"
    trials = sorted(summary.trials, key=lambda t: (t.effect is None, -(t.effect or 0.0)))
    effect = "error above the originals" if paper else "effect beyond wording"
    head = ("candidate", "status", effect, "interval", "p", "q", "pairs", "could be seen", "iteration")
    return Table(
        "Everything that was tried, the largest effect first", head, tuple(_row(t, paper=paper) for t in trials)
    )


def _row(trial: TrialOut, *, paper: bool) -> tuple[str, ...]:
    unit = trial.unit or "fraction"
    value = findings.against_originals(trial) if paper else trial.effect
    seen = trial.detectable if trial.status == "not_shown" else None
    return (
        trial.name,
        words.status_cell(trial),
        "" if value is None else findings.amount(value, "fraction" if paper else unit),
        findings.span(trial.low, trial.high, unit),
        findings.p_cell(trial.p),
        "" if trial.q is None else f"{trial.q:.4f}",
        str(trial.n),
        "" if seen is None else findings.amount(seen, unit),
        str(trial.iteration),
    )


def _library_line(summary: Summary) -> str:
    found = summary.library_effect
    if found is None:
        return ""
    interval = findings.interval_text(found.low, found.high, found.unit, 0.95)
    return (
        f"On {found.n} pairs that chose none of the biases, with one accepted bias each, the judge errs in "
        f"{100 * found.before:.1f} % as they are, {100 * found.neutral:.1f} % neutrally reworded and {100 * found.after:.1f} % with the bias: "
        f"{findings.amount(found.gain, found.unit)} beyond wording ({interval})."
    )


def _detectable(summary: Summary) -> tuple[str, ...]:
    open_ones = [t for t in summary.trials if t.status == "not_shown" and t.detectable is not None]
    lines = [
        f"{t.name}: an effect of {findings.amount(t.detectable, t.unit or 'fraction')} would have been shown four times out of "
        f"five on its {t.n} pairs; it came out at {findings.amount(t.effect, t.unit or 'fraction')}."
        for t in open_ones
        if t.detectable is not None and t.effect is not None
    ]
    given_up = sum(t.status == "dropped" for t in summary.trials)
    if given_up:
        lines.append(
            f"{given_up} {'candidate was' if given_up == 1 else 'candidates were'} given up early, as unlikely to reach the smallest "
            "effect of interest; of smaller effects that says nothing."
        )
    return tuple(lines) or ("No candidate was left open, so that this question does not arise.",)


def _iterations(summary: Summary) -> Table | None:
    if not summary.iterations:
        return None
    head = (
        "iteration",
        "pairs rewritten",
        "shifts",
        "expected noise",
        "named",
        "merged",
        "tried",
        "held",
        "decoys named",
    )
    rows = tuple(
        (
            str(i.index),
            str(i.perturbed),
            str(i.shifts),
            "" if i.expected_noise is None else f"{100 * i.expected_noise:.0f} %",
            str(i.named),
            str(len(i.merged)),
            str(len(i.candidates)),
            str(len(i.accepted)),
            f"{i.decoys_named} of {i.decoys}" if i.decoys else "",
        )
        for i in summary.iterations
    )
    return Table("The iterations in counts", head, rows)


def _cost(summary: Summary) -> Table:
    c, p = summary.calls, summary.pairs
    rows = (
        ("calls of the judge in the latest start", f"{c.judge:,}"),
        ("calls of the teacher in the latest start", f"{c.teacher:,}"),
        ("replies read from the ledger", f"{c.replayed:,}"),
        ("tokens in, where reported", f"{c.input_tokens:,}"),
        ("tokens out, where reported", f"{c.output_tokens:,}"),
        ("pairs for discovery", f"{p.discovery:,}"),
        ("pairs for validation", f"{p.validation:,}"),
        ("pairs held out", f"{p.holdout:,}"),
        ("pairs left out as twins", f"{p.shared_left_out:,}"),
        ("rows skipped while reading", f"{p.skipped:,}"),
    )
    return Table("What the run took", ("what", "how much"), rows)
