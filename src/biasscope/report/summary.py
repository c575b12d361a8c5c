"""The machine-readable summary of a run: ``report.json`` of a discovery and what ``--json`` prints, with a versioned schema.

Rates and effects are fractions or log-odds with a `unit`; only faces turn them into points. A field that is not known is
null, never 0. The text under a field is its description in the schema. Within a version fields may be added, with a
default so that older files can be read; none is removed or changes its meaning.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from biasscope.quantities import FeatureProposals, NullControl, TrialDetails
from biasscope.records import Claim, Estimand, Origin, Status, Unit

SCHEMA: Literal["biasscope.discover/1"] = "biasscope.discover/1"


class Out(BaseModel):
    """What is printed as JSON: a field that is not known is refused, and no value changes afterwards."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class BiasOut(Out):
    """One bias of the library, with the numbers of its trial where one was run."""

    id: str
    """Id of the bias, unique in the run; the name of its arm in other files of the folder."""
    name: str
    """Its name, for people. A discovered one is a model's words."""
    definition: str
    """What it is, in a sentence or two."""
    origin: Origin
    """`seed` (known at the start), `discovered`, `catalogue` (known, proposed by a feature) or `sham`."""
    estimand: Estimand
    """What is measured: `pull` (a trait of the text), `slot`, `cue` (a fact shown about a response) or `format`."""
    status: Status | Literal["not_tested"]
    """`accepted` (it holds), `dropped` (unlikely to matter), `not_shown` (not proven, not absent), `no_signal` (the verdicts
    did not move at all, however texts were rewritten), `invalid` (no fair comparison), or `not_tested` for a bias of the
    library that no trial of this run tested."""
    effect: float | None
    """How much more often (or by how much) the judge errs than on neutral rewrites of the same texts, in `unit`; in
    [-1, 1] for fractions. By the published rule: than on the originals."""
    unit: Unit | None
    """`fraction` of verdicts (0.05 is 5 points), `log-odds`, or `score` (steps of the judge's own scale)."""
    low: float | None
    """Lower end of the interval of the effect, in `unit`; null where nothing varies or the rule gives none."""
    high: float | None
    """Upper end of the interval of the effect, in `unit`; null where nothing varies or the rule gives none."""
    p: float | None
    """p-value of the trial, one-sided, in [0, 1], with every look paid for; null where the rule has none."""
    n: int
    """Pairs that the effect comes from, at least 0."""


class TrialOut(BiasOut):
    """One candidate that was tried, with everything measured about it."""

    iteration: int
    """Iteration in which it was tried, from 1; 0 for a measurement without iterations."""
    provisional: bool
    """Whether it was accepted inside its iteration; `status` is the final decision."""
    claim: Claim
    """`error` where every label rests on an answer that can be checked, else `pull`: a preference that moves."""
    reason: str
    """Why it has this status, in words; may be empty."""
    level: float | None
    """Coverage of the interval, in (0, 1); wider for what was picked as accepted. Null without an interval."""
    q: float | None
    """p-value adjusted over everything tried in the run (Benjamini-Hochberg, stricter for few findings), in [0, 1]; null
    by the published rule."""
    detectable: float | None
    """Smallest true effect that this trial would have accepted with 80 % power, in `unit`."""
    min_effect: float | None
    """Smallest effect of interest, in `unit`."""
    look: int | None
    """Look at which the trial stopped, from 1 to `looks`."""
    looks: int | None
    """How many looks its rule plans."""
    visited: int
    """Pairs that the trial visited, usable or not."""
    error_original: float | None
    """Error rate on the originals, a fraction, over the pairs that have all three arms."""
    error_biased: float | None
    """Error rate on the rewrites with the trait, a fraction, over the same pairs."""
    error_neutral: float | None
    """Error rate on the neutral rewrites, a fraction, over the same pairs."""
    harm: float | None
    """Share of pairs and orders that were right on the neutral rewrite and wrong with the trait, in [0, 1]."""
    rescue: float | None
    """Share of pairs and orders that were wrong on the neutral rewrite and right with the trait, in [0, 1]."""
    noise_floor: float | None
    """Share of pairs and orders in which two neutral rewrites are judged differently, in [0, 1]; null with one neutral
    rewrite."""
    trait_shown: float | None
    """Share of checked rewrites in which the trait was found, in [0, 1]; null where it was not looked for."""
    trait_in_neutral: float | None
    """Share of checked neutral rewrites in which the trait was found, in [0, 1]; null where it was not looked for."""
    worst_case: tuple[float, float] | None
    """The effect if every missing verdict had gone against it, and if every one had gone with it, in `unit`; null for
    margins, which have no worst value."""
    marks: tuple[str, ...]
    """Doubts in a word or two, such as `bundled` or `fragile`; the page on concepts explains each."""
    evidence: tuple[str, ...]
    """Ids of the pairs on which a discovered bias was seen first."""
    details: TrialDetails | None
    """Everything that is reported beside the decision; null where nothing was measured."""


