"""`biasscope planted-server`: judges and teachers of known behaviour behind an OpenAI-compatible server."""

from __future__ import annotations

import asyncio
import sys
from typing import Annotated

import typer

from biasscope.errors import UsageError
from biasscope.models.planted.faults import Faults
from biasscope.models.planted.server import PlantedServer, ServerOptions

Option = typer.Option


def planted_server(
    host: Annotated[str, Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, Option(min=0, max=65535, help="Port; 0 takes a free one.")] = 8321,
    latency_ms: Annotated[float, Option(min=0, help="Mean latency of a call.")] = 0.0,
    slots: Annotated[int | None, Option(min=1, help="Calls worked on at once; others wait.")] = None,
    server_errors: Annotated[float, Option(min=0, max=1, help="Share of attempts answered with 500.")] = 0.0,
    rate_limits: Annotated[float, Option(min=0, max=1, help="Share answered with 429 and Retry-After.")] = 0.0,
    retry_after: Annotated[int, Option(min=0, help="Seconds that a 429 asks to wait.")] = 1,
    truncated: Annotated[float, Option(min=0, max=1, help="Share whose body is cut off.")] = 0.0,
    malformed: Annotated[float, Option(min=0, max=1, help="Share whose body is broken JSON.")] = 0.0,
    hang: Annotated[float, Option(min=0, max=1, help="Share that is never answered.")] = 0.0,
    refuse: Annotated[
        list[str] | None, Option(help="Parameter to refuse: temperature, seed, logprobs, response_format.")
    ] = None,
    key: Annotated[str | None, Option(help="API key to require.")] = None,
    seed: Annotated[int, Option(help="Seed of latencies and faults.")] = 0,
) -> None:
    """Serve planted models (fair, two-biases, stuck, teacher ...) for tests; GET /stats counts the calls."""
    try:
        faults = Faults(server_errors, rate_limits, truncated, malformed, hang)
    except ValueError as error:
        raise UsageError(str(error)) from None
    options = ServerOptions(host, port, latency_ms, slots, faults, tuple(refuse or ()), key, retry_after, seed)
    asyncio.run(_serve(options))


async def _serve(options: ServerOptions) -> None:
    async with PlantedServer(options) as server:
        sys.stdout.write(f"Serving planted models at {server.url} (Ctrl-C stops)\n")
        sys.stdout.flush()
        await asyncio.Event().wait()
