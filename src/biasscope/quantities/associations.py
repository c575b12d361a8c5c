"""How choices go with features of the texts, and what that proposes, as frozen values. An association is no effect."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from biasscope.quantities.effects import Estimate


@dataclass(frozen=True, slots=True)
class FeatureAssociation:
    """How the choice goes with one feature of the texts, beside the gold label and the slot.

    An association is no effect: texts that differ in one thing differ in others.
    """

    feature: str
    """Name of the feature."""
    words: str
    """More of it, in words."""
    change: Estimate
    """Change of P(chooses the response with more of it), a fraction in [-1, 1] per standard deviation of the difference
    between the two responses."""
    p: float
    """Two-sided p-value, in [0, 1]."""
    q: float
    """The same adjusted over all features (Benjamini-Hochberg), in [0, 1]."""
    bias: str | None
    """Id of the known bias whose rewrite by rule tests it; null without one."""


@dataclass(frozen=True, slots=True)
class FeatureAssociations:
    """Every feature that varies, with what was looked at."""

    associations: tuple[FeatureAssociation, ...]
    """One entry a feature, in the order of the features."""
    left_out: tuple[str, ...]
    """Features that hardly ever differ between the responses of a pair, by name."""
    observations: int
    """Verdicts that were used."""
    pairs: int
    """Pairs that they are of."""
    questions: int
    """Different questions that those pairs ask; variance is reckoned over them."""
    reason: str = ""
    """Why there is nothing; empty where there is something."""


@dataclass(frozen=True, slots=True)
class FeatureProposal:
    """A feature that a judge seems to go by."""

    association: FeatureAssociation
    """Its association with the choice."""
    sign: Literal["for", "against"]
    """Whether the judge goes `for` or `against` the response with more of it."""
    weight: float
    """Log-odds per standard deviation of the difference, in a sparse model beside all other features."""
    frequency: float
    """Share of half-samples in which the model holds it with this sign, in [0, 1]."""
    interaction: float
    """Log-odds that are added to the weight where the response with more of it is the better one, and taken off where it
    is the worse."""

    @property
    def candidate(self) -> str | None:
        """The id of the known bias that is to be tried; None for what stays an association."""
        return self.association.bias if self.sign == "for" else None


@dataclass(frozen=True, slots=True)
class FeatureProposals:
    """What was proposed, and everything it was chosen from."""

    proposals: tuple[FeatureProposal, ...]
    """The most frequent first, and of those as frequent the largest."""
    found: FeatureAssociations
    """All features that were looked at."""
    reason: str = ""
    """Why nothing is proposed; empty where something is."""
