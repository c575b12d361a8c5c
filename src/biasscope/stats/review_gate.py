"""May rewrites be used as people reviewed them? The gate of a human review, from its AC1 and its valid share. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from biasscope.stats.effects import wilson

LEAST_AC1 = 0.7
"""Gwet's AC1 of the reviewers below which what they say is no ground for anything."""

LEAST_VALID = 0.9
"""Share of rewrites that the majority of reviewers must call valid."""

LEAST_VALID_LOW = 0.85
"""What the lower end of Wilson's interval of that share must reach, so that a handful of rewrites cannot pass."""


@dataclass(frozen=True, slots=True)
class ReviewGate:
    """Whether a review passes: AC1 >= .7, majority-valid share >= .9, and its Wilson lower bound >= .85.

    `valid` of `items` rewrites are valid for the majority; `share` and `low` are fractions, None without an item. `failures`
    say what is missing, in order; empty where it passes.
    """

    passes: bool
    ac1: float | None
    valid: int
    items: int
    share: float | None
    low: float | None
    failures: tuple[str, ...]


def review_gate(ac1: float | None, valid: int, items: int, *, level: float = 0.95) -> ReviewGate:
    """Decide by the agreement of the reviewers and by how many rewrites their majority calls valid.

    Kappa decides nothing: nearly all rewrites should be valid, and there it is low however well reviewers agree. `level` is
    that of Wilson's two-sided interval. Raises ValueError unless 0 <= valid <= items.
    """
    if not 0 <= valid <= items:
        raise ValueError(f"need 0 <= valid <= items, got {valid} of {items}")
    share = valid / items if items else None
    low = wilson(valid, items, level=level)[0] if items else None
    failures = []
    if ac1 is None:
        failures.append("no rewrite has two reviews")
    elif ac1 < LEAST_AC1:
        failures.append(f"reviewers agree too little: AC1 {ac1:.2f}, and {LEAST_AC1:g} is needed")
    if share is None:
        failures.append("no rewrite has been decided by reviewers")
    elif share < LEAST_VALID:
        failures.append(f"too few rewrites are valid: {share:.1%}, and {LEAST_VALID:.0%} are needed")
    if low is not None and low < LEAST_VALID_LOW:
        failures.append(
            f"too few rewrites were reviewed to be sure: the share may be {low:.1%}, and {LEAST_VALID_LOW:.0%} is needed"
        )
    return ReviewGate(not failures, ac1, valid, items, share, low, tuple(failures))
