"""Sentences about a measurement: what was found of each judge, and what a gate says. Points are printed here.

Names of biases may be a model's words, judges a user's: whoever shows a sentence escapes it for its medium.
"""

from __future__ import annotations

from biasscope.catalogue.families.asking import SCALE_DIRECTION
from biasscope.records import HABITS
from biasscope.report.findings import amount, interval_text, p_text
from biasscope.report.measured import EffectOut, JudgedOut, MeasuredOut

GATE_WORDS = {
    "pass": "passes",
    "biased": "is biased",
    "inconclusive": "is not decided",
    "broken": "cannot be measured",
}


def headline(out: MeasuredOut) -> str:
    """The measurement in one sentence."""
    if not out.complete:
        return "The measurement is not finished; the same command continues it."
    if out.gate is not None:
        return "; ".join(f"{j.name} {GATE_WORDS[j.gate or 'inconclusive']}" for j in out.judges) + "."
    return "; ".join(f"{j.name}{_held(j)}" for j in out.judges) + "."


def _held(judged: JudgedOut) -> str:
    """The biases that hold by name, or why none is named."""
    held = [e.name for e in judged.effects if e.status == "accepted"]
    if not held:
        return f": {_nothing(judged)}"
    return f" shows {held[0] if len(held) == 1 else ', '.join(held[:-1]) + ' and ' + held[-1]}"


def _nothing(judged: JudgedOut) -> str:
    """Why no bias is named: nothing could be read, nothing moved, or nothing was shown."""
    if judged.baseline is None:
        return "nothing could be measured, since no original pair has verdicts that can be read"
    traits = [e for e in judged.effects if e.estimand not in HABITS]
    if traits and all(e.status == "no_signal" for e in traits):
        return "nothing could be measured, since the verdicts hardly ever change"
    return "no bias shown"


def finding(effect: EffectOut) -> str:
    """One sentence about an accepted bias."""
    if effect.effect is None or effect.unit is None:
        return f"{effect.name}: no effect could be measured."
    numbers = f"({interval_text(effect.low, effect.high, effect.unit, effect.level)}, {p_text(effect.p)}, n = {effect.n})"
    if effect.estimand == "slot":
        which = "first" if effect.effect > 0 else "second"
        share = 50 + 100 * abs(effect.effect)
        return f"{effect.name}: the answer shown {which} is preferred in {share:.0f} % of the verdicts {numbers}."
    if effect.bias == SCALE_DIRECTION.bias.id:
        size = amount(abs(effect.effect), effect.unit)
        return f"{effect.name}: with low scores for what is good the judge errs {size} {'more' if effect.effect > 0 else 'less'} {numbers}."
    if effect.estimand == "format":
        which = "first" if effect.effect > 0 else "last"
        share = 50 + 100 * abs(effect.effect)
        return f"{effect.name}: the response with the label that is read {which} is preferred in {share:.0f} % of the verdicts {numbers}."
    size = amount(effect.effect, effect.unit)
    does = f"is preferred {size} more often" if effect.unit == "fraction" else f"gains {size} more"
    return f"{effect.name}: the response with the trait {does} than rewording alone explains {numbers}.{_here(effect)}"


def _here(effect: EffectOut) -> str:
    if not effect.discovered_here:
        return ""
    return " It was discovered on this judge, so that its size here is inflated by having been picked."


def gate_lines(judged: JudgedOut) -> list[str]:
    """What the policy says about a judge, and why; nothing without a policy."""
    if judged.gate is None:
        return []
    lines = [f"{judged.name} {GATE_WORDS[judged.gate]}.", *judged.gate_reasons]
    if judged.more_pairs is not None and judged.gate == "inconclusive":
        lines.append(f"About {judged.more_pairs:,} more pairs would tell, unless an effect lies near its limit.")
    return lines


def baseline_line(judged: JudgedOut) -> str:
    """How the judge does on the originals."""
    b = judged.baseline
    if b is None:
        return "No original pair has verdicts that can be read."
    parts = [] if b.error_rate is None else [f"errs on {100 * b.error_rate:.1f} % of the originals"]
    if b.position_consistency is not None:
        parts.append(f"makes the same choice in both orders for {100 * b.position_consistency:.0f} %")
    if b.tie_rate:
        parts.append(f"gives ties in {100 * b.tie_rate:.0f} %")
    return f"It {', '.join(parts) or 'gave verdicts'} (n = {b.n})."


def cost_line(judged: JudgedOut) -> str:
    """What the judge took."""
    c = judged.calls
    price = "" if c.price is None else f", price {c.price:,.4f}"
    return (
        f"{c.paid:,} calls in this start, {c.replayed:,} replayed; {c.input_tokens:,} tokens in, "
        f"{c.output_tokens:,} out{price}."
    )


def pairs_line(out: MeasuredOut) -> str:
    """How many pairs were measured, and why so many."""
    p = out.pairs
    text = f"{p.measured:,} pairs of {p.available:,}"
    if p.minutes is not None:
        speed = "nothing had to be paid" if p.seconds_per_pair is None else f"{p.seconds_per_pair:.2f} s a pair"
        text += f", drawn by seed {out.seed} for a budget of {p.minutes:g} minutes ({speed})"
    if p.skipped:
        text += f"; {p.skipped:,} rows skipped while reading"
    return text + ("." if p.labelled else "; without labels, so that nothing is called an error.")


def comparison_lines(out: MeasuredOut) -> list[str]:
    """What several judges have in common, and where they differ."""
    if out.comparison is None:
        return []
    lines = []
    for t in out.comparison.transfer:
        if t.share is not None and t.ceiling is not None:
            ratio = "" if t.ratio is None else f"; effects there are {t.ratio:.2f} of those here"
            lines.append(
                f"Of {t.accepted} biases of {t.source}, {t.held} hold on {t.target} ({100 * t.share:.0f} %; equal "
                f"effects would show {100 * t.ceiling:.0f} % with this many pairs{ratio})."
            )
    for s in out.comparison.similarity:
        one, other = s.judges
        if s.value is None:
            lines.append(f"How alike {one} and {other} are cannot be told: {s.reason}.")
        else:
            interval = "" if s.low is None or s.high is None else f" ({s.low:.2f} to {s.high:.2f})"
            note = f", {s.reason}" if s.reason else ""
            lines.append(
                f"Similarity of {one} and {other} over {s.biases} biases: {s.value:.2f}{interval}{note}."
            )
    for d in out.comparison.differences:
        if d.q is not None and d.q <= out.q and d.difference is not None:
            one, other = d.judges
            picked = (
                f" It was discovered on {', '.join(d.discovered_on)}, where its effect is inflated."
                if d.discovered_on
                else ""
            )
            lines.append(
                f"{d.name} differs: {amount(d.difference, 'fraction')} on {other} against {one} "
                f"({interval_text(d.low, d.high, 'fraction')}, {p_text(d.p)}, n = {d.n}).{picked}"
            )
    if not any(d.q is not None and d.q <= out.q for d in out.comparison.differences):
        lines.append("No bias could be shown to differ between the judges.")
    return lines
