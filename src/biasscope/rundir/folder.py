"""Entering and reading a run folder. Knows the names of its files, not what is in the records."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from biasscope.config import RunConfig
from biasscope.errors import CapReached, RunMismatch, UsageError
from biasscope.rundir.configs import read_config
from biasscope.rundir.files import named_errors, read_records, record_lines, write_whole
from biasscope.rundir.lock import LOCK, locked
from biasscope.rundir.manifest import Manifest, Outcome

T = TypeVar("T")

MAY_GROW = frozenset({"iterations"})
"""Fields of the identity that may be raised when a run is continued: more of the same, not something else."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


@dataclass(frozen=True, slots=True)
class RunDir:
    """A run folder that was entered (`enter`) or is only read (`read`)."""

    path: Path
    config: RunConfig
    entered: bool = False

    @classmethod
    @contextmanager
    def enter(
        cls, path: Path | str, config: RunConfig, *, data: Mapping[str, str] | None = None
    ) -> Iterator[RunDir]:
        """Enter a folder to start or continue a run; `data` maps names of data to hashes of their content.

        Execution settings may differ from the saved ones, fields in `MAY_GROW` may be raised. Raises
        `RunMismatch` for another identity or other data, `RunLocked` while another process is in the folder,
        `UsageError` for a path that holds something else.
        """
        path = Path(path)
        with named_errors(path):
            # Hidden files are the lock, what a kill left half written, and what file browsers leave behind.
            names = {p.name for p in path.iterdir() if not p.name.startswith(".")} if path.exists() else set()
            if names and "config.json" not in names:
                raise UsageError(
                    f"{path} holds files but no config.json, so it is not a run folder", hint="Use a new folder."
                )
            path.mkdir(parents=True, exist_ok=True)
            (path / LOCK).touch()
        with locked(path):
            manifest = _manifest_for(path, config, dict(data or {})).begun()
            write_whole(path / "config.json", [config.model_dump_json(indent=2), "\n"])
            manifest.write(path / "manifest.json")
            status: Outcome = "failed"
            try:
                yield cls(path, config, entered=True)
                status = "finished"
            except (KeyboardInterrupt, asyncio.CancelledError, CapReached):
                status = "stopped"
                raise
            finally:
                manifest.ended(status).write(path / "manifest.json")

    @classmethod
    def read(cls, path: Path | str) -> RunDir:
        """Open a run folder for reading, also while a run writes to it; raises `UsageError` where there is none."""
        path = Path(path)
        if not (path / "config.json").is_file():
            raise UsageError(f"{path} is not a run folder: it has no config.json")
        return cls(path, read_config(path / "config.json"))

    @property
    def ledger_path(self) -> Path:
        """Where the replies are: the ledger of the execution settings, else ``replies.db`` in the folder."""
        named = self.config.execution.ledger
        return Path(named) if named is not None else self.path / "replies.db"

    @property
    def manifest(self) -> Manifest:
        """The manifest as it is now."""
        return Manifest.read(self.path / "manifest.json")

    def write_records(self, name: str, records: Iterable[object]) -> Path:
        """Write dataclasses as ``<name>.jsonl``, replacing the file whole, and return its path.

        Raises ValueError for NaN, an infinite number or a value of the wrong type.
        """
        return self._write(f"{name}.jsonl", record_lines(records))

    def write_text(self, name: str, text: str) -> Path:
        """Write a text file such as ``report.html``, replacing it whole, and return its path."""
        return self._write(name, [text])

    def read_records(self, name: str, of: type[T]) -> list[T]:
        """Read ``<name>.jsonl``; raises `DataError` naming the line where a field or a type is wrong."""
        return read_records(self.path / f"{name}.jsonl", of)

    def _write(self, name: str, parts: Iterable[str]) -> Path:
        if not self.entered:
            raise RuntimeError(f"{self.path} was opened for reading")
        if not _NAME.fullmatch(name):
            raise ValueError(f"need a plain file name, got {name!r}")
        write_whole(self.path / name, parts)
        return self.path / name


def _manifest_for(path: Path, config: RunConfig, data: dict[str, str]) -> Manifest:
    """Return the manifest to continue with; raises `RunMismatch` where identity or data differ from the saved."""
    if not (path / "config.json").exists():
        return Manifest(data)
    saved = read_config(path / "config.json")
    manifest = Manifest.read(path / "manifest.json") if (path / "manifest.json").exists() else Manifest(data)
    differing = identity_changes(saved, config) + [
        f"content of {name}: {_shown(manifest.data.get(name))} -> {_shown(data.get(name))}"
        for name in sorted(manifest.data.keys() | data.keys())
        if manifest.data.get(name) != data.get(name)
    ]
    if differing:
        raise RunMismatch(
            f"{path} was started with another identity: {'; '.join(differing)}",
            hint=f"Use a new folder, or the saved config: --config {path / 'config.json'}",
        )
    return manifest


def identity_changes(saved: RunConfig, wanted: RunConfig) -> list[str]:
    """Describe the fields of the identity that differ, dotted, with old and new value."""
    old, new = (_flat(config.identity.model_dump(mode="json")) for config in (saved, wanted))
    changes = []
    for name in sorted(old):
        before, after = old[name], new[name]
        if before == after or (name in MAY_GROW and after > before):
            continue
        note = " (may only be raised)" if name in MAY_GROW else ""
        changes.append(f"{name}: {_shown(before)} -> {_shown(after)}{note}")
    return changes


def _flat(values: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Flatten nested settings to dotted names; lists stay whole."""
    flat: dict[str, Any] = {}
    for name, value in values.items():
        flat |= _flat(value, f"{prefix}{name}.") if isinstance(value, dict) else {f"{prefix}{name}": value}
    return flat


def _shown(value: object) -> str:
    return "unset" if value is None else repr(value)
