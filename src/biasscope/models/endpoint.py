"""Where a server is: a base URL, what it is called in keys, gates and messages, and how it is reached.

Never a user name or password: a URL may hold them, and everything else here may be shown.
"""

from __future__ import annotations

import ipaddress
import urllib.request
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from biasscope.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server of models.

    `base` is the base URL, `address` scheme, host and port (what calls compete for), `host` the host alone
    (its name in keys), `shown` what people read, `local` whether it is this machine.
    """

    base: str = field(repr=False)
    address: str
    host: str
    shown: str
    local: bool


def read_url(url: str) -> Endpoint:
    """Read a base URL, also one that was pasted with ``/chat/completions``; raises `ConfigError`."""
    base = url.strip().rstrip("/").removesuffix("/chat/completions")
    try:
        parts = urlsplit(base)
        host = parts.hostname or ""
        host.encode("idna")
        port = parts.port or {"https": 443, "http": 80}[parts.scheme]
    except (ValueError, KeyError):
        host = ""
    if not host:
        raise ConfigError(
            f"{base.rpartition('@')[2]!r} is not a URL", hint="A base URL looks like http://localhost:8000/v1."
        )
    local = _is_local(host)
    site = f"{parts.scheme}://" + (f"[{host}]" if ":" in host else host)
    shown = site + (f":{parts.port}" if parts.port else "") + parts.path
    if not local and (proxy := _proxy(parts.scheme, host)):
        shown += f" (through the proxy {proxy})"
    return Endpoint(base, f"{site}:{port}", host, shown, local)


def _is_local(host: str) -> bool:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
    return address.is_loopback or address.is_unspecified


def _proxy(scheme: str, host: str) -> str:
    """Name the proxy (host and port) that the environment puts before a host; empty where there is none."""
    proxies = urllib.request.getproxies()
    proxy = proxies.get(scheme) or proxies.get("all") or ""
    return "" if urllib.request.proxy_bypass(host) else proxy.rpartition("@")[2].rpartition("//")[2].strip("/")
