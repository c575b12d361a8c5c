"""All replies in one SQLite file, each under the hash of what determined it. Knows no ask, model or run.

What `put` has returned is committed: it survives a kill of the process (a power cut may take the last moments,
never the file). One thread writes; whatever arrives while a commit runs goes into the next one. Several
processes may share a ledger on a local disk: readers never wait, a writer waits for its turn. A row is the
reply as zstd-compressed JSON; fields unknown to this version are ignored, absent ones take their default.
"""

from __future__ import annotations

import asyncio
import json
import math
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Self, TypeVar

import zstandard
from pydantic import TypeAdapter

from biasscope.ask import Reply, canonical_json, digest
from biasscope.errors import DataError, RunError

T = TypeVar("T")

SCHEMA = 1
_APPLICATION = 0x62736C67  # "bslg" in the file header tells a ledger from any other SQLite file
_TABLES = (
    "CREATE TABLE replies (key TEXT PRIMARY KEY, kind TEXT NOT NULL, model TEXT NOT NULL, created REAL NOT NULL,"
    " body BLOB NOT NULL)",
    "CREATE TABLE models (digest TEXT PRIMARY KEY, fingerprint TEXT NOT NULL)",
    "CREATE TABLE facts (digest TEXT PRIMARY KEY, body TEXT NOT NULL)",
    f"PRAGMA application_id = {_APPLICATION}",
    f"PRAGMA user_version = {SCHEMA}",
)
_REPLY = TypeAdapter(Reply)
_COPY = "Continue with a copy or a new ledger."
_LOOK_UP = 500  # keys per SELECT; older SQLite builds allow 999 variables


@dataclass(frozen=True, slots=True)
class Facts:
    """What calls found out about a model: the id it reports and the parameters that its server refuses.

    `resolved` is None as long as nothing was asked, and empty for a server that reports no id. `varies` says
    that the ids seen so far were all different, so that they name calls and not a model.
    """

    resolved: str | None = None
    dropped: frozenset[str] = frozenset()
    varies: bool = False

    def merge(self, later: Facts) -> Facts:
        """Add what was found out later; the first resolved id stays."""
        return Facts(
            later.resolved if self.resolved is None else self.resolved,
            self.dropped | later.dropped,
            self.varies or later.varies,
        )


@dataclass(slots=True)
class _Write:
    """One change and, once it is committed, what it gave."""

    change: Callable[[sqlite3.Connection], Any]
    outcome: Any = None


@dataclass(slots=True)
class _Batch:
    """Changes that are committed together; `done` ends with the commit, and each event loop is told once."""

    writes: list[_Write] = field(default_factory=list)
    due: threading.Event = field(default_factory=threading.Event)
    done: Future[None] = field(default_factory=Future)
    told: dict[asyncio.AbstractEventLoop, asyncio.Future[None]] = field(default_factory=dict)


