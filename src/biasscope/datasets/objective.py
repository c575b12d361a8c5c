"""The spec ``objective:N?seed=S&domains=a,b``: pairs that are made, with a provable right and wrong answer.

Parses the words and hands them to `biasscope.objective`; makes nothing itself.
"""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Iterator

from biasscope import objective
from biasscope.errors import DataError
from biasscope.records import PreferencePair

PREFIX = "objective:"

_HINT = "Write objective:N, objective:N?seed=S or objective:N?seed=S&domains=a,b."
_OPTIONS = ("seed", "domains")


def parse(spec: str) -> tuple[int, int, tuple[str, ...]]:
    """Read (count, seed, domains) from a spec; no domains means all. Raises DataError for anything else."""
    count, _, query = spec.removeprefix(PREFIX).partition("?")
    options: dict[str, str] = {}
    for item in filter(None, query.split("&")):
        name, _, value = item.partition("=")
        if name not in _OPTIONS:
            near = difflib.get_close_matches(name, _OPTIONS, n=1)
            raise DataError(
                f"{spec}: unknown option {name!r}", hint=f"Did you mean {near[0]}?" if near else _HINT
            )
        if name in options:
            raise DataError(f"{spec}: {name} is given twice", hint=_HINT)
        options[name] = value
    domains = tuple(filter(None, (word.strip() for word in options.get("domains", "").split(","))))
    return (
        _number(spec, "the number of pairs", count, 1),
        _number(spec, "seed", options.get("seed", "0"), 0),
        domains,
    )


def generate(spec: str) -> tuple[Iterator[PreferencePair], str]:
    """Give the pairs of a spec and the hash of what was asked for, the same for every way to write it."""
    count, seed, domains = parse(spec)
    canonical = f"{PREFIX}{count}?seed={seed}&domains={','.join(sorted(set(domains)))}"
    try:
        pairs = objective.generate(count, seed=seed, domains=domains or None)
    except ValueError as error:
        raise DataError(f"{spec}: {error}", hint=_HINT) from error
    return pairs, hashlib.sha256(canonical.encode()).hexdigest()


def _number(spec: str, name: str, word: str, least: int) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 19) or int(word) < least:
        raise DataError(f"{spec}: {name} must be a whole number of at least {least}, got {word!r}", hint=_HINT)
    return int(word)
