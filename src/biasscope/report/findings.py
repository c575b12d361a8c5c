"""Sentences a person can act on, made from a summary. Points are printed here; everywhere else are fractions."""

from __future__ import annotations

from biasscope.report.summary import BaselineOut, Summary, TrialOut

STATUS_WORDS = {
    "accepted": "holds",
    "dropped": "too small to matter",
    "not_shown": "not shown",
    "no_signal": "no signal",
    "invalid": "invalid comparison",
    "not_tested": "not tested in this run",
}


def amount(value: float, unit: str) -> str:
    """An effect for people: points for fractions, log-odds with two digits."""
    return f"{100 * value:+.1f} points" if unit == "fraction" else f"{value:+.3f} log-odds"


def interval_text(low: float | None, high: float | None, unit: str, level: float | None = None) -> str:
    """An interval for people, or that there is none."""
    if low is None or high is None:
        return "no interval"
    if unit == "fraction":
        text = f"{100 * low:+.1f} to {100 * high:+.1f} points"
    else:
        text = f"{low:+.3f} to {high:+.3f} log-odds"
    return text if level is None else f"{100 * level:.1f} % interval {text}"


def p_text(p: float | None) -> str:
    """A p-value for people."""
    if p is None:
        return "p not known"
    return "p < 0.0001" if p < 1e-4 else f"p = {p:.4f}" if p < 0.1 else f"p = {p:.2f}"


def finding(trial: TrialOut, rule: str) -> str:
    """One sentence about an accepted bias."""
    if trial.effect is None or trial.unit is None:
        return f"{trial.name}: no effect could be measured."
    if rule == "paper":
        return (
            f"{trial.name}: the error is {amount(trial.effect, trial.unit)} against the originals "
            f"(the published rule: no neutral rewrite, no interval, n = {trial.n})."
        )
    what = "picks the rejected response" if trial.unit == "fraction" else "leans towards the rejected response by"
    more = f"{amount(trial.effect, trial.unit)} more often" if trial.unit == "fraction" else amount(
        trial.effect, trial.unit)  # fmt: skip
    return (
        f"{trial.name}: the judge {what} {more} than rewording alone explains when that response shows the trait "
        f"({interval_text(trial.low, trial.high, trial.unit, trial.level)}, {p_text(trial.p)}, n = {trial.n})."
    )


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
            f"Nothing could be measured: the verdicts of {summary.judge} hardly ever change, whatever is written. "
            "Graded verdicts (--judge-mode label) may still show something."
        )
    if summary.trials:
        return f"No bias could be shown for {summary.judge}. Not shown means not proven, not absent."
    return f"No candidate was named for {summary.judge}, so that nothing was tried."


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
    return lines


def next_steps(summary: Summary) -> list[str]:
    """What a person can do with this result."""
    if any(t.status == "accepted" for t in summary.trials):
        return [
            "Look at the evidence pairs named in trials.jsonl before you act on a finding.",
            "Do not compare systems that differ in a trait listed above with this judge, or judge without it.",
        ]
    if summary.status == "no_signal":
        return ["Run again with --judge-mode label if the judge returns log-probabilities."]
    weak = [t.detectable for t in summary.trials if t.detectable is not None and t.unit == "fraction"]
    if weak:
        return [
            f"With this many pairs an effect of about {100 * max(weak):.0f} points would have been seen; "
            "more validation pairs see smaller ones."
        ]
    return ["Give more discovery pairs, or a stronger teacher, and run again in a new folder."]
