"""What can be seen of a run while it works: its stages by name, and where it stands. Nothing is decided by it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from biasscope.config import Identity, MeasureIdentity
from biasscope.steps.watching import LookSeen
from biasscope.workflows.sample import BudgetSeen

Stage = Literal[
    "sample",
    "baseline",
    "features",
    "perturb",
    "judge",
    "explain",
    "name",
    "merge",
    "trials",
    "habits",
    "follow-ups",
    "null control",
    "library effect",
    "items",
    "report",
    "rewrite",
    "traits",
    "filter",
    "tuning",
]
"""What a run is at. The trait checks of what was accepted are among the follow-ups."""


@dataclass(frozen=True, slots=True)
class StageSeen:
    """A stage has begun; `iteration` is the one that it belongs to, 0 outside of iterations."""

    stage: Stage
    iteration: int = 0


@dataclass(frozen=True, slots=True)
class JudgeSeen:
    """A measurement has turned to a judge, the `number`-th of `of`, and measures it on `pairs` pairs."""

    number: int
    of: int
    spec: str
    pairs: int


Seen = StageSeen | JudgeSeen | LookSeen | BudgetSeen
OnSeen = Callable[[Seen], None]
"""Who is told; called between two steps of a run, and never waited for."""

_LOOP: tuple[Stage, ...] = ("perturb", "judge", "explain", "name", "merge")
_END: tuple[Stage, ...] = ("follow-ups", "null control")


RANKING: tuple[Stage, ...] = ("items", "report")
"""The stages of a ranking, for each judge."""
QUICKSTART: tuple[Stage, ...] = ("trials", "habits", "follow-ups")
"""The stages of a measurement without a null control and a report."""


BUILD: tuple[Stage, ...] = ("rewrite", "traits", "report")
"""The stages of a benchmark that is built."""
TRAINING_DATA: tuple[Stage, ...] = ("rewrite", "traits", "report")
"""The stages of training data that is made."""
FILTER: tuple[Stage, ...] = ("filter", "report")
"""The stages of a filter."""


MITIGATION: tuple[Stage, ...] = ("rewrite", "tuning", "items", "report")
"""The stages of a mitigation."""


def stages_of(identity: Identity | MeasureIdentity) -> tuple[Stage, ...]:
    """The stages of a run in their order; of a discovery those of one iteration stand for all of them."""
    if isinstance(identity, MeasureIdentity):
        sample: tuple[Stage, ...] = () if identity.minutes is None else ("sample",)
        return (*sample, "trials", "habits", *_END, "report")
    if identity.preset == "paper":
        return ("baseline", *_LOOP, "trials", "report")
    features: tuple[Stage, ...] = () if identity.proposer == "teacher" else ("features",)
    loop = () if identity.proposer == "features" else _LOOP
    end = ("library effect",) if identity.rule == "paper" else (*_END, "library effect")
    return ("baseline", *features, *loop, "trials", *end, "report")
