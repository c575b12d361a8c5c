"""A model of Inspect as a judge or teacher, by Inspect's own name for it: its providers, keys and settings apply.

Knows how a request is said in Inspect's words and its output in ours. Inspect is imported when a model is opened.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from biasscope.ask import Finish, Reply, Request, TokenPosition
from biasscope.config import ModelExecution, ModelSpec
from biasscope.errors import MissingExtra, ServerFault, Unreachable, UsageError
from biasscope.models.programs import first_line

if TYPE_CHECKING:
    from inspect_ai.model import Model as TheirModel

IN_FLIGHT = 10
ALTERNATIVES = 20
"""Most probable tokens that are asked for where labels are scored."""

_FINISHES: Mapping[str, Finish] = {
    "stop": "stop",
    "max_tokens": "length",
    "model_length": "length",
    "content_filter": "filtered",
}


def open_inspect(spec: ModelSpec, execution: ModelExecution) -> InspectModel:
    """Open ``inspect:PROVIDER/MODEL``; raises MissingExtra without Inspect and UsageError for what it does not open."""
    name = spec.spec.partition(":")[2]
    try:
        from inspect_ai.model import GenerateConfig, get_model
    except ImportError as error:
        raise MissingExtra(spec.spec, "inspect") from error
    config = GenerateConfig(
        max_retries=execution.retries,
        attempt_timeout=round(execution.timeout_s) or 1,
        max_connections=execution.max_in_flight or IN_FLIGHT,
    )
    try:
        model = get_model(name, config=config, base_url=spec.url, memoize=False)
    except Exception as error:
        raise UsageError(
            f"Inspect opens no model {name!r}: {first_line(error)}",
            hint="Write inspect:PROVIDER/MODEL as for Inspect, and install and set what its provider needs.",
        ) from error
    return InspectModel(spec, execution, model)


class InspectModel:
    """One of Inspect's models behind our protocol; Inspect retries and waits as it does everywhere."""

    def __init__(self, spec: ModelSpec, execution: ModelExecution, model: TheirModel) -> None:
        self._spec = spec
        self._model = model
        self._max_in_flight = execution.max_in_flight or IN_FLIGHT
        # Inspect waits between its retries, which an attempt's deadline does not count.
        self._deadline_s = execution.timeout_s * (execution.retries + 1) * 2

    def __repr__(self) -> str:
        return f"InspectModel({self._spec.spec!r})"

    @property
    def spec(self) -> str:
        """The spec as the user wrote it."""
        return self._spec.spec

    @property
    def endpoint(self) -> str:
        """Models of one provider share a gate."""
        return self._spec.spec.partition("/")[0]

    @property
    def max_in_flight(self) -> int:
        """The configured number of calls at once; Inspect's own usual 10 by default."""
        return self._max_in_flight

    @property
    def fingerprint(self) -> Mapping[str, object]:
        """Inspect's name of the model, the endpoint's label where one is declared, and the declared revision."""
        return {
            "provider": "inspect",
            "model": self._spec.spec.partition(":")[2],
            "endpoint": self._spec.label,
            "revision": self._spec.revision,
        }

    @property
    def resolved(self) -> None:
        """Unknown before the first reply."""
        return None

    async def complete(self, request: Request) -> Reply:
        """Complete a request; raises ServerFault with what Inspect or the provider says, Unreachable after a deadline."""
        try:
            async with asyncio.timeout(self._deadline_s):
                output = await self._model.generate(messages_of(request), config=config_of(request))
        except TimeoutError as error:
            raise Unreachable(f"{self.spec} gave no reply within {self._deadline_s:g} s") from error
        except Exception as error:
            raise ServerFault(f"{self.spec}: {first_line(error)}") from error
        dropped = ("schema",) if request.schema is not None else ()
        return reply_of(output, dropped)

    async def close(self) -> None:
        """Close the provider's connections."""
        await self._model.api.aclose()


def messages_of(request: Request) -> list[Any]:
    """The messages of a request as Inspect's own."""
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser

    turns = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}
    return [turns[m.role](content=m.content) for m in request.messages]


def config_of(request: Request) -> Any:
    """What Inspect is told; a schema is not, since providers differ in what they make of it."""
    from inspect_ai.model import GenerateConfig

    labels = bool(request.labels)
    return GenerateConfig(
        max_tokens=request.max_tokens,
        temperature=request.temperature,
        seed=request.seed,
        logprobs=True if labels else None,
        top_logprobs=ALTERNATIVES if labels else None,
    )


def reply_of(output: Any, dropped: tuple[str, ...] = ()) -> Reply:
    """A `ModelOutput` of Inspect as a reply."""
    usage = output.usage
    if not output.choices:
        return Reply("", finish="other", refusal=output.error or "", model=output.model, dropped=dropped)
    choice = output.choices[0]
    content = choice.message.content
    thought = [] if isinstance(content, str) else [c.reasoning for c in content if c.type == "reasoning"]
    return Reply(
        choice.message.text,
        reasoning="\n\n".join(thought),
        finish=_FINISHES.get(choice.stop_reason, "other"),
        over_long=choice.stop_reason == "model_length" and not choice.message.text,
        model=output.model,
        input_tokens=None if usage is None else _read(usage),
        output_tokens=None if usage is None else usage.output_tokens,
        positions=tuple(_position(p) for p in (choice.logprobs.content if choice.logprobs else ())),
        dropped=dropped,
    )


def _read(usage: Any) -> int:
    """Every token that went in: Inspect counts cached ones apart."""
    cached = (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0)
    return int(usage.input_tokens) + cached


def _position(position: Any) -> TokenPosition:
    return TokenPosition(position.token, tuple((t.token, t.logprob) for t in position.top_logprobs or ()))
