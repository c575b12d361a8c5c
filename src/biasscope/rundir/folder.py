"""Entering and reading a run folder. Knows the names of its files, not what is in the records."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from biasscope.config import AnyConfig
from biasscope.errors import CapReached, RunMismatch, UsageError
from biasscope.rundir.configs import read_config
from biasscope.rundir.files import named_errors, read_records, record_lines, write_whole
from biasscope.rundir.lock import LOCK, locked
from biasscope.rundir.manifest import Manifest, Outcome
from biasscope.rundir.verdicts import FILE as VERDICTS
from biasscope.rundir.verdicts import read_verdicts, write_verdicts
from biasscope.verdict_rows import VerdictRow

if TYPE_CHECKING:
    import polars as pl

T = TypeVar("T")

MAY_GROW = frozenset({"iterations"})
"""Fields of the identity that may be raised when a run is continued: more of the same, not something else."""

_LONGEST = 120
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


@dataclass(frozen=True, slots=True)
class RunDir:
    """A run folder that was entered (`enter`) or is only read (`read`)."""

    path: Path
    config: AnyConfig
    entered: bool = False

    @classmethod
    @contextmanager
    def enter(
        cls, path: Path | str, config: AnyConfig, *, data: Mapping[str, str] | None = None
    ) -> Iterator[RunDir]:
        """Enter a folder to start or continue a run; `data` maps names of data to hashes of their content.

        Execution settings may differ from the saved ones, fields in `MAY_GROW` may be raised, and until `bind`
        was called everything may differ. Raises `RunMismatch` for another identity or other data, `RunLocked`
        while another process is in the folder, `UsageError` for a path that holds something else.
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
            folder = cls(path, config, entered=True)
            status: Outcome = "failed"
            try:
                yield folder
                status = "finished"
            except (KeyboardInterrupt, asyncio.CancelledError, CapReached):
                status = "stopped"
                raise
            finally:
                folder.manifest.ended(status).write(path / "manifest.json")

    @classmethod
    def read(cls, path: Path | str) -> RunDir:
        """Open a run folder for reading, also while a run writes to it; raises `UsageError` where there is none."""
        path = Path(path)
        if not (path / "config.json").is_file():
            raise UsageError(
                f"{path} is not a run folder: it has no config.json",
                hint="Name the folder that was given to biasscope discover or measure.",
            )
        return cls(path, read_config(path / "config.json"))

    @classmethod
    @contextmanager
    def amend(cls, path: Path | str) -> Iterator[RunDir]:
        """Enter a folder to write what follows from its files, which is no start of the run.

        Raises `RunLocked` while another process is in the folder, and what `read` raises.
        """
        found = cls.read(path)
        with named_errors(found.path):
            (found.path / LOCK).touch()
        with locked(found.path):
            yield replace(found, entered=True)

    @property
    def ledger_path(self) -> Path:
        """Where the replies are: the ledger of the execution settings, else ``replies.db`` in the folder."""
        named = self.config.execution.ledger
        return Path(named) if named is not None else self.path / "replies.db"

    @property
    def manifest(self) -> Manifest:
        """The manifest as it is now."""
        return Manifest.read(self.path / "manifest.json")

    def bind(self) -> None:
        """Give the folder to this identity and data, from the first reply on; before, a typing error costs nothing."""
        replace(self.manifest, bound=True).write(self.path / "manifest.json")

    def write_records(self, name: str, records: Iterable[object]) -> Path:
        """Write dataclasses as ``<name>.jsonl``, replacing the file whole, and return its path.

        Raises ValueError for NaN, an infinite number or a value of the wrong type.
        """
        return self._write(f"{name}.jsonl", record_lines(records))

    def write_text(self, name: str, text: str) -> Path:
        """Write a text file such as ``report.md``, replacing it whole, and return its path."""
        return self._write(name, [text])

    def write_group(self, name: str, texts: Mapping[str, str]) -> Path:
        """Write text files into the folder `name` of the run, by their names, and remove what else of a group was there.

        Files that are hidden are left alone.
        """
        if not self.entered:
            raise RuntimeError(f"{self.path} was opened for reading")
        group = self.path / _plain(name)
        with named_errors(group):
            group.mkdir(exist_ok=True)
            for old in group.iterdir():
                if old.is_file() and not old.name.startswith(".") and old.name not in texts:
                    old.unlink()
        for one, text in texts.items():
            self._write(one, [text], group)
        return group

    def write_verdicts(self, rows: Sequence[VerdictRow]) -> Path:
        """Write what was judged as ``verdicts.parquet``, replacing the file whole, and return its path."""
        path = self._own(VERDICTS)
        write_verdicts(path, rows)
        return path

    def read_verdicts(self) -> pl.DataFrame:
        """Read what was judged, a row a verdict with the fields of `VerdictRow`; raises `DataError` where it cannot."""
        return read_verdicts(self.path / VERDICTS)

    def read_records(self, name: str, of: type[T]) -> list[T]:
        """Read ``<name>.jsonl``; raises `DataError` naming the line where a field or a type is wrong."""
        return read_records(self.path / f"{name}.jsonl", of)

    def _write(self, name: str, parts: Iterable[str], group: Path | None = None) -> Path:
        path = self._own(name, group)
        write_whole(path, parts)
        return path

    def _own(self, name: str, group: Path | None = None) -> Path:
        if not self.entered:
            raise RuntimeError(f"{self.path} was opened for reading")
        return (group or self.path) / _plain(name)


