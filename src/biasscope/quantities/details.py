"""Everything that is reported beside one trial's decision, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass

from biasscope.quantities.effects import (
    Adjusted,
    EqualLength,
    Estimate,
    GroupEffects,
    OddsRatio,
    PositionUse,
    Sides,
    Split,
)


@dataclass(frozen=True, slots=True)
class FeatureShift:
    """How far one feature of the texts moves from neutral to biased rewrites."""

    feature: str
    """Name of the feature."""
    gap: float
    """Mean of biased minus neutral, in the unit of the feature."""
    shift: float | None
    """The same in standard deviations of the feature; null where it never varies without the bias."""
    moved: bool
    """Whether it moves by more than .3 standard deviations, or at all where it never varies without the bias."""


@dataclass(frozen=True, slots=True)
class Profile:
    """What else changes in the texts when a trait is written in."""

    features: tuple[FeatureShift, ...]
    """Every feature, in the order of the names."""
    bundled: tuple[str, ...]
    """Features that move and are not the trait's own, by name."""
    adjusted: Adjusted | None
    """The effect adjusted for the bundled features; null where there are none."""


@dataclass(frozen=True, slots=True)
class TrialDetails:
    """Everything that is reported beside one trial's decision; null where it was not asked for or cannot be told.

    `sides`, `confirmed` and `equal_length` need verdicts of their own and are measured for accepted biases alone.
    """

    split: Split | None = None
    """What a rewrite does in all, split into what the trait and what rewording alone does."""
    odds_ratio: OddsRatio | None = None
    """The effect as a conditional odds ratio of an error."""
    position: PositionUse | None = None
    """How position-driven the judge is on the original, neutral and biased arm."""
    domains: GroupEffects | None = None
    """The effect by domain of the pairs."""
    writers: GroupEffects | None = None
    """The effect by writer of the rewrites."""
    length: Adjusted | None = None
    """The effect adjusted for the length of the rewrites."""
    profile: Profile | None = None
    """Which features of the texts move with the trait, and the effect without them."""
    sides: Sides | None = None
    """The effect with the trait on either response."""
    confirmed: Estimate | None = None
    """The effect on pairs that the trial did not visit, in the trial's unit: it owes nothing to when the trial stopped."""
    equal_length: EqualLength | None = None
    """The effect with rewrites that are as long as the neutral ones."""
