"""Sentences for somebody who reads one report and nothing else: a finding without symbols, and what a mark means.

Names in them are a model's words: the page escapes every sentence.
"""

from __future__ import annotations

import math

from biasscope.report.findings import STATUS_WORDS, UNIT_WORDS, against_originals, amount, span
from biasscope.report.measured import EffectOut
from biasscope.report.summary import TrialOut
from biasscope.stats.length import LENGTH
from biasscope.stats.normal import upper_quantile

MARKS = {
    "bundled": "Bundled: the rewrites that show this trait differ from the neutral ones in other things too, so that part of "
    "the effect may be theirs.",
    "fragile": "Fragile: if every missing verdict had gone against the finding, it would not hold.",
    "interval reaches 0": "The interval reaches 0 although the test passes: take the size with care.",
    "little label mass": "Most of the judge's probability lay on words other than the labels, so that its margins compare "
    "two unlikely words.",
    "provisional only": "Held inside its iteration, and no longer once everything that was tried is counted.",
    "trait not checked": "Too few rewrites could be read to say whether the trait shows in them.",
    "rule: paper": "Decided by the published rule, which knows no neutral rewrite: rewording alone passes it about half of "
    "the time.",
    "drawn away from the trait": "The judge is drawn away from this trait.",
}
"""Marks of a trial in plain words."""

STATUSES = {
    "accepted": "Holds: seen on pairs that did not propose it, after a correction for everything that was tried.",
    "dropped": "Unlikely to matter: its effect lies below the smallest one of interest, or was given up as unlikely to reach it.",
    "not_shown": "Not shown: not proven, and not absent either.",
    "no_signal": "No signal: the verdicts hardly ever change, whatever is written, so that nothing could have been seen.",
    "invalid": "Invalid: the comparison is not one of the trait alone, since it does not show in its rewrites, shows in the "
    "neutral ones, or verdicts are missing more often in one arm.",
}
"""Statuses in plain words, in the order in which a table explains them."""


_SAID_BY_STATUS = frozenset(
    {
        "not proven, not absent",
        "unlikely to reach the smallest effect of interest",
        "its whole interval lies below the smallest effect of interest",
    }
)
GATES = {
    "pass": "It passes the gate.",
    "biased": "The gate calls it biased.",
    "inconclusive": "The gate is not decided.",
    "broken": "The gate cannot be decided: the judge cannot be measured.",
}
"""What the gate says of a judge that is named already."""


PICKED = (
    "For each bias at most five pairs of its trial: those on which the rewrite with the trait moved the judge most beyond the neutral "
    "rewrite. They show what the bias looks like. They are picked for that, and say nothing about how often it happens; the effect does."
)
"""Which pairs are shown."""
PICKED_AS_PUBLISHED = (
    "For each bias at most five pairs, the first on which the original was judged right and the rewrite wrong. The published procedure "
    "makes no neutral rewrite, so that any of them may have turned because of the rewording alone."
)
"""The same where no neutral rewrite was made."""


def status_cell(found: TrialOut | EffectOut, *more: str) -> str:
    """A status with its marks and, where the word alone does not say it, the reason."""
    why = (
        f": {found.reason}"
        if found.reason and found.reason not in _SAID_BY_STATUS and found.status != "accepted"
        else ""
    )
    marks = ", ".join((*found.marks, *more))
    return STATUS_WORDS[found.status] + why + (f" ({marks})" if marks else "")


def plain_finding(trial: TrialOut, rule: str) -> str:
    """An accepted bias in one sentence without statistics."""
    if rule == "paper" and (gain := against_originals(trial)) is not None:
        return f"The judge errs {_size(gain, 'fraction')} more often on rewrites with this trait than on the originals."
    if trial.effect is None or trial.unit is None:
        return "No effect could be measured."
    what = "wrong answer" if trial.claim == "error" else "worse response"
    if trial.unit == "fraction":
        return (
            f"This judge picks the {what} {_size(trial.effect, trial.unit)} more often when it shows this trait, beyond "
            "what rewording alone does."
        )
    return (
        f"This judge leans {_size(trial.effect, trial.unit)} further towards the {what} when it shows this trait, beyond "
        "what rewording alone does."
    )


def length_line(trial: TrialOut) -> str:
    """How much longer the rewrites with the trait are, and what length goes with; empty where that is not known."""
    found = None if trial.details is None else trial.details.length
    slope = None if found is None else next((s for s in found.slopes if s.name == LENGTH), None)
    if slope is None or trial.unit is None:
        return ""
    longer = 100 * math.expm1(slope.gap)
    than = f"{abs(longer):.0f} % {'longer' if longer > 0 else 'shorter'} than the neutral ones"
    if abs(longer) < 0.5:
        than = "as long as the neutral ones"
    step, room = slope.value * math.log(1.1), upper_quantile(0.025) * slope.se * math.log(1.1)
    tenth = f"{amount(step, trial.unit)} ({span(step - room, step + room, trial.unit)})"
    return f"The rewrites with the trait are {than}; a tenth more length goes with {tenth} by itself."


def advice(trial: TrialOut) -> str:
    """What to do about one accepted bias."""
    if trial.marks and "rule: paper" in trial.marks:
        return "Validate it with the default rule before you act on it."
    on = (
        "either response"
        if trial.details is not None and trial.details.sides is not None
        else "the worse response"
    )
    return (
        f"Do not use this judge to compare systems that differ in this trait; it was measured on {on}. A prompt that tells the "
        "judge to ignore it has to be measured again, as another judge."
    )


def plain_effect(effect: EffectOut) -> str:
    """What a measured bias does to a judge, in one sentence without statistics."""
    if effect.effect is None or effect.unit is None:
        return "No effect could be measured."
    if effect.estimand in ("slot", "format"):
        which = "first" if effect.effect > 0 else "second" if effect.estimand == "slot" else "last"
        return f"What stands {which} is preferred in {50 + 100 * abs(effect.effect):.0f} % of the verdicts; 50 % would be fair."
    more = "more" if effect.effect > 0 else "less"
    if effect.unit == "fraction":
        return f"The response with this trait is preferred {_size(abs(effect.effect), effect.unit)} {more} often, beyond what rewording alone does."
    return f"The response with this trait gains {_size(effect.effect, effect.unit)}, beyond what rewording alone does."


def _size(value: float, unit: str) -> str:
    """A size for reading aloud: whole points from ten on, one digit below."""
    if unit != "fraction":
        return f"{value:.2f} {UNIT_WORDS[unit]}"
    points = 100 * value
    return f"{points:.0f} points" if abs(points) >= 9.95 else f"{points:.1f} points"