class Ledger:
    """An open ledger; a context manager. Reading is synchronous and fast, writing is awaited."""

    pause_s = 0.025
    """Least time between two commits while more is on its way: each of them costs the reader the pages that it holds."""

    def __init__(self, path: Path, reader: sqlite3.Connection, writer: sqlite3.Connection | None) -> None:
        self.path = path
        self._reader = reader
        self._writer = writer
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ledger")
        self._lock = threading.Lock()
        self._open: _Batch | None = None
        self._committed = 0.0

    @classmethod
    def open(cls, path: Path | str, *, read_only: bool = False, wait_s: float = 60.0) -> Self:
        """Open a ledger, creating file and folders unless `read_only`.

        `wait_s` is how long to wait for another process that writes. Raises `DataError` for a file that is
        no ledger (or absent and `read_only`), `RunError` for one of a newer version or one that stays locked.
        """
        path = Path(path)
        if read_only and not path.is_file():
            raise DataError(f"there is no ledger at {path}", hint="Name the replies.db of a run folder.")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RunError(f"the folder of the ledger {path} cannot be made: {error.strerror}") from error
        with _translated(path):
            first = _connect(path, read_only=read_only, wait_s=wait_s)
            try:
                _prepare(first, path, read_only=read_only)
                return cls(path, first, None if read_only else _connect(path, read_only=False, wait_s=wait_s))
            except BaseException:
                first.close()
                raise

    def get(self, key: str) -> Reply | None:
        """Return the reply under a key, or None; raises `DataError` for a damaged row."""
        return self.get_many([key]).get(key)

    def get_many(self, keys: Sequence[str]) -> dict[str, Reply]:
        """Return the replies there are under these keys; may be called from any thread."""
        found: dict[str, Reply] = {}
        with _translated(self.path):
            for start in range(0, len(keys), _LOOK_UP):
                some = keys[start : start + _LOOK_UP]
                marks = ",".join("?" * len(some))
                rows = self._reader.execute(f"SELECT key, body FROM replies WHERE key IN ({marks})", some)
                for key, body in rows:
                    found[key] = self._decoded(key, body)
        return found

    async def put(
        self, key: str, reply: Reply, *, kind: str, fingerprint: Mapping[str, object], more: bool = False
    ) -> Reply:
        """Store a reply and return, once it is committed, what the ledger holds: the first reply of a key wins.

        `kind` is the ask's, `fingerprint` the model's with its resolved id; both are for people. With `more` on its way
        it may wait `pause_s`. Raises `RunError` when nothing can be written. A cancelled caller takes no row back.
        """
        model = canonical_json(dict(fingerprint))
        body = encode_reply(reply)
        change = partial(_insert, key, kind, digest(dict(fingerprint)), model, body)
        earlier: bytes | None = await self._write(change, more=more)
        # Read back in either case: what is parsed now is what a rerun will parse.
        return self._decoded(key, body if earlier is None else earlier)

    def facts(self, fingerprint: Mapping[str, object]) -> Facts:
        """Return what is known about the model with this fingerprint (as it is before the first call)."""
        with _translated(self.path):
            return _read_facts(self._reader, digest(dict(fingerprint)))

    async def add_facts(self, fingerprint: Mapping[str, object], facts: Facts) -> Facts:
        """Merge facts into what is known and return the sum, once it is committed."""
        merged: Facts = await self._write(partial(_merge_facts, digest(dict(fingerprint)), facts))
        return merged

    def __len__(self) -> int:
        with _translated(self.path):
            count: int = self._reader.execute("SELECT count(*) FROM replies").fetchone()[0]
        return count

    def close(self) -> None:
        """Wait for the last commit and close the file; may be called twice."""
        self._thread.shutdown(wait=True)
        for connection in (self._reader, self._writer):
            if connection is not None:
                connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _decoded(self, key: str, body: bytes) -> Reply:
        try:
            return decode_reply(body)
        except ValueError as error:
            raise DataError(f"{self.path}: the reply {key} is damaged ({error})", hint=_COPY) from error

    async def _write(self, change: Callable[[sqlite3.Connection], T], *, more: bool = False) -> T:
        """Put a change into the open batch, or open one behind the commit that runs now."""
        if self._writer is None:
            raise RunError(f"the ledger {self.path} was opened for reading only")
        write, loop = _Write(change), asyncio.get_running_loop()
        with self._lock:
            batch = self._open
            if batch is None:
                batch = self._open = _Batch()
                batch.done = self._thread.submit(self._commit, batch, self._writer)
            batch.writes.append(write)
            if loop not in batch.told:
                batch.told[loop] = asyncio.wrap_future(batch.done)
        if not more:
            batch.due.set()
        # The batch belongs to everyone who waits for it, so one cancelled waiter must not cancel it.
        await asyncio.shield(batch.told[loop])
        outcome: T = write.outcome
        return outcome

    def _commit(self, batch: _Batch, writer: sqlite3.Connection) -> None:
        """Close a batch, after a pause where all of it has time, and commit it; runs in the writing thread."""
        batch.due.wait(max(0.0, self._committed + self.pause_s - time.monotonic()))
        with self._lock:
            self._open = None
        with _translated(self.path), _transaction(writer):
            for write in batch.writes:
                write.outcome = write.change(writer)
        self._committed = time.monotonic()


class _Codec(threading.local):
    """One compressor and one decompressor per thread: making them costs far more than a reply does."""

    def __init__(self) -> None:
        self.compress = zstandard.ZstdCompressor(level=3, write_checksum=True).compress
        self.decompress = zstandard.ZstdDecompressor().decompress


