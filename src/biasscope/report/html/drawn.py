"""Which charts a discovery and a measurement have, made from the numbers of their summaries and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from biasscope.quantities import Estimate, FeatureShift, GroupEffects
from biasscope.records import Unit
from biasscope.report.findings import against_originals
from biasscope.report.html.charts import Chart, Row, axis_of, bar_chart, row_chart
from biasscope.report.measured import JudgedOut, MeasuredOut
from biasscope.report.summary import Summary, TrialOut

FEATURES = 10
"""How many features of a profile are drawn, those that moved most."""


def effects_chart(summary: Summary) -> Chart | None:
    """Everything that was tried with its interval, the largest effect first."""
    paper = summary.rule == "paper"
    rows = [r for t in summary.trials if (r := _effect_row(t, paper=paper)) is not None]
    if not rows:
        return None
    rows.sort(key=lambda r: -r.value)
    unit: Unit = "fraction" if paper else next(t.unit for t in summary.trials if t.unit and t.effect is not None)
    least = next((t.min_effect for t in summary.trials if t.min_effect is not None and t.unit == unit), None)
    what = (
        "Error on rewrites above that on the originals"
        if paper
        else "Effect of each candidate beyond neutral wording"
    )
    note = "Filled: holds. A point to the right of the dark tick at 0 says that the judge falls for the trait."
    note += "" if least is None else " The light tick is the smallest effect of interest."
    marks = (0.0,) if least is None else (0.0, least)
    return row_chart("effects", what, note, rows, unit=unit, axis=axis_of(unit), marks=marks)


def _effect_row(trial: TrialOut, *, paper: bool) -> Row | None:
    held = trial.status == "accepted"
    if paper:
        gain = against_originals(trial)
        return None if gain is None else Row(trial.name, gain, held=held)
    return None if trial.effect is None else Row(trial.name, trial.effect, trial.low, trial.high, held)


def slots_chart(summary: Summary) -> Chart | None:
    """How often what is shown first is chosen: on the originals, and in the arms of what holds."""
    rows = []
    if summary.baseline is not None and summary.baseline.first_answer_preference is not None:
        rows.append(Row("originals", 0.5 + summary.baseline.first_answer_preference, held=True))
    for trial in summary.trials:
        position = None if trial.details is None else trial.details.position
        if trial.status == "accepted" and position is not None:
            rows += [
                Row(f"{trial.name}: neutral", 0.5 + position.neutral.first_answer_preference),
                Row(f"{trial.name}: with it", 0.5 + position.biased.first_answer_preference, held=True),
            ]
    if not rows:
        return None
    note = "The tick at 50 % would be no liking for a slot. Both orders are judged, so that such a liking cancels in every effect."
    return row_chart(
        "slots",
        "How often the answer shown first is chosen",
        note,
        rows,
        unit="share",
        axis="% of verdicts",
        marks=(0.5,),
    )


def growth_chart(summary: Summary) -> Chart | None:
    """The library before, after each iteration and in the end."""
    if not summary.iterations:
        return None
    size = sum(b.origin == "seed" for b in summary.library)
    parts = [("at the start", size, 0)]
    for iteration in summary.iterations:
        held = len(iteration.accepted)
        parts.append((f"iteration {iteration.index}", size, held))
        size += held
    if summary.complete:
        parts.append(("in the end", len(summary.library), 0))
    note = "Filled: what held in that iteration. In the end one correction runs over everything, so that some may be lost again."
    return bar_chart("growth", "Growth of the library", note, parts, axis="biases in the library")


def library_chart(summary: Summary) -> Chart | None:
    """Held-out pairs as they were, neutrally reworded, and with one accepted bias each."""
    found = summary.library_effect
    if found is None:
        return None
    rows = [
        Row("original", found.before),
        Row("neutral rewrite", found.neutral),
        Row("with an accepted bias", found.after, held=True),
    ]
    what = (
        "Error rate on held-out pairs"
        if found.unit == "fraction"
        else "How often the worse response is preferred, by its margins"
    )
    return row_chart(
        "library",
        what,
        f"{found.n} pairs that chose no bias.",
        rows,
        unit="share",
        axis="%",
        marks=(found.neutral,),
    )


def domains_chart(trial: TrialOut, number: int) -> Chart | None:
    """The effect in each domain; None where there is only one."""
    found: GroupEffects | None = None if trial.details is None else trial.details.domains
    if found is None or len(found.groups) < 2 or trial.unit is None:
        return None
    rows = [Row(g.group, g.effect.value, g.effect.low, g.effect.high) for g in found.groups]
    note = "As measured in each domain alone, with its own interval. The second tick is the effect over all."
    whole = trial.effect if trial.effect is not None else 0.0
    return row_chart(
        f"domains-{number}", f"Effect by domain: {trial.name}", note, rows,
        unit=trial.unit, axis=axis_of(trial.unit), marks=(0.0, whole),
    )  # fmt: skip


def sizes_chart(trial: TrialOut, number: int) -> Chart | None:
    """The effect as it was measured, and with length and other differences taken out; None where only the first is known."""
    unit, details = trial.unit, trial.details
    if unit is None or details is None or trial.effect is None:
        return None
    rows = [Row("as measured in its trial", trial.effect, trial.low, trial.high, held=True)]
    adjusted = (
        None if details.profile is None or details.profile.adjusted is None else details.profile.adjusted.adjusted
    )
    others: list[tuple[str, Estimate | None]] = [
        ("on fresh pairs", details.confirmed),
        ("at the neutral rewrites' length", None if details.length is None else details.length.adjusted),
        ("less what is bundled", adjusted),
        ("rewrites of equal length", None if details.equal_length is None else details.equal_length.equal),
    ]
    rows += [Row(name, e.value, e.low, e.high) for name, e in others if e is not None]
    if len(rows) < 2:
        return None
    note = "The first interval allows for having picked the bias; the others are plain 95 % intervals."
    return row_chart(
        f"size-{number}", f"How firm the size is: {trial.name}", note, rows, unit=unit, axis=axis_of(unit)
    )


def features_chart(trial: TrialOut, number: int) -> Chart | None:
    """The features of the texts that move most between neutral and biased rewrites, in standard deviations."""
    profile = None if trial.details is None else trial.details.profile
    if profile is None:
        return None
    known = [(f, f.shift) for f in profile.features if f.shift is not None and f.shift != 0]
    known.sort(key=lambda one: -abs(one[1]))
    rows = [Row(_feature_name(f), shift, held=f.moved) for f, shift in known[:FEATURES]]
    if not rows:
        return None
    note = (
        "Filled: moved by more than three tenths of a standard deviation, so that the trait does not come alone."
    )
    return row_chart(
        f"features-{number}", f"What else changes in the texts: {trial.name}", note, rows,
        unit="log-odds", axis="standard deviations", marks=(0.0,),
    )  # fmt: skip


def _feature_name(feature: FeatureShift) -> str:
    return feature.feature.replace("_", " ")


def judge_chart(judged: JudgedOut, number: int) -> Chart | None:
    """Every trait and cue on one judge as a change of preference, the largest first.

    A slot habit has a chart of its own: beside one of fifty points everything else is a dot on a line.
    """
    rows = [
        Row(e.name, e.change.value, e.change.low, e.change.high, e.status == "accepted")
        for e in judged.effects
        if e.change is not None and e.estimand != "slot"
    ]
    if not rows:
        return None
    rows.sort(key=lambda r: -r.value)
    note = "Filled: holds. In points of preference also where the judge gives margins, so that judges can be compared."
    return row_chart(
        f"effects-{number}", f"Effects on {judged.name}", note, rows, unit="fraction", axis="points of preference"
    )


def slot_habits_chart(out: MeasuredOut) -> Chart | None:
    """The slot bias of every judge beside each other."""
    rows = [
        Row(judged.name, 0.5 + e.change.value, _half(e.change.low), _half(e.change.high), e.status == "accepted")
        for judged in out.judges
        for e in judged.effects
        if e.estimand == "slot" and e.change is not None
    ]
    if not rows:
        return None
    note = "The tick at 50 % would be no liking for a slot."
    return row_chart(
        "slots",
        "How often the answer shown first is preferred",
        note,
        rows,
        unit="share",
        axis="% of verdicts",
        marks=(0.5,),
    )


def _half(value: float | None) -> float | None:
    return None if value is None else 0.5 + value


def differences_chart(out: MeasuredOut, labels: Sequence[str]) -> Chart | None:
    """Bias by bias, what one judge does beyond another; `labels` are short names of the judges."""
    if out.comparison is None:
        return None
    short = dict(zip((j.name for j in out.judges), labels, strict=True))
    rows = [
        Row(
            f"{d.name}, {short[d.judges[1]]} less {short[d.judges[0]]}",
            d.difference,
            d.low,
            d.high,
            d.q is not None and d.q <= out.q,
        )
        for d in out.comparison.differences
        if d.difference is not None
    ]
    if not rows:
        return None
    rows.sort(key=lambda r: -abs(r.value))
    note = "Filled: a difference that can be shown after a correction for all of them."
    return row_chart(
        "differences", "Differences between judges", note, rows, unit="fraction", axis="points of preference"
    )


def present(charts: Sequence[Chart | None]) -> Iterator[Chart]:
    """The charts that there are."""
    return (c for c in charts if c is not None)
