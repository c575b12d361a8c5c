"""How time and memory grow with the number of pairs: a measurement with its report, each as a process of its own.

One bias by rule beside one neutral edit, on a planted judge in process: six verdicts a pair. Sizes are measured from
small to large; time per pair is held against that of the smallest.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

from benchmarks.results import Ratio, Result, Size
from benchmarks.rounds import Ended, run_alone

PAIRS = {"smoke": (20,), "small": (1_000, 3_000, 10_000), "full": (1_000, 10_000, 100_000)}
LINEAR, MEMORY_MIB = 1.1, 1000


def measure(size: Size) -> Result:
    """Measure every number of pairs once."""
    ended = {pairs: _measured(pairs) for pairs in PAIRS[size]}
    fewest, most = min(ended), max(ended)
    each = _each(ended, fewest, most)
    ratios = [
        Ratio(f"memory at {pairs:,} pairs", one.peak_mib, MEMORY_MIB, unit=" MiB") for pairs, one in ended.items()
    ]
    sizes = sorted(ended)
    if len(sizes) > 2:  # what every process takes at its start falls out of differences
        value = _each(ended, *sizes[-2:]) / _each(ended, *sizes[:2])
        what = f"CPU per further pair, {sizes[-2]:,} to {most:,} / {fewest:,} to {sizes[1]:,}"
        ratios.append(Ratio(what, value, LINEAR))
    numbers = {
        f"{pairs} pairs": {
            "wall_s": round(one.wall_s, 1),
            "cpu_s": round(one.cpu_s, 1),
            "peak_mib": round(one.peak_mib),
        }
        for pairs, one in ended.items()
    }
    more = {"cpu_ms_per_further_pair": round(1000 * each, 2)}
    more["kib_per_further_pair"] = round(
        1024 * (ended[most].peak_mib - ended[fewest].peak_mib) / max(1, most - fewest), 2
    )
    return Result(
        "growth", tuple(ratios), numbers | more, "Report included; the start of a process is in every figure."
    )


def _each(ended: Mapping[int, Ended], few: int, many: int) -> float:
    """Processor seconds of each pair beyond `few`."""
    return (ended[many].cpu_s - ended[few].cpu_s) / max(1, many - few)


def _measured(pairs: int) -> Ended:
    with tempfile.TemporaryDirectory() as folder:
        return run_alone(
            "-m", "biasscope", "measure", str(Path(folder) / "run"), "--judge", "planted:two-biases",
            "--data", f"objective:{pairs}?seed=3", "--biases", "authority", "--neutrals", "1", "--null-control", "0", "--quiet",
        )  # fmt: skip
