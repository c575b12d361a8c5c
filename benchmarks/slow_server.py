"""The planted server with log-normal latency that notes every call: `python -m benchmarks.slow_server MEDIAN_MS SLOTS FILE`.

Prints its base URL; when it is ended it writes the start and the length (drawn, in seconds) of every call to FILE.
"""

from __future__ import annotations

import asyncio
import json
import signal
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from aiohttp import web

from biasscope.models.planted.latency import LogNormal
from biasscope.models.planted.server import PlantedServer, ServerOptions


class NotingServer(PlantedServer):
    """Notes when it begins to work on a call, and how long that takes by the draw."""

    def __init__(self, options: ServerOptions) -> None:
        super().__init__(options)
        self.calls: list[tuple[float, float]] = []

    async def _work(self, request: web.Request, body: Mapping[str, Any], name: str) -> web.StreamResponse:
        drawn = self._latency.seconds(self.options.seed, name, self.counts.attempts[name])
        self.calls.append((time.monotonic(), drawn))
        return await super()._work(request, body, name)


async def serve(median_ms: float, slots: int, notes: Path) -> None:
    """Serve until SIGTERM comes, then write the notes."""
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    async with NotingServer(ServerOptions(slots=slots, latency=LogNormal(median_ms))) as server:
        print(server.url, flush=True)
        await ended.wait()
    found = {"calls": server.calls, "cpu_s": time.process_time(), "peak": server.counts.peak}
    notes.write_text(json.dumps(found), encoding="utf-8")  # noqa: ASYNC240 - nothing else runs any more


if __name__ == "__main__":
    asyncio.run(serve(float(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])))
