"""What a run was made of: its settings, versions, seeds and the hashes of its data, as rows of a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from biasscope.config import AnyConfig
from biasscope.rundir import Manifest

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class About:
    """Settings that differ from nothing (dotted names), user's prompts apart, hashes of the data, and the starts.

    `versions` are those of the last start, `starts` when each began and with which version. None of it holds a key or a password: of a URL the host is told.
    """

    settings: Pairs = ()
    prompts: Pairs = ()
    data: Pairs = ()
    versions: Pairs = ()
    starts: Pairs = ()


def about(config: AnyConfig, manifest: Manifest | None) -> About:
    """The rows; without a manifest the settings alone."""
    flat = list(_flat(config.identity.model_dump(mode="json")))
    prompts = tuple(row for row in flat if row[0].endswith("template"))
    settings = tuple(row for row in flat if not row[0].endswith("template"))
    if manifest is None or not manifest.starts:
        return About(settings, prompts)
    last = manifest.starts[-1]
    versions = {
        "biasscope": last.biasscope,
        "Python": last.python,
        "platform": last.platform,
        **last.libraries,
        **({} if last.commit is None else {"commit": last.commit}),
    }
    return About(
        settings,
        prompts,
        tuple(sorted(manifest.data.items())),
        tuple(versions.items()),
        tuple((s.started, s.biasscope) for s in manifest.starts),
    )


def _flat(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        elif isinstance(value, list) and any(isinstance(item, Mapping) for item in value):
            yield from _flat({str(n): item for n, item in enumerate(value, 1)}, f"{prefix}{name}.")
        elif value is not None and value != []:
            yield f"{prefix}{name}", _shown(name, value)


def _shown(name: str, value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(str(item) for item in value)
    # A base URL may carry a password, and a report is passed on.
    return (urlsplit(str(value)).hostname or "not a URL") if name == "url" else str(value)
