"""What an HTTP failure of a chat endpoint means: a fact about the request, or a typed `ProviderError`. Pure.

Servers say the same thing in many shapes: a status, an error object (also inside a success, in a list, or
wrapped by a gateway), a validation list, a plain page. All shapes become one `Failure` here, and the meaning of
a failure is decided here only. What a server *accepts* (parameters it refuses) is known to `dialect`.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from biasscope.ask import Reply
from biasscope.errors import (
    AuthenticationFailed,
    BadRequest,
    ModelNotFound,
    ProviderError,
    RateLimited,
    ServerFault,
)

READ_CHARACTERS = 2000
"""How much of an error text is kept for telling what it means."""

SHOWN_CHARACTERS = 300
"""How much of an error text a person is shown."""

URL_HINT = "Check the URL: the base URL of an OpenAI-compatible server usually ends in /v1."
CREDIT_HINT = "The account has no credit left; add some, then run the same command again to continue."

_TOO_LONG = re.compile(
    r"context[ _-](length|window|size)|max_model_len|string_above_max_length"
    r"|maximum (prompt|input|sequence|model) length|longer than the (model|maximum|context)"
    r"|(prompt|input|request|messages?)( is| are)? too (long|large)|reduce the length"
    r"|token count.{0,40}exceeds|exceeds? the max(imum)?( number of)?( input)? tokens"
    r"|inputs?`? (tokens|must have less than)",
    re.IGNORECASE,
)
_LARGER_THAN_THE_LIMIT = re.compile(r"request too large", re.IGNORECASE)
_FILTERED = re.compile(
    r"content[ _](management |policy|filter)|content_policy|responsibleai|flagged (as|by|for)|requires moderation"
    r"|\binvalid_prompt\b",
    re.IGNORECASE,
)
_UNKNOWN_MODEL = re.compile(
    r"model_not_found|no such model|(unknown|invalid|not a valid) model\b"
    r"|\bmodel\b.{0,120}?(not found|(does not|doesn't) exist|not have access)",
    re.IGNORECASE,
)
_NO_CREDIT = re.compile(r"insufficient[ _](quota|balance|credits?|funds)", re.IGNORECASE)

_STATUS_OF_WORDS: tuple[tuple[int, str], ...] = (
    (429, r"rate_?limit|too_many|resource_exhausted|insufficient_quota"),
    (401, r"authenticat|api_key|unauthori[sz]ed"),
    (403, r"permission|forbidden"),
    (404, r"not_found|notfound"),
    (400, r"invalid|bad_?request|context_|exceed_|content_|validation"),
)
"""Codes and types by which an error inside a success names its status; anything else counts as a server fault."""


@dataclass(frozen=True, slots=True)
class RawReply:
    """An HTTP response as it came; header names in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Failure:
    """What an unsuccessful response says.

    `status` is the HTTP status, or the one that is named by an error inside a success; below 300 it means a
    success that cannot be read. `retry_after` is the wait that was asked for, in seconds.
    """

    status: int
    message: str
    code: str = ""
    param: str = ""
    retry_after: float | None = None


def find_failure(raw: RawReply, body: object, *, now: float) -> Failure | None:
    """Find what went wrong in a response; None for a success.

    `body` is the decoded JSON of the response, None where it is not JSON; `now` the Unix time, for waits that
    are given as dates.
    """
    error = _error_object(body, raw.status)
    if error is not None:
        status = raw.status if raw.status >= 300 else _inner_status(error)
        return describe(error, status, retry_after=retry_after(raw.headers, now))
    if raw.status >= 300:
        return Failure(raw.status, plain(_text(raw)), retry_after=retry_after(raw.headers, now))
    if not isinstance(body, Mapping):
        return unreadable(raw)
    return None


def describe(
    error: Mapping[str, object], status: int | None = None, *, retry_after: float | None = None
) -> Failure:
    """Read an error object of any known shape; its own code counts where no `status` is given."""
    detail = error.get("message") or error.get("detail") or error.get("msg") or error.get("error") or ""
    message = _flat(detail)
    metadata = error.get("metadata")
    if isinstance(metadata, Mapping) and metadata.get("raw"):  # a gateway keeps the upstream's words there
        message = f"{message}: {_flat(metadata['raw'])}"
    words = " ".join(str(error[name]) for name in ("code", "type", "status") if error.get(name) is not None)
    param = error.get("param")
    return Failure(
        status=status if status is not None else _inner_status(error),
        message=plain(message) or plain(words) or "no explanation",
        code=words,
        param=param if isinstance(param, str) else _location(detail),
        retry_after=retry_after,
    )


def unreadable(raw: RawReply) -> Failure:
    """Describe a success whose body is not what a chat completion looks like."""
    shown = plain(_text(raw))
    return Failure(raw.status, f"a success that cannot be read: {shown}" if shown else "a success without a body")


