"""Which biases a measurement tries: names of the catalogue, files of biases, folders of discoveries. Judges nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Protocol

from biasscope.catalogue.base import CatalogueEntry
from biasscope.catalogue.known import Catalogue, built_in, seed_library
from biasscope.config import ModelSpec, RunConfig
from biasscope.datasets import SuppliedRewrite, load_library
from biasscope.datasets.bias_files import SUFFIXES, read_bias_file
from biasscope.errors import DataError, UsageError
from biasscope.records import HABITS, Bias
from biasscope.rundir import RunDir
from biasscope.rundir.files import read_records
from biasscope.steps.supplied import supplied_biases

GROUPS = ("seeds", "catalogue")
"""Names for several biases at once, beside those of families."""


@dataclass(frozen=True, slots=True)
class KnownBiases:
    """The biases to be tried, the formats (how a judge is asked) to be varied, by id the specs of the judges on which one was discovered, and what rules write them."""

    biases: tuple[Bias, ...]
    formats: tuple[Bias, ...]
    discovered_on: dict[str, tuple[str, ...]]
    catalogue: Catalogue

    def discovered(self, judge: str) -> frozenset[str]:
        """The ids of what was discovered on a judge."""
        return frozenset(i for i, judges in self.discovered_on.items() if judge in judges)


class NamesBiases(Protocol):
    """A configuration that names biases, and a teacher that can write those that no rule writes."""

    @property
    def biases(self) -> tuple[str, ...]: ...  # noqa: D102 - described by the class
    @property
    def teacher(self) -> ModelSpec | None: ...  # noqa: D102 - the same


def known_biases(identity: NamesBiases, rows: Sequence[SuppliedRewrite] = ()) -> KnownBiases:
    """Find what `identity.biases` names; without names the traits of the seed library that can be written.

    Two biases with one id and different definitions are both kept, the second as ``ID-2``. Raises UsageError or
    DataError for a name that is neither a bias nor a path, for what cannot be read, and for what nobody can write.
    """
    supplied = {b.id: b for b in supplied_biases(rows)}
    files = {n: read_bias_file(Path(n)) for n in identity.biases if is_bias_file(n)}
    catalogue = _including(files)
    if not identity.biases:
        seeds = [b for b in seed_library().biases if b.estimand == "pull" and _writable(b, identity, catalogue)]
        return KnownBiases(tuple(supplied.values() if rows else seeds), (), {}, catalogue)
    biases: list[Bias] = []
    on: dict[str, tuple[str, ...]] = {}
    for name in identity.biases:
        judge, named = _named(name, supplied, catalogue, files)
        for bias in named:
            kept = _add(biases, bias)
            if judge is not None:
                on[kept] = tuple(dict.fromkeys((*on.get(kept, ()), judge)))
    wanted = [b for b in biases if b.estimand not in HABITS]
    unwritable = [b for b in wanted if not (b.id in supplied if rows else _writable(b, identity, catalogue))]
    if unwritable:
        raise UsageError(_cannot(unwritable, rows=bool(rows)), hint=_remedy(unwritable, rows=bool(rows)))
    formats = tuple(b for b in biases if b.estimand == "format")
    return KnownBiases(tuple(wanted), formats, on, catalogue)


def is_bias_file(name: str) -> bool:
    """Whether a name is that of a file that defines biases with their rules or cues."""
    return Path(name).suffix in SUFFIXES and Path(name).is_file()


def catalogue_with(names: Sequence[str]) -> Catalogue:
    """The catalogue with what the files of biases among these names define; a file that is gone is passed over."""
    return _including({n: read_bias_file(Path(n)) for n in names if is_bias_file(n)})


def _including(files: Mapping[str, Sequence[CatalogueEntry]]) -> Catalogue:
    """The catalogue with the entries of a user's files."""
    catalogue = built_in()
    for name, entries in files.items():
        known = next((e.bias.id for e in entries if catalogue.get(e.bias.id) is not None), None)
        if known is not None:
            raise DataError(f"{name} holds {known}, which is known already", hint="Give it another id.")
        catalogue = catalogue.including(entries)
    return catalogue


def _writable(bias: Bias, identity: NamesBiases, catalogue: Catalogue) -> bool:
    known = catalogue.get(bias.id)
    by_rule = known is not None and known.by_rule
    # A cue is shown, not written: a teacher has nothing to do with it.
    return by_rule or (bias.estimand == "pull" and identity.teacher is not None)


def _cannot(biases: Sequence[Bias], *, rows: bool) -> str:
    names = ", ".join(b.id for b in biases)
    return f"no rewrites were supplied for {names}" if rows else f"there is nobody to write {names}"


def _remedy(biases: Sequence[Bias], *, rows: bool) -> str:
    if rows:
        return "The column trait of the file names what it holds."
    if any(b.estimand == "cue" for b in biases):
        return "A cue needs its facts: a TOML file with cues and neutral_cues, see docs/adding-a-bias.md."
    return "Name a --teacher. `biasscope catalogue` lists what rules write."


def _named(
    name: str, supplied: dict[str, Bias], catalogue: Catalogue, files: Mapping[str, Sequence[CatalogueEntry]]
) -> tuple[str | None, list[Bias]]:
    """The biases under a name, and the judge on which they were discovered, if they were."""
    if name in supplied:
        return None, [supplied[name]]
    if (known := catalogue.get(name)) is not None:
        return None, [known.bias]
    if group := _group(name, catalogue):
        return None, group
    path = Path(name)
    if path.is_dir():
        return _discovered(path)
    if name in files:
        return None, [e.bias for e in files[name]]
    if path.is_file():
        read = read_records(path, Bias) if path.suffix == ".jsonl" else list(load_library(name).library.biases)
        return None, [b for b in read if b.estimand == "pull"]
    names = [*supplied, *(b.id for b in catalogue.biases), *(n for n, _ in catalogue.families), *GROUPS]
    close = get_close_matches(name, names, n=1)
    meant = f"did you mean {close[0]}? " if close else ""
    listed = f"Supplied: {', '.join(supplied)}." if supplied else "`biasscope catalogue` lists what is known."
    raise UsageError(f"{name!r} is no known bias, and there is no such file or folder", hint=meant + listed)


def _group(name: str, catalogue: Catalogue) -> list[Bias]:
    """The biases of a group: the seed library, everything known, or a family; none for any other name."""
    if name == "seeds":
        return list(seed_library().biases)
    if name == "catalogue":
        return list(catalogue.biases)
    return [e.bias for e in catalogue.family(name)]


def _discovered(path: Path) -> tuple[str, list[Bias]]:
    folder = RunDir.read(path)
    if not isinstance(folder.config, RunConfig) or not (path / "library.jsonl").exists():
        raise DataError(
            f"{path} holds no library of a discovery", hint="Name the folder of a finished biasscope discover."
        )
    found = [b for b in folder.read_records("library", Bias) if b.origin == "discovered"]
    if not found:
        raise DataError(
            f"no bias was discovered in {path}", hint="Leave it out, or name seed biases by their ids."
        )
    return folder.config.identity.judge.spec, found


def _add(biases: list[Bias], bias: Bias) -> str:
    """Add a bias under an id of its own, and return that id; the same bias again is not added."""
    unique, number = bias.id, 1
    while (same := next((b for b in biases if b.id == unique), None)) is not None:
        if (same.name, same.definition) == (bias.name, bias.definition):
            return unique
        number += 1
        unique = f"{bias.id}-{number}"
    biases.append(replace(bias, id=unique))
    return unique
