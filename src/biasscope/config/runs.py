"""The configuration of each kind of run in two parts: what determines its results, and how it is executed.

*Identity* is what determines results (data, models, rule, seeds): a folder started with another identity is
refused. *Execution* is how fast and how far (caps, concurrency, timeouts): it may change between starts.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from biasscope.config.judges import JudgeSpec
from biasscope.config.mitigation import MitigateConfig
from biasscope.config.models import Execution, MeasureExecution, ModelSpec, Strict
from biasscope.config.training_data import TrainingDataConfig
from biasscope.errors import ConfigError

GRADED_SHAMS = 3
"""Sham candidates of a run with graded verdicts: margins see small things, also those that wording does."""
Rule = Literal["default", "fast", "thorough", "fixed", "paper"]


class DataSpec(Strict):
    """Which pairs: either one source, split by question, or one for discovery and one for validation."""

    data: str | None = None
    discovery: str | None = None
    validation: str | None = None
    limit: int | None = Field(default=None, ge=1)


class Identity(Strict):
    """What determines the results of a discovery run.

    `min_effect` is in fractions of verdicts for hard verdicts, None for that of the rule; margins have their own,
    a quarter of the standard deviation of neutral-neutral margin differences. `neutrals` is the number of neutral
    rewrites per validation pair of rule ``fixed``, and a ceiling for the plans of the others. `rewrites` says who writes: the teacher, or rules where a bias has them. An iteration takes
    the `evidence_limit` strongest shifts and tries `candidate_limit` new candidates; the others wait.
    `confirm` measures accepted biases again on pairs that their trial did not visit, `both_sides` with the trait on
    the chosen response too, `equal_length` with rewrites of equal length. `null_control` is the number of sham
    candidates, None for `GRADED_SHAMS` where verdicts are graded and none elsewhere.

    `proposer` says who names candidates: the teacher from explanations, features of the texts from the verdicts, or both.
    Features need no `teacher`; without one rules write, and a ConfigError is raised for what only a teacher can do.
    """

    judge: JudgeSpec
    teacher: ModelSpec | None = None
    proposer: Literal["teacher", "features", "both"] = "teacher"
    writers: tuple[ModelSpec, ...] = ()
    data: DataSpec
    rule: Rule = "default"
    preset: Literal["default", "paper"] = "default"
    rewrites: Literal["teacher", "rules"] = "teacher"
    iterations: int = Field(default=4, ge=1, le=50)
    validate_when: Literal["early", "late"] = "early"
    deeper_explain: bool = True
    neutrals: int | None = Field(default=None, ge=1, le=5)
    q: float = Field(default=0.05, gt=0, lt=1)
    min_effect: float | None = Field(default=None, gt=0, lt=1)
    evidence_limit: int = Field(default=60, ge=1)
    candidate_limit: int = Field(default=15, ge=1)
    confirm: bool = False
    both_sides: bool = True
    equal_length: Literal["truncate", "condense"] | None = None
    null_control: int | None = Field(default=None, ge=0, le=20)
    holdout_share: float = Field(default=0.2, ge=0, lt=0.9)
    seed: int = 0

    @model_validator(mode="before")
    @classmethod
    def _rules_write_alone(cls, value: object) -> object:
        """Without a teacher or another writer rules write, unless something else is asked for."""
        if isinstance(value, dict) and not value.get("teacher") and not value.get("writers"):
            return {"rewrites": "rules"} | value
        return value

    @model_validator(mode="after")
    def _has_who_it_needs(self) -> Identity:
        if self.preset == "paper" and self.proposer != "teacher":
            raise ConfigError(
                f"the published procedure knows no proposer {self.proposer}",
                hint="Leave out --preset paper, or the proposer.",
            )
        if self.teacher is not None:
            return self
        needs = {
            f"the proposer {self.proposer}": self.proposer != "features",
            "rewrites = teacher": self.rewrites == "teacher" and not self.writers,
            "equal_length = condense": self.equal_length == "condense",
        }
        lacking = [what for what, needed in needs.items() if needed]
        if lacking:
            raise ConfigError(
                f"no teacher is named, and {lacking[0]} needs one",
                hint="Give --teacher, such as --teacher openai:MODEL; --proposer features with rules needs none.",
            )
        return self


class RunConfig(Strict):
    """A whole configuration, as saved in the run folder and as read from ``--config``."""

    identity: Identity
    execution: Execution = Execution()


Rewriting = Literal["rules", "teacher", "data"]


class MeasureIdentity(Strict):
    """What determines the results of a measurement of known biases on one or several judges.

    `biases` are ids of the seed library, files of biases or folders of discoveries; none for every seed that can be
    written. `rewrites` says who writes: rules where a bias has them (and the teacher, if there is one, the rest), the
    teacher everything, or the file `supplied`. `sides` is the response that the trait is written into. With `minutes`
    the number of pairs is chosen from the speed on the first ones. `null_control` is the number of shams, None for
    `GRADED_SHAMS` where verdicts are graded and none elsewhere. Everything else is as in `Identity`.
    """

    judges: tuple[JudgeSpec, ...] = Field(min_length=1)
    teacher: ModelSpec | None = None
    writers: tuple[ModelSpec, ...] = ()
    data: str
    limit: int | None = Field(default=None, ge=1)
    biases: tuple[str, ...] = ()
    rewrites: Rewriting = "rules"
    supplied: str | None = None
    rule: Literal["default", "fast", "thorough", "fixed"] = "fixed"
    sides: Literal["rejected", "chosen", "both"] = "rejected"
    neutrals: int | None = Field(default=None, ge=1, le=5)
    q: float = Field(default=0.05, gt=0, lt=1)
    min_effect: float | None = Field(default=None, gt=0, lt=1)
    minutes: float | None = Field(default=None, gt=0)
    null_control: int | None = Field(default=None, ge=0, le=20)
    seed: int = 0


class MeasureConfig(Strict):
    """A whole configuration of a measurement, as saved in its run folder and as read from ``--config``."""

    identity: MeasureIdentity
    execution: MeasureExecution = MeasureExecution()


class RankIdentity(Strict):
    """What determines a ranking of judges on a hardened benchmark.

    `benchmark` is the published file, `originals` a source of the pairs that it was made of, where the file lacks them.
    `limit` takes so many questions, drawn by `seed`, each with everything that was made of it. Judges are told apart at the
    false discovery rate `q` over all pairs of them.
    """

    judges: tuple[JudgeSpec, ...] = Field(min_length=1)
    benchmark: str
    originals: str | None = None
    limit: int | None = Field(default=None, ge=1)
    q: float = Field(default=0.05, gt=0, lt=1)
    seed: int = 0


class RankConfig(Strict):
    """A whole configuration of a ranking. `related` says why a judge, by its spec, is ranked apart; it may change."""

    identity: RankIdentity
    execution: MeasureExecution = MeasureExecution()
    related: dict[str, str] = Field(default={})


class BenchmarkIdentity(Strict):
    """What determines a hardened benchmark as it is built; what a filter keeps of it comes later.

    Every labelled pair of `data` gets `variants` different biases, drawn by `seed` from `biases`, which are named as in
    `MeasureIdentity`. `rewrites` says who writes, `writers` rotate over pairs in the place of the `teacher`.
    """

    data: str
    limit: int | None = Field(default=None, ge=1)
    biases: tuple[str, ...] = ()
    rewrites: Literal["rules", "teacher"] = "rules"
    teacher: ModelSpec | None = None
    writers: tuple[ModelSpec, ...] = ()
    variants: int = Field(default=10, ge=1, le=100)
    seed: int = 0


class BenchmarkConfig(Strict):
    """A whole configuration of a benchmark, as saved in its folder and as read from ``--config``."""

    identity: BenchmarkIdentity
    execution: Execution = Execution()


AnyConfig = RunConfig | MeasureConfig | RankConfig | BenchmarkConfig | MitigateConfig | TrainingDataConfig
