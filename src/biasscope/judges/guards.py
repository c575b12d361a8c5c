"""Text that extends a judge's prompt and warns it of its own biases: a guard, in three forms. Pure.

All of them say that a trait counts neither for nor against: a judge that is told to distrust a trait turns against it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from biasscope import prompts
from biasscope.records import Bias

GuardForm = Literal["definitions", "rules", "example"]
"""The biases with their definitions; their names alone; their names and one text without and with a trait."""
FORMS: tuple[GuardForm, ...] = ("definitions", "rules", "example")


@dataclass(frozen=True, slots=True)
class Contrast:
    """One text without and with the trait of a bias."""

    bias: Bias
    plain: str
    biased: str


def guard(form: GuardForm, biases: Sequence[Bias], contrast: Contrast | None = None) -> str:
    """The guard against these biases; raises ValueError without a bias, and without a contrast where the form shows one."""
    if not biases:
        raise ValueError("a guard needs a bias to warn of")
    names = "; ".join(_name(bias) for bias in biases)
    if form == "definitions":
        listed = "\n".join(f"- {_name(bias)}: {bias.definition}" for bias in biases)
        return prompts.fill("guard_definitions", biases=listed).user
    if form == "rules":
        return prompts.fill("guard_rules", biases=names).user
    if contrast is None:
        raise ValueError("this form of guard shows a text without and with a trait")
    return prompts.fill(
        "guard_example", biases=names, bias=_name(contrast.bias), plain=contrast.plain, biased=contrast.biased
    ).user


def _name(bias: Bias) -> str:
    return bias.name.strip().rstrip(".")
