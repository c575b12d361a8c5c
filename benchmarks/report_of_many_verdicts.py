"""How long the report of a large run takes, and how much memory: `python benchmarks/report_of_many_verdicts.py [VERDICTS]`.

Measures a planted judge in process by rules until the run holds at least so many verdicts (default 200,000; about two
minutes of one core for each 50,000), then makes the report again from the folder, as a process of its own. Prints one
JSON object: the verdicts, the seconds of the measurement and of the report, and the largest resident memory of each.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import polars as pl

PER_PAIR = 2 * (1 + 2 * 39)
"""Verdicts of one pair: both orders of the original, and of 39 traits and one matched neutral rewrite each."""


def timed(*words: str) -> tuple[float, float]:
    """Seconds and largest resident memory (MiB) of a command."""
    start = time.monotonic()
    process = subprocess.Popen([sys.executable, "-m", "biasscope", *words], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{' '.join(words)} ended with {os.waitstatus_to_exitcode(status)}")
    return time.monotonic() - start, usage.ru_maxrss / (1024**2 if sys.platform == "darwin" else 1024)


def main(verdicts: int = 200_000) -> None:
    """Measure, report, and print the figures."""
    pairs = math.ceil(verdicts / PER_PAIR)
    with tempfile.TemporaryDirectory() as folder:
        run = str(Path(folder) / "run")
        measured = timed(
            "measure", run, "--judge", "planted:two-biases", "--data", f"objective:{pairs}?seed=3",
            "--biases", "catalogue", "--neutrals", "1", "--quiet",
        )  # fmt: skip
        reported = timed("report", run)
        held = pl.read_parquet(Path(run) / "verdicts.parquet").height
    figures = {
        "verdicts": held,
        "measure_s": round(measured[0], 1),
        "measure_mib": round(measured[1]),
        "report_s": round(reported[0], 1),
        "report_mib": round(reported[1]),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:2]))
