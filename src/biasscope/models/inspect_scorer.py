"""A scorer of Inspect as a judge: the response stands as the output of a sample, the reference as its target.

Scores one response at a time. Knows Inspect's scores (correct, partial, incorrect, or a number), not what they are for.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl

from biasscope.ask import Reply, Request
from biasscope.config import ModelExecution, ModelSpec
from biasscope.errors import MissingExtra, ProgramFailed, UsageError
from biasscope.models.lookup import find_function
from biasscope.models.programs import POINTWISE, Failed, ProgramModel, first_line

IN_FLIGHT = 10

WRITE_IT = (
    "Write inspect-scorer:package.module:SCORER or inspect-scorer:path/to/file.py:SCORER, options as ?name=value."
)

_GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""Inspect's words: correct, partially correct, incorrect, no answer."""


def open_scorer(spec: ModelSpec, execution: ModelExecution) -> ScorerModel:
    """Open ``inspect-scorer:PLACE:SCORER``; options are given to the scorer as JSON values or else as text.

    Raises MissingExtra without Inspect, and UsageError where there is no such scorer.
    """
    target, _, query = spec.spec.partition(":")[2].partition("?")
    place, _, name = target.rpartition(":")
    if not place or not name.isidentifier():
        raise UsageError(f"{spec.spec!r} names no scorer", hint=WRITE_IT)
    try:
        import inspect_ai.scorer  # noqa: F401 - the scorer's own file needs it, and says so less clearly
    except ImportError as error:
        raise MissingExtra(spec.spec, "inspect") from error
    make, sources = find_function(place, name, WRITE_IT)
    options = {key: _value(text) for key, text in parse_qsl(query, keep_blank_values=True)}
    try:
        scorer = make(**options)
    except (Exception, SystemExit) as error:
        raise UsageError(f"{name} cannot be made a scorer: {first_line(error)}", hint=WRITE_IT) from error
    if not callable(scorer):
        raise UsageError(f"{name} in {place} makes no scorer but a {type(scorer).__name__}", hint=WRITE_IT)
    identity: dict[str, object] = {"provider": "inspect", "scorer": name, "options": options, "sources": sources}
    return ScorerModel(spec, execution, name, scorer, identity)


class ScorerModel(ProgramModel):
    """A scorer that is given one response as the output of a sample."""

    def __init__(
        self,
        spec: ModelSpec,
        execution: ModelExecution,
        name: str,
        scorer: Callable[..., Any],
        identity: dict[str, object],
    ) -> None:
        super().__init__(spec, execution, name, identity, max_in_flight=IN_FLIGHT)
        self._scorer = scorer

    async def answer(self, case: dict[str, Any], request: Request) -> Reply:
        """Score the response; `Failed` for what the scorer raises, for a deadline and for a score that is no number."""
        if case["kind"] != "pointwise":
            raise ProgramFailed(
                f"{self.spec} scores one response at a time and compares no two",
                hint=POINTWISE,
            )
        score = await self._within(self._score(*_sample(case, self._name)))
        said = {"score": _number(score.value), "reason": score.explanation or ""}
        return Reply(json.dumps(said, ensure_ascii=False))

    async def _score(self, state: Any, target: Any) -> Any:
        from inspect_ai.scorer import Score

        scoring = self._scorer(state, target)
        if not inspect.isawaitable(scoring):
            raise Failed(f"it returned {type(scoring).__name__}, and a scorer is async")
        score = await scoring
        if score is None:
            raise Failed("it gave no score", "empty")
        if not isinstance(score, Score):
            raise Failed(f"it gave {type(score).__name__}, and a scorer gives a Score", "unparsable")
        return score


def _sample(case: dict[str, Any], name: str) -> tuple[Any, Any]:
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser, ModelName, ModelOutput
    from inspect_ai.scorer import Target
    from inspect_ai.solver import TaskState

    turns = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}
    asked = [turns[m["role"]](content=m["content"]) for m in case["messages"]]
    response = str(case["response"])
    state = TaskState(
        model=ModelName(f"biasscope/{name}"),
        sample_id=0,
        epoch=1,
        input=str(case["question"]) if len(asked) == 1 else asked,
        messages=[*asked, ChatMessageAssistant(content=response)],
        output=ModelOutput.from_content(f"biasscope/{name}", response),
        completed=True,
    )
    return state, Target(str(case["reference"] or ""))


def _number(value: object) -> float:
    """A score as a number; Inspect's own conversion takes what it does not know for 0."""
    if isinstance(value, bool | int | float):
        return float(value)
    if isinstance(value, str) and value in _GRADES:
        return _GRADES[value]
    raise Failed(f"the score {value!r} is not one number", "unparsable")


def _value(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return text
