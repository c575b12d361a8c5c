"""Sentences and cells about a review. Names that stand in files are escaped by whoever shows them."""

from __future__ import annotations

from biasscope.quantities import Estimate
from biasscope.report.reviewed import AgreementOut, ArmReviewOut, Asked

QUESTIONS: dict[Asked, str] = {
    "better": "better",
    "same_answer": "same answer",
    "same_content": "same content",
    "valid": "valid",
}
"""The questions in few letters; *valid* is answer and content together."""


def state_line(out: AgreementOut) -> str:
    """How far the review is."""
    count = len(out.reviewers)
    who = f"{count} reviewer{'' if count == 1 else 's'}" if count else "nobody yet"
    biased, neutral = out.arms
    line = f"{out.items:,} items ({biased.items:,} biased, {neutral.items:,} neutral), answered by {who}: {out.answers:,} answers."
    if out.waiting:
        line += f" {out.waiting:,} item{'' if out.waiting == 1 else 's'} with fewer than two."
    return line


def dispute_line(out: AgreementOut) -> str:
    """What is left to decide."""
    if not out.disputed:
        return "No disagreement, and nothing flagged."
    return f"{out.disputed:,} with a disagreement or a flag, {out.adjudicated:,} of them adjudicated."


def gate_line(out: AgreementOut) -> str:
    """Whether the rewrites may be used as they were reviewed."""
    gate = out.gate
    if gate.share is None:
        return "Gate: cannot be told, since no biased item has two answers."
    share = f"{gate.valid:,} of {gate.items:,} rewrites valid for the majority ({gate.share:.1%}, at least {gate.low:.1%})"
    if gate.passes:
        return f"Gate: passes. AC1 {gate.ac1:.2f}; {share}."
    return f"Gate: does not pass. {'; '.join(gate.failures)}. {share}."


def arm_line(arm: ArmReviewOut) -> str:
    """What reviewers prefer in an arm."""
    said = arm.rewrite + arm.original + arm.tie
    if not said:
        return f"{arm.arm}: no answers."
    parts = f"rewrite better {arm.rewrite / said:.0%}, original {arm.original / said:.0%}, about the same {arm.tie / said:.0%}"
    return f"{arm.arm}: {parts} of {said:,} answers; {arm.valid:,} of {arm.decided:,} items valid."


def gap_line(out: AgreementOut) -> str:
    """Whether the two arms are answered differently."""
    if out.lean_gap is None:
        return "Whether reviewers lean to biased rewrites more than to neutral ones is not known: one arm has no answers."
    return f"Leaning to the rewrite, biased beyond neutral, on a scale from -2 to 2: {number(out.lean_gap)}."


def number(found: Estimate | None) -> str:
    """A number with its interval, ``-`` where it is not known."""
    if found is None:
        return "-"
    if found.low is None or found.high is None:
        return f"{found.value:.2f}"
    return f"{found.value:.2f} ({found.low:.2f}, {found.high:.2f})"
