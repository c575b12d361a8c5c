"""Ways of measuring: things in turn so that a machine that slows down slows all of them, and processes by themselves."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from benchmarks.results import ROOT


def interleaved(variants: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, list[float]]:
    """Measure every variant once a round, in turns, the order reversed in every second round."""
    measured: dict[str, list[float]] = {name: [] for name in variants}
    for number in range(rounds):
        names = list(variants)
        for name in names if number % 2 == 0 else reversed(names):
            measured[name].append(variants[name]())
    return measured


def ratio_of(measured: Mapping[str, list[float]], one: str, other: str) -> float:
    """The median over the rounds of `one` divided by `other`, each of the same round."""
    return statistics.median(a / b for a, b in zip(measured[one], measured[other], strict=True))


def medians(measured: Mapping[str, list[float]], digits: int = 4) -> dict[str, float]:
    """The median of every variant."""
    return {name: round(statistics.median(values), digits) for name, values in measured.items()}


@dataclass(frozen=True)
class Ended:
    """What a process took: seconds on the clock and of the processor, and its largest resident memory (MiB)."""

    wall_s: float
    cpu_s: float
    peak_mib: float


def run_alone(*words: str) -> Ended:
    """Run a Python process to its end; raises RuntimeError with what it said where it fails."""
    start = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=ROOT, text=True
    )
    assert process.stderr is not None
    said = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(words)} ended with {process.returncode}: {said[-2000:]}")
    kib = usage.ru_maxrss / (1024 if sys.platform == "darwin" else 1)
    return Ended(time.perf_counter() - start, usage.ru_utime + usage.ru_stime, kib / 1024)
