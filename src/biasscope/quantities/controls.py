"""What the instrument says where nothing is to be found, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from biasscope.quantities.effects import Estimate


@dataclass(frozen=True, slots=True)
class NeutralArm:
    """One neutral arm taken as if it were a candidate, against the others."""

    arm: str
    """Name of the arm, such as `neutral-2`."""
    effect: Estimate
    """How much more often it is judged wrong than the other neutral arms, in the unit of the run's effects."""
    p: float
    """One-sided p-value of that effect, in (0, 1]."""


@dataclass(frozen=True, slots=True)
class ShamControl:
    """What sham candidates (plausible names, neutral instructions) did in the whole pipeline."""

    shams: int
    """How many shams were tried, at least 1."""
    accepted: int
    """How many of them were accepted, 0 to `shams`; every one is a false finding."""
    verdict: Literal["pass", "warn", "fail"]
    """`pass` with none accepted, `warn` with one, `fail` with more."""
    mean: Estimate | None
    """Mean effect of the shams, in the unit of the run's effects; null where none could be measured."""
    centred: bool | None
    """Whether the mean lies within two standard errors of 0; null where that is not known."""
    instruction_sd: float | None
    """Standard deviation of effects between instructions beyond the noise of pairs, at least 0, in the unit of the run's
    effects; null with fewer than two shams."""
    wide: bool | None
    """Whether `instruction_sd` exceeds 1.5 points; null for margins and where it is not known."""


@dataclass(frozen=True, slots=True)
class Repeated:
    """The same texts judged twice in the same order. At temperature 0 anything but 0 is noise of the serving."""

    n: int
    """How many verdicts could be read both times, at least 0."""
    flips: int
    """How many of them came out differently, 0 to `n`."""
    largest_move: float | None
    """Largest change of a margin, at least 0, in log-odds or steps of the scale; null for a judge without margins."""


@dataclass(frozen=True, slots=True)
class NullControl:
    """What the instrument says where nothing is to be found."""

    shams: ShamControl | None
    """Sham candidates; null where none were asked for."""
    neutral_arms: tuple[NeutralArm, ...]
    """Every neutral arm against the others, empty where there are fewer than two."""
    repeated: Repeated | None
    """The same question twice; null where it was not asked for."""
