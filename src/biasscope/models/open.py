"""From a model's spec to an open model: the one place that knows which kinds there are."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches

from biasscope.config import ModelExecution, ModelSpec
from biasscope.errors import UsageError
from biasscope.models.base import Model

KINDS = {
    "openai": "openai:MODEL (any OpenAI-compatible server; see --judge-url)",
    "local": "local:NAME or local:PATH.gguf (llama.cpp in process; `biasscope models list`)",
    "hf": "hf:FOLDER or hf:NAME (transformers in process; an adapter of biasscope mitigate train)",
    "planted": "planted:NAME (known behaviour: fair, two-biases, stuck, teacher ...)",
    "python": "python:FILE.py:FUNCTION (a judge of your own)",
    "command": "command:PROGRAM ... (a judge of your own, JSON lines)",
    "recorded": "recorded:FILE (verdicts that were given before)",
    "reward": "reward:NAME (a sequence classifier)",
    "inspect": "inspect:PROVIDER/MODEL (any model of Inspect)",
    "inspect-scorer": "inspect-scorer:FILE.py:SCORER (a scorer of Inspect)",
}


def _chat(spec: ModelSpec, execution: ModelExecution) -> Model:
    from biasscope.models.chat import open_chat

    return open_chat(spec, execution)


def _local(spec: ModelSpec, execution: ModelExecution) -> Model:
    from biasscope.models.local import open_local

    return open_local(spec.spec.partition(":")[2], execution)


def _hf(spec: ModelSpec, execution: ModelExecution) -> Model:
    from biasscope.models.hf import open_hf

    return open_hf(spec, execution)


def _planted(spec: ModelSpec, execution: ModelExecution) -> Model:
    from biasscope.models.planted import open_planted

    del execution  # it answers at once
    return open_planted(spec.spec.partition(":")[2])


def _python(spec: ModelSpec, execution: ModelExecution) -> Model:
    from biasscope.models.callable import open_callable

    return open_callable(spec, execution)


def _command(spec: ModelSpec, execution: ModelExecution) -> Model:
    from biasscope.models.command import open_command

    return open_command(spec, execution)


def _recorded(spec: ModelSpec, execution: ModelExecution) -> Model:
    from biasscope.models.recorded import open_recorded

    return open_recorded(spec, execution)


def _reward(spec: ModelSpec, execution: ModelExecution) -> Model:
    from biasscope.models.reward import open_reward

    return open_reward(spec, execution)


def _inspect(spec: ModelSpec, execution: ModelExecution) -> Model:
    from biasscope.models.inspect import open_inspect

    return open_inspect(spec, execution)


def _scorer(spec: ModelSpec, execution: ModelExecution) -> Model:
    from biasscope.models.inspect_scorer import open_scorer

    return open_scorer(spec, execution)


_OPENERS: dict[str, Callable[[ModelSpec, ModelExecution], Model]] = {
    "openai": _chat,
    "local": _local,
    "hf": _hf,
    "planted": _planted,
    "python": _python,
    "command": _command,
    "recorded": _recorded,
    "reward": _reward,
    "inspect": _inspect,
    "inspect-scorer": _scorer,
}


def check_spec(spec: str) -> str:
    """Return the kind that a spec names; raises UsageError for a kind that does not exist. Opens nothing."""
    kind, colon, name = spec.partition(":")
    if kind not in KINDS or not colon or not name.strip():
        close = get_close_matches(kind, KINDS, n=1)
        meant = f" (did you mean {close[0]}:{name or 'NAME'}?)" if close and kind not in KINDS else ""
        raise UsageError(f"{spec!r} is not a model spec{meant}", hint="Use " + ", ".join(KINDS.values()) + ".")
    return kind


def open_model(spec: ModelSpec, execution: ModelExecution | None = None) -> Model:
    """Open a model; raises UsageError for a kind that does not exist, and what the kind itself raises."""
    return _OPENERS[check_spec(spec.spec)](spec, execution or ModelExecution())
