"""Sentences a person can act on, made from a summary. Points are printed here; everywhere else are fractions.

Names and definitions in them are a model's words: whoever shows a sentence escapes it for its medium.
"""

from __future__ import annotations

from biasscope.report.summary import BaselineOut, Summary, TrialOut

STATUS_WORDS = {
    "accepted": "holds",
    "dropped": "unlikely to matter",
    "not_shown": "not shown",
    "no_signal": "no signal",
    "invalid": "invalid comparison",
    "not_tested": "not tested in this run",
}


UNIT_WORDS = {"fraction": "points", "log-odds": "log-odds", "score": "steps of its scale"}
"""What effects are counted in."""


def number(value: float | None, unit: str | None) -> str:
    """An effect without its unit: fractions in points with one digit, anything else with three; empty without one."""
    if value is None:
        return ""
    return f"{100 * value:+.1f}" if unit == "fraction" else f"{value:+.3f}"


def span(low: float | None, high: float | None, unit: str | None) -> str:
    """An interval without its unit, empty where there is none."""
    return "" if low is None or high is None else f"{number(low, unit)} to {number(high, unit)}"


def p_cell(p: float | None) -> str:
    """A p-value in a column that says so, empty where there is none."""
    return "" if p is None else p_text(p).removeprefix("p ").removeprefix("= ")


def amount(value: float, unit: str) -> str:
    """An effect for people, with its unit."""
    return f"{number(value, unit)} {UNIT_WORDS[unit]}"


def interval_text(low: float | None, high: float | None, unit: str, level: float | None = None) -> str:
    """An interval for people, or that there is none."""
    if low is None or high is None:
        return "no interval"
    text = f"{span(low, high, unit)} {UNIT_WORDS[unit]}"
    return text if level is None else f"{100 * level:.1f} % interval {text}"


def p_text(p: float | None) -> str:
    """A p-value for people."""
    if p is None:
        return "p not known"
    return "p < 0.0001" if p < 1e-4 else f"p = {p:.4f}" if p < 0.1 else f"p = {p:.2f}"


def against_originals(trial: TrialOut) -> float | None:
    """What the published rule looks at: error on the rewritten pairs less error on their originals (fraction)."""
    if trial.error_biased is None or trial.error_original is None:
        return None
    return trial.error_biased - trial.error_original


def finding(trial: TrialOut, rule: str) -> str:
    """One sentence about an accepted bias."""
    if rule == "paper" and (gain := against_originals(trial)) is not None:
        return (
            f"{trial.name}: the error is {amount(gain, 'fraction')} against the originals "
            "(the published rule: no neutral rewrite, no interval)."
        )
    if trial.effect is None or trial.unit is None:
        return f"{trial.name}: no effect could be measured."
    size = amount(trial.effect, trial.unit)
    # An error is claimed only where the label rests on an answer that can be checked.
    what = "wrong answer" if trial.claim == "error" else "rejected response"
    does = (
        f"picks the {what} {size} more often"
        if trial.unit == "fraction"
        else f"leans {size} further towards the {what}"
    )
    text = (
        f"{trial.name}: the judge {does} than rewording alone explains when that response shows the trait "
        f"({interval_text(trial.low, trial.high, trial.unit, trial.level)}, {p_text(trial.p)}, n = {trial.n})."
    )
    return " ".join([text, *_size_notes(trial)])


def _size_notes(trial: TrialOut) -> list[str]:
    """How far the size of an accepted effect can be trusted."""
    notes = []
    unit = trial.unit or "fraction"
    confirmed = None if trial.details is None else trial.details.confirmed
    if confirmed is not None:
        notes.append(
            f"On {confirmed.n} fresh pairs: {amount(confirmed.value, unit)} "
            f"({interval_text(confirmed.low, confirmed.high, unit)})."
        )
    elif trial.look is not None and trial.looks is not None and trial.look < trial.looks:
        notes.append(
            "Its trial stopped early, so the size is a little optimistic; --confirm measures it on fresh pairs."
        )
    return notes


