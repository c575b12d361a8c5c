"""Serving a review: where it listens, by which names it may be called, and the files that it holds. Prints nothing."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from biasscope.errors import BiasscopeError, MissingExtra, UsageError
from biasscope.review.board import Board, Progress
from biasscope.review.desk import Desk
from biasscope.review.links import FOLDER, Links, open_links
from biasscope.rundir.appended import Appender
from biasscope.rundir.files import named_errors
from biasscope.rundir.lock import LOCK, locked
from biasscope.rundir.reviews import ANSWERS, ReviewFiles, read_review

_MOST_CONNECTIONS = 200
_PATIENCE_S = 3
_EVERYWHERE = ("0.0.0.0", "::", "")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a review listens. `url` is the address by which browsers reach it, where that is another one (a proxy's).

    Another host than this machine itself needs `allow_remote`. Port 0 takes a free one.
    """

    host: str = "127.0.0.1"
    port: int = 8322
    url: str | None = None
    allow_remote: bool = False

    def __post_init__(self) -> None:
        """Raise UsageError for a place that is open to others without a word, or that no browser can name."""
        if not _is_loopback(self.host) and not self.allow_remote:
            raise UsageError(
                f"--host {self.host} lets other machines in",
                hint="Add --allow-remote if that is meant, and a proxy with HTTPS before it: links and answers are not encrypted.",
            )
        if self.url is not None:
            parts = urlsplit(self.url)
            if parts.scheme not in ("http", "https") or not parts.hostname or parts.path not in ("", "/"):
                raise UsageError(
                    f"--url {self.url!r} is no address of a server",
                    hint="It looks like https://review.example.org.",
                )
            if parts.username or parts.query or parts.fragment:
                raise UsageError(f"--url {self.url!r} holds more than a server", hint="Name the server alone.")
        elif self.host in _EVERYWHERE:
            raise UsageError(
                f"no browser can open {self.host}",
                hint="Say with --url by which address reviewers reach this machine.",
            )

    def base(self, port: int) -> str:
        """The address before the path of a link."""
        return self.url.rstrip("/") if self.url is not None else f"http://{_bracketed(self.host)}:{port}"

    def hosts(self, port: int) -> set[str]:
        """The names by which browsers may call the server, with their ports as browsers send them."""
        names = {"127.0.0.1", "localhost", "[::1]"} if _is_loopback(self.host) else {_bracketed(self.host)}
        found = {f"{name}:{port}" for name in names} | (names if port == 80 else set())
        if self.url is not None:
            found.add(urlsplit(self.url).netloc.lower())
        return found


@dataclass(frozen=True, slots=True)
class Serving:
    """What is served: the files, everybody's link (the adjudicator's last) and how far they are."""

    files: ReviewFiles
    links: tuple[tuple[str, str, Progress], ...]
    encrypted: bool


def serve(
    run: Path,
    place: Place,
    *,
    reviewers: int | Sequence[str] | None = None,
    renew: bool = False,
    ready: Callable[[Serving], None],
    tell: Callable[[BiasscopeError], None],
) -> None:
    """Serve the review of a run folder until it is interrupted; `ready` is told the links when it listens.

    `tell` hears of each answer that could not be stored; reviewers are told that it is so, and their pages send it again.

    Raises MissingExtra without the extra, RunLocked where it is served already, UsageError for a port that is taken, and
    what `read_review` and `open_links` raise.
    """
    try:
        import uvicorn

        from biasscope.review.app import review_app
    except ImportError as error:
        raise MissingExtra("a review", "review") from error
    read_review(run)
    folder = run / FOLDER
    with named_errors(folder):
        folder.mkdir(mode=0o700, exist_ok=True)
        (folder / LOCK).touch(mode=0o600)
    with locked(folder):
        # Read again: another server may have stored something until its lock ended.
        files = read_review(run)
        links = open_links(run, reviewers, renew=renew)
        with _listening(place) as listener, Appender.open(run / ANSWERS) as journal:
            board = Board(files.items, files.said)
            port = listener.getsockname()[1]
            secure = place.base(port).startswith("https:")
            config = uvicorn.Config(
                review_app(Desk(board, journal), links, place.hosts(port), tell=tell, secure=secure),
                log_config=None,
                access_log=False,  # addresses hold the tokens of links
                lifespan="off",
                ws="none",
                http="h11",
                loop="asyncio",
                proxy_headers=False,
                server_header=False,
                limit_concurrency=_MOST_CONNECTIONS,
                timeout_graceful_shutdown=_PATIENCE_S,
            )
            ready(Serving(files, _addresses(links, place.base(port), board), secure))
            asyncio.run(uvicorn.Server(config).serve(sockets=[listener]))


def _addresses(links: Links, base: str, board: Board) -> tuple[tuple[str, str, Progress], ...]:
    return tuple((name, f"{base}/r/{token}", board.progress(name)) for name, token in links.tokens.items())


def _listening(place: Place) -> socket.socket:
    """A socket that listens; raises UsageError where that cannot be had."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            place.host or None, place.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen(128)
        except OSError:
            listener.close()
            raise
    except OSError as error:
        raise UsageError(
            f"cannot listen at {place.host}, port {place.port}: {error.strerror}",
            hint="Take another port, or --port 0 for a free one.",
        ) from error
    return listener


def _is_loopback(host: str) -> bool:
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
