"""Sentences about an audit: what the verdicts of a log tell, and what they cannot. Points are printed here.

Words that stand in a log are on one line here and free of control characters; whoever shows a sentence escapes it for
its medium all the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from biasscope.datasets.logs import Counted
from biasscope.quantities import Estimate, FeatureAssociation
from biasscope.report.audited import AuditOut, CandidateOut, SlotPreferenceOut, ordered
from biasscope.report.findings import amount, interval_text, p_text

SHOWN_AT = 0.05
"""A preference for a place is called one below this p, an association below this q."""

LENGTH = "words"
"""The feature that counts words."""

CAUSE = (
    "An association shows no cause, since texts that differ in one thing differ in others: only a rewrite that adds the "
    "trait and nothing else, beside neutral rewrites of the same text, shows whether it moves the judge."
)


def title(out: AuditOut) -> str:
    """Who was audited, in which log."""
    return f"{out.judge}, in {out.log}"


def read_lines(out: AuditOut) -> list[str]:
    """What was read, what is missing, and what else the log holds."""
    share = f"{out.pairs:,} pairs, {out.verdicts:,} verdicts"
    lines = [
        share
        + (f", {out.verdicts - out.answered:,} of them missing ({reasons(out.missing)})." if out.missing else ".")
    ]
    if out.skipped:
        lines.append(f"Not read: {reasons(out.skipped)}.")
    if out.notes:
        lines.append(f"To be known: {reasons(out.notes)}.")
    if out.duplicates:
        lines.append(f"Came again and left out: {out.duplicates:,} verdicts.")
    if out.repeated:
        lines.append(f"{out.repeated:,} verdicts share their pair and order with others, and are averaged.")
    return lines  # fmt: skip


def reasons(found: Sequence[Counted]) -> str:
    """Reasons with their counts and first places."""
    return "; ".join(f"{c.reason}: {c.count:,}" + (f" ({_places(c)})" if c.places else "") for c in found)


def _places(found: Counted) -> str:
    more = ", ..." if found.count > len(found.places) else ""
    return ", ".join(found.places) + more


def slot_line(out: AuditOut) -> str:
    """Whether the judge prefers a place."""
    slot = out.slot_preference
    if slot.estimate is None:
        return f"Whether it prefers a place cannot be told: {slot.reason}."
    if out.scores_alone:
        return "It scores responses alone, and the same in both orders: there is no place that it could prefer."
    shown = slot.p is not None and slot.p < SHOWN_AT
    which = "first" if slot.estimate > 0 else "second"
    what = f"It prefers the place shown {which}" if shown else "No preference for a place is shown"
    note = f" {slot.reason[0].upper()}{slot.reason[1:]}." if slot.reason else ""
    return f"{what}: slot preference {_preference(slot)}.{note}"


def _preference(slot: SlotPreferenceOut) -> str:
    assert slot.estimate is not None
    unit = "pairs" if slot.told_from == "both orders" else "verdicts"
    span = interval_text(slot.low, slot.high, "fraction", slot.level)
    return f"{amount(slot.estimate, 'fraction')} ({span}, {p_text(slot.p)}, n = {slot.n:,} {unit})"


def consistency_line(out: AuditOut) -> str:
    """How often both orders are judged alike."""
    found = out.intervals.get("position_consistency")
    if found is None:
        return f"Position consistency cannot be told: {out.reasons['position_consistency']}."
    return f"It makes the same choice in both orders for {_rate(found)} of the pairs."


def error_line(out: AuditOut) -> str:
    """How often it is wrong, and in which order."""
    found = out.intervals.get("error_rate")
    ties = f" {percent(out.ties)} of its verdicts are ties, which count one half." if out.ties else ""
    if found is None:
        return f"An error rate cannot be told: {out.reasons['error_rate']}.{ties}"
    by_order = "; ".join(
        f"{name} {percent(tells.error_rate)} (of {tells.verdicts:,})"
        for name, tells in ordered(out.by_order)
        if tells.error_rate is not None
    )
    return f"It errs in {_rate(found)} of its verdicts: {by_order}.{ties}"


def _rate(found: Estimate) -> str:
    if found.low is None or found.high is None:
        return percent(found.value)
    return (
        f"{percent(found.value)} ({100 * found.level:g} % interval {percent(found.low)} to {percent(found.high)})"
    )


def percent(share: float | None) -> str:
    """A fraction for people; empty where it is not known."""
    return "" if share is None else f"{100 * share:.1f} %"


def reread_lines(out: AuditOut) -> list[str]:
    """How our own reading of the replies compares with the record."""
    found = out.reread
    if found.reason:
        return [f"Replies were not read again: {found.reason}."]
    lines = [f"Replies read again: {found.agree:,} agree with what is recorded, {found.differ:,} differ."]
    if found.differences:
        lines.append(f"They differ so: {reasons(found.differences)}.")
    if found.slot_preference is not None and found.slot_preference.estimate is not None:
        lines.append(f"With our reading the slot preference is {_preference(found.slot_preference)}.")
    return lines


def round_lines(out: AuditOut) -> list[str]:
    """What each round shows, of an evaluator that asks again; its decision is the last."""
    lines = []
    for one in out.rounds:
        slot = one.slot_preference
        told = (
            f"slot preference {_preference(slot)}"
            if slot.estimate is not None
            else f"no slot preference can be told, since {slot.reason}"
        )
        alike = percent(one.position_consistency)
        same = f"; the same choice in both orders for {alike}" if alike else ""
        lines.append(f"Round {one.number}, {one.pairs:,} pairs: {told}{same}.")
    return [*lines, "What stands above is the last round of each pair."] if lines else []


def associations_head(out: AuditOut) -> str:
    """With how many features of the texts its choices go, or why that cannot be told."""
    if not out.associations:
        return f"What its choices go with cannot be told: {out.reasons['associations']}."
    held = sum(a.q < SHOWN_AT for a in out.associations)
    return (
        f"Its choices go with {held or 'none'} of {len(out.associations)} features of the texts, beside label and place"
        f" (q < {SHOWN_AT:g}):"
    )


def shown_associations(out: AuditOut) -> list[FeatureAssociation]:
    """The associations that hold, the surest first, and that with length in any case."""
    held = sorted((a for a in out.associations if a.q < SHOWN_AT), key=lambda a: (a.q, a.p))
    return held + [a for a in out.associations if a.feature == LENGTH and a not in held]


def candidate_lines(out: AuditOut) -> list[str]:
    """What to try next."""
    if not out.candidates:
        why = out.reasons.get("candidates", "no feature holds in a model beside the others")
        return [f"Nothing is proposed to be tried: {why}."]
    return [candidate_line(c) for c in out.candidates]


def candidate_line(found: CandidateOut) -> str:
    """One candidate, and what would test it."""
    way = "prefers" if found.sign == "for" else "avoids"
    tried = f"tried as {found.bias}" if found.bias else "no rule writes it"
    return f"it {way} the response with more of this: {found.words} (in {percent(found.frequency)} of half-samples; {tried})"
