"""From a judge's specification to a judge: the one place that knows which kinds of instrument there are."""

from __future__ import annotations

from collections.abc import Sequence

from biasscope.ask import Asker
from biasscope.config import JudgeSpec
from biasscope.errors import ConfigError
from biasscope.judges.adjusted import adjusted_judge, check_adjustment
from biasscope.judges.answer_first import AnswerFirst
from biasscope.judges.base import Judge
from biasscope.judges.panel import PanelJudge
from biasscope.judges.procedures import SwapAndAverage, SwapAndTie
from biasscope.judges.program import check_program, program_judge
from biasscope.judges.prompted import prompted_judge, read_prompt
from biasscope.records import Unit


def open_judge(asker: Asker, spec: JudgeSpec, *, panel: Sequence[Asker] = ()) -> Judge:
    """A judge that asks through `asker` as `spec` says; raises ConfigError for what does not go together.

    `panel` are the askers of the other `spec.members`, in their order. A program takes no notice of a mode, so that whoever
    asks any judge need not know what it is.
    """
    first, *others = spec.members
    if not others:
        return _open_one(asker, spec)
    judges = [_open_one(who, member) for who, member in zip((asker, *panel), (first, *others), strict=True)]
    return PanelJudge(tuple(judges))


def _open_one(asker: Asker, spec: JudgeSpec) -> Judge:
    _check_scale(spec)
    _check_remedies(spec)
    judge: Judge = program_judge(asker, spec) if spec.is_program else prompted_judge(asker, spec)
    if spec.answer_first:
        judge = AnswerFirst(judge, asker, temperature=spec.temperature)
    # What is taken off a margin is taken off before both orders are averaged: the slot stands in one order only.
    if spec.adjustment is not None:
        judge = adjusted_judge(judge, spec.adjustment)
    if spec.procedure == "swap_and_tie":
        judge = SwapAndTie(judge)
    elif spec.procedure == "swap_and_average":
        judge = SwapAndAverage(judge)
    return judge


def check_judge(spec: JudgeSpec) -> None:
    """Raise ConfigError for a judge that cannot be asked as a user says in `spec`; opens nothing."""
    for member in spec.members:
        _check_one(member)


def _check_one(spec: JudgeSpec) -> None:
    _check_scale(spec)
    _check_remedies(spec)
    if not spec.is_program:
        read_prompt(spec)
        return
    check_program(spec)
    if spec.mode == "label":
        raise ConfigError(
            f"mode label reads log-probabilities, and {spec.spec} is a program",
            hint="Leave out --judge-mode label: a program may give margins of its own.",
        )


def _check_scale(spec: JudgeSpec) -> None:
    if spec.scale is not None and spec.kind == "pairwise":
        raise ConfigError("a pairwise judge has no scale", hint="Give --judge-kind pointwise, or no --scale.")


def _check_remedies(spec: JudgeSpec) -> None:
    """Refuse remedies that this judge has no use for, or that exclude each other."""
    if spec.is_program and (spec.guard or spec.answer_first):
        raise ConfigError(
            f"{spec.spec} is a program: it has no prompt that could be extended",
            hint="Its verdicts can be swapped, averaged, adjusted or put to the vote.",
        )
    if spec.answer_first and spec.reference:
        raise ConfigError(
            "a judge is shown the reference answer or its own, not both",
            hint="Leave out answer_first, or reference.",
        )
    if spec.procedure is not None and spec.kind == "pointwise":
        raise ConfigError(
            "a pointwise judge sees no order that could be swapped", hint="Leave out the procedure."
        )
    unit = margin_unit_of(spec)
    if spec.procedure == "swap_and_average" and unit is None:
        raise ConfigError(
            "margins are averaged, and this judge gives none",
            hint="Ask it with --judge-mode label, or use swap-and-tie.",
        )
    if spec.adjustment is not None:
        check_adjustment(spec.adjustment, unit)


def margin_unit_of(spec: JudgeSpec) -> Unit | None:
    """The unit of the margins that a judge is meant to give, before any remedy; None for one without."""
    if spec.kind == "pointwise":
        return "score"
    return spec.margins if spec.is_program else "log-odds" if spec.mode == "label" else None
