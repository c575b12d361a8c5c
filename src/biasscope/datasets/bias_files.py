"""Biases that a user adds: a TOML file of sentences or cues, or a Python file with entries of its own.

What a file promises is checked where it is read, so that a trial is never spent on a bias that cannot show.
"""

from __future__ import annotations

import re
import runpy
import tomllib
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from biasscope.catalogue.base import CatalogueEntry, Detector, Sign
from biasscope.catalogue.edits import pattern_detector, sentence_rule
from biasscope.errors import DataError
from biasscope.records import Bias

FEWEST_PHRASINGS = 6
"""One wording is not the trait: two sentences that say nothing can move a judge as far apart as a bias does."""
SUFFIXES = (".toml", ".py")
HINT = "docs/adding-a-bias.md shows a whole file."


class _Entry(BaseModel):
    """One table ``[[bias]]``."""

    model_config = ConfigDict(extra="forbid")

    id: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    name: str = Field(min_length=1)
    definition: str = Field(min_length=1)
    source: str = "declared by the user"
    sign: Sign = "open"
    biased: tuple[str, ...] = ()
    neutral: tuple[str, ...] = ()
    detector: tuple[str, ...] = ()
    cues: tuple[str, ...] = ()
    neutral_cues: tuple[str, ...] = ()


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    bias: tuple[_Entry, ...] = Field(min_length=1)


def read_bias_file(path: Path) -> tuple[CatalogueEntry, ...]:
    """The entries of a TOML file (tables ``[[bias]]``) or of a Python file (`ENTRIES`, or one `ENTRY`).

    A Python file is run. Raises DataError naming the file, the bias and what is wrong with it.
    """
    entries = _from_python(path) if path.suffix == ".py" else _from_toml(path)
    ids = [known.bias.id for known in entries]
    for twice in sorted({i for i in ids if ids.count(i) > 1}):
        raise DataError(f"{path.name} holds the bias {twice} more than once", hint="Give each an id of its own.")
    for known in entries:
        _check(known, path)
    return entries


def _from_toml(path: Path) -> tuple[CatalogueEntry, ...]:
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DataError(f"{path.name} is no TOML: {error}", hint=HINT) from None
    try:
        return tuple(_entry(given, path) for given in _File.model_validate(values).bias)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise DataError(f"{path.name}, {where}: {first['msg']}", hint=HINT) from None


def _entry(given: _Entry, path: Path) -> CatalogueEntry:
    is_cue = bool(given.cues or given.neutral_cues)
    bias = Bias(given.id, given.name, given.definition, "catalogue", "cue" if is_cue else "pull")
    if is_cue:
        if given.biased or given.neutral or given.detector:
            raise DataError(f"{path.name}, {given.id}: cues are shown, and sentences written; give one of them")
        return CatalogueEntry(
            bias, given.source, given.sign, len(given.cues), cues=given.cues, neutral_cues=given.neutral_cues
        )
    return CatalogueEntry(
        bias,
        given.source,
        given.sign,
        len(given.biased),
        sentence_rule(given.biased) if given.biased else None,
        sentence_rule(given.neutral) if given.neutral else None,
        detector=_detector(given, path),
    )


def _detector(given: _Entry, path: Path) -> Detector:
    """The patterns of the file; without any the sentences themselves."""
    try:
        return pattern_detector(*(given.detector or (re.escape(sentence) for sentence in given.biased)))
    except re.error as error:
        raise DataError(f"{path.name}, {given.id}: a pattern of detector is none: {error}", hint=HINT) from None


def _from_python(path: Path) -> tuple[CatalogueEntry, ...]:
    try:
        names: dict[str, Any] = runpy.run_path(str(path))
    except (Exception, SystemExit) as error:
        raise DataError(f"{path.name} cannot be run: {type(error).__name__}: {error}", hint=HINT) from error
    found = names.get("ENTRIES", names.get("ENTRY"))
    entries = (found,) if isinstance(found, CatalogueEntry) else found
    if not isinstance(entries, tuple | list) or not entries:
        raise DataError(f"{path.name} defines no ENTRIES", hint=HINT)
    if strange := next((e for e in entries if not isinstance(e, CatalogueEntry)), None):
        raise DataError(f"{path.name}: ENTRIES holds a {type(strange).__name__}, no CatalogueEntry", hint=HINT)
    return tuple(entries)


def _check(known: CatalogueEntry, path: Path) -> None:
    """Refuse an entry that could not be measured: too few phrasings, unequal ones, a detector that does not tell."""
    where = f"{path.name}, {known.bias.id}"
    if known.sign not in get_args(Sign):
        raise DataError(f"{where}: sign is {known.sign!r}", hint=f"It is one of {', '.join(get_args(Sign))}.")
    if not known.by_rule:
        raise DataError(f"{where} has nothing to write and nothing to show", hint=HINT)
    if known.phrasings < FEWEST_PHRASINGS:
        raise DataError(
            f"{where} has {known.phrasings} phrasings, and {FEWEST_PHRASINGS} are needed",
            hint="With few wordings a judge's liking for one of them passes for the bias.",
        )
    trait, plain = _phrasings(known)
    for name, texts in (("biased", trait), ("neutral", plain)):
        if len(set(texts)) < known.phrasings or not all(text.strip() for text in texts):
            raise DataError(f"{where}: of {known.phrasings} {name} phrasings {len(set(texts))} differ", hint=HINT)
    if same := set(trait) & set(plain):
        raise DataError(f"{where}: {sorted(same)[0]!r} is both biased and neutral", hint=HINT)
    if known.detector is None:
        return
    unseen = next((text for text in trait if not known.detector(text)), None)
    leaked = next((text for text in plain if known.detector(text)), None)
    if unseen is not None:
        raise DataError(f"{where}: the detector does not see the trait in {unseen[:80]!r}", hint=HINT)
    if leaked is not None:
        raise DataError(f"{where}: the detector sees the trait in the neutral {leaked[:80]!r}", hint=HINT)


_BODY = "The first part comes first. The second part comes after it, and it is longer."


def _phrasings(known: CatalogueEntry) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Every phrasing of the trait and of its neutral, as cues or as rewrites of a short text."""
    if known.cues or known.neutral_cues:
        return known.cues, known.neutral_cues
    rules = known.rules("What comes first?")
    if rules is None:
        return (), ()
    trait, plain = (tuple(rule(_BODY, k) for k in range(known.phrasings)) for rule in rules)
    return trait, plain
