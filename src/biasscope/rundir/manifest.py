"""The manifest: of what a run was made (hashes of its data) and every start with its versions and times."""

from __future__ import annotations

import json
import platform
import subprocess
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Literal

from biasscope import __version__
from biasscope.rundir.files import read_record, write_whole

Outcome = Literal["running", "finished", "stopped", "failed"]
"""How a start ended: `stopped` by the user or the cap. A killed process leaves `running` without a lock."""

_LIBRARIES = (
    "numpy",
    "scipy",
    "polars",
    "pydantic",
    "openai",
    "zstandard",
    "altair",
    "vl-convert-python",
    "jinja2",
    "xllamacpp",
    "ray",
    "inspect_ai",
    "torch",
    "transformers",
    "peft",
    "trl",
    "accelerate",
)


@dataclass(frozen=True, slots=True)
class Start:
    """One start of a run: with which versions, when (ISO 8601, UTC), and how it ended.

    `commit` is that of the working directory, with ``-dirty`` where files differ from it.
    """

    biasscope: str
    python: str
    platform: str
    libraries: dict[str, str]
    commit: str | None
    started: str
    ended: str | None = None
    status: Outcome = "running"


@dataclass(frozen=True, slots=True)
class Manifest:
    """Hashes of the data by name, and the starts, the latest last.

    `bound` says that a reply was got, so that the folder belongs to one identity and one content of its data.
    """

    data: dict[str, str]
    starts: tuple[Start, ...] = ()
    bound: bool = False

    def begun(self) -> Manifest:
        """Add a start that begins now."""
        start = Start(
            biasscope=__version__,
            python=platform.python_version(),
            platform=platform.platform(),
            libraries=_versions(),
            commit=_commit(),
            started=_now(),
        )
        return replace(self, starts=(*self.starts, start))

    def ended(self, status: Outcome) -> Manifest:
        """Note how the latest start ended."""
        *earlier, latest = self.starts
        return replace(self, starts=(*earlier, replace(latest, ended=_now(), status=status)))

    def write(self, path: Path) -> None:
        """Write the manifest, replacing the file whole."""
        write_whole(path, [json.dumps(asdict(self), ensure_ascii=False, indent=2), "\n"])

    @classmethod
    def read(cls, path: Path) -> Manifest:
        """Read a manifest; raises `DataError` for a file that is none."""
        return read_record(path, cls)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _versions() -> dict[str, str]:
    """Return the versions of the libraries that are installed."""
    found: dict[str, str] = {}
    for name in _LIBRARIES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def _commit() -> str | None:
    """Return the commit of the working directory; None outside a repository or without git."""
    command = ["git", "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() or None
