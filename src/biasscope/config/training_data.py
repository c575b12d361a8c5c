"""The configuration of preference data that is made for training: which pairs, which biases, how much of it is augmented."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from biasscope.config.judges import JudgeMode
from biasscope.config.models import Execution, ModelSpec, Strict
from biasscope.errors import ConfigError

TrainingFormat = Literal["standard", "conversational"]
"""Texts, or lists of messages: what TRL calls so."""
TrainingTask = Literal["responses", "judge"]
"""Whether completions are responses to a prompt, or verdicts on two of them."""


class TrainingDataIdentity(Strict):
    """What determines preference data for training.

    The share `augmented` of the rows has a trait on one response, the others are pairs of `data` as they were. Augmented pairs
    get `variants` different biases, drawn by seed from `biases`, which are named as in `BenchmarkIdentity` or by the folder of
    a measurement. Questions of the sources in `evaluation` never enter. For the task ``judge`` completions are verdicts in
    `mode`: the label alone, or the line behind the reasons. `rewrites`, `teacher` and `writers` are those of a benchmark.
    """

    data: str
    limit: int | None = Field(default=None, ge=1)
    biases: tuple[str, ...] = ()
    format: TrainingFormat = "conversational"
    task: TrainingTask = "responses"
    mode: JudgeMode = "label"
    augmented: float = Field(default=0.5, ge=0, le=1)
    variants: int = Field(default=1, ge=1, le=100)
    evaluation: tuple[str, ...] = ()
    rewrites: Literal["rules", "teacher"] = "rules"
    teacher: ModelSpec | None = None
    writers: tuple[ModelSpec, ...] = ()
    seed: int = 0

    @model_validator(mode="after")
    def _has_who_it_needs(self) -> TrainingDataIdentity:
        if self.teacher is None and (self.rewrites == "teacher" or self.writers):
            raise ConfigError(
                "no teacher is named that could write", hint="Give --teacher, such as --teacher openai:MODEL."
            )
        if self.task == "responses" and self.mode != "label":
            raise ConfigError(
                "a judge mode says how verdicts are written, and these are responses",
                hint="Add --task judge, or leave out --judge-mode.",
            )
        return self


class TrainingDataConfig(Strict):
    """A whole configuration of training data. `licence` is that of the source, for the card; it may change."""

    identity: TrainingDataIdentity
    execution: Execution = Execution()
    licence: str | None = None
