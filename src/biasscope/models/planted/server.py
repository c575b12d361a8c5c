"""Planted models behind an OpenAI-compatible HTTP server, with latency, faults and refusals of known rates.

It proves what the in-process models cannot: concurrency, retries, refused parameters, keys, and (by ``/stats``)
that no equal request is paid for twice. What it says is what `open_planted` says; faults depend on seed, body and
attempt alone.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from types import TracebackType
from typing import Any, Self

from aiohttp import web

from biasscope.ask import digest
from biasscope.errors import BadRequest, UsageError
from biasscope.models.planted import PlantedModel, open_planted
from biasscope.models.planted.faults import Faults
from biasscope.models.planted.latency import Latency, Uniform
from biasscope.models.planted.tempers import PRESETS
from biasscope.models.planted.wire import completion, error_body, read_request
from biasscope.seeds import uniform

_COMPANIONS = {"logprobs": ("logprobs", "top_logprobs")}
_MAX_BODY = 64 * 1024**2


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """How the server behaves. `port` 0 takes a free one.

    `latency_ms` is the mean of a latency drawn uniformly between half and one and a half of it, unless `latency` draws
    another one; `slots` how many calls are worked on at once while others wait, None for no bound; `refuse` names
    parameters that are answered with 400; `key` must then come as a bearer token; `retry_after_s` is what a 429 asks
    for, as seconds or as a date in turn by seed.
    """

    host: str = "127.0.0.1"
    port: int = 0
    latency_ms: float = 0.0
    slots: int | None = None
    faults: Faults = field(default_factory=Faults)
    refuse: tuple[str, ...] = ()
    key: str | None = None
    retry_after_s: int = 1
    seed: int = 0
    latency: Latency | None = None


@dataclass(slots=True)
class Counts:
    """What the server has done, as ``/stats`` shows it.

    `served` counts complete answers, `repeated` those of them whose body had been served before: what a client
    paid for twice. `peak` is the largest number of calls that were worked on at once.
    """

    requests: int = 0
    served: int = 0
    repeated: int = 0
    refused: int = 0
    unauthorised: int = 0
    bad_requests: int = 0
    working: int = 0
    peak: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    attempts: Counter[str] = field(default_factory=Counter)
    bodies: set[str] = field(default_factory=set)

    def shown(self) -> dict[str, Any]:
        """The counts as JSON values."""
        names = ("requests", "served", "repeated", "refused", "unauthorised", "bad_requests", "peak")
        return {name: getattr(self, name) for name in names} | {
            "distinct": len(self.bodies),
            "faults": dict(sorted(self.faults.items())),
        }


class PlantedServer:
    """A server that can be started and stopped; ``async with`` does both."""

    def __init__(self, options: ServerOptions | None = None) -> None:
        self.options = options or ServerOptions()
        self.counts = Counts()
        self._models: dict[str, PlantedModel] = {}
        self._slots = asyncio.Semaphore(self.options.slots) if self.options.slots else None
        self._latency = self.options.latency or Uniform(self.options.latency_ms)
        self._closing = asyncio.Event()
        self._runner: web.AppRunner | None = None
        self._port = self.options.port

    @property
    def url(self) -> str:
        """The base URL for clients, with ``/v1``; known once started."""
        return f"http://{self.options.host}:{self._port}/v1"

    async def start(self) -> None:
        """Listen; raises UsageError when the address cannot be used."""
        app = web.Application(client_max_size=_MAX_BODY)
        app.router.add_post("/v1/chat/completions", self._complete)
        app.router.add_get("/v1/models", self._list_models)
        app.router.add_get("/stats", self._show_counts)
        runner = web.AppRunner(app, handler_cancellation=True, access_log=None, shutdown_timeout=1.0)
        await runner.setup()
        try:
            await web.TCPSite(runner, self.options.host, self.options.port).start()
        except OSError as error:
            await runner.cleanup()
            raise UsageError(
                f"cannot listen on {self.options.host}:{self.options.port}: {error.strerror}",
                hint="Choose another port, or 0 for a free one.",
            ) from error
        self._closing.clear()
        self._runner, self._port = runner, runner.addresses[0][1]

    async def stop(self) -> None:
        """Stop listening and drop what hangs; may be called twice."""
        self._closing.set()
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def _list_models(self, request: web.Request) -> web.Response:
        if (refusal := self._refuse_key(request)) is not None:
            return refusal
        data = [{"id": name, "object": "model", "created": 0, "owned_by": "planted"} for name in PRESETS]
        return web.json_response({"object": "list", "data": data})

    async def _show_counts(self, request: web.Request) -> web.Response:
        del request
        return web.json_response(self.counts.shown())

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        counts = self.counts
        counts.requests += 1
        if (refusal := self._refuse_key(request)) is not None:
            return refusal
        try:
            body = await request.json()
            name = digest(body)
        except ValueError:
            return self._bad_request("the body is not JSON")
        if not isinstance(body, dict):
            return self._bad_request("the body is not a JSON object")
        if (refused := self._refused_parameter(body)) is not None:
            return refused
        async with self._slots or contextlib.nullcontext():
            return await self._work(request, body, name)

    async def _work(self, request: web.Request, body: Mapping[str, Any], name: str) -> web.StreamResponse:
        counts = self.counts
        attempt = counts.attempts[name]
        counts.attempts[name] += 1
        counts.working += 1
        counts.peak = max(counts.peak, counts.working)
        try:
            if seconds := self._latency.seconds(self.options.seed, name, attempt):
                await asyncio.sleep(seconds)
            fault = self.options.faults.draw(self.options.seed, name, attempt)
            if fault is not None:
                counts.faults[fault] += 1
                return await self._fail(fault, request, body, name, attempt)
            return await self._answer(body, name)
        finally:
            counts.working -= 1

    async def _answer(self, body: Mapping[str, Any], name: str) -> web.Response:
        answer = await self._completion(body, name)
        if isinstance(answer, web.Response):
            return answer
        self.counts.served += 1
        self.counts.repeated += name in self.counts.bodies
        self.counts.bodies.add(name)
        return web.json_response(answer)

    async def _completion(self, body: Mapping[str, Any], name: str) -> dict[str, Any] | web.Response:
        model = str(body.get("model", ""))
        try:
            if model not in self._models:
                self._models[model] = open_planted(model)
            reply = await self._models[model].complete(read_request(body))
        except UsageError as error:
            return web.json_response(
                error_body(f"{error}. {error.hint}", type_="invalid_request_error", code="model_not_found"),
                status=404,
            )
        except BadRequest as error:
            return self._bad_request(str(error))
        return completion(reply, body, id_=name[:16], model=model)

    async def _fail(
        self, fault: str, request: web.Request, body: Mapping[str, Any], name: str, attempt: int
    ) -> web.StreamResponse:
        match fault:
            case "server_error":
                return web.json_response(error_body("The server had an error", type_="server_error"), status=500)
            case "rate_limit":
                headers = {"Retry-After": self._retry_after(name, attempt)}
                limited = error_body("Rate limit reached", type_="requests", code="rate_limit_exceeded")
                return web.json_response(limited, status=429, headers=headers)
            case "hang":
                await self._closing.wait()
                return web.Response(status=503)
        answer = await self._completion(body, name)
        if isinstance(answer, web.Response):
            return answer
        text = json.dumps(answer).encode()
        if fault == "malformed":
            return web.Response(body=text[: len(text) // 2], content_type="application/json")
        return await _cut_off(request, text)

    def _retry_after(self, name: str, attempt: int) -> str:
        seconds = self.options.retry_after_s
        if uniform("retry-after form", self.options.seed, name, attempt) < 0.5:
            return str(seconds)
        return format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)

    def _refuse_key(self, request: web.Request) -> web.Response | None:
        if self.options.key is None or request.headers.get("Authorization") == f"Bearer {self.options.key}":
            return None
        self.counts.unauthorised += 1
        wrong = error_body("Incorrect API key provided", type_="invalid_request_error", code="invalid_api_key")
        return web.json_response(wrong, status=401)

    def _refused_parameter(self, body: Mapping[str, Any]) -> web.Response | None:
        for name in self.options.refuse:
            if any(body.get(key) is not None for key in _COMPANIONS.get(name, (name,))):
                self.counts.refused += 1
                refusal = error_body(
                    f"Unsupported parameter: '{name}' is not supported with this model.",
                    type_="invalid_request_error",
                    param=name,
                    code="unsupported_parameter",
                )
                return web.json_response(refusal, status=400)
        return None

    def _bad_request(self, message: str) -> web.Response:
        self.counts.bad_requests += 1
        return web.json_response(error_body(message, type_="invalid_request_error"), status=400)


async def serve(options: ServerOptions, *, ready: Callable[[str], None] | None = None) -> None:
    """Serve until cancelled; `ready` is told the base URL once the server listens."""
    async with PlantedServer(options) as server:
        if ready is not None:
            ready(server.url)
        await asyncio.Event().wait()


async def _cut_off(request: web.Request, text: bytes) -> web.StreamResponse:
    """Promise the whole text, send half of it and hang up."""
    response = web.StreamResponse(headers={"Content-Type": "application/json"})
    response.content_length = len(text)
    await response.prepare(request)
    await response.write(text[: len(text) // 2])
    if request.transport is not None:
        request.transport.close()
    return response