def _plain(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError(f"need a plain file name, got {name!r}")
    return name


def _manifest_for(path: Path, config: AnyConfig, data: dict[str, str]) -> Manifest:
    """Return the manifest to continue with; raises `RunMismatch` where a bound identity or its data differ."""
    known = (path / "config.json").exists() and (path / "manifest.json").exists()
    manifest = Manifest.read(path / "manifest.json") if known else Manifest(data)
    if not manifest.bound:
        return replace(manifest, data=data)
    saved = read_config(path / "config.json")
    if type(saved) is not type(config):
        raise RunMismatch(f"{path} holds a run of another command", hint="Use a new folder.")
    differing = identity_changes(saved, config) + [
        f"content of {name}: {_brief(manifest.data.get(name))} -> {_brief(data.get(name))}"
        for name in sorted(manifest.data.keys() | data.keys())
        if manifest.data.get(name) != data.get(name)
    ]
    if differing:
        raise RunMismatch(
            f"{path} was started with another identity: {'; '.join(differing)}",
            hint="Use a new folder (what still fits is not paid again with "
            f"--ledger {RunDir(path, saved).ledger_path}), or the saved settings: --config {path / 'config.json'}",
        )
    return manifest


def identity_changes(saved: AnyConfig, wanted: AnyConfig) -> list[str]:
    """Describe the fields of the identity that differ, dotted, with old and new value.

    Of a URL the endpoint's name counts: its label, else its host, as in the keys of replies.
    """
    old, new = (_flat(by_endpoint(config.identity.model_dump(mode="json"))) for config in (saved, wanted))
    changes = []
    for name in sorted(old.keys() | new.keys()):
        before, after = old.get(name), new.get(name)
        raised = isinstance(before, int) and isinstance(after, int) and after > before
        if before == after or (name in MAY_GROW and raised):
            continue
        note = " (may only be raised)" if name in MAY_GROW else ""
        changes.append(f"{name}: {_shown(before)} -> {_shown(after)}{note}")
    return changes


def by_endpoint(value: Any) -> Any:
    """Put the host in the place of each model's URL, or nothing where a label names the endpoint, as in the keys of replies."""
    if isinstance(value, list):
        return [by_endpoint(item) for item in value]
    if not isinstance(value, dict):
        return value
    named = {name: by_endpoint(item) for name, item in value.items()}
    if named.get("url") is not None:
        named["url"] = None if named.get("label") else urlsplit(named["url"]).hostname or named["url"]
    return named


def _flat(values: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Flatten nested settings to dotted names, tables in lists by their number; lists of plain values stay whole."""
    flat: dict[str, Any] = {}
    for name, value in values.items():
        inner = value
        if isinstance(value, list) and any(isinstance(item, dict) for item in value):
            inner = {str(number): item for number, item in enumerate(value, 1)}
        flat |= _flat(inner, f"{prefix}{name}.") if isinstance(inner, dict) else {f"{prefix}{name}": inner}
    return flat


def _shown(value: object) -> str:
    """A value in a line; a long one, such as the text of a template, by its beginning."""
    text = "unset" if value is None else repr(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 4]} ..."


def _brief(sha256: str | None) -> str:
    """The beginning of a hash, which is enough to see that two differ."""
    return _shown(None if sha256 is None else sha256[:12])
