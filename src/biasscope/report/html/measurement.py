"""What the page of a measurement shows, as values: every sentence and every cell, none of it markup."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from biasscope.records import Evidence
from biasscope.report import details, findings, measured_words
from biasscope.report.html import drawn, methods, words
from biasscope.report.html.about import About
from biasscope.report.html.charts import Chart
from biasscope.report.html.pairs import Shown, pairs_of
from biasscope.report.html.tables import Table, missing_table
from biasscope.report.measured import EffectOut, JudgedOut, MeasuredOut


@dataclass(frozen=True, slots=True)
class JudgedFinding:
    """One bias that holds on a judge, with the pairs on which it shows most; a habit has none."""

    name: str
    sentence: str
    exact: str
    marks: tuple[str, ...]
    pairs: tuple[Shown, ...]


@dataclass(frozen=True, slots=True)
class JudgeView:
    """One judge from top to bottom; `label` is short."""

    number: int
    label: str
    name: str
    instrument: str
    gate: tuple[str, ...]
    baseline: str
    findings: tuple[JudgedFinding, ...]
    chart: Chart | None
    effects: Table
    null_lines: tuple[str, ...]
    missing: Table | None
    cost: str


@dataclass(frozen=True, slots=True)
class Cell:
    """One judge and bias of the matrix: the change of preference, and whether it holds."""

    text: str
    held: bool


@dataclass(frozen=True, slots=True)
class Matrix:
    """Judges (columns) by biases (rows)."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]


@dataclass(frozen=True, slots=True)
class MeasurementView:
    """The page of a measurement from top to bottom."""

    title: str
    headline: str
    notes: tuple[str, ...]
    pairs_line: str
    steps: tuple[str, ...]
    picked: str
    judges: tuple[JudgeView, ...]
    matrix: Matrix
    slots: Chart | None
    transfer: Table | None
    comparison: tuple[str, ...]
    differences: Chart | None
    differences_table: Table | None
    statuses: tuple[str, ...]
    policy: Table | None
    about: About
    methods: tuple[str, ...]
    references: tuple[str, ...]
    version: str

    @property
    def charts(self) -> tuple[Chart, ...]:
        """Every chart of the page."""
        return tuple(drawn.present([*(j.chart for j in self.judges), self.slots, self.differences]))


def measurement_view(
    out: MeasuredOut, evidence: Sequence[Sequence[Evidence]], about: About, notes: Sequence[str]
) -> MeasurementView:
    """Everything the page says about a measurement; `evidence` is by judge."""
    labels = tuple(f"Judge\u00a0{n}" for n in range(1, len(out.judges) + 1))
    unfinished = "This measurement is not finished: what stands here may change. The same command continues it and pays nothing twice."
    statuses = [e.status for j in out.judges for e in j.effects]
    return MeasurementView(
        title=f"Biases of {out.judges[0].name}"
        if len(out.judges) == 1
        else f"Biases of {len(out.judges)} judges",
        headline=measured_words.headline(out),
        notes=(*(() if out.complete else (unfinished,)), *notes),
        pairs_line=measured_words.pairs_line(out),
        steps=_steps(out),
        picked=words.PICKED,
        judges=tuple(_judge(j, n, labels[n - 1], evidence[n - 1]) for n, j in enumerate(out.judges, 1)),
        matrix=_matrix(out, labels),
        slots=drawn.slot_habits_chart(out),
        transfer=_transfer(out, labels),
        comparison=tuple(measured_words.comparison_lines(out)),
        differences=drawn.differences_chart(out, labels),
        differences_table=_differences(out, labels),
        statuses=tuple(w for s, w in words.STATUSES.items() if s in statuses),
        policy=_policy(out),
        about=about,
        methods=methods.measurement_methods(out),
        references=methods.references(out),
        version=out.version,
    )


def _judge(judged: JudgedOut, number: int, label: str, evidence: Sequence[Evidence]) -> JudgeView:
    held = [e for e in judged.effects if e.status == "accepted"]
    return JudgeView(
        number=number,
        label=label,
        name=judged.name,
        instrument=judged.instrument,
        gate=() if judged.gate is None else (words.GATES[judged.gate], *measured_words.gate_lines(judged)[1:]),
        baseline=measured_words.baseline_line(judged),
        findings=tuple(
            JudgedFinding(
                e.name,
                words.plain_effect(e),
                measured_words.finding(e),
                tuple(words.MARKS.get(m, m) for m in e.marks),
                pairs_of(evidence, e.bias),
            )
            for e in held
        ),
        chart=drawn.judge_chart(judged, number),
        effects=effects_of(judged),
        null_lines=tuple(details.null_lines(judged.null_control)),
        missing=missing_table(judged.missing),
        cost=measured_words.cost_line(judged),
    )