def as_fact(failure: Failure) -> Reply | None:
    """Turn a failure that says something about this one request into a reply: too long, or filtered."""
    said = f"{failure.code} {failure.message}"
    if failure.status == 413 or (failure.status == 429 and _LARGER_THAN_THE_LIMIT.search(said)):
        return Reply("", finish="other", over_long=True)
    if failure.status in (400, 422, 500) and _TOO_LONG.search(said):
        return Reply("", finish="other", over_long=True)
    if failure.status in (400, 403, 422, 451) and _FILTERED.search(said):
        return Reply("", finish="filtered")
    return None


def as_error(failure: Failure, *, where: str, model: str, key_variable: str) -> ProviderError:
    """Turn a failure into the exception that says whether another try makes sense and what to do."""
    status, said = failure.status, f"{failure.code} {failure.message}"
    shown = failure.message[:SHOWN_CHARACTERS]
    text = f"{where} answered HTTP {status}: {shown}"
    if status == 402 or (status in (403, 429) and _NO_CREDIT.search(said)):
        return BadRequest(text, hint=CREDIT_HINT, status=status)
    if status == 404 or (status in (400, 403, 422, 500) and _UNKNOWN_MODEL.search(said)):
        return ModelNotFound(f"{where} does not know the model {model!r}: {shown}", hint=URL_HINT, status=status)
    if status in (401, 403):
        return AuthenticationFailed(text, hint=f"Set {key_variable} to a key that is valid there.", status=status)
    if status == 429:
        return RateLimited(text, status=status, retry_after=failure.retry_after)
    if status < 300:
        return ServerFault(f"{where} sent {shown}", hint=URL_HINT, status=status)
    if status in (408, 409, 425) or status >= 500:
        return ServerFault(text, status=status, retry_after=failure.retry_after)
    return BadRequest(text, hint=URL_HINT if status < 400 or status == 405 else "", status=status)


def offer_hint(model: str, offered: Sequence[str]) -> str:
    """Say which models the server offers, the closest name first; about the URL where it names none."""
    if not offered:
        return f"Check the model's name. {URL_HINT}"
    close = difflib.get_close_matches(model, offered, n=1, cutoff=0.5)
    names = ", ".join(offered[:8]) + (f" and {len(offered) - 8} more" if len(offered) > 8 else "")
    return (f"Did you mean {close[0]!r}? " if close else "") + f"The server offers {names}."


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Read how long the server asks to wait, in seconds from `now`: milliseconds, seconds or an HTTP date."""
    for name, scale in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        value = headers.get(name, "").strip()
        if re.fullmatch(r"\d+(\.\d*)?", value):
            return float(value) / scale
    try:
        return max(0.0, parsedate_to_datetime(headers.get("retry-after", "")).timestamp() - now)
    except (ValueError, OverflowError):  # absent, or no date either
        return None


def plain(text: str, limit: int = READ_CHARACTERS) -> str:
    """Make a server's words safe to show: one line, printable characters only, cut to `limit`."""
    return " ".join("".join(c if c.isprintable() else " " for c in text[: 4 * limit]).split())[:limit]


def _error_object(body: object, status: int) -> Mapping[str, object] | None:
    if isinstance(body, list) and body:
        body = body[0]
    if not isinstance(body, Mapping):
        return None
    inner = body.get("error")
    if isinstance(inner, Mapping):
        return inner
    if inner:
        return {"message": str(inner), "code": body.get("code"), "type": body.get("error_type")}
    return body if status >= 300 or body.get("object") == "error" else None


def _inner_status(error: Mapping[str, object]) -> int:
    for name in ("code", "status"):
        if re.fullmatch(r"[45]\d\d", str(error.get(name))):
            return int(str(error[name]))
    words = f"{error.get('code')} {error.get('type')} {error.get('status')}".lower()
    return next((status for status, pattern in _STATUS_OF_WORDS if re.search(pattern, words)), 500)


def _flat(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "; ".join(_flat(item) for item in value[:5])
    if isinstance(value, Mapping):
        inner = value.get("message") or value.get("detail") or value.get("msg")
        where = _location([value])
        said = _flat(inner) if inner else json.dumps(value, default=str)
        return f"{where}: {said}" if where else said
    return str(value)


def _location(detail: object) -> str:
    """Name the field that a validation list complains about first, such as ``seed`` for ``["body", "seed"]``."""
    if isinstance(detail, Mapping):
        detail = detail.get("detail")
    if not (isinstance(detail, list) and detail and isinstance(detail[0], Mapping)):
        return ""
    loc = detail[0].get("loc")
    names = [part for part in loc if isinstance(part, str) and part != "body"] if isinstance(loc, list) else []
    return names[0] if names else ""


def _text(raw: RawReply) -> str:
    return raw.body[: 8 * READ_CHARACTERS].decode("utf-8", "replace")