_CODEC = _Codec()


def encode_reply(reply: Reply) -> bytes:
    """Encode a reply as stored: compressed canonical JSON; infinite log-probabilities become text."""
    body = _REPLY.dump_python(reply)
    for position in body["positions"]:
        position["top"] = [(text, x if math.isfinite(x) else str(x)) for text, x in position["top"]]
    text = canonical_json(body).encode("utf-8", "surrogatepass")  # servers do send broken escapes
    return _CODEC.compress(text)


def decode_reply(body: bytes) -> Reply:
    """Decode what `encode_reply` made; raises ValueError for anything that is not a reply."""
    try:
        text = _CODEC.decompress(body).decode("utf-8", "surrogatepass")
    except zstandard.ZstdError as error:
        raise ValueError(str(error)) from error
    return _REPLY.validate_python(json.loads(text))


def _connect(path: Path, *, read_only: bool, wait_s: float) -> sqlite3.Connection:
    """Connect with explicit transactions and safe settings."""
    uri = f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rwc'}"
    connection = sqlite3.connect(uri, uri=True, timeout=wait_s, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA synchronous = NORMAL")
    return connection


def _prepare(connection: sqlite3.Connection, path: Path, *, read_only: bool) -> None:
    """Make sure that the file is a ledger of this version; an empty file becomes one."""
    if not read_only and not _version(connection, path):
        with _transaction(connection):
            if not _version(connection, path):  # another process may have been first
                for statement in _TABLES:
                    connection.execute(statement)
    version = _version(connection, path)
    if version == 0:
        raise _not_a_ledger(path)
    if version != SCHEMA:
        raise RunError(
            f"the ledger {path} has format {version}, this version reads format {SCHEMA}",
            hint="Upgrade biasscope, or name another ledger with --ledger.",
        )
    if not read_only:
        connection.execute("PRAGMA journal_mode = WAL")


def _version(connection: sqlite3.Connection, path: Path) -> int:
    """Return the format of a ledger, 0 for an empty file; raises `DataError` for any other database."""
    application: int = connection.execute("PRAGMA application_id").fetchone()[0]
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    tables: int = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if application == _APPLICATION:
        return version
    if tables or application or version:
        raise _not_a_ledger(path)
    return 0


def _not_a_ledger(path: Path) -> DataError:
    return DataError(f"{path} is not a ledger", hint="Name another file with --ledger; this one was left alone.")


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Take the write lock at once (waiting for it), commit at the end, undo after an exception."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    """Turn SQLite's exceptions into ours."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            raise RunError(
                f"another process kept the ledger {path} locked", hint="Run the same command again to continue."
            ) from error
        raise RunError(
            f"the ledger {path} cannot be used: {error}",
            hint="Check the path, its permissions and the free space.",
        ) from error
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
            raise _not_a_ledger(path) from error
        raise DataError(f"the ledger {path} is damaged: {error}", hint=_COPY) from error


def _insert(
    key: str, kind: str, model: str, fingerprint: str, body: bytes, connection: sqlite3.Connection
) -> bytes | None:
    """Insert a reply, or return the body of the earlier one under that key."""
    connection.execute("INSERT OR IGNORE INTO models VALUES (?, ?)", (model, fingerprint))
    row = (key, kind, model, time.time(), body)
    if connection.execute("INSERT OR IGNORE INTO replies VALUES (?, ?, ?, ?, ?)", row).rowcount:
        return None
    earlier: bytes = connection.execute("SELECT body FROM replies WHERE key = ?", (key,)).fetchone()[0]
    return earlier


def _read_facts(connection: sqlite3.Connection, model: str) -> Facts:
    row = connection.execute("SELECT body FROM facts WHERE digest = ?", (model,)).fetchone()
    if row is None:
        return Facts()
    body = json.loads(row[0])
    return Facts(body["resolved"], frozenset(body["dropped"]), body["varies"])


def _merge_facts(model: str, facts: Facts, connection: sqlite3.Connection) -> Facts:
    merged = _read_facts(connection, model).merge(facts)
    body = {"resolved": merged.resolved, "dropped": sorted(merged.dropped), "varies": merged.varies}
    connection.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (model, canonical_json(body)))
    return merged
