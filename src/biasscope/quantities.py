"""What is reported about a trial beside its decision, as frozen values. Nothing here computes, reads or writes.

Effects and their standard errors are in the unit of the scores they come from: fractions of verdicts (errors in
[0, 1], effects in [-1, 1]) or log-odds (margins, unbounded). What is unknown is None, never 0; where a number is
None that a reader expects, `reason` says why.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Unit = Literal["fraction", "log-odds", "score"]
Scale = Unit


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its standard error and two-sided interval at `level`, from `n` >= 1 items.

    `se` is None where it is unknown (a single item); `low` and `high` are None there and where `se` is 0.
    """

    value: float
    se: float | None
    low: float | None
    high: float | None
    n: int
    level: float = 0.95


@dataclass(frozen=True, slots=True)
class OddsRatio:
    """The odds of an error on the biased rewrite over those on a neutral one, in the same item and order.

    `kind` is always ``conditional``: it is further from 1 than a ratio of pooled odds (marginal) for the same
    effect, and the two must not be compared. `value`, `low` and `high` are > 0; `log_se` is the standard error
    of log `value`. `items` and `strata` (item x order) count what was used. `value` is None where errors differ
    in one direction only or not at all, the interval also where it hangs on one item; `reason` says so.
    """

    value: float | None
    log_se: float | None
    low: float | None
    high: float | None
    items: int
    strata: int
    level: float = 0.95
    reason: str = ""
    kind: Literal["conditional"] = "conditional"


@dataclass(frozen=True, slots=True)
class ArmPosition:
    """How position-driven one arm is, over `n` items with both orders.

    `consistency` in [0, 1]: share of items judged alike in both orders. `first_answer_preference` in [-.5, .5]:
    P(prefers the answer shown first) - .5, a tie counting one half.
    """

    consistency: float
    first_answer_preference: float
    n: int


@dataclass(frozen=True, slots=True)
class PositionUse:
    """Position statistics of the arms on common items, and what the bias changes (biased minus neutral).

    The changes are fractions in [-1, 1]; a negative `consistency_change` says that the judge goes more by
    position. `original` is None where no common item has it.
    """

    original: ArmPosition | None
    neutral: ArmPosition
    biased: ArmPosition
    consistency_change: Estimate
    preference_change: Estimate


@dataclass(frozen=True, slots=True)
class GroupEffect:
    """The effect in one group of items: the raw mean with its interval, and the point shrunk towards the others.

    The interval belongs to the raw mean (shrunk intervals cover too little) and is shown with the shrunk point.
    No group is accepted or refused by itself.
    """

    group: str
    effect: Estimate
    shrunk: float | None


@dataclass(frozen=True, slots=True)
class GroupEffects:
    """Effects by group (domains, writers), sorted by name, and whether they differ.

    `between_sd` >= 0 is the standard deviation of true effects between groups, `heterogeneity_q` Cochran's Q and
    `heterogeneity_p` its p-value; None with fewer than two groups or where no group has two items.
    """

    groups: tuple[GroupEffect, ...]
    between_sd: float | None
    heterogeneity_q: float | None
    heterogeneity_p: float | None


@dataclass(frozen=True, slots=True)
class Split:
    """What a rewrite does in all, split on the items that have all three arms: `total` = `specific` + `generic`.

    `total` is biased - original, `specific` biased - neutral (the bias), `generic` neutral - original (what
    rewording alone does).
    """

    total: Estimate
    specific: Estimate
    generic: Estimate


@dataclass(frozen=True, slots=True)
class Slope:
    """How much the score rises per unit of something else that differs between rewrites, within item and arm.

    `gap` is the mean of biased minus neutral in that thing.
    """

    name: str
    value: float
    se: float
    gap: float


@dataclass(frozen=True, slots=True)
class Adjusted:
    """An effect before and after adjusting for other differences between biased and neutral rewrites.

    `share` = raw - adjusted: the part that goes with those differences, in the unit of the effect (not a part of
    1). `adjusted`, `share` and `slopes` are missing where the differences do not vary within arms.
    """

    raw: Estimate
    adjusted: Estimate | None
    share: float | None
    slopes: tuple[Slope, ...]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class EqualLength:
    """The effect with rewrites of equal length, with free length, and the difference, paired by item.

    `difference` = equal - free; below 0 the effect is smaller once length is equal.
    """

    equal: Estimate
    free: Estimate
    difference: Estimate


@dataclass(frozen=True, slots=True)
class Sides:
    """Changes of P(prefers the rejected response) beyond neutral wording, with the trait on either response.

    `pull` = (on_rejected - on_chosen) / 2 is positive when the judge likes the trait; `asymmetry` = on_rejected +
    on_chosen is what the trait does to errors wherever it stands. `asymmetry` is None for pairs without labels.
    In units of `scale`: fractions, or marginal log-odds where the baseline error is small. `reason` says why
    fractions stand where log-odds were due.
    """

    scale: Unit
    on_rejected: Estimate
    on_chosen: Estimate
    pull: Estimate
    asymmetry: Estimate | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class NeutralArm:
    """One neutral arm taken as if it were a candidate, against the others: effect and one-sided p in (0, 1]."""

    arm: str
    effect: Estimate
    p: float


