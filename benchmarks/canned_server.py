"""A server that answers every chat completion alike after a fixed time, as cheaply as it can: it must not be what limits.

`python -m benchmarks.canned_server LATENCY_MS` prints its base URL and serves until it is ended.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from aiohttp import web

from benchmarks.results import ROOT

REASONS = "Both responses state how they come to their result. " * 12
REPLY = {
    "id": "chatcmpl-canned",
    "object": "chat.completion",
    "created": 0,
    "model": "canned",
    "choices": [
        {
            "index": 0,
            "message": {"role": "assistant", "content": f"{REASONS}\n\nVerdict: 1", "refusal": None},
            "logprobs": None,
            "finish_reason": "stop",
        }
    ],
    "usage": {"prompt_tokens": 400, "completion_tokens": 160, "total_tokens": 560},
}
"""A verdict of a judge that gives reasons, about 600 characters."""


async def serve(latency_ms: float) -> None:
    """Serve until cancelled."""
    body = json.dumps(REPLY).encode()

    async def complete(request: web.Request) -> web.Response:
        await request.read()
        await asyncio.sleep(latency_ms / 1000)
        return web.Response(body=body, content_type="application/json")

    app = web.Application(client_max_size=1 << 26)
    app.router.add_post("/v1/chat/completions", complete)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    print(f"http://127.0.0.1:{runner.addresses[0][1]}/v1", flush=True)
    await asyncio.Event().wait()


@contextmanager
def served(module: str, *words: str) -> Iterator[str]:
    """Run a server of this folder as a process of its own; gives its base URL, and ends it."""
    command = [sys.executable, "-m", module, *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


if __name__ == "__main__":
    asyncio.run(serve(float(sys.argv[1])))
