"""The chat-completion form of requests and replies, as a server sees it. Pure.

The client side of the same form lives in the chat model; the two are written apart so that each tests the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from biasscope.ask import Reply, Request, TokenPosition, canonical_json
from biasscope.errors import BadRequest
from biasscope.records import Message

MAX_TOKENS = 4096
_LABELS = ("1", "2")
_SILENT = -9999.0


def read_request(body: Mapping[str, Any]) -> Request:
    """Read a chat-completion body; raises BadRequest for one without readable messages.

    Asking for log-probabilities is read as asking for those of the labels 1 and 2.
    """
    if body.get("stream"):
        raise BadRequest("a planted server does not stream", status=400)
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        raise BadRequest("'messages' must be a list with at least one message", status=400)
    schema = body.get("response_format")
    return Request(
        tuple(_message(m) for m in messages),
        max_tokens=_number(body, "max_completion_tokens", _number(body, "max_tokens", MAX_TOKENS)),
        temperature=_temperature(body),
        seed=body.get("seed"),
        labels=_LABELS if body.get("logprobs") else (),
        schema=canonical_json(schema) if schema else None,
    )


def completion(reply: Reply, body: Mapping[str, Any], *, id_: str, model: str) -> dict[str, Any]:
    """Write a reply as a chat completion; log-probabilities only when they were asked for."""
    logprobs = None
    if body.get("logprobs"):
        most = _number(body, "top_logprobs", 0)
        logprobs = {"content": [_token(p, most) for p in reply.positions], "refusal": None}
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": reply.text, "refusal": None},
        "logprobs": logprobs,
        "finish_reason": reply.finish,
    }
    taken, given = reply.input_tokens or 0, reply.output_tokens or 0
    usage = {"prompt_tokens": taken, "completion_tokens": given, "total_tokens": taken + given}
    return {
        "id": f"chatcmpl-{id_}",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [choice],
        "usage": usage,
    }


def error_body(message: str, *, type_: str, param: str | None = None, code: str | None = None) -> dict[str, Any]:
    """Write an error the way OpenAI's servers do."""
    return {"error": {"message": message, "type": type_, "param": param, "code": code}}


def _message(value: object) -> Message:
    match value:
        case {"role": "system" | "developer", "content": content}:
            return Message("system", _content(content))
        case {"role": "user", "content": content}:
            return Message("user", _content(content))
        case {"role": "assistant", "content": content}:
            return Message("assistant", _content(content))
    raise BadRequest(f"a message needs a known role and content, got {value!r}"[:200], status=400)


def _content(content: object) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list) and all(isinstance(part, dict) and "text" in part for part in content):
        return "".join(str(part["text"]) for part in content)
    raise BadRequest("message content must be text", status=400)


def _number(body: Mapping[str, Any], name: str, otherwise: int) -> int:
    value = body.get(name)
    return value if isinstance(value, int) and value > 0 else otherwise


def _temperature(body: Mapping[str, Any]) -> float | None:
    value = body.get("temperature")
    return float(value) if isinstance(value, int | float) else None


def _token(position: TokenPosition, most: int) -> dict[str, Any]:
    spelled = [{"token": t, "logprob": max(lp, _SILENT), "bytes": list(t.encode())} for t, lp in position.top]
    unlisted = {"token": position.token, "logprob": _SILENT, "bytes": list(position.token.encode())}
    own = next((s for s in spelled if s["token"] == position.token), unlisted)
    return {**own, "top_logprobs": spelled[:most]}