@dataclass(frozen=True, slots=True)
class ShamControl:
    """What sham candidates (plausible names, neutral instructions) did in the whole pipeline.

    `verdict` is ``pass`` with none accepted, ``warn`` with one, ``fail`` with more. `mean` is the mean sham
    effect and `centred` whether it lies within 0 +- 2 standard errors. `instruction_sd` >= 0 is the standard
    deviation of effects between instructions beyond item noise, None with fewer than two shams; `wide` whether it
    exceeds 1.5 points, None for margins.
    """

    shams: int
    accepted: int
    verdict: Literal["pass", "warn", "fail"]
    mean: Estimate | None
    centred: bool | None
    instruction_sd: float | None
    wide: bool | None


@dataclass(frozen=True, slots=True)
class FeatureShift:
    """How far one feature of the texts moves from neutral to biased rewrites.

    `gap` is in the unit of the feature, `shift` in standard deviations of the feature, None where it never varies
    without the bias. `moved` is True for more than .3 of them, and for any gap in what never varies.
    """

    feature: str
    gap: float
    shift: float | None
    moved: bool


@dataclass(frozen=True, slots=True)
class Profile:
    """What else changes in the texts when a trait is written in; features in the order of their names.

    `bundled` names the moved features that are not the trait's own; where there are any, `adjusted` is the effect
    adjusted for them.
    """

    features: tuple[FeatureShift, ...]
    bundled: tuple[str, ...]
    adjusted: Adjusted | None


@dataclass(frozen=True, slots=True)
class Repeated:
    """The same texts judged twice in the same order: how many of `n` verdicts differ.

    `largest_move` is the largest change of a margin (log-odds), None for a judge without margins. At temperature 0
    anything but 0 is noise of the serving.
    """

    n: int
    flips: int
    largest_move: float | None


@dataclass(frozen=True, slots=True)
class NullControl:
    """What the instrument says where nothing is to be found; `shams` and `repeated` are None where not asked for."""

    shams: ShamControl | None
    neutral_arms: tuple[NeutralArm, ...]
    repeated: Repeated | None


@dataclass(frozen=True, slots=True)
class TrialDetails:
    """Everything that is reported beside one trial's decision; None where it was not asked for or cannot be told.

    `sides`, `confirmed` and `equal_length` need verdicts of their own and are measured for accepted biases alone.
    `confirmed` is the effect on pairs that the trial did not visit: it owes nothing to when the trial stopped.
    """

    split: Split | None = None
    odds_ratio: OddsRatio | None = None
    position: PositionUse | None = None
    domains: GroupEffects | None = None
    writers: GroupEffects | None = None
    length: Adjusted | None = None
    profile: Profile | None = None
    sides: Sides | None = None
    confirmed: Estimate | None = None
    equal_length: EqualLength | None = None


@dataclass(frozen=True, slots=True)
class FeatureAssociation:
    """How the choice goes with one feature of the texts, beside the gold label and the slot.

    `change` is that of P(chooses the response with more of it), a fraction per standard deviation of the difference
    between the two responses; `p` is two-sided, `q` adjusted over all features. `bias` is the known bias whose rewrite
    by rule tests it, None without one. An association is no effect: texts that differ in one thing differ in others.
    """

    feature: str
    words: str
    change: Estimate
    p: float
    q: float
    bias: str | None


@dataclass(frozen=True, slots=True)
class FeatureAssociations:
    """Every feature that varies, in the order of the features; `left_out` names those that hardly ever differ.

    `observations` are verdicts, of `pairs` pairs with `questions` questions. `reason` says why there is nothing.
    """

    associations: tuple[FeatureAssociation, ...]
    left_out: tuple[str, ...]
    observations: int
    pairs: int
    questions: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class FeatureProposal:
    """A feature that a judge seems to go by: `sign` says for or against the response with more of it.

    `weight` is in log-odds per standard deviation of the difference, in a sparse model beside all other features;
    `frequency` in [0, 1] is the share of half-samples in which the model holds it with this sign; `interaction` is what
    is added to the weight where the response with more of it is the better one, and taken off where it is the worse.
    """

    association: FeatureAssociation
    sign: Literal["for", "against"]
    weight: float
    frequency: float
    interaction: float

    @property
    def candidate(self) -> str | None:
        """The id of the known bias that is to be tried; None for what stays an association."""
        return self.association.bias if self.sign == "for" else None


@dataclass(frozen=True, slots=True)
class FeatureProposals:
    """What was proposed, the most frequent first and then the largest; everything it was chosen from is in `found`."""

    proposals: tuple[FeatureProposal, ...]
    found: FeatureAssociations
    reason: str = ""
