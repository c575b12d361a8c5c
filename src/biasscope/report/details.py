"""Sentences about everything that is reported beside a trial's decision, and about the null control.

Names of groups and features are a file's or a model's words: whoever shows a sentence escapes it for its medium.
"""

from __future__ import annotations

from biasscope.quantities import Estimate, GroupEffects, NullControl, Sides, TrialDetails
from biasscope.records import Unit
from biasscope.report.findings import amount, number, span
from biasscope.report.summary import TrialOut

MOST_GROUPS = 8
"""How many domains or writers are listed."""


def estimate_text(found: Estimate, unit: str) -> str:
    """An estimate with its interval, for people."""
    return f"{amount(found.value, unit)} ({span(found.low, found.high, unit) or 'no interval'})"


def detail_lines(trial: TrialOut) -> list[str]:
    """What is known about an accepted bias beside its effect, a sentence each."""
    details, unit = trial.details, trial.unit or "fraction"
    if details is None:
        return []
    return [
        *_split(details, unit),
        *_sides(details.sides),
        *_odds(details),
        *_position(details),
        *_length(details, unit),
        *_groups("domain", details.domains, unit),
        *_groups("writer", details.writers, unit),
    ]


def _split(details: TrialDetails, unit: Unit) -> list[str]:
    s = details.split
    if s is None:
        return []
    return [
        f"Against the originals the rewrites do {estimate_text(s.total, unit)}: {estimate_text(s.specific, unit)} by "
        f"the trait and {estimate_text(s.generic, unit)} by rewording alone."
    ]


def _sides(sides: Sides | None) -> list[str]:
    if sides is None:
        return []
    text = f"With the trait on the better response the rejected one gains {estimate_text(sides.on_chosen, sides.scale)}"
    text += f"; the pull towards the trait is {estimate_text(sides.pull, sides.scale)}"
    if sides.asymmetry is not None:
        text += f", what it does to errors wherever it stands {estimate_text(sides.asymmetry, sides.scale)}"
    return [f"{text}. {sides.reason}".rstrip() if sides.reason else f"{text}."]


def _odds(details: TrialDetails) -> list[str]:
    odds = details.odds_ratio
    if odds is None or odds.value is None:
        return []
    interval = "" if odds.low is None or odds.high is None else f" ({odds.low:.2f} to {odds.high:.2f})"
    return [
        f"Conditional odds ratio of an error: {odds.value:.2f}{interval}; not comparable with a marginal one."
    ]


def _position(details: TrialDetails) -> list[str]:
    position = details.position
    if position is None:
        return []
    biased, neutral = position.biased, position.neutral
    return [
        f"The same choice in both orders: {100 * biased.consistency:.0f} % with the trait, "
        f"{100 * neutral.consistency:.0f} % without ({estimate_text(position.consistency_change, 'fraction')})."
    ]


def _length(details: TrialDetails, unit: Unit) -> list[str]:
    lines = []
    if details.length is not None and details.length.adjusted is not None:
        lines.append(f"At the length of the neutral rewrites: {estimate_text(details.length.adjusted, unit)}.")
    if details.equal_length is not None:
        lines.append(
            f"With rewrites of equal length: {estimate_text(details.equal_length.equal, unit)}, with free length "
            f"{estimate_text(details.equal_length.free, unit)}."
        )
    profile = details.profile
    if profile is not None and profile.bundled:
        adjusted = profile.adjusted.adjusted if profile.adjusted is not None else None
        without = "" if adjusted is None else f"; adjusted for that: {estimate_text(adjusted, unit)}"
        lines.append(f"The rewrites also differ in {', '.join(profile.bundled)}{without}.")
    return lines


def _groups(what: str, found: GroupEffects | None, unit: Unit) -> list[str]:
    if found is None:
        return []
    parts = []
    for group in found.groups[:MOST_GROUPS]:
        point = group.effect.value if group.shrunk is None else group.shrunk
        interval = span(group.effect.low, group.effect.high, unit)
        parts.append(f"{group.group} {number(point, unit)}" + (f" ({interval})" if interval else ""))
    more = f" and {len(found.groups) - MOST_GROUPS} more" if len(found.groups) > MOST_GROUPS else ""
    differ = (
        "" if found.heterogeneity_p is None else f"; test that all are alike: p = {found.heterogeneity_p:.2f}"
    )
    return [f"By {what} (points drawn towards each other, raw intervals): {', '.join(parts)}{more}{differ}."]


def null_lines(control: NullControl | None, *, whole: bool = True) -> list[str]:
    """What the instrument said where nothing was to be found; not `whole`: what was asked for alone."""
    if control is None:
        return []
    lines = []
    shams, repeated = control.shams, control.repeated
    if shams is not None:
        verdict = {
            "pass": "as it should be",
            "warn": "run again with another seed before you trust a finding that stands alone",
            "fail": "do not trust the findings of this run",
        }[shams.verdict]
        lines.append(
            f"Of {shams.shams} sham candidates that ask for nothing, {shams.accepted} passed: {verdict}."
        )
    if repeated is not None and repeated.n:
        lines.append(
            f"The same {repeated.n} verdicts asked for twice: {repeated.flips} differ"
            + ("." if not repeated.flips else "; that is noise of the serving, and it limits what can be seen.")
        )
    if control.neutral_arms and whole:
        least = min(control.neutral_arms, key=lambda a: a.p)
        lines.append(
            f"Neutral rewrites against each other: smallest p {least.p:.2f} of {len(control.neutral_arms)} "
            "(they share data, so do not add them up)."
        )
    return lines
