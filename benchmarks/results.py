"""What a benchmark says: ratios beside their targets, the numbers behind them, and the table of all."""

from __future__ import annotations

import os
import platform
import subprocess
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Literal

Size = Literal["smoke", "small", "full"]
ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Ratio:
    """One figure that has a target: of things that were timed in the same run, or a rate with its unit.

    `at_most` says whether the target is an upper bound; without a target the figure is there to be read.
    """

    what: str
    value: float
    target: float | None = None
    at_most: bool = True
    unit: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None without one."""
        if self.target is None:
            return None
        return self.value <= self.target if self.at_most else self.value >= self.target


@dataclass(frozen=True)
class Result:
    """What one benchmark found. `skipped` says why nothing was measured."""

    name: str
    ratios: tuple[Ratio, ...] = ()
    numbers: dict[str, object] = field(default_factory=dict)
    note: str = ""
    skipped: str = ""

    def as_json(self) -> dict[str, object]:
        """JSON values, with whether each target is met."""
        return asdict(self) | {"ratios": [asdict(r) | {"met": r.met} for r in self.ratios]}


def machine() -> dict[str, object]:
    """Where and when this is measured, and how busy the machine is besides."""
    cpu = next(
        (
            line.partition(":")[2].strip()
            for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
            if line.startswith("model name")
        )
        if Path("/proc/cpuinfo").exists()
        else iter(()),
        platform.processor(),
    )
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    packages = ("aiohttp", "openai", "pydantic", "xllamacpp")
    return {
        "date": datetime.now(UTC).isoformat(timespec="minutes"),
        "cpu": cpu,
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "load": round(os.getloadavg()[0], 2),
        "commit": commit.stdout.strip(),
        "packages": {name: version for name in packages if (version := _version(name))},
    }


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def table(results: list[Result]) -> str:
    """All ratios as a table in Markdown."""
    rows = [("benchmark", "what", "measured", "target", "met")]
    for result in results:
        if result.skipped:
            rows.append((result.name, f"not measured: {result.skipped}", "", "", ""))
        rows += [(result.name, *_cells(ratio)) for ratio in result.ratios]
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])


def _cells(ratio: Ratio) -> tuple[str, str, str, str]:
    bound = "" if ratio.target is None else f"{'≤' if ratio.at_most else '≥'} {_number(ratio.target)}{ratio.unit}"
    met = "" if ratio.met is None else "yes" if ratio.met else "**no**"
    return ratio.what, f"{_number(ratio.value)}{ratio.unit}", bound, met


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 or value == int(value) else f"{value:.3g}"
