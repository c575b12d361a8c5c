"""Reads the body of a chat completion, of any OpenAI-compatible server, as a `Reply`. Pure.

Knows where servers put text, thinking, refusals, usage and log-probabilities. It never invents: what a server
did not say is unknown, thinking is never taken for text, and a body that is not a completion is a `Failure`.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import replace

from biasscope.ask import Finish, Reply, Request, TokenPosition
from biasscope.models.failures import Failure, RawReply, as_fact, describe, find_failure, unreadable

FIRST_POSITIONS = 4
LAST_POSITIONS = 16
"""Token positions kept at both ends of the content: enough for a label that opens a reply and for a verdict that
closes one after its reasoning, without storing alternatives for every token of the reasoning."""

NO_PROBABILITY = -9990.0
"""Servers write about -9999 for "no probability at all", JSON having no infinity: such alternatives are left out."""

CUT_RATIO = 8.0
CUT_FROM_TOKENS = 1000
"""A prompt with more characters per reported token than this was cut by the server (see `was_cut`)."""

_FINISH: dict[str, Finish] = dict.fromkeys(("stop", "eos", "eos_token", "end_turn", "stop_sequence"), "stop")
_FINISH |= dict.fromkeys(("length", "max_tokens", "model_length"), "length")
_FINISH |= dict.fromkeys(
    ("content_filter", "safety", "recitation", "blocklist", "prohibited_content", "sensitive"), "filtered"
)
_BROKE_OFF = ("error", "abort", "insufficient_system_resource")


def read_reply(raw: RawReply, *, now: float) -> Reply | Failure:
    """Read a response: a `Reply` where the model or the provider's filter had its say, else a `Failure`.

    A request that does not fit into the context window gives a reply with `over_long`, since it is a fact about
    that request. `now` is the Unix time, for waits that are given as dates.
    """
    body = _decode(raw)
    failure = find_failure(raw, body, now=now)
    outcome = failure or _read_completion(body, raw)
    return (as_fact(outcome) or outcome) if isinstance(outcome, Failure) else outcome


def read_offered(raw: RawReply, *, now: float) -> list[str] | Failure:
    """Read the list of models that a server offers, sorted."""
    body = _decode(raw)
    failure = find_failure(raw, body, now=now)
    if failure is not None:
        return failure
    models = body.get("data") if isinstance(body, Mapping) else None
    if not isinstance(models, list):
        return unreadable(raw)
    return sorted({m["id"] for m in models if isinstance(m, Mapping) and isinstance(m.get("id"), str)})


def was_cut(request: Request, input_tokens: int | None) -> bool:
    """Tell whether the server silently dropped a large part of the prompt.

    Some servers (Ollama) cut a prompt to their window and answer as if nothing had happened. No tokenizer
    needs less than a token for 8 characters of text on average, runs of one character counted once; the
    reported tokens must be at least 1,000, since some servers do not count a cached prefix.
    """
    if input_tokens is None or input_tokens < CUT_FROM_TOKENS:
        return False
    sent = sum(len(re.sub(r"(\W|_)\1+", r"\1", message.content)) for message in request.messages)
    return sent > CUT_RATIO * input_tokens


def _decode(raw: RawReply) -> object:
    try:
        return json.loads(raw.body)
    except (ValueError, RecursionError):  # not JSON, not text, or nested to bring the reader down
        return None


def _read_completion(body: object, raw: RawReply) -> Reply | Failure:
    if not isinstance(body, Mapping) or "choices" not in body:
        return unreadable(raw)
    model = body.get("model")
    reply = Reply("", finish="other", model=model if isinstance(model, str) else "")
    choices = body["choices"]
    if not choices:
        return _with_usage(reply, body.get("usage"))
    choice = choices[0] if isinstance(choices, list) else None
    message = choice.get("message") if isinstance(choice, Mapping) else None
    if not isinstance(choice, Mapping):
        return unreadable(raw)
    finish = str(choice.get("finish_reason") or "").lower()
    if choice.get("error") or finish in _BROKE_OFF:
        error = choice.get("error")
        said = error if isinstance(error, Mapping) else {"message": str(error or f"finish reason {finish!r}")}
        return describe(said)
    if not isinstance(message, Mapping) or not isinstance(message.get("content"), str | list | None):
        return unreadable(raw)
    text, reasoning, refusal = _read_content(message)
    if finish == "refusal":
        refusal = refusal or text or finish
    reply = replace(
        reply,
        text=text,
        reasoning=reasoning,
        refusal=refusal,
        finish=_FINISH.get(finish, "other"),
        positions=_read_positions(choice.get("logprobs")),
    )
    return _with_usage(reply, body.get("usage"))


def _read_content(message: Mapping[str, object]) -> tuple[str, str, str]:
    """Gather (text, reasoning, refusal) from the fields of a message and from the parts of its content."""
    content = message.get("content")
    parts = [p for p in content if isinstance(p, Mapping)] if isinstance(content, list) else []
    thoughts = [message.get("reasoning_content") or message.get("reasoning")]
    text = content if isinstance(content, str) else "".join(_joined(p.get("text")) for p in parts)
    thoughts += [_joined(p.get("thinking") or p.get("reasoning")) for p in parts]
    refusals = [message.get("refusal"), *(p.get("refusal") for p in parts)]
    return (
        text,
        "".join(t for t in thoughts if isinstance(t, str)),
        "".join(r for r in refusals if isinstance(r, str)),
    )


def _joined(value: object) -> str:
    if isinstance(value, list):
        return "".join(_joined(item.get("text")) for item in value if isinstance(item, Mapping))
    return value if isinstance(value, str) else ""


def _with_usage(reply: Reply, usage: object) -> Reply:
    """Add the token counts; a missing or zero count of a text that is there is unknown, not 0.

    Output includes thinking: some servers show it only as the difference of the total, and bill it.
    """
    if not isinstance(usage, Mapping):
        return reply
    sent, came, total = (_count(usage.get(f"{name}_tokens")) for name in ("prompt", "completion", "total"))
    if sent and came is not None and total is not None:
        came = max(came, total - sent)
    if not came and (reply.text or reply.reasoning):
        came = None
    return replace(reply, input_tokens=sent or None, output_tokens=came)


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _read_positions(logprobs: object) -> tuple[TokenPosition, ...]:
    content = logprobs.get("content") if isinstance(logprobs, Mapping) else None
    if not isinstance(content, list):
        return ()
    tokens = [entry for entry in content if isinstance(entry, Mapping)]
    if len(tokens) > FIRST_POSITIONS + LAST_POSITIONS:
        tokens = tokens[:FIRST_POSITIONS] + tokens[-LAST_POSITIONS:]
    return tuple(_read_position(entry) for entry in tokens)


def _read_position(entry: Mapping[str, object]) -> TokenPosition:
    """Read one position; the token that was generated is among its alternatives even if the server left it out."""
    alternatives = entry.get("top_logprobs")
    seen: dict[str, float] = {}
    for one in [*(alternatives if isinstance(alternatives, list) else []), entry]:
        match one:
            case {"token": str(token), "logprob": int() | float() as value}:
                if NO_PROBABILITY < value < math.inf:
                    seen.setdefault(token, float(value))
    return TokenPosition(str(entry.get("token", "")), tuple(seen.items()))
