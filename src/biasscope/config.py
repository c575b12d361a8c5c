"""The configuration of a run in two parts, and the specification of a model. Pure: nothing is opened here.

*Identity* is what determines results (data, models, rule, seeds): a folder started with another identity is
refused. *Execution* is how fast and how far (caps, concurrency, timeouts): it may change between starts.
Unknown keys are refused everywhere.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from biasscope.errors import ConfigError


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ModelSpec(_Strict):
    """Which model: a spec such as ``openai:gpt-4o``, ``local:qwen2.5-coder-0.5b`` or ``planted:fair``.

    `url` is the base URL of an OpenAI-compatible server; `label` names the endpoint in keys (the host by
    default), so that a tunnel or another port can keep the identity; `revision` is declared by the user and
    enters the identity.
    """

    spec: str
    url: str | None = None
    label: str | None = None
    revision: str | None = None


JudgeMode = Literal["reason", "label"]
PROGRAMS = frozenset({"python", "command", "recorded", "reward", "inspect-scorer"})
"""Kinds of model that are sent a case instead of a prompt."""


class JudgeSpec(ModelSpec):
    """A model (or program) and how it is asked to judge: together they are the instrument that is measured.

    `kind` says whether it compares two responses or scores one at a time on `scale` (``1-10``, ``0-100``,
    ``likert``, ``pass-fail`` or any ``LOW-HIGH``). With `reference` it is shown the reference answer of a pair.
    `template` is the whole text of the user's own prompt file with its reader, in place of ours; `mode` chooses one
    of ours. `samples` verdicts are asked for and their majority taken. None for `temperature` or `max_tokens` sends
    none or ours. `margins` says what the margins of a program are counted in, where it gives any.
    """

    mode: JudgeMode = "reason"
    kind: Literal["pairwise", "pointwise"] = "pairwise"
    scale: str | None = None
    reference: bool = False
    template: str | None = None
    samples: int = Field(default=1, ge=1, le=99)
    temperature: float | None = Field(default=0.0, ge=0, le=2)
    max_tokens: int | None = Field(default=None, ge=1)
    margins: Literal["log-odds", "score"] | None = None

    @model_validator(mode="before")
    @classmethod
    def _from_model(cls, value: object) -> object:
        """A model by itself is a judge asked in the usual way."""
        return value.model_dump() if type(value) is ModelSpec else value

    @property
    def is_program(self) -> bool:
        """Whether it is shown each case as data instead of a prompt, by the kind that its spec names."""
        return self.spec.partition(":")[0] in PROGRAMS

    @property
    def instrument(self) -> str:
        """How it is asked, in a few words: another way of asking is another instrument."""
        parts = [
            self.kind,
            f"scale {self.scale}" if self.scale else "",
            "with the reference" if self.reference else "",
        ]
        asked = "the user's prompt" if self.template else f"mode {self.mode}"
        parts += ["a program" if self.is_program else asked]
        parts += [f"majority of {self.samples}" if self.samples > 1 else ""]
        return ", ".join(part for part in parts if part)

    @property
    def model(self) -> ModelSpec:
        """The model alone: equal models are opened once, however they are asked."""
        return ModelSpec(spec=self.spec, url=self.url, label=self.label, revision=self.revision)


class ModelExecution(_Strict):
    """How an endpoint is called: none of this enters a key.

    `price` is what a million input and a million output tokens cost, in any currency, for the plan.
    """

    max_in_flight: int | None = Field(default=None, ge=1, le=4096)
    timeout_s: float = Field(default=120.0, gt=0)
    retries: int = Field(default=6, ge=0, le=50)
    key_variable: str = "OPENAI_API_KEY"
    price: tuple[float, float] | None = None


class Execution(_Strict):
    """How a run is executed; may change when a run is continued."""

    max_calls: int | None = Field(default=None, ge=0)
    judge: ModelExecution = ModelExecution()
    teacher: ModelExecution = ModelExecution()
    ledger: str | None = None


GRADED_SHAMS = 3
"""Sham candidates of a run with graded verdicts: margins see small things, also those that wording does."""
Rule = Literal["default", "fast", "thorough", "fixed", "paper"]


class DataSpec(_Strict):
    """Which pairs: either one source, split by question, or one for discovery and one for validation."""

    data: str | None = None
    discovery: str | None = None
    validation: str | None = None
    limit: int | None = Field(default=None, ge=1)


class Identity(_Strict):
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


class RunConfig(_Strict):
    """A whole configuration, as saved in the run folder and as read from ``--config``."""

    identity: Identity
    execution: Execution = Execution()


Rewriting = Literal["rules", "teacher", "data"]


class MeasureIdentity(_Strict):
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


class MeasureExecution(_Strict):
    """How a measurement is executed; `by_judge` holds the settings of single judges, by their spec."""

    max_calls: int | None = Field(default=None, ge=0)
    judge: ModelExecution = ModelExecution()
    by_judge: dict[str, ModelExecution] = {}
    teacher: ModelExecution = ModelExecution()
    ledger: str | None = None

    def of(self, judge: ModelSpec) -> ModelExecution:
        """How one judge is called."""
        return self.by_judge.get(judge.spec, self.judge)


class MeasureConfig(_Strict):
    """A whole configuration of a measurement, as saved in its run folder and as read from ``--config``."""

    identity: MeasureIdentity
    execution: MeasureExecution = MeasureExecution()


class RankIdentity(_Strict):
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


class RankConfig(_Strict):
    """A whole configuration of a ranking. `related` says why a judge, by its spec, is ranked apart; it may change."""

    identity: RankIdentity
    execution: MeasureExecution = MeasureExecution()
    related: dict[str, str] = {}


class BenchmarkIdentity(_Strict):
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


class BenchmarkConfig(_Strict):
    """A whole configuration of a benchmark, as saved in its folder and as read from ``--config``."""

    identity: BenchmarkIdentity
    execution: Execution = Execution()


AnyConfig = RunConfig | MeasureConfig | RankConfig | BenchmarkConfig


class BiasPolicy(_Strict):
    """What a gate asks of one bias: a limit of its own, or nothing."""

    min_effect: float | None = Field(default=None, gt=0, lt=1)
    """Smallest effect of this bias that matters, a fraction in (0, 1); null takes that of the policy."""
    ignore: bool = False
    """Whether nothing is asked of it."""


class GatePolicy(_Strict):
    """The table ``[gate]`` of a policy file: when a judge may be used."""

    min_effect: float = Field(default=0.05, gt=0, lt=1)
    """Smallest effect that matters, a fraction of verdicts in (0, 1)."""
    q: float = Field(default=0.05, gt=0, lt=1)
    """False discovery rate of what is called biased, in (0, 1)."""
    max_missing: float = Field(default=0.1, ge=0, le=1)
    """Largest share of verdicts that may be missing, in [0, 1]."""
    bias: dict[str, BiasPolicy] = {}
    """What is asked of single biases instead, by id."""


class PolicyFile(_Strict):
    """A policy file whole."""

    gate: GatePolicy = GatePolicy()