def headline(summary: Summary) -> str:
    """The run in one sentence."""
    if not summary.complete:
        return "The run is not finished; the same command continues it."
    held = [t for t in summary.trials if t.status == "accepted"]
    if held:
        count = "One bias holds" if len(held) == 1 else f"{len(held)} biases hold"
        by = "by the published rule" if summary.rule == "paper" else "on pairs that proposed none of them"
        return f"{count} for {summary.judge}, {by}."
    if summary.status == "no_signal":
        return (
            f"Nothing could be measured: the verdicts of {summary.judge} hardly ever change, whatever is written."
            + (
                " Graded verdicts (--judge-mode label) may still show something."
                if summary.judge_mode != "label"
                else ""
            )
        )
    if summary.baseline is None and not summary.trials:
        return f"Nothing could be measured: no pair has a verdict of {summary.judge} that can be read."
    if summary.trials:
        return f"No bias could be shown for {summary.judge}. Not shown means not proven, not absent."
    named = sum(i.named for i in summary.iterations)
    if named:
        return (
            f"Nothing new was named for {summary.judge}, so that nothing was tried: all {named} that the teacher named "
            "are known biases already."
        )
    if not any(i.perturbed for i in summary.iterations) and any(i.features for i in summary.iterations):
        return f"Features of the texts proposed nothing for {summary.judge} that rules could write and trials look for."
    return f"No candidate was named for {summary.judge}, so that nothing was tried."


def doubts(summary: Summary) -> list[str]:
    """Why what was named should be doubted: a teacher that names a bias where there is none."""
    decoys, named = (sum(getattr(i, what) for i in summary.iterations) for what in ("decoys", "decoys_named"))
    if not decoys or named < decoys:
        return []
    return [
        f"The teacher named a bias on {named} of {decoys} decoys, where only neutral wording turned the verdict: what it "
        "names says little about what the judge went by."
    ]


def baseline_lines(baseline: BaselineOut | None) -> list[str]:
    """How the judge does before anything is rewritten."""
    if baseline is None:
        return []
    lines = [f"It errs on {100 * baseline.error_rate:.1f} % of the original validation pairs (n = {baseline.n})."]
    if baseline.position_consistency is not None and baseline.first_answer_preference is not None:
        habit = 100 * baseline.first_answer_preference
        which = "first" if habit >= 0 else "second"
        lines.append(
            f"It makes the same choice in both orders for {100 * baseline.position_consistency:.0f} % of the pairs "
            f"and picks the {which} answer in {50 + abs(habit):.0f} % of its verdicts (50 % would be no habit)."
        )
    if baseline.tie_rate:
        lines.append(f"{100 * baseline.tie_rate:.0f} % of its verdicts are ties, which count one half.")
    return lines


def next_steps(summary: Summary) -> list[str]:
    """What a person can do with this result."""
    if not summary.complete:
        return ["Run the same command again; what is answered already costs nothing."]
    if any(t.status == "accepted" for t in summary.trials):
        return [
            "Read the evidence pairs in report.html before you act on a finding.",
            "Do not compare systems that differ in a trait listed above with this judge, or judge without it.",
            f"See what helps: biasscope mitigate judge NEW_RUN --found {summary.run} tries fixes, and measures each again.",
        ]
    if summary.baseline is None and not summary.trials:
        return ["Look at the reasons under what is missing: the judge has to give verdicts that can be read."]
    if summary.status == "no_signal":
        if summary.judge_mode == "label":
            return ["Nothing moves this judge, not even its log-probabilities: take another judge."]
        return ["Run again with --judge-mode label if the judge returns log-probabilities."]
    # A trial that was given up early says nothing about what it could have seen.
    open_ones = [t for t in summary.trials if t.status == "not_shown"]
    weak = [(t.detectable, t.unit) for t in open_ones if t.detectable is not None and t.unit is not None]
    if weak:
        size, unit = max(weak)
        seen = f"{100 * size:.0f} points" if unit == "fraction" else f"{size:.2f} {UNIT_WORDS[unit]}"
        return [
            f"With this many pairs an effect of about {seen} would have been seen; more validation pairs see "
            "smaller ones."
        ]
    better = "a --teacher that names what features cannot" if summary.teacher is None else "a stronger teacher"
    return [f"Give more discovery pairs, or {better}, and run again in a new folder."]
