"""`biasscope planted-server`: judges and teachers of known behaviour behind an OpenAI-compatible server."""

from __future__ import annotations

import asyncio
from enum import StrEnum
from typing import Annotated

import typer

from biasscope.errors import UsageError

Option = typer.Option


class Refusable(StrEnum):
    """Parameters that servers are known to refuse."""

    temperature = "temperature"
    seed = "seed"
    logprobs = "logprobs"
    response_format = "response_format"


def planted_server(
    host: Annotated[str, Option(metavar="HOST", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, Option(min=0, max=65535, metavar="PORT", help="Port; 0 takes a free one.")] = 8321,
    latency_ms: Annotated[float, Option(min=0, metavar="MS", help="Mean latency of a call.")] = 0.0,
    slots: Annotated[int | None, Option(min=1, metavar="N", help="Calls worked on at once; others wait.")] = None,
    server_errors: Annotated[
        float, Option(min=0, max=1, metavar="SHARE", help="Share of attempts answered with 500.")
    ] = 0.0,
    rate_limits: Annotated[
        float, Option(min=0, max=1, metavar="SHARE", help="Share answered with 429 and Retry-After.")
    ] = 0.0,
    retry_after: Annotated[int, Option(min=0, metavar="S", help="Seconds that a 429 asks to wait.")] = 1,
    truncated: Annotated[float, Option(min=0, max=1, metavar="SHARE", help="Share whose body is cut off.")] = 0.0,
    malformed: Annotated[
        float, Option(min=0, max=1, metavar="SHARE", help="Share whose body is broken JSON.")
    ] = 0.0,
    hang: Annotated[float, Option(min=0, max=1, metavar="SHARE", help="Share that is never answered.")] = 0.0,
    refuse: Annotated[
        list[Refusable] | None,
        Option(help="Parameter to refuse with 400; may be given several times."),
    ] = None,
    key: Annotated[str | None, Option(metavar="KEY", help="API key to require.")] = None,
    seed: Annotated[int, Option(metavar="N", help="Seed of latencies and faults.")] = 0,
) -> None:
    """Serve planted models, for tests.

    An OpenAI-compatible server with judges of known behaviour (fair, first-slot, second-slot, stuck, two-biases,
    biases=ID@LOGIT) and a teacher; latency, faults and refusals as asked for. GET /stats counts the calls.
    """
    from biasscope.models.planted.faults import Faults
    from biasscope.models.planted.server import ServerOptions, serve

    try:
        faults = Faults(server_errors, rate_limits, truncated, malformed, hang)
    except ValueError:
        raise UsageError(
            "the shares of faults sum to more than 1", hint="Each attempt ends in one way; lower the shares."
        ) from None
    options = ServerOptions(host, port, latency_ms, slots, faults, tuple(refuse or ()), key, retry_after, seed)
    try:
        asyncio.run(serve(options, ready=_announce))
    except KeyboardInterrupt:
        typer.echo("Stopped.", err=True)


def _announce(url: str) -> None:
    typer.echo(f"Serving planted models at {url} (Ctrl-C stops)")
