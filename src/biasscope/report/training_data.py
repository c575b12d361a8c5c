"""The machine-readable summary of training data: ``report.json`` of its folder, with a versioned schema.

Lengths are in words, shares are fractions. What is not known is null, never 0.
"""

from __future__ import annotations

from typing import Literal

from biasscope.config import JudgeMode, TrainingFormat, TrainingTask
from biasscope.records import Estimand, Origin
from biasscope.report.summary import CallsOut, Out

SCHEMA: Literal["biasscope.training-data/1"] = "biasscope.training-data/1"

Stage = Literal["read", "admitted", "rewritten", "mixed"]
LengthPart = Literal["plain", "augmented_as_it_was", "augmented_neutral", "augmented"]


class TrainingFileOut(Out):
    """One file of rows."""

    path: str
    """Its name in the folder."""
    rows: int
    """Its rows; those of all files belong together line by line."""


class TrainedBiasOut(Out):
    """A bias that is trained away."""

    bias: str
    """Its id."""
    name: str
    """Its name, for people."""
    definition: str
    """What it is, in a sentence or two."""
    origin: Origin
    """Where it is from: `seed`, `discovered` or `catalogue`."""
    estimand: Estimand
    """`pull` for a trait of the text, `cue` for a fact that is shown about a response."""
    on_chosen: int
    """Rows with the trait on the better response."""
    on_rejected: int
    """Rows with the trait on the worse response; differs from the other by 1 at most."""
    adds_to_chosen: float | None
    """Mean words that the trait adds to the better response beyond its neutral rewrite, where it stands there; null for no row."""
    adds_to_rejected: float | None
    """The same on the worse response."""
    shown: int
    """Biased rewrites of worse responses that show the trait, of those read: by detector where a rule wrote, else by the teacher
    on a sample."""
    read: int
    """Biased rewrites that were read; 0 where nobody could."""
    shown_in_neutral: int
    """Neutral rewrites that show the trait although the original does not, or, where a teacher reads, at all."""
    read_neutral: int
    """Neutral rewrites that were read."""


class LengthOut(Out):
    """Mean lengths of some rows, in words."""

    part: LengthPart
    """`plain` rows; the pairs of augmented rows as they were, with both responses in their neutral rewrite, and as they are."""
    rows: int
    """How many rows, at least 1."""
    chosen: float
    """Mean words of the better response."""
    rejected: float
    """Mean words of the worse response."""
    gap: float
    """Mean of the better less the worse, in words."""


class TraitLengthOut(Out):
    """What the traits add to chosen less rejected, as a mean over augmented rows, in words."""

    drawn: float
    """As the seed alone would have drawn the sides."""
    kept: float
    """As it is, once rows have exchanged sides or were dropped."""
    dropped: int
    """Rows that were dropped for it."""


class EvaluationOut(Out):
    """A source of questions that is evaluated on."""

    source: str
    """What it is called."""
    questions: int
    """Different questions in it."""
    refused: int
    """Pairs that were left out since they ask one of these questions."""


class LeftOutOut(Out):
    """What did not become a row."""

    stage: Stage
    """`read`: rows of the source that cannot be used; `admitted`: pairs that must not be trained on; `rewritten`: a pair with a
    bias of which a rewrite did not come through, so that the pair stays as it was; `mixed`: rows beyond the declared share, or
    dropped for the balance of lengths."""
    bias: str
    """Id of the bias; empty where it is about no bias."""
    reason: str
    """Why, in words."""
    count: int
    """How many, at least 1."""


class TrainingDataOut(Out):
    """``report.json`` of training data, and what ``biasscope mitigate data --json`` prints."""

    schema_version: Literal["biasscope.training-data/1"] = SCHEMA
    """Name and version of this schema."""
    version: str
    """Version of biasscope that wrote it."""
    run: str
    """The folder."""
    command: str
    """The command that makes the same files, without places on a machine."""
    data: str
    """The source of the pairs."""
    task: TrainingTask
    """Whether completions are `responses` or the verdicts of a `judge`."""
    mode: JudgeMode | None
    """How verdicts are written: the `label` alone, or the line behind a `reason`; null for responses."""
    format: TrainingFormat
    """`standard` for texts, `conversational` for lists of messages."""
    files: tuple[TrainingFileOut, ...]
    """The files of rows: what to train on, and the same pairs without augmentation."""
    read: int
    """Rows of the source that were read."""
    pairs: int
    """Pairs that may be trained on."""
    rows: int
    """Rows to train on."""
    plain: int
    """Rows that are a pair as it was."""
    augmented: int
    """Rows with a trait on one response."""
    declared: float
    """Share of augmented rows that was asked for, in [0, 1]."""
    share: float
    """Share of augmented rows as it is; differs where rewrites fail in too many pairs."""
    variants: int
    """Different biases that an augmented pair gets at most."""
    rewrites: Literal["rules", "teacher"]
    """Who writes: rules where a bias has them, or the teacher everything."""
    writers: tuple[str, ...]
    """Specs of the models that wrote, `rule` among them."""
    biases: tuple[TrainedBiasOut, ...]
    """The biases, by id."""
    lengths: tuple[LengthOut, ...]
    """Lengths of the parts that have rows."""
    trait_length: TraitLengthOut
    """What the traits do to length."""
    slots: tuple[int, int] | None
    """Rows whose better response a judge is shown in slot 1 and in slot 2; null for responses."""
    evaluation: tuple[EvaluationOut, ...]
    """Sources that are evaluated on, as named."""
    left_out: tuple[LeftOutOut, ...]
    """What did not become a row, by stage."""
    licence: str | None
    """Licence of the source as it was given; null where nobody said."""
    seed: int
    """Seed of everything drawn."""
    notes: tuple[str, ...]
    """What else should be known, as sentences."""
    calls: CallsOut | None
    """Calls of the latest start."""
