"""Which biases a measurement tries: ids of the seed library, files of biases, folders of discoveries. Reads, judges nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path

from biasscope.catalogue.seed import SEEDS, entry, seed_library
from biasscope.config import MeasureIdentity, RunConfig
from biasscope.datasets import SuppliedRewrite, load_library
from biasscope.errors import DataError, UsageError
from biasscope.records import Bias
from biasscope.rundir import RunDir
from biasscope.rundir.files import read_records
from biasscope.steps.supplied import supplied_biases


@dataclass(frozen=True, slots=True)
class KnownBiases:
    """The biases to be tried, and by id the specs of the judges on which one was discovered."""

    biases: tuple[Bias, ...]
    discovered_on: dict[str, tuple[str, ...]]

    def discovered(self, judge: str) -> frozenset[str]:
        """The ids of what was discovered on a judge."""
        return frozenset(i for i, judges in self.discovered_on.items() if judge in judges)


def known_biases(identity: MeasureIdentity, rows: Sequence[SuppliedRewrite] = ()) -> KnownBiases:
    """Find what `identity.biases` names; without names everything that can be written.

    Two biases with one id and different definitions are both kept, the second as ``ID-2``. Raises UsageError or
    DataError for a name that is neither a bias nor a path, for what cannot be read, and for what nobody can write.
    """
    supplied = {b.id: b for b in supplied_biases(rows)}
    if not identity.biases:
        found = list(supplied.values()) if rows else [k.bias for k in SEEDS if _writable(k.bias, identity)]
        return KnownBiases(tuple(found), {})
    biases: list[Bias] = []
    on: dict[str, tuple[str, ...]] = {}
    for name in identity.biases:
        judge, named = _named(name, supplied)
        for bias in named:
            kept = _add(biases, bias)
            if judge is not None:
                on[kept] = tuple(dict.fromkeys((*on.get(kept, ()), judge)))
    wanted = [b for b in biases if b.estimand != "slot"]
    unwritable = [b for b in wanted if not (b.id in supplied if rows else _writable(b, identity))]
    if unwritable:
        raise UsageError(_cannot(unwritable, rows=bool(rows)), hint=_remedy(unwritable, rows=bool(rows)))
    return KnownBiases(tuple(wanted), on)


def _writable(bias: Bias, identity: MeasureIdentity) -> bool:
    known = entry(bias.id)
    return bias.estimand == "pull" and (identity.teacher is not None or (known is not None and known.by_rule))


def _cannot(biases: Sequence[Bias], *, rows: bool) -> str:
    names = ", ".join(b.id for b in biases)
    return f"no rewrites were supplied for {names}" if rows else f"there is nobody to write {names}"


def _remedy(biases: Sequence[Bias], *, rows: bool) -> str:
    if rows:
        return "The column trait of the file names what it holds."
    if any(b.estimand == "cue" for b in biases):
        return "A cue is a fact shown beside a response, which is not measured yet; leave it out."
    ruled = ", ".join(k.bias.id for k in SEEDS if k.by_rule)
    return f"Name a --teacher. Rules write {ruled}."


def _named(name: str, supplied: dict[str, Bias]) -> tuple[str | None, list[Bias]]:
    """The biases under a name, and the judge on which they were discovered, if they were."""
    if name in supplied:
        return None, [supplied[name]]
    if name in seed_library():
        return None, [seed_library().get(name)]
    path = Path(name)
    if path.is_dir():
        return _discovered(path)
    if path.is_file():
        read = read_records(path, Bias) if path.suffix == ".jsonl" else list(load_library(name).library.biases)
        return None, [b for b in read if b.estimand == "pull"]
    close = get_close_matches(name, [b.id for b in seed_library().biases] + list(supplied), n=1)
    meant = f"did you mean {close[0]}? " if close else ""
    raise UsageError(
        f"{name!r} is no known bias, and there is no such file or folder",
        hint=f"{meant}Known: {', '.join(supplied or [b.id for b in seed_library().biases])}.",
    )


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
