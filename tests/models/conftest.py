"""A real HTTP server on a local socket, and time that passes only by waiting, for models behind HTTP."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest
from aiohttp import web

from biasscope.config import ModelExecution, ModelSpec

if TYPE_CHECKING:
    from biasscope.models.chat import ChatModel

KEY = "sk-test-1234567890abcdef"
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Serve = Callable[..., Awaitable[str]]


@pytest.fixture
async def serve() -> AsyncIterator[Serve]:
    """Start a server for a chat handler (and one for the list of models); gives its base URL."""
    runners: list[web.AppRunner] = []

    async def start(chat: Handler, models: Handler | None = None) -> str:
        app = web.Application()
        app.router.add_post("/v1/chat/completions", chat)
        if models is not None:
            app.router.add_get("/v1/models", models)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        runners.append(runner)
        listening = socket.create_server(("127.0.0.1", 0))
        await web.SockSite(runner, listening).start()
        return f"http://127.0.0.1:{listening.getsockname()[1]}/v1"

    yield start
    for runner in runners:
        await runner.cleanup()


@dataclass
class CannedServer:
    """Answers chat calls from a list, the last answer again and again, and keeps what it was sent.

    An answer is (status, body) or (status, body, headers), or one of the words ``echo``, ``breaks off``,
    ``hangs up``, ``speaks no HTTP`` and ``hangs``.
    """

    answers: list[Any] = field(default_factory=list)
    models: list[str] = field(default_factory=list)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    url: str = ""
    barrier: asyncio.Barrier | None = None

    @staticmethod
    def says(text: str = "Verdict: 1", **more: Any) -> tuple[int, object]:
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
        return 200, {"model": "small-2026", "choices": [choice]} | more

    async def chat(self, request: web.Request) -> web.StreamResponse:
        body = json.loads(await request.read())
        self.bodies.append(body)
        self.headers.append(dict(request.headers))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        assert request.transport is not None
        match answer:
            case "echo":
                if self.barrier is not None:
                    await self.barrier.wait()
                return await self._send(*self.says(body["messages"][0]["content"]))
            case "breaks off":
                broken = web.StreamResponse(
                    headers={"Content-Length": "5000", "Content-Type": "application/json"}
                )
                await broken.prepare(request)
                await broken.write(b'{"choices": [{"index": 0, "message": {"content": "Verdict: 1')
                request.transport.close()
                return broken
            case "hangs up":
                request.transport.close()
                return web.Response()
            case "speaks no HTTP":
                request.transport.write(b"220 mail.example.org ready\r\n\r\n")
                request.transport.close()
                return web.Response()
            case "hangs":
                await asyncio.Event().wait()
        return await self._send(*answer)

    async def list_models(self, request: web.Request) -> web.StreamResponse:
        if not self.models:
            return web.Response(status=404)
        return web.json_response({"data": [{"id": name} for name in self.models]})

    async def _send(self, status: int, body: object, headers: dict[str, str] | None = None) -> web.Response:
        text = body if isinstance(body, str) else json.dumps(body)
        return web.Response(status=status, text=text, headers=headers, content_type="application/json")


@dataclass
class Clock:
    """Time that passes only by waiting."""

    now: float = 1_900_000_000.0
    slept: list[float] = field(default_factory=list)

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)


@pytest.fixture
async def server(serve: Serve) -> CannedServer:
    canned = CannedServer()
    canned.url = await serve(canned.chat, canned.list_models)
    return canned


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def open_model(server: CannedServer, clock: Clock) -> AsyncIterator[Callable[..., "ChatModel"]]:
    """Open models of the server, with a key, three retries and the clock of the test."""
    from biasscope.models.chat import ChatModel  # the client takes a second to import; planted models need none

    opened: list[ChatModel] = []

    def make(url: str = "", **execution: Any) -> ChatModel:
        how = ModelExecution(**{"retries": 3, "timeout_s": 5.0} | execution)
        spec = ModelSpec(spec="openai:small")
        at = url or server.url
        opened.append(ChatModel(spec, how, url=at, key=KEY, clock=lambda: clock.now, sleep=clock.sleep))
        return opened[-1]

    yield make
    for model in opened:
        await model.close()


@pytest.fixture
def model(open_model: Callable[..., "ChatModel"]) -> "ChatModel":
    return open_model()
