"""How fast a finished run is read again: replies looked up by key, decompressed and parsed, and whether memory grows.

The ledger is filled with replies of a judge that gives reasons; each of them is asked for again, in blocks whose answers
are dropped, by a process that does nothing else.
"""

from __future__ import annotations

import asyncio
import json
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from itertools import islice
from pathlib import Path

import zstandard

from benchmarks.asks import judge_asks
from benchmarks.results import ROOT, Ratio, Result, Size
from biasscope import seeds
from biasscope.ask import Answered, Reply, Request, request_key
from biasscope.engine import Engine
from biasscope.ledger import Ledger, encode_reply

ASKS = {"smoke": 400, "small": 40_000, "full": 200_000}
BLOCK = 2_000
PER_S, GROWTH = 20_000, 1.05
WORDS = (
    "the response states both steps and its result", "while other reasons remain open to doubt here", "since nothing shows",
    "how one number follows", "from what was given before", "and both are told", "by whoever reads them",
)  # fmt: skip


class Stored:
    """A model whose replies are all in the ledger already."""

    spec = "openai:stored"
    endpoint = "stored"
    max_in_flight = 1
    fingerprint: Mapping[str, object] = {"provider": "stored", "model": "stored"}
    resolved = "stored"

    async def complete(self, request: Request) -> Reply:
        """Fail: nothing is to be paid for here."""
        raise AssertionError("a stored reply was not found")

    async def close(self) -> None:
        """Hold nothing."""


def measure(size: Size) -> Result:
    """Fill a ledger, and read it in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "replies.db"
        fill(path, ASKS[size])
        stored = path.stat().st_size
        words = [sys.executable, "-m", "benchmarks.replay", str(path), str(ASKS[size])]
        read = json.loads(subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout)
    return Result(
        "replay",
        (
            Ratio("asks re-read and re-parsed", read["asks_per_s"], PER_S, at_most=False, unit=" /s"),
            Ratio("memory at the end / after a tenth", read["rss_mib"][-1] / read["rss_mib"][0], GROWTH),
            Ratio("time / reading and decompressing alone", read["asks_s"] / read["bare_s"]),
        ),
        read | {"asks": ASKS[size], "ledger_mib": round(stored / 1024**2, 1)},
        "Processor seconds of one core, building prompts and hashing keys included.",
    )


def fill(path: Path, number: int) -> None:
    """Write a reply for every ask, as a run would have stored it."""
    bodies = [encode_reply(_reply(n)) for n in range(256)]
    fingerprint = dict(Stored.fingerprint) | {"resolved": Stored.resolved}
    Ledger.open(path).close()
    with sqlite3.connect(path) as connection:
        rows = (
            (request_key(fingerprint, ask.request(0)), ask.kind, "stored", 0.0, bodies[n % len(bodies)])
            for n, ask in enumerate(judge_asks(number))
        )
        connection.executemany("INSERT INTO replies VALUES (?, ?, ?, ?, ?)", rows)
    connection.close()


def _reply(number: int) -> Reply:
    said = " ".join(WORDS[seeds.pick(len(WORDS), "word", number, n)] for n in range(20))
    return Reply(f"{said}.\n\nVerdict: {1 + number % 2}", model="stored", input_tokens=400, output_tokens=130)


async def read(path: Path, number: int) -> dict[str, object]:
    """Ask for everything that is stored, in blocks; then read the same rows without an engine."""
    asks, rss = judge_asks(number), list[float]()
    blocks = max(1, number // BLOCK)
    spent = 0.0
    with Ledger.open(path, read_only=True) as ledger:
        asker = Engine(ledger, max_calls=0).asker(Stored(), "judge")
        for block in range(blocks):
            some = list(islice(asks, number // blocks))  # making the asks is not what is timed
            start = time.process_time()
            answers = await asker.ask(some)
            spent += time.process_time() - start
            assert all(isinstance(a, Answered) for a in answers)
            if (block + 1) % max(1, blocks // 10) == 0:
                rss.append(round(_rss_mib(), 1))
    return {
        "asks_per_s": round(number / spent),
        "asks_s": spent / number,
        "bare_s": _bare_s(path),
        "rss_mib": rss,
    }


def _bare_s(path: Path) -> float:
    """Seconds to read, decompress and decode one row, over at most 20,000 rows."""
    decompress = zstandard.ZstdDecompressor().decompress
    connection = sqlite3.connect(path)
    keys = [key for (key,) in connection.execute("SELECT key FROM replies LIMIT 20000")]
    start = time.process_time()
    for first in range(0, len(keys), 100):
        some = keys[first : first + 100]
        marks = ",".join("?" * len(some))
        for _, body in connection.execute(f"SELECT key, body FROM replies WHERE key IN ({marks})", some):
            json.loads(decompress(body))
    spent = time.process_time() - start
    connection.close()
    return spent / len(keys)


def _rss_mib() -> float:
    """Resident memory of this process now; the largest so far where the system does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 1024**2
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    print(json.dumps(asyncio.run(read(Path(sys.argv[1]), int(sys.argv[2])))))
