"""How much longer a run takes than its calls must: whole discoveries and measurements on a server of served models' speed.

The ideal keeps every slot busy between two necessary joins, which are merging (one call after the other) and looks. Each
run is made twice. In virtual time computing takes none, so that what is over the ideal is waiting; and against a server
process over HTTP, where the processor may be what limits. The latencies are of one distribution, the calls the same.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from pathlib import Path

from benchmarks.canned_server import served
from benchmarks.planted_run import (
    JUDGE,
    TEACHER,
    Slow,
    Trace,
    discovery,
    measurement,
    run_discovery,
    run_measurement,
)
from benchmarks.results import Ratio, Result, Size
from benchmarks.virtual_time import TimelessLedger, run_in_virtual_time
from biasscope.api import discovery as api_discovery
from biasscope.api import measuring as api_measuring
from biasscope.config import Execution, MeasureConfig, MeasureExecution, ModelExecution, RunConfig
from biasscope.engine import Engine
from biasscope.models.planted.latency import LogNormal

TARGET = 1.15
KINDS = {"smoke": ("measure",), "small": ("discover", "measure"), "full": ("discover", "measure")}
PAIRS = {"smoke": 24, "small": 80, "full": 200}
SLOTS = {"smoke": (16,), "small": (64, 256), "full": (64, 256)}
MEDIAN_MS = 50
SLOWER = {"smoke": (), "small": (1,), "full": (1, 10)}
"""By how much longer than 50 ms the calls over HTTP take: at 500 ms two slow cores keep up with 64 slots."""


def measure(size: Size) -> Result:
    """Both kinds of run, for each number of slots, in virtual time and over HTTP."""
    ratios, numbers = list[Ratio](), dict[str, object]()
    for kind in KINDS[size]:
        for slots in SLOTS[size]:
            trace = _in_virtual_time(kind, PAIRS[size], slots)
            what = f"{kind}, {slots} slots, waiting alone"
            ratios.append(Ratio(f"{what} / ideal", trace.seconds / trace.ideal(slots), TARGET))
            numbers[what] = _numbers(trace, slots)
        for slower in SLOWER[size]:
            for slots in SLOTS[size] if slower == 1 else SLOTS[size][:1]:
                trace, more = _over_http(kind, PAIRS[size], slots, MEDIAN_MS * slower)
                what = f"{kind}, {slots} slots, {MEDIAN_MS * slower} ms over HTTP, wall"
                ratios.append(Ratio(f"{what} / ideal", trace.seconds / trace.ideal(slots), TARGET))
                numbers[what] = _numbers(trace, slots) | more
    note = f"Log-normal latency, median {MEDIAN_MS} ms, a tenth of the calls 4x; without the time that a report takes."
    return Result("orchestration", tuple(ratios), numbers, note)


def _numbers(trace: Trace, slots: int) -> dict[str, object]:
    return {
        "seconds": round(trace.seconds, 2),
        "ideal_s": round(trace.ideal(slots), 2),
        "report_s": round(trace.ended - trace.begun - trace.seconds, 2),
        "calls": len(trace.calls),
        "service_s": round(sum(s for _, s in trace.calls), 1),
        "stages": trace.by_stage(),
    }


def _in_virtual_time(kind: str, pairs: int, slots: int) -> Trace:
    """What came when in a run whose computing takes no time."""

    async def work() -> Trace:
        trace = Trace(asyncio.get_running_loop().time)
        judge, teacher = (Slow(spec, LogNormal(MEDIAN_MS), slots, trace) for spec in (JUDGE, TEACHER))
        with tempfile.TemporaryDirectory() as folder, TimelessLedger.open(Path(folder) / "replies.db") as ledger:
            engine = Engine(ledger)
            if kind == "discover":
                await run_discovery(engine, judge, teacher, discovery(pairs), trace.see)
            else:
                await run_measurement(engine, judge, teacher, measurement(pairs), trace.see)
            trace.end()
        return trace

    return run_in_virtual_time(work())


def _over_http(kind: str, pairs: int, slots: int, median_ms: float) -> tuple[Trace, dict[str, object]]:
    """What came when in a run with its folder against a server process, and processor times."""
    with tempfile.TemporaryDirectory() as folder:
        notes = Path(folder) / "notes.json"
        with served("benchmarks.slow_server", str(median_ms), str(slots), str(notes)) as url:
            start = time.process_time()
            trace = asyncio.run(_run(kind, Path(folder) / "run", pairs, slots, url))
            cpu = time.process_time() - start
        found = json.loads(notes.read_text(encoding="utf-8"))
    trace.calls = [(start, seconds) for start, seconds in found["calls"]]
    more = {"client_cpu_s": round(cpu, 2), "server_cpu_s": round(found["cpu_s"], 2), "peak": found["peak"]}
    return trace, more


async def _run(kind: str, run: Path, pairs: int, slots: int, url: str) -> Trace:
    """Run as the command line does, its report included."""
    execution, trace = ModelExecution(max_in_flight=slots), Trace(time.monotonic)
    if kind == "discover":
        execute = Execution(judge=execution, teacher=execution)
        config = RunConfig(identity=discovery(pairs, url=url), execution=execute)
        await api_discovery.discover(run, config, on_seen=trace.see)
    else:
        beside = MeasureExecution(judge=execution, teacher=execution)
        measured = MeasureConfig(identity=measurement(pairs, url=url), execution=beside)
        await api_measuring.measure(run, measured, on_seen=trace.see)
    trace.end()
    return trace
