"""How long the command line takes to answer `--help`, and what an installation without extras weighs."""

from __future__ import annotations

import re
import statistics
from importlib import metadata

from benchmarks.results import Ratio, Result, Size
from benchmarks.rounds import interleaved, medians, run_alone

HELP_S = 0.3
ROUNDS = {"smoke": 1, "small": 5, "full": 11}
MIB = 1024**2


def measure(size: Size) -> Result:
    """Time the help beside an interpreter that does nothing, and weigh what the core depends on."""
    times = interleaved(
        {
            "python": lambda: run_alone("-c", "pass").wall_s,
            "help": lambda: run_alone("-m", "biasscope", "--help").wall_s,
            "import biasscope": lambda: run_alone("-c", "import biasscope").wall_s,
        },
        ROUNDS[size],
    )
    weights = installed("biasscope")
    largest = dict(sorted(weights.items(), key=lambda one: -one[1])[:8])
    return Result(
        "start",
        (
            Ratio("`biasscope --help`", statistics.median(times["help"]), HELP_S, unit=" s"),
            Ratio("core installation", sum(weights.values()) / MIB, unit=" MiB"),
        ),
        {
            "seconds": medians(times),
            "packages": len(weights),
            "largest_mib": {name: round(value / MIB, 1) for name, value in largest.items()},
        },
        "Wall time of whole processes, the median of interleaved rounds; sizes of files as installed.",
    )


def installed(name: str) -> dict[str, int]:
    """Bytes of every distribution that `name` needs without an extra, by its name."""
    sizes: dict[str, int] = {}
    waiting = [(name, frozenset[str]())]
    seen = set(waiting)
    while waiting:
        current, extras = waiting.pop()
        try:
            found = metadata.distribution(current)
        except metadata.PackageNotFoundError:
            continue  # needed on another platform only
        files = found.files or ()
        sizes[found.name] = sum(path.stat().st_size for f in files if (path := f.locate()).is_file())
        for needed in found.requires or ():
            wanted = _wanted(needed, extras)
            if wanted is not None and wanted not in seen:
                seen.add(wanted)
                waiting.append(wanted)
    return sizes


def _wanted(requirement: str, extras: frozenset[str]) -> tuple[str, frozenset[str]] | None:
    """The name and extras that a requirement asks for; None for one of an extra that was not asked for.

    Other conditions (platform, version of Python) are taken as met: what is not installed then weighs nothing.
    """
    named, _, condition = requirement.partition(";")
    asked = set(re.findall(r"extra\s*==\s*['\"]([^'\"]+)['\"]", condition))
    if asked and not asked & extras:
        return None
    match = re.match(r"\s*([A-Za-z0-9._-]+)\s*(?:\[([^\]]*)\])?", named)
    assert match is not None
    more = frozenset(e.strip() for e in (match[2] or "").split(",") if e.strip())
    return match[1].lower().replace("_", "-"), more