class IterationOut(Out):
    """One pass of the loop in counts."""

    index: int
    """Number of the iteration, from 1."""
    perturbed: int
    """Discovery pairs that were rewritten with a bias of the library."""
    judged: int
    """Of those, pairs with verdicts in all arms and both orders."""
    moved: int
    """Of the judged pairs, those that were not judged alike in all arms."""
    shifts: int
    """Pairs on which the rewrite with a trait was judged worse for the better response than the neutral one."""
    expected_noise: float | None
    """Share of the verdicts that turned that wording alone would turn too, in [0, 1]; null where none turned."""
    decoys: int
    """Pairs given to the teacher on which only the neutral rewrite turned the verdict."""
    decoys_named: int
    """Of those, pairs on which the teacher named a bias all the same."""
    named: int
    """Biases that the teacher named, before merging."""
    merged: tuple[tuple[str, str], ...]
    """Proposed names that repeat a known bias: pairs of the name and the id of the bias."""
    candidates: tuple[str, ...]
    """Ids of the candidates that were tried in this iteration."""
    accepted: tuple[str, ...]
    """Ids of those that held inside the iteration; the final decision is in `trials`."""
    features: FeatureProposals | None = None
    """What features of the texts proposed in it; null where they were not asked."""


class NamedOut(Out):
    """A candidate that was named and whose turn did not come before the loop ended."""

    id: str
    """Id of the candidate."""
    name: str
    """Its name: a model's words."""


class CallsOut(Out):
    """What was asked in this start of the run."""

    judge: int
    """Calls of judges that were paid for."""
    teacher: int
    """Calls of the teacher and other writers that were paid for."""
    replayed: int
    """Replies that were read from the ledger instead."""
    input_tokens: int
    """Tokens sent with the paid calls, where the endpoint reports them."""
    output_tokens: int
    """Tokens received from the paid calls, where the endpoint reports them."""


class MissingOut(Out):
    """How often something is missing."""

    arm: str
    """The arm (`original`, `neutral-1`, the id of a bias) or the step of the run."""
    reason: str
    """What is missing and why."""
    count: int
    """How often, at least 1."""


class BaselineOut(Out):
    """The judge on the original validation pairs."""

    error_rate: float
    """Share of verdicts that are not for the better response, in [0, 1]; a tie counts one half."""
    position_consistency: float | None
    """Share of pairs that are judged alike in both orders, in [0, 1]; null where one order was judged."""
    first_answer_preference: float | None
    """P(prefers the answer shown first) - .5, in [-.5, .5]; null where one order was judged."""
    tie_rate: float | None
    """Share of verdicts that are ties, in [0, 1]."""
    margin_sd: float | None
    """Standard deviation of the margins over pairs, at least 0, in log-odds or steps of the scale; null without margins."""
    n: int
    """Pairs that could be judged."""


