"""Load pairs, rewrites or biases from a spec, with a full account of what was not kept.

The rules stand in the package's docstring. Nothing here knows a format or a container.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from biasscope.datasets import objective, rewrites
from biasscope.datasets.base import Holds, Reading
from biasscope.datasets.fields import First, content_id, response_fault, unwritable
from biasscope.datasets.intake import Intake, Skip
from biasscope.datasets.rewrites import SuppliedRewrite
from biasscope.datasets.sources import Opened, open_source
from biasscope.datasets.twins import contradictions, twins
from biasscope.errors import DataError
from biasscope.records import Bias, BiasLibrary, PreferencePair

_FUNCTIONS: dict[Holds, str] = {"pairs": "load", "rewrites": "load_rewrites", "biases": "load_library"}


@dataclass(frozen=True, slots=True)
class Account:
    """What was read and what became of it.

    `read` counts rows, `skipped` what was not kept and why, `notes` what was kept but should be known.
    `sha256` is of the file's bytes, of the rows for a hub path, and of the spec for ``objective:``.
    """

    format: str
    read: int
    skipped: tuple[Skip, ...]
    notes: tuple[str, ...]
    sha256: str


@dataclass(frozen=True, slots=True)
class Loaded(Account):
    """Preference pairs from one source.

    `listed` counts the pairs whose chosen response the file lists first, and second; None where the columns
    name the roles, so that a position means nothing.
    """

    pairs: tuple[PreferencePair, ...]
    listed: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class LoadedRewrites(Account):
    """Rewrites that were supplied in a file."""

    rewrites: tuple[SuppliedRewrite, ...]


@dataclass(frozen=True, slots=True)
class LoadedLibrary(Account):
    """The biases of a seed library."""

    library: BiasLibrary


def load(spec: str, *, limit: int | None = None) -> Loaded:
    """Load preference pairs from ``FORMAT:PATH``, ``PATH``, ``hf://datasets/...`` or ``objective:N?seed=S``.

    `limit` keeps the first so many pairs and stops reading there. Raises DataError where the source cannot be
    understood or holds something other than pairs, ValueError for a limit below 1.
    """
    if spec.startswith(objective.PREFIX):
        pairs, sha256 = objective.generate(spec)
        made = ((f"pair {number}", Reading(pair)) for number, pair in enumerate(pairs, start=1))
        loaded = _take(Intake(), made, "objective", sha256, limit)
        return replace(loaded, read=len(loaded.pairs) + sum(skip.count for skip in loaded.skipped))
    return pairs_of(_opened(spec, "pairs"), limit=limit)


def load_rewrites(spec: str, *, limit: int | None = None) -> LoadedRewrites:
    """Load rewrites that somebody supplied; `limit` and errors as for `load`."""
    return rewrites_of(_opened(spec, "rewrites"), limit=limit)


def load_library(spec: str) -> LoadedLibrary:
    """Load a seed library of biases; errors as for `load`, and DataError for two biases that share an id."""
    return library_of(_opened(spec, "biases"))


def pairs_of(opened: Opened, *, limit: int | None = None) -> Loaded:
    """Take the pairs of an opened source."""
    intake = Intake()
    records: Iterator[tuple[str, Reading]] = intake.records(opened.rows, opened.fit.read)
    return _take(intake, records, opened.format.name, opened.sha256, limit)


def rewrites_of(opened: Opened, *, limit: int | None = None) -> LoadedRewrites:
    """Take the rewrites of an opened source; equal ones (pair, prompt, texts and trait) are duplicates."""
    _check_limit(limit)
    intake = Intake()
    kept: list[SuppliedRewrite] = []
    records: Iterator[tuple[str, SuppliedRewrite]] = intake.records(opened.rows, opened.fit.read)
    for place, rewrite in records:
        prompt = tuple(message.content for message in rewrite.prompt)
        texts = (rewrite.pair_id, *prompt, rewrite.original, rewrite.rewritten, rewrite.trait)
        reason = rewrites.fault(rewrite) or unwritable(texts)
        if reason:
            intake.skip(reason, place)
        elif intake.admit(content_id(*texts), texts, place):
            kept.append(rewrite)
        if len(kept) == limit:
            break
    notes = _limit_note(len(kept), limit)
    return LoadedRewrites(opened.format.name, intake.read, intake.skipped, notes, opened.sha256, tuple(kept))


def library_of(opened: Opened) -> LoadedLibrary:
    """Take the biases of an opened source."""
    intake = Intake()
    library = BiasLibrary()
    records: Iterator[tuple[str, Bias]] = intake.records(opened.rows, opened.fit.read)
    for place, bias in records:
        name = intake.admit(bias.id, (bias.name, bias.definition), place)
        if name and name != bias.id:
            raise DataError(
                f"{opened.path}, {place}: a second bias with the id {bias.id!r}", hint="Give it another name."
            )
        if name:
            library = library.add(bias)
    return LoadedLibrary(opened.format.name, intake.read, intake.skipped, (), opened.sha256, library)


def _opened(spec: str, holds: Holds) -> Opened:
    opened = open_source(spec)
    found = opened.format.holds
    if found != holds:
        raise DataError(
            f"{opened.path} holds {found}, not {holds} (format {opened.format.name})",
            hint=f"Such a file is read by {_FUNCTIONS[found]}.",
        )
    return opened


def _take(
    intake: Intake, records: Iterable[tuple[str, Reading]], name: str, sha256: str, limit: int | None
) -> Loaded:
    _check_limit(limit)
    kept: list[PreferencePair] = []
    listed: Counter[First | None] = Counter()
    for place, reading in records:
        pair = reading.pair
        texts = (*(message.content for message in pair.prompt), pair.chosen, pair.rejected)
        reason = response_fault(pair.chosen, pair.rejected) or unwritable(texts)
        unique = None if reason else intake.admit(pair.id, texts, place)
        if reason:
            intake.skip(reason, place)
        elif unique:
            kept.append(pair if unique == pair.id else replace(pair, id=unique))
            listed[reading.listed] += 1
        if len(kept) == limit:
            break
    positions = (listed["first"], listed["second"])
    notes = (*_notes(kept, intake.renamed), *_limit_note(len(kept), limit))
    return Loaded(
        name, intake.read, intake.skipped, notes, sha256, tuple(kept), positions if any(positions) else None
    )


def _notes(pairs: list[PreferencePair], renamed: int) -> tuple[str, ...]:
    shared = twins(pairs)
    disputed = contradictions(pairs)
    unlabelled = sum(not pair.labelled for pair in pairs)
    found = {
        f"kept as ID#2, since other texts had taken the id: {renamed}": renamed,
        f"questions that occur in more than one pair: {shared.questions} (in {shared.pairs} pairs)": shared.questions,
        f"pairs of responses labelled both ways round: {disputed}": disputed,
        f"unlabelled pairs, whose roles are drawn by seed: {unlabelled}": unlabelled,
    }
    return tuple(note for note, count in found.items() if count)


def _check_limit(limit: int | None) -> None:
    if limit is not None and limit < 1:
        raise ValueError(f"limit must be at least 1, got {limit}")


def _limit_note(kept: int, limit: int | None) -> tuple[str, ...]:
    return (f"stopped at the limit of {limit}",) if kept == limit else ()