def effects_of(judged: JudgedOut) -> Table:
    """Every bias on a judge, a row each."""
    gated = judged.gate is not None
    head = (
        "bias",
        "status",
        "effect",
        "interval",
        "p",
        "q",
        "pairs",
        "could be seen",
        *(("gate",) if gated else ()),
    )
    return Table(f"Every bias on {judged.name}", head, tuple(_row(e, gated=gated) for e in judged.effects))


def _row(e: EffectOut, *, gated: bool) -> tuple[str, ...]:
    unit = e.unit or "fraction"
    seen = e.detectable if e.status == "not_shown" else None
    return (
        e.name,
        words.status_cell(e, *(("discovered on this judge",) if e.discovered_here else ())),
        "" if e.effect is None else findings.amount(e.effect, unit),
        findings.span(e.low, e.high, unit),
        findings.p_cell(e.p),
        "" if e.q is None else f"{e.q:.4f}",
        str(e.n),
        "" if seen is None else findings.amount(seen, unit),
        *((e.gate or "",) if gated else ()),
    )


def _matrix(out: MeasuredOut, labels: Sequence[str]) -> Matrix:
    names = {e.bias: e.name for j in out.judges for e in j.effects}
    by_judge = [{e.bias: e for e in j.effects} for j in out.judges]
    rows = tuple((name, tuple(_cell(of.get(bias)) for of in by_judge)) for bias, name in names.items())
    return Matrix(tuple(labels), rows)


def _cell(effect: EffectOut | None) -> Cell:
    if effect is None:
        return Cell("not measured", False)
    if effect.change is None:
        return Cell(findings.STATUS_WORDS[effect.status], False)
    held = effect.status == "accepted"
    return Cell(findings.number(effect.change.value, "fraction") + (" holds" if held else ""), held)


def _transfer(out: MeasuredOut, labels: Sequence[str]) -> Table | None:
    if out.comparison is None:
        return None
    short = dict(zip((j.name for j in out.judges), labels, strict=True))
    rows = tuple(
        (
            short[t.source],
            short[t.target],
            str(t.accepted),
            str(t.held),
            "" if t.share is None else f"{100 * t.share:.0f} %",
            "" if t.ceiling is None else f"{100 * t.ceiling:.0f} %",
            "" if t.ratio is None else f"{t.ratio:.2f}",
        )
        for t in out.comparison.transfer
    )
    head = (
        "found on",
        "looked for on",
        "biases",
        "hold there",
        "share",
        "equal effects would show",
        "size there over size here",
    )
    return Table("Transfer: what holds on one judge and on another", head, rows)


def _differences(out: MeasuredOut, labels: Sequence[str]) -> Table | None:
    if out.comparison is None:
        return None
    short = dict(zip((j.name for j in out.judges), labels, strict=True))
    rows = tuple(
        (
            d.name,
            f"{short[d.judges[1]]} less {short[d.judges[0]]}",
            "" if d.difference is None else findings.amount(d.difference, "fraction"),
            findings.span(d.low, d.high, "fraction"),
            findings.p_cell(d.p),
            "" if d.q is None else f"{d.q:.4f}",
            str(d.n),
        )
        for d in out.comparison.differences
    )
    return Table(
        "Differences, bias by bias", ("bias", "judges", "difference", "interval", "p", "q", "pairs"), rows
    )


def _policy(out: MeasuredOut) -> Table | None:
    policy = out.policy
    if policy is None:
        return None
    rows = [
        ("smallest effect that matters", f"{100 * policy.min_effect:g} points"),
        ("false discovery rate", f"{100 * policy.q:g} %"),
        ("most verdicts that may be missing", f"{100 * policy.max_missing:g} %"),
    ]
    for bias, own in policy.bias.items():
        rows.append(
            (bias, "ignored" if own.ignore else f"{100 * (own.min_effect or policy.min_effect):g} points")
        )
    return Table("The policy of the gate", ("what", "limit"), tuple(rows))


def _steps(out: MeasuredOut) -> tuple[str, ...]:
    if not out.complete:
        return ("Run the same command again; what is answered already costs nothing.",)
    held = any(e.status == "accepted" for j in out.judges for e in j.effects)
    steps = []
    if held:
        steps.append(
            "Do not compare systems that differ in a trait that holds with that judge, or take another judge for it."
        )
        steps.append(
            f"See what helps: biasscope mitigate judge NEW_RUN --found {out.run} --fresh DATA tries fixes, and measures each again."
        )
    if any(e.status == "accepted" and e.estimand == "slot" for j in out.judges for e in j.effects):
        steps.append("Judge every pair in both orders and average: a liking for a slot cancels then.")
    if any(j.gate == "inconclusive" for j in out.judges):
        steps.append("Where the gate is not decided, measure more pairs, or set a limit that the pairs can tell.")
    if any(j.missing_share for j in out.judges):
        steps.append("Look at what is missing, by arm and reason, before you trust a small effect.")
    return tuple(steps) or (
        "Nothing was shown here. Not shown means not proven, not absent: the column of what could be seen says how much.",
    )
