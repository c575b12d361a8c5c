"""Estimates with their intervals and what an effect is split into, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Unit = Literal["fraction", "log-odds", "score"]
Scale = Unit


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its standard error and two-sided interval."""

    value: float
    """The number, in the unit that whoever holds it names."""
    se: float | None
    """Its standard error, at least 0, in the same unit; null where it is unknown (a single item)."""
    low: float | None
    """Lower end of the interval; null where the standard error is 0 or unknown."""
    high: float | None
    """Upper end of the interval; null where the standard error is 0 or unknown."""
    n: int
    """How many items it comes from, at least 1."""
    level: float = 0.95
    """Coverage of the interval, in (0, 1)."""


@dataclass(frozen=True, slots=True)
class OddsRatio:
    """The odds of an error on the biased rewrite over those on a neutral one, in the same item and order."""

    value: float | None
    """The ratio, above 0; null where errors differ in one direction only or not at all."""
    log_se: float | None
    """Standard error of its logarithm, at least 0; null where it is not known."""
    low: float | None
    """Lower end of the interval, above 0; null also where the interval hangs on one item."""
    high: float | None
    """Upper end of the interval, above 0; null also where the interval hangs on one item."""
    items: int
    """Items that were used."""
    strata: int
    """Strata (item and order) that were used."""
    level: float = 0.95
    """Coverage of the interval, in (0, 1)."""
    reason: str = ""
    """Why a number is missing; empty where none is."""
    kind: Literal["conditional"] = "conditional"
    """Always `conditional`: it is further from 1 than a ratio of pooled odds (marginal) for the same effect, and the two
    must not be compared."""


@dataclass(frozen=True, slots=True)
class ArmPosition:
    """How position-driven one arm is."""

    consistency: float
    """Share of items that were judged alike in both orders, in [0, 1]."""
    first_answer_preference: float
    """P(prefers the answer shown first) - .5, in [-.5, .5]; a tie counts one half."""
    n: int
    """Items with verdicts in both orders."""


@dataclass(frozen=True, slots=True)
class PositionUse:
    """Position statistics of the arms on common items, and what the bias changes (biased minus neutral)."""

    original: ArmPosition | None
    """The texts as they were; null where no common item has them."""
    neutral: ArmPosition
    """The neutral rewrites."""
    biased: ArmPosition
    """The rewrites with the trait."""
    consistency_change: Estimate
    """Consistency with the trait less that without, a fraction in [-1, 1]; below 0 the judge goes more by position."""
    preference_change: Estimate
    """First-answer preference with the trait less that without, a fraction in [-1, 1]."""


@dataclass(frozen=True, slots=True)
class GroupEffect:
    """The effect in one group of items. No group is accepted or refused by itself."""

    group: str
    """Name of the domain or writer."""
    effect: Estimate
    """The raw mean with its interval, in the trial's unit; the interval is shown with the shrunk point too, since shrunk
    intervals cover too little."""
    shrunk: float | None
    """The point shrunk towards the other groups, in the trial's unit; null where it cannot be told."""


@dataclass(frozen=True, slots=True)
class GroupEffects:
    """Effects by group (domains, writers), and whether they differ.

    The numbers are null with fewer than two groups, or where no group has two items.
    """

    groups: tuple[GroupEffect, ...]
    """One entry a group, sorted by name."""
    between_sd: float | None
    """Standard deviation of true effects between groups, at least 0, in the trial's unit."""
    heterogeneity_q: float | None
    """Cochran's Q, at least 0."""
    heterogeneity_p: float | None
    """The p-value of Cochran's Q, in [0, 1]."""


@dataclass(frozen=True, slots=True)
class Split:
    """What a rewrite does in all, split on the items that have all three arms: `total` = `specific` + `generic`."""

    total: Estimate
    """Biased less original, in the trial's unit."""
    specific: Estimate
    """Biased less neutral, in the trial's unit: the bias."""
    generic: Estimate
    """Neutral less original, in the trial's unit: what rewording alone does."""


@dataclass(frozen=True, slots=True)
class Slope:
    """How much the score rises per unit of something else that differs between rewrites, within item and arm."""

    name: str
    """What differs, such as the logarithm of the length."""
    value: float
    """The slope, in the trial's unit per unit of what differs."""
    se: float
    """Its standard error, at least 0."""
    gap: float
    """Mean of biased minus neutral in what differs."""


@dataclass(frozen=True, slots=True)
class Adjusted:
    """An effect before and after adjusting for other differences between biased and neutral rewrites."""

    raw: Estimate
    """The effect before adjusting, in the trial's unit."""
    adjusted: Estimate | None
    """The effect after adjusting, in the trial's unit; null where the differences do not vary within arms."""
    share: float | None
    """`raw` less `adjusted`: the part that goes with those differences, in the trial's unit (not a part of 1)."""
    slopes: tuple[Slope, ...]
    """One entry for each difference that was adjusted for."""
    reason: str = ""
    """Why it could not be adjusted; empty where it was."""


@dataclass(frozen=True, slots=True)
class EqualLength:
    """The effect with rewrites of equal length, with free length, and the difference, paired by item."""

    equal: Estimate
    """The effect with rewrites as long as the neutral ones, in the trial's unit."""
    free: Estimate
    """The effect with rewrites of any length on the same items, in the trial's unit."""
    difference: Estimate
    """`equal` less `free`, in the trial's unit; below 0 the effect is smaller once length is equal."""


@dataclass(frozen=True, slots=True)
class Sides:
    """Changes of P(prefers the rejected response) beyond neutral wording, with the trait on either response."""

    scale: Unit
    """What the numbers are counted in: `fraction`, or `log-odds` (marginal) where the baseline error is small."""
    on_rejected: Estimate
    """The change with the trait on the rejected response."""
    on_chosen: Estimate
    """The change with the trait on the chosen response."""
    pull: Estimate
    """(on_rejected - on_chosen) / 2, positive where the judge likes the trait."""
    asymmetry: Estimate | None
    """on_rejected + on_chosen, what the trait does to errors wherever it stands; null for pairs without labels."""
    reason: str = ""
    """Why fractions stand where log-odds were due; empty where they were not."""