class LibraryEffectOut(Out):
    """Accepted biases together on held-out pairs that selected none of them, one bias a pair.

    The rates are error rates; where `unit` is log-odds, probabilities of preferring the rejected response.
    """

    before: float
    """Rate on the originals, in [0, 1]."""
    neutral: float
    """Rate on neutral rewrites of the same texts, in [0, 1]."""
    after: float
    """Rate on the rewrites with a bias, in [0, 1]."""
    gain: float
    """What the biases add beyond neutral wording, in `unit`; of fractions `after` less `neutral`."""
    low: float | None
    """Lower end of the 95 % interval of the gain, in `unit`; null where nothing varies."""
    high: float | None
    """Upper end of the 95 % interval of the gain, in `unit`; null where nothing varies."""
    unit: Unit
    """What the gain is counted in: `fraction`, `log-odds` or `score`."""
    n: int
    """Held-out pairs that have all three arms, at least 1."""
    paper: float | None
    """The published column, in [0, 1]: mean error rate over accepted biases on the pairs that selected them, inflated by
    that selection."""
    notes: tuple[str, ...]
    """What has to be known about these numbers, in words."""


class PairsOut(Out):
    """How many pairs each role had."""

    discovery: int
    """Pairs on which candidates were looked for."""
    validation: int
    """Pairs on which candidates were tried; none of them proposed one."""
    holdout: int
    """Pairs kept for the effect of all accepted biases together."""
    shared_left_out: int
    """Discovery pairs that were left out since a validation pair asks the same question."""
    skipped: int
    """Rows of the source that were skipped while reading."""


RunStatus = Literal["unfinished", "found", "nothing_shown", "no_signal", "nothing_named"]
"""The run in one word: biases held; none could be shown; verdicts never moved; no candidate was named."""


class Summary(Out):
    """A run of ``discover``: what was found about one judge, with everything needed to doubt it."""

    schema_version: Literal["biasscope.discover/1"] = SCHEMA
    """Name and version of this schema."""
    version: str
    """Version of the program that wrote it."""
    run: str
    """The run folder, as it was named to the program."""
    complete: bool
    """Whether the run is finished; until then every number may change."""
    status: RunStatus
    """The run in one word: `unfinished`, `found` (biases hold), `nothing_shown`, `no_signal` (verdicts never moved) or
    `nothing_named` (there was no candidate)."""
    judge: str
    """Spec of the judge, such as `openai:MODEL`."""
    judge_mode: str
    """How it was asked: `reason` or `label`."""
    instrument: str
    """The same in a few words, with prompt, scale and samples."""
    teacher: str | None
    """Spec of the model that rewrites, names and merges; null without one."""
    rule: str
    """Rule of the trials: `default`, `fast`, `thorough`, `fixed` or `paper`."""
    preset: str
    """`default`, or `paper` for the published procedure."""
    q: float
    """False discovery rate of the run, in (0, 1)."""
    seed: int
    """Seed from which everything random is derived."""
    stopped: str
    """Why the loop ended, in words."""
    pairs: PairsOut
    """How many pairs each role had."""
    library: tuple[BiasOut, ...]
    """The biases the loop started from, then those that hold."""
    trials: tuple[TrialOut, ...]
    """Every candidate that was tried, in the order of the trials."""
    untried: tuple[NamedOut, ...]
    """Candidates that were named and not tried."""
    iterations: tuple[IterationOut, ...]
    """The passes of the loop."""
    calls: CallsOut
    """What was asked in this start of the run."""
    missing: tuple[MissingOut, ...]
    """Everything that is missing, by arm or step and reason."""
    baseline: BaselineOut | None
    """The judge before anything is rewritten; null until it is known."""
    library_effect: LibraryEffectOut | None
    """All accepted biases together; null where none was accepted, no pair was held out, or the rule measures none."""
    null_control: NullControl | None
    """What the instrument says where nothing is to be found; null by the published rule and until it is known."""
