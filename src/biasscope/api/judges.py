"""Judges of a run with everything that they ask: a panel asks several models, any other judge one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from biasscope.ask import Asker
from biasscope.config import JudgeSpec, ModelExecution, ModelSpec
from biasscope.judges.base import Judge
from biasscope.judges.open import open_judge
from biasscope.models.base import Model


def judge_models(
    judges: Iterable[JudgeSpec], execution: Callable[[JudgeSpec], ModelExecution]
) -> list[tuple[ModelSpec, ModelExecution]]:
    """The models that these judges ask, judge after judge, and how each is called."""
    return [(member.model, execution(member)) for judge in judges for member in judge.members]


def open_judges(
    judges: Sequence[JudgeSpec], models: Iterable[Model], asker: Callable[[Model, int], Asker]
) -> list[Judge]:
    """The judges on their models, as listed by `judge_models`; `asker` makes that of a model for the judge of a number."""
    given = iter(models)
    opened = []
    for number, judge in enumerate(judges):
        first, *others = (asker(next(given), number) for _ in judge.members)
        opened.append(open_judge(first, judge, panel=others))
    return opened


def in_flight(judges: Iterable[JudgeSpec], models: Iterable[Model]) -> tuple[int, ...]:
    """How many calls each judge bears at once: of a panel those of its slowest member."""
    given = iter(models)
    return tuple(min(next(given).max_in_flight for _ in judge.members) for judge in judges)
