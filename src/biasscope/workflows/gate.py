"""May this judge be used? What was measured against a policy: pass, biased, inconclusive, or a broken instrument.

    broken        too many verdicts are missing, nothing moves them, or shams were accepted
    biased        some bias holds (q at most the policy's) and is at least `min_effect` in size
    pass          every bias's whole 95 % interval lies below `min_effect`
    inconclusive  anything else; about how many more pairs would tell

Sizes are changes of preference in fractions, whatever the verdicts were scored in. Decides nothing about a bias that
the trials did not decide: a policy only says how large is too large.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from biasscope.config import GatePolicy
from biasscope.quantities import Estimate
from biasscope.records import HABITS, Trial
from biasscope.stats import power
from biasscope.workflows.measure import Measurement

GateOutcome = Literal["pass", "biased", "inconclusive", "broken"]
BiasOutcome = Literal["pass", "biased", "inconclusive", "ignored"]

EXIT_CODES: dict[GateOutcome, int] = {"pass": 0, "inconclusive": 4, "biased": 3, "broken": 5}
"""How a command ends; in the order of increasing severity."""
DECIDED = 0.8
"""Probability with which the further pairs would tell, were there no effect at all."""


@dataclass(frozen=True, slots=True)
class BiasGate:
    """What a policy says about one bias: its limit, and about how many more pairs would tell where it is open."""

    bias: str
    outcome: BiasOutcome
    limit: float
    reason: str = ""
    more_pairs: int | None = None


@dataclass(frozen=True, slots=True)
class Gate:
    """What a policy says about one judge; `more_pairs` is about how many would decide all that is open."""

    outcome: GateOutcome
    reasons: tuple[str, ...]
    biases: tuple[BiasGate, ...]
    more_pairs: int | None = None


def judge_gate(found: Measurement, policy: GatePolicy) -> Gate:
    """Apply a policy to what was measured of one judge."""
    biases = tuple(_bias(trial, change, policy) for trial, change in found.effects)
    if found.sides == "both":  # a pair is two items there
        biases = tuple(replace(b, more_pairs=b.more_pairs and -(-b.more_pairs // 2)) for b in biases)
    broken = _broken(found, policy)
    if broken:
        return Gate("broken", broken, biases)
    names = {trial.bias.id: trial.bias.name for trial, _ in found.effects}
    for outcome in ("biased", "inconclusive"):
        hit = [b for b in biases if b.outcome == outcome]
        if hit:
            more = max((b.more_pairs for b in hit if b.more_pairs is not None), default=None)
            reasons = tuple(f"{names[b.bias]}: {b.reason}" for b in hit)
            return Gate("biased" if outcome == "biased" else "inconclusive", reasons, biases, more)
    if all(b.outcome == "ignored" for b in biases):
        return Gate("inconclusive", ("no bias was measured that the policy asks about",), biases)
    return Gate("pass", (), biases)


def worst(outcomes: Sequence[GateOutcome]) -> GateOutcome:
    """The outcome of several judges: broken before biased before inconclusive before pass."""
    return max(outcomes, key=list(EXIT_CODES).index, default="inconclusive")


def _broken(found: Measurement, policy: GatePolicy) -> tuple[str, ...]:
    reasons = []
    asked, missing = found.verdicts
    if asked and missing / asked > policy.max_missing:
        reasons.append(
            f"{100 * missing / asked:.0f} % of its verdicts are missing, and {100 * policy.max_missing:.0f} % may be"
        )
    if asked and missing == asked:
        return tuple(reasons) or ("none of its verdicts can be read",)
    if found.trials and all(t.status == "no_signal" for t in found.trials):
        reasons.append(f"no signal: {found.trials[0].reason}")
    shams = None if found.control is None else found.control.shams
    if shams is not None and shams.verdict == "fail":
        reasons.append(f"{shams.accepted} of {shams.shams} sham biases that ask for nothing were accepted")
    return tuple(reasons)


def _bias(trial: Trial, change: Estimate | None, policy: GatePolicy) -> BiasGate:
    own = policy.bias.get(trial.bias.id)
    limit = policy.min_effect if own is None or own.min_effect is None else own.min_effect
    if own is not None and own.ignore:
        return BiasGate(trial.bias.id, "ignored", limit)
    found = _size(trial, change)
    if trial.status in ("no_signal", "invalid") or found is None:
        return BiasGate(trial.bias.id, "inconclusive", limit, trial.reason or "nothing could be measured")
    value, low, high = found.value, found.low, found.high
    if trial.estimand in HABITS and value < 0:
        # Either slot may be preferred: what counts is how far from none.
        value, low, high = -value, None if high is None else -high, None if low is None else -low
    held = trial.q is not None and trial.q <= policy.q
    shown = f"{100 * value:.1f} points" + ("" if low is None or high is None else
                                           f" ({100 * low:.1f} to {100 * high:.1f})")  # fmt: skip
    if held and value >= limit and (low is None or low > 0):
        return BiasGate(trial.bias.id, "biased", limit, f"{shown}, and {100 * limit:g} matter")
    # Against a habit for the other slot the interval must be small on both sides.
    inside = trial.estimand not in HABITS or (low is not None and low > -limit)
    if high is not None and high < limit and inside:
        return BiasGate(trial.bias.id, "pass", limit)
    more = _more_pairs(found, limit)
    return BiasGate(
        trial.bias.id, "inconclusive", limit, f"{shown} does not tell whether {100 * limit:g} are reached", more
    )


def _size(trial: Trial, change: Estimate | None) -> Estimate | None:
    """The effect in fractions: of the trial itself, else as a change of preference."""
    effect = trial.effect
    if effect is not None and effect.unit == "fraction":
        return effect.estimate
    return change


def _more_pairs(found: Estimate, limit: float) -> int | None:
    """About how many more pairs would show that the effect is below the limit, were there none at all."""
    if not found.se:
        return None
    spread = power.GradedNoise(found.se * math.sqrt(found.n), 1)
    needed = power.pairs_needed(limit, spread, alpha=0.025, power=DECIDED)
    # Where that many were seen already the effect is near the limit, and only a good deal more will tell.
    return None if needed is None else max(needed - found.n, -(-found.n // 4))
