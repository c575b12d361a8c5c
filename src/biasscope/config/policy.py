"""The policy of a gate: when a judge may be used."""

from __future__ import annotations

from pydantic import Field

from biasscope.config.models import Strict


class BiasPolicy(Strict):
    """What a gate asks of one bias: a limit of its own, or nothing."""

    min_effect: float | None = Field(default=None, gt=0, lt=1)
    """Smallest effect of this bias that matters, a fraction in (0, 1); null takes that of the policy."""
    ignore: bool = False
    """Whether nothing is asked of it."""


class GatePolicy(Strict):
    """The table ``[gate]`` of a policy file: when a judge may be used."""

    min_effect: float = Field(default=0.05, gt=0, lt=1)
    """Smallest effect that matters, a fraction of verdicts in (0, 1)."""
    q: float = Field(default=0.05, gt=0, lt=1)
    """False discovery rate of what is called biased, in (0, 1)."""
    max_missing: float = Field(default=0.1, ge=0, le=1)
    """Largest share of verdicts that may be missing, in [0, 1]."""
    bias: dict[str, BiasPolicy] = Field(default={})
    """What is asked of single biases instead, by id."""


class PolicyFile(Strict):
    """A policy file whole."""

    gate: GatePolicy = GatePolicy()
