"""A judge: a model or a program, and how it is asked. Together they are the instrument that is measured."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from biasscope.config.models import ModelSpec, Strict

JudgeMode = Literal["reason", "label"]
PROGRAMS = frozenset({"python", "command", "recorded", "reward", "inspect-scorer"})
"""Kinds of model that are sent a case instead of a prompt."""
Procedure = Literal["swap_and_tie", "swap_and_average"]
"""How both orders of a pair become one verdict: their common choice and else a tie, or the sign of their mean margin."""


class Adjustment(Strict):
    """What is taken off a judge's margins before they are read: coefficients that were fitted on other pairs."""

    unit: Literal["log-odds", "score"]
    """Of the margins and of every coefficient."""
    slot: float = 0.0
    """What the response shown first gains by that alone."""
    slopes: dict[str, float] = Field(default={})
    """What a response gains for each unit of a feature of its text, by the name of the feature."""
    pairs: int = Field(default=0, ge=0)
    """Pairs that it was fitted on, at least 0."""
    source: str = ""
    """Where these came from."""


class JudgeSpec(ModelSpec):
    """A model (or program) and how it is asked to judge: together they are the instrument that is measured.

    `kind` says whether it compares two responses or scores one at a time on `scale` (``1-10``, ``0-100``,
    ``likert``, ``pass-fail`` or any ``LOW-HIGH``). With `reference` it is shown the reference answer of a pair.
    `template` is the whole text of the user's own prompt file with its reader, in place of ours; `mode` chooses one
    of ours. `samples` verdicts are asked for and their majority taken. None for `temperature` or `max_tokens` sends
    none or ours. `margins` says what the margins of a program are counted in, where it gives any.

    The others are remedies, each applied to what the ones before it give. `guard` is text that extends the judge's
    prompt, ours or the user's. With `answer_first` it answers a prompt itself before it sees the responses, and is shown
    its answer. `procedure` makes one verdict of both orders, `adjustment` corrects margins, and the verdicts of the judges
    of the `panel` are put to the vote together with its own.
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
    guard: str = ""
    answer_first: bool = False
    procedure: Procedure | None = None
    adjustment: Adjustment | None = None
    panel: tuple[JudgeSpec, ...] = ()

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
        parts += [f"majority of {self.samples}" if self.samples > 1 else "", *self._remedies]
        return ", ".join(part for part in parts if part)

    @property
    def _remedies(self) -> tuple[str, ...]:
        procedures = {"swap_and_tie": "swap and tie", "swap_and_average": "swap and average", None: ""}
        return (
            "with a guard" if self.guard else "",
            "answers first" if self.answer_first else "",
            procedures[self.procedure],
            "adjusted margins" if self.adjustment is not None else "",
            f"panel with {', '.join(judge.spec for judge in self.panel)}" if self.panel else "",
        )

    @property
    def members(self) -> tuple[JudgeSpec, ...]:
        """Every judge that is asked: itself without its panel, and the panel's."""
        alone = self.model_copy(update={"panel": ()})
        return (alone, *(member for judge in self.panel for member in judge.members))

    @property
    def model(self) -> ModelSpec:
        """The model alone: equal models are opened once, however they are asked."""
        return ModelSpec(spec=self.spec, url=self.url, label=self.label, revision=self.revision)
