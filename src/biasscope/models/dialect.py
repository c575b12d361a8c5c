"""What one chat endpoint accepts: builds the body of a request, and learns from a refusal what to leave out.

A `Dialect` is a value; a refusal gives the next, narrower one, or None when the refusal is about something else.
It narrows in finitely many steps, so that repeating the call after each refusal comes to an end. The words of a
refusal are a guess: whoever calls keeps a narrower dialect only after a call has worked with it. Pure.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from biasscope.ask import Request, used_parameters
from biasscope.models.failures import Failure
from biasscope.records import Message

TOP_LOGPROBS = 20
"""Alternatives asked for at each position: what OpenAI, vLLM and SGLang allow at most by default."""

TOP_LOGPROBS_LOCAL = 40
"""The same for a server on this machine, mostly llama.cpp: it has no ceiling, and 20 can miss a label."""

FOLDED = "system"
"""Named among the dropped parameters where the system message went into the first user message."""

_SEED_RANGE = 2**31
_NOT_ABOUT_PARAMETERS = (401, 402, 404, 408, 413, 429, 502, 503, 504)
_NAMES: dict[str, tuple[str, ...]] = {
    "temperature": ("temperature",),
    "seed": ("seed",),
    "logprobs": ("top_logprobs", "logprobs", "response_logprobs"),
    "schema": ("response_format", "json_schema", "structured outputs?", "grammar"),
    "max_tokens": ("max_tokens",),
}
_ABOUT_A_VALUE = re.compile(r"max|greater|less|range|between|at most|exceed|above|[<≤]|\bup to\b", re.IGNORECASE)
_SYSTEM_REFUSED = re.compile(r"system\W+role|role\W+\W?system|roles must alternate", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Dialect:
    """The names, limits and refusals of one endpoint.

    `refused` holds names of `ask.used_parameters`; `top_logprobs` is the number of alternatives to ask for.
    """

    token_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    top_logprobs: int = TOP_LOGPROBS
    refused: frozenset[str] = frozenset()
    folds_system: bool = False

    def body(self, model: str, request: Request) -> dict[str, object]:
        """Build the JSON body for a request, without what this endpoint refuses."""
        messages = fold_system(request.messages) if self.folds_system else request.messages
        body: dict[str, object] = {
            "model": model,
            "messages": [{"role": m.role, "content": _sendable(m.content)} for m in messages],
            self.token_field: request.max_tokens,
        }
        sent = used_parameters(request) - self.refused
        if "temperature" in sent:
            body["temperature"] = request.temperature
        if "seed" in sent and request.seed is not None:
            body["seed"] = request.seed % _SEED_RANGE  # servers differ in the width of the integer
        if "logprobs" in sent:
            body |= {"logprobs": True, "top_logprobs": self.top_logprobs}
        if "schema" in sent and request.schema is not None:
            schema = {"name": "reply", "schema": json.loads(request.schema), "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        return body

    def dropped(self, request: Request) -> tuple[str, ...]:
        """Name what a request asked for and this endpoint was not sent, sorted."""
        names = set(self.refused & used_parameters(request))
        if self.folds_system and _has_system(request.messages):
            names.add(FOLDED)
        return tuple(sorted(names))

    def after(self, failure: Failure, request: Request) -> Dialect | None:
        """Give the dialect to try next after a refusal of this request, or None if no parameter was refused."""
        if failure.status < 400 or failure.status in _NOT_ABOUT_PARAMETERS:
            return None
        if _SYSTEM_REFUSED.search(failure.message) and _has_system(request.messages) and not self.folds_system:
            return replace(self, folds_system=True)
        if failure.status == 500:  # chat templates fail like that; anything else may be a passing fault
            return None
        match self._refused_name(failure, request):
            case None:
                return None
            case "max_tokens":
                return replace(self, token_field="max_completion_tokens")
            case "logprobs":
                return self._with_fewer_logprobs(failure.message)
            case name:
                return replace(self, refused=self.refused | {name})

    def joined(self, other: Dialect) -> Dialect:
        """Combine what two calls have learned at the same time."""
        switched = "max_completion_tokens" in (self.token_field, other.token_field)
        return Dialect(
            token_field="max_completion_tokens" if switched else "max_tokens",
            top_logprobs=min(self.top_logprobs, other.top_logprobs),
            refused=self.refused | other.refused,
            folds_system=self.folds_system or other.folds_system,
        )

    def _refused_name(self, failure: Failure, request: Request) -> str | None:
        """Find the refused parameter among those that were sent: by the field named, a quoted or the first name."""
        sent = used_parameters(request) - self.refused
        if self.token_field == "max_tokens" and (
            "max_completion_tokens" in failure.message
            or "unsupported" in f"{failure.code} {failure.message}".lower()
        ):
            sent |= {"max_tokens"}  # else it is the number that is refused, not the name
        field = re.split(r"[.\[]", failure.param)[0]
        for name in sorted(sent):
            if field in _NAMES[name]:
                return name
        if field:
            return None
        found = [
            (quoted, start, name) for name in sorted(sent) for quoted, start in _mentions(name, failure.message)
        ]
        return min(found)[2] if found else None

    def _with_fewer_logprobs(self, message: str) -> Dialect:
        """Lower the number of alternatives to what the message allows, to 20 or 5 where it names none."""
        if _ABOUT_A_VALUE.search(message):
            named = [int(n) for n in re.findall(r"(?<![\w.-])(\d{1,3})(?![\w-]|\.\d)", message)]
            lower = [n for n in named if 1 <= n < self.top_logprobs] or [
                n for n in (TOP_LOGPROBS, 5) if n < self.top_logprobs
            ]
            if lower:
                return replace(self, top_logprobs=max(lower))
        return replace(self, refused=self.refused | {"logprobs"})


def _mentions(name: str, message: str) -> list[tuple[int, int]]:
    """List (0 if quoted else 1, position) for each mention of a parameter in a message."""
    pattern = r"(?<![\w])(['\"`]?)(?:" + "|".join(_NAMES[name]) + r")(?!\w)"
    return [(0 if match[1] else 1, match.start()) for match in re.finditer(pattern, message, re.IGNORECASE)]


def _sendable(text: str) -> str:
    """Replace lone surrogates, which data sets hold and no JSON body can."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _has_system(messages: Sequence[Message]) -> bool:
    return any(m.role == "system" for m in messages)


def fold_system(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Put the system text in front of the first user message: a rubric is moved, never lost."""
    system = "\n\n".join(m.content for m in messages if m.role == "system")
    rest = [m for m in messages if m.role != "system"]
    if not system:
        return tuple(rest)
    first = next((i for i, m in enumerate(rest) if m.role == "user"), None)
    if first is None:
        return (Message("user", system), *rest)
    rest[first] = Message("user", f"{system}\n\n{rest[first].content}")
    return tuple(rest)
