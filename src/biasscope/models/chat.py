"""A model behind any OpenAI-compatible HTTP server: one client, retries, deadlines, and what the server refuses.

Knows transport only: `dialect` builds the body, `replies` reads what comes, `failures` says what went wrong.
The key is sent and never shown: every error that leaves this module has passed `_masked`.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, replace
from typing import Literal, Protocol, cast

import aiohttp
import openai
from openai import AsyncOpenAI, DefaultAioHttpClient

from biasscope import seeds
from biasscope.ask import Reply, Request, digest
from biasscope.config import ModelExecution, ModelSpec
from biasscope.errors import (
    AuthenticationFailed,
    ModelNotFound,
    ProviderError,
    ServerFault,
    Unreachable,
)
from biasscope.models.dialect import TOP_LOGPROBS, TOP_LOGPROBS_LOCAL, Dialect
from biasscope.models.endpoint import read_url
from biasscope.models.failures import SHOWN_CHARACTERS, Failure, RawReply, as_error, offer_hint, plain
from biasscope.models.replies import read_offered, read_reply, was_cut

OPENAI_URL = "https://api.openai.com/v1"

FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 30.0
"""The wait before a repeated call: doubled from the first to the longest, times 0.5 to 1.5 drawn by names."""

LONGEST_RETRY_AFTER_S = 120.0
"""A server that asks to wait longer than this ends the run with a clear error instead of a silent pause."""

REPEATS_OF_A_REFUSED_KEY = 2
"""Some gateways refuse a good key now and then; only a key that has already worked is tried again."""

CONNECT_TIMEOUT_S = 10.0

SECRET_LENGTH = 8
"""A shorter key is a placeholder such as ``EMPTY``; masking it would spoil messages and hide nothing."""

MAX_IN_FLIGHT = 32
MAX_IN_FLIGHT_LOCAL = 8

_RAW: dict[str, str | openai.Omit] = {"X-Stainless-Raw-Response": "true"}
"""What `with_raw_response` of the SDK sets; used with `post` it saves the SDK's copying of every message."""


class _HttpResponse(Protocol):
    @property
    def status_code(self) -> int: ...
    @property
    def headers(self) -> Mapping[str, str]: ...
    @property
    def content(self) -> bytes: ...


def open_chat(
    spec: ModelSpec, execution: ModelExecution | None = None, *, environ: Mapping[str, str] = os.environ
) -> ChatModel:
    """Open a chat model with the URL and the key from the environment where the spec names none.

    The URL is `spec.url`, else OPENAI_BASE_URL, else OpenAI's; the key is the variable named by
    `execution.key_variable` and may be absent, except for OpenAI itself. Raises `AuthenticationFailed` there,
    and `ConfigError` for a URL that cannot be used.
    """
    execution = execution or ModelExecution()
    url = spec.url or environ.get("OPENAI_BASE_URL") or OPENAI_URL
    key = read_key(execution, environ)
    if key is None and read_url(url).host == read_url(OPENAI_URL).host:
        raise AuthenticationFailed(
            f"{OPENAI_URL} needs a key", hint=f"Set {execution.key_variable}, or name the URL of a local server."
        )
    return ChatModel(spec, execution, url=url, key=key)


def read_key(execution: ModelExecution, environ: Mapping[str, str]) -> str | None:
    """Return the key in the variable of `execution`, None without one; raises `AuthenticationFailed` for no such text."""
    key = environ.get(execution.key_variable, "").strip() or None
    if key is not None and not (key.isascii() and key.isprintable()):
        raise AuthenticationFailed(
            f"{execution.key_variable} holds characters that no key has", hint="Set it anew."
        )
    return key


