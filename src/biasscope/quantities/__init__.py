"""What is reported about a trial beside its decision, as frozen values. Nothing here computes, reads or writes.

Effects and their standard errors are in the unit of the scores they come from: fractions of verdicts (errors in
[0, 1], effects in [-1, 1]), log-odds (margins, unbounded) or steps of a judge's own scale. What is unknown is None,
never 0; where a number is None that a reader expects, `reason` says why. The text under a field is its meaning in the
schema of every JSON that holds it.
"""

from biasscope.quantities.associations import (
    FeatureAssociation,
    FeatureAssociations,
    FeatureProposal,
    FeatureProposals,
)
from biasscope.quantities.controls import NeutralArm, NullControl, Repeated, ShamControl
from biasscope.quantities.details import FeatureShift, Profile, TrialDetails
from biasscope.quantities.effects import (
    Adjusted,
    ArmPosition,
    EqualLength,
    Estimate,
    GroupEffect,
    GroupEffects,
    OddsRatio,
    PositionUse,
    Scale,
    Sides,
    Slope,
    Split,
    Unit,
)

__all__ = [
    "Adjusted",
    "ArmPosition",
    "EqualLength",
    "Estimate",
    "FeatureAssociation",
    "FeatureAssociations",
    "FeatureProposal",
    "FeatureProposals",
    "FeatureShift",
    "GroupEffect",
    "GroupEffects",
    "NeutralArm",
    "NullControl",
    "OddsRatio",
    "PositionUse",
    "Profile",
    "Repeated",
    "Scale",
    "ShamControl",
    "Sides",
    "Slope",
    "Split",
    "TrialDetails",
    "Unit",
]
