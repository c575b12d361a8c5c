"""An ask: what is said to a model and how its reply is read. Nothing here does I/O.

An *ask* builds a `Request` and parses a `Reply`; the engine executes it and gives back `Answered` or
`Missing`. Whoever holds an answer must look which of the two it is: a missing verdict is never a number.
The content key of a request is defined here, since it is part of what a reply *is*.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, Protocol, TypeVar

from biasscope.records import Message

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

Finish = Literal["stop", "length", "filtered", "other"]
Reason = Literal[
    "unparsable",  # text came, but no answer that was offered can be read from it
    "ambiguous",  # more than one answer can be read from it
    "truncated",  # cut off by the output limit before an answer
    "empty",  # nothing came
    "refused",  # the model declined
    "filtered",  # the provider's filter took the reply
    "over_long",  # the request does not fit into the context window
    "no_label_mass",  # the offered labels carry (nearly) no probability
    "off_scale",  # a score outside the declared scale
    "no_margin",  # a verdict without the margin that is to be averaged or corrected
    "no_reference",  # nothing was asked, since the pair has no reference answer to show
    "unchanged",  # a rewrite that changed nothing
    "answer_changed",  # a rewrite that changed the final answer
    "off_length",  # a rewrite far outside the length band
    "no_rewrite",  # nothing to judge, since the rewrite is missing
    "failed",  # a program that judges raised an error, or said that it failed
    "timed_out",  # a program that judges gave no answer within its deadline
    "not_recorded",  # recorded verdicts that do not hold this presentation
]

KEY_PREFIX = "b1"
"""Names the canonical form below; changing the form changes the prefix, so old keys are never misread."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is sent to a model, in full: everything here determines the reply and is part of its key.

    `labels` asks for log-probabilities of these texts at the answer position. `schema` is a JSON schema (as
    JSON text) that the reply must fit, where the server offers that. `shared` counts the leading
    characters of the last user message that sibling requests share: a local model evaluates that prefix once.
    `temperature` and `seed` may be None: not sent. `replicate` asks for another reply to the same request; it is
    not sent either, but part of the key.
    """

    messages: tuple[Message, ...]
    max_tokens: int
    temperature: float | None = 0.0
    seed: int | None = None
    labels: tuple[str, ...] = ()
    schema: str | None = None
    shared: int = 0
    replicate: int = 0


@dataclass(frozen=True, slots=True)
class TokenPosition:
    """One generated token with the most probable alternatives there, as (text, log-probability)."""

    token: str
    top: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back, as it came. `text` is the content, `reasoning` the model's thinking, kept apart.

    `model` is the resolved id that the server reports; `dropped` names the request parameters that the server
    refused and that were left out. `refusal` is the provider's refusal text, `over_long` that the request did
    not fit into the context window. `positions` are the last generated positions with log-probabilities.
    """

    text: str
    reasoning: str = ""
    finish: Finish = "stop"
    refusal: str = ""
    over_long: bool = False
    model: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    positions: tuple[TokenPosition, ...] = ()
    dropped: tuple[str, ...] = ()


class Unreadable(Exception):
    """Raised by `Ask.parse` when the reply holds no answer; the engine turns it into `Missing`."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason: Reason = reason
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Answered(Generic[T]):
    """A parsed answer with the ledger keys of the replies it was read from."""

    value: T
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Missing:
    """No usable answer, with the reason, a short detail for people, and the keys of the replies there were."""

    reason: Reason
    detail: str = ""
    keys: tuple[str, ...] = ()


class Ask(Protocol[T_co]):
    """One question to a model.

    `kind` names the step for accounting (``judge``, ``rewrite`` ...). `attempts` is how many different
    requests may be tried: at temperature 0 a second attempt must be another request, so `request` is told
    which attempt it is.
    """

    @property
    def kind(self) -> str: ...  # noqa: D102 - described by the class
    @property
    def attempts(self) -> int: ...  # noqa: D102 - the same
    def request(self, attempt: int) -> Request: ...  # noqa: D102 - the same
    def parse(self, reply: Reply) -> T_co: ...  # noqa: D102 - the same


class Asker(Protocol):
    """Something that answers asks, in the order they were asked, whatever finishes first."""

    @property
    def name(self) -> str:
        """The model's spec as the user wrote it; goes into records as a writer's or judge's name."""
        ...

    async def ask(self, asks: Sequence[Ask[T]]) -> list[Answered[T] | Missing]:
        """Answer every ask; an outage or a cap raises, a reply that cannot be read is `Missing`."""
        ...


def canonical_json(value: object) -> str:
    """Serialise for hashing: sorted keys, no spaces, no NaN, text as UTF-8. Changing this changes every key."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def object_schema(**properties: dict[str, object]) -> str:
    """The JSON schema of an object with exactly these properties, in this order, as text for `Request.schema`.

    Not canonical JSON, which would sort the properties: a model fills them in the order of the schema.
    """
    schema = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    return json.dumps(schema, separators=(",", ":"))


def digest(value: object) -> str:
    """Hash a JSON value: the hex blake2b-160 of its canonical form (lone surrogates are kept apart)."""
    return hashlib.blake2b(canonical_json(value).encode("utf-8", "surrogatepass"), digest_size=20).hexdigest()


def used_parameters(request: Request) -> frozenset[str]:
    """Name the optional parameters that a request makes use of and that a server may refuse."""
    present = {
        "temperature": request.temperature is not None,
        "seed": request.seed is not None,
        "logprobs": bool(request.labels),
        "schema": request.schema is not None,
    }
    return frozenset(name for name, used in present.items() if used)


def request_key(
    fingerprint: Mapping[str, object],
    request: Request,
    *,
    dropped: frozenset[str] = frozenset(),
    attempt: int = 0,
) -> str:
    """Hash everything that determines a reply: model fingerprint, request (with its replicate) and attempt.

    `dropped` are parameters that the server refuses; only those which this request uses enter the key, so
    that the key does not depend on which request found the refusal out.
    """
    # Written out: dataclasses.asdict copies deeply, and keys are made for every ask of every run.
    body = {
        "messages": [{"role": m.role, "content": m.content} for m in request.messages],
        "max_tokens": request.max_tokens,
        "temperature": None if request.temperature is None else float(request.temperature),  # 0 is 0.0
        "seed": request.seed,
        "labels": request.labels,
        "schema": request.schema,
        "shared": request.shared,
        "dropped": sorted(dropped & used_parameters(request)),
    }
    return f"{KEY_PREFIX}:" + digest(
        {"model": dict(fingerprint), "request": body, "attempt": attempt, "replicate": request.replicate}
    )