class ChatModel:
    """A chat model behind an OpenAI-compatible server; holds one client until `close`.

    `clock` gives the Unix time and `sleep` waits; they are parameters so that waiting can be tested.
    """

    def __init__(
        self,
        spec: ModelSpec,
        execution: ModelExecution,
        *,
        url: str,
        key: str | None = None,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._at = read_url(url)
        self._spec = spec
        self._model = spec.spec.partition(":")[2] or spec.spec
        self._execution = execution
        self._key = key
        self._clock = clock
        self._sleep = sleep
        self._max_in_flight = execution.max_in_flight or (
            MAX_IN_FLIGHT_LOCAL if self._at.local else MAX_IN_FLIGHT
        )
        self._fingerprint: dict[str, object] = {
            "provider": "openai-compatible",
            "endpoint": spec.label or self._at.host,
            "model": self._model,
            "revision": spec.revision,
        }
        self._dialect = Dialect(top_logprobs=TOP_LOGPROBS_LOCAL if self._at.local else TOP_LOGPROBS)
        self._pause_until = 0.0
        self._reached = False
        self._key_worked = False
        # Proxies of the environment are for the outside world; our deadline replaces all others but one.
        self._headers = _RAW if key else _RAW | {"Authorization": openai.Omit()}
        self._client = AsyncOpenAI(
            api_key=key or "not sent",
            base_url=self._at.base,
            max_retries=0,
            timeout=openai.Timeout(None, connect=CONNECT_TIMEOUT_S),
            http_client=DefaultAioHttpClient(trust_env=not self._at.local),
        )

    def __repr__(self) -> str:
        return f"ChatModel({self._spec.spec!r}, {self._at.address!r})"

    @property
    def spec(self) -> str:
        """The spec as the user wrote it."""
        return self._spec.spec

    @property
    def endpoint(self) -> str:
        """Scheme, host and port: models of one server share one gate."""
        return self._at.address

    @property
    def max_in_flight(self) -> int:
        """The configured number of calls at once; by default 32, 8 for a server on this machine."""
        return self._max_in_flight

    @property
    def fingerprint(self) -> Mapping[str, object]:
        """Provider, endpoint label (the host by default), model and the declared revision."""
        return self._fingerprint

    @property
    def resolved(self) -> None:
        """Unknown before the first reply."""
        return None

    async def close(self) -> None:
        """Close the connections; a client that is dropped without this makes later ones hang."""
        await self._client.close()

    async def complete(self, request: Request) -> Reply:
        """Complete one request; raises a typed `ProviderError` that says after how many attempts.

        Each HTTP call has the deadline `timeout_s`; what may pass (rate limits, server faults, broken or
        unreadable successes, connections, deadlines) is repeated up to `retries` times.
        """
        attempt = 0
        while True:
            await self._wait_for_pause()
            try:
                return await self._attempt(request)
            except ProviderError as error:
                wait = self._next_wait(error, request, attempt)
                if wait is None:
                    raise await self._final(error, attempt + 1) from None
                if error.retry_after is not None:
                    self._pause_until = max(self._pause_until, self._clock() + error.retry_after)
            await self._sleep(wait)
            attempt += 1

    async def offered(self) -> list[str]:
        """List the models that the server offers, sorted; raises `ProviderError` where it does not tell."""
        try:
            raw = await self._send("GET", "/models", None)
            outcome = read_offered(raw, now=self._clock())
            if isinstance(outcome, Failure):
                raise self._error(outcome)
        except ProviderError as error:
            raise self._masked(error, str(error), error.hint) from None
        return outcome

    async def _attempt(self, request: Request) -> Reply:
        """Send once, and again without each parameter that the server refuses; raises `ProviderError`."""
        dialect = self._dialect
        while True:
            raw = await self._send("POST", "/chat/completions", dialect.body(self._model, request))
            outcome = read_reply(raw, now=self._clock())
            if isinstance(outcome, Reply):
                if raw.status < 300:  # only a call that worked proves what was left out to be the trouble
                    self._dialect = dialect.joined(self._dialect)
                    self._key_worked = True
                cut = outcome.over_long or was_cut(request, outcome.input_tokens)
                return replace(outcome, dropped=dialect.dropped(request), over_long=cut)
            narrower = dialect.after(outcome, request)
            if narrower is None:
                raise self._error(outcome)
            dialect = narrower

    async def _send(self, method: Literal["GET", "POST"], path: str, body: object) -> RawReply:
        """Make one HTTP call within the deadline; whatever status comes is returned."""
        try:
            async with asyncio.timeout(self._execution.timeout_s):
                if method == "GET":
                    answer = await self._client.get(path, cast_to=object, options={"headers": self._headers})
                else:
                    answer = await self._client.post(
                        path, cast_to=object, body=body, options={"headers": self._headers}
                    )
            response = cast(_HttpResponse, answer)
        except TimeoutError:
            raise Unreachable(f"{self._at.shown} gave no reply within {self._execution.timeout_s:g} s") from None
        except openai.APIStatusError as error:
            response = error.response
        except (openai.APIConnectionError, aiohttp.ClientError) as error:
            raise _connection_error(error, self._at.shown) from error
        self._reached = True
        headers = {name.lower(): value for name, value in response.headers.items()}
        return RawReply(response.status_code, headers, response.content)

    async def _wait_for_pause(self) -> None:
        """Keep every call back while the server has asked to wait."""
        wait = min(self._pause_until - self._clock(), LONGEST_RETRY_AFTER_S)  # clocks may be set back
        if wait > 0:
            await self._sleep(wait)

    def _next_wait(self, error: ProviderError, request: Request, attempt: int) -> float | None:
        """Say how many seconds to wait before the next attempt; None where there is none."""
        if attempt >= self._execution.retries:
            return None
        again = (
            isinstance(error, AuthenticationFailed) and self._key_worked and attempt < REPEATS_OF_A_REFUSED_KEY
        )
        if not (error.retryable or again) or (not self._reached and _nothing_listens(error)):
            return None
        spread = 0.5 + seeds.uniform("wait", self._at.address, digest(asdict(request)), attempt)
        if error.retry_after is None:
            return min(LONGEST_WAIT_S, FIRST_WAIT_S * 2.0**attempt) * spread
        if error.retry_after > LONGEST_RETRY_AFTER_S:
            return None
        return error.retry_after + FIRST_WAIT_S * spread  # the spread keeps the waiting calls from coming at once

    async def _final(self, error: ProviderError, attempts: int) -> ProviderError:
        """Build the error that the caller sees: attempts counted, the key masked, what is offered in the hint."""
        text, hint = str(error), error.hint
        if error.retry_after is not None and error.retry_after > LONGEST_RETRY_AFTER_S:
            text += (
                f" (it asks to wait {error.retry_after:.0f} s; at most {LONGEST_RETRY_AFTER_S:.0f} s are waited)"
            )
        if attempts > 1:
            text += f" (after {attempts} attempts)"
        if isinstance(error, ModelNotFound):
            try:
                hint = offer_hint(self._model, await self.offered())
            except ProviderError:
                hint = offer_hint(self._model, [])
        return self._masked(error, text, hint)

    def _error(self, failure: Failure) -> ProviderError:
        """Type a failure; its words are masked before they are cut, so that no half of a key is left."""
        failure = replace(failure, message=self._mask(failure.message))
        return as_error(
            failure, where=self._at.shown, model=self._model, key_variable=self._execution.key_variable
        )

    def _masked(self, error: ProviderError, text: str, hint: str) -> ProviderError:
        return type(error)(
            self._mask(text), hint=self._mask(hint), status=error.status, retry_after=error.retry_after
        )

    def _mask(self, text: str) -> str:
        return text.replace(self._key, "***") if self._key and len(self._key) >= SECRET_LENGTH else text


def _connection_error(error: Exception, where: str) -> ProviderError:
    """Say what happened below HTTP; the SDK calls most of it a timeout, so only the causes tell."""
    causes = _causes(error)
    detail = plain(str(causes[-1]), SHOWN_CHARACTERS) or type(causes[-1]).__name__
    if _nothing_listens(error):
        return Unreachable(f"nothing answers at {where}: {detail}")
    if any(isinstance(cause, aiohttp.ClientConnectionError) for cause in causes):
        return Unreachable(f"{where} closed the connection without a reply: {detail}")
    return ServerFault(f"{where} sent a reply that broke off or is not HTTP: {detail}")


def _nothing_listens(error: BaseException) -> bool:
    connecting = (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError)
    return any(isinstance(cause, connecting) for cause in _causes(error))


def _causes(error: BaseException) -> list[BaseException]:
    causes = [error]
    while (cause := causes[-1].__cause__) is not None:
        causes.append(cause)
    return causes
