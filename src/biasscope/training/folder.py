"""The folder of a training: its settings, curve, checkpoints and adapter, each whole or not there at all."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from biasscope.errors import RunError, RunMismatch, UsageError
from biasscope.rundir.files import named_errors, read_records, record_lines, write_whole
from biasscope.rundir.lock import LOCK, locked
from biasscope.rundir.manifest import Manifest, Outcome
from biasscope.training.settings import TrainSettings, changes

SETTINGS = "training.json"
CURVE = "curves.jsonl"
ADAPTER = "adapter"
CHECKPOINTS = "checkpoints"
COMPLETE = "complete.json"
KEPT = 2
"""Checkpoints that are kept: the second last is there should the disk have lost the last one."""


@dataclass(frozen=True, slots=True)
class Point:
    """Means over the steps since the point before: DPO loss, reward of chosen less rejected, share of pairs with the
    chosen one's reward above."""

    step: int
    loss: float
    reward_margin: float
    accuracy: float
    learning_rate: float


@dataclass(frozen=True, slots=True)
class TrainFolder:
    """A folder that was entered to train, or is read."""

    path: Path

    @classmethod
    @contextmanager
    def enter(cls, path: Path, settings: TrainSettings) -> Iterator[TrainFolder]:
        """Enter a folder to start or continue a training.

        Raises RunMismatch where it was started with other settings, naming them, RunLocked while another process is in
        it, UsageError for a path that holds something else.
        """
        with named_errors(path):
            names = {p.name for p in path.iterdir() if not p.name.startswith(".")} if path.exists() else set()
            if names and SETTINGS not in names:
                raise UsageError(
                    f"{path} holds files but no {SETTINGS}, so it is no folder of a training",
                    hint="Use a new folder.",
                )
            path.mkdir(parents=True, exist_ok=True)
            (path / LOCK).touch()
        with locked(path):
            saved = cls(path)._settings() if names else None
            if saved is not None and (differing := changes(saved, settings)):
                raise RunMismatch(
                    f"{path} was started with other settings: {'; '.join(differing)}",
                    hint=f"Use a new folder, or the settings that are in {path / SETTINGS}.",
                )
            write_whole(path / SETTINGS, [settings.model_dump_json(indent=2), "\n"])
            yield from cls(path)._begun(settings)

    def _begun(self, settings: TrainSettings) -> Iterator[TrainFolder]:
        file = self.path / "manifest.json"
        earlier = Manifest.read(file) if file.exists() else Manifest({"rows": settings.data})
        manifest, status = earlier.begun(), "failed"
        manifest.write(file)
        try:
            yield self
            status = "finished"
        except KeyboardInterrupt:
            status = "stopped"
            raise
        finally:
            manifest.ended(_outcome(status)).write(file)

    def _settings(self) -> TrainSettings:
        try:
            return TrainSettings.model_validate_json((self.path / SETTINGS).read_bytes())
        except (OSError, ValidationError) as error:
            raise RunError(f"cannot read {self.path / SETTINGS}", hint="Use a new folder.") from error

    @property
    def checkpoints(self) -> Path:
        """Where checkpoints are."""
        return self.path / CHECKPOINTS

    @property
    def adapter(self) -> Path:
        """Where the trained adapter is, once it is."""
        return self.path / ADAPTER

    def whole_checkpoints(self) -> list[tuple[int, Path]]:
        """The checkpoints that were written to their end, as (step, folder), the latest last."""
        found = [
            (int(p.name.rpartition("-")[2]), p) for p in self.checkpoints.glob("checkpoint-*") if _is_whole(p)
        ]
        return sorted(found)

    def mark(self, step: int) -> None:
        """Say that the checkpoint of a step is written to its end, and remove those before the last ones."""
        folder = self.checkpoints / f"checkpoint-{step}"
        for file in sorted(folder.iterdir()):
            _sync(file)
        write_whole(folder / COMPLETE, [json.dumps(_sizes(folder), indent=1), "\n"])
        for _, old in self.whole_checkpoints()[:-KEPT]:
            shutil.rmtree(old)

    def sweep(self) -> None:
        """Remove what a kill or a full disk left half written."""
        whole = {path for _, path in self.whole_checkpoints()}
        for path in self.checkpoints.glob("checkpoint-*"):
            if path not in whole:
                shutil.rmtree(path, ignore_errors=True)

    def read_curve(self) -> list[Point]:
        """The points so far; what a kill tore is left out."""
        file = self.path / CURVE
        if not file.exists():
            return []
        content = file.read_bytes()
        if not content.endswith(b"\n"):
            write_whole(file, [content[: content.rfind(b"\n") + 1].decode("utf-8")])
        return read_records(file, Point)

    def cut_curve(self, step: int) -> None:
        """Forget the points after a step: training goes on from there."""
        write_whole(self.path / CURVE, record_lines(p for p in self.read_curve() if p.step <= step))

    def add_point(self, point: Point) -> None:
        """Append a point to the curve."""
        with (
            named_errors(self.path / CURVE),
            (self.path / CURVE).open("a", encoding="utf-8", newline="\n") as file,
        ):
            file.writelines(record_lines([point]))

    @contextmanager
    def writing_adapter(self) -> Iterator[Path]:
        """Give a folder to write the adapter into, and put it in its place at the end."""
        new = self.path / f".{ADAPTER}.new"
        shutil.rmtree(new, ignore_errors=True)
        try:
            new.mkdir()
            yield new
            for file in sorted(new.iterdir()):
                _sync(file)
            new.replace(self.adapter)
        finally:
            shutil.rmtree(new, ignore_errors=True)

    def write_lines(self, name: str, records: Iterable[object]) -> None:
        """Write records as JSON lines, replacing the file whole."""
        write_whole(self.path / name, record_lines(records))

    def write_text(self, name: str, lines: Sequence[str]) -> None:
        """Write a text file, replacing it whole."""
        write_whole(self.path / name, [f"{line}\n" for line in lines])


def _outcome(status: str) -> Outcome:
    return "finished" if status == "finished" else "stopped" if status == "stopped" else "failed"


def _sizes(folder: Path) -> dict[str, int]:
    return {p.name: p.stat().st_size for p in sorted(folder.iterdir()) if p.name != COMPLETE}


def _is_whole(folder: Path) -> bool:
    """Whether a checkpoint was written to its end and holds what it then held."""
    try:
        wanted = json.loads((folder / COMPLETE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(wanted, dict) and wanted == _sizes(folder)


def _sync(file: Path) -> None:
    with file.open("rb") as opened:
        os.fsync(opened.fileno())
