"""What stands before every page: whose name the server is called by, where a form comes from, and headers of replies."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)

HEADERS = (
    ("content-security-policy", POLICY),
    ("cache-control", "no-store"),
    ("referrer-policy", "no-referrer"),
    ("x-frame-options", "DENY"),
    ("x-content-type-options", "nosniff"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("x-robots-tag", "noindex, nofollow"),
)
"""Headers of every reply. Nothing of another place is loaded, nothing is kept, framed, or told to other sites."""


class Guard:
    """An ASGI app that lets through to another only what is addressed to this server, and by its own pages.

    `hosts` are the names with their ports by which browsers may call it: a page of another site, whose name somebody made
    lead here, calls it by that name. A form must come from a page of the same origin, where the browser says so.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str]) -> None:
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = [(name.encode(), value.encode()) for name, value in HEADERS]
                names = {name for name, _ in own}
                message = message | {"headers": [h for h in message["headers"] if h[0] not in names] + own}
            await send(message)

        refusal = self._refusal(scope)
        if refusal is None:
            await self._app(scope, receive, with_headers)
            return
        status, words = refusal
        body = words.encode()
        headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
        await with_headers({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Why a request is refused, or None."""
        given: dict[bytes, list[str]] = {}
        for name, value in scope["headers"]:
            given.setdefault(name.lower(), []).append(value.decode("latin-1").lower())
        hosts = given.get(b"host", [])
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            return 421, "This review is not served under that name. Use the link that you were sent."
        if scope["method"] in ("GET", "HEAD"):
            return None
        sites = set(given.get(b"sec-fetch-site", []))
        # A form of a page that tells nobody where it was sends "null"; what it came from is told by the other header.
        origins = {origin.partition("://")[2] for origin in given.get(b"origin", []) if origin != "null"}
        if not sites <= {"same-origin"} or not origins <= {hosts[0]}:
            return 403, "This form did not come from a page of this review. Nothing was stored."
        return None
