"""What is in a data source, as a value: counts, lengths, twins, balance. Knows no format and prints nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace

from biasscope.datasets import objective
from biasscope.datasets.base import Holds
from biasscope.datasets.intake import Skip
from biasscope.datasets.loading import Account, Loaded, LoadedRewrites, library_of, load, pairs_of, rewrites_of
from biasscope.datasets.sources import open_source
from biasscope.datasets.twins import Twins, twins

Counts = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Lengths:
    """Lengths of texts in characters: least, tenth percentile, median, ninetieth percentile, greatest."""

    least: int
    p10: int
    median: int
    p90: int
    greatest: int


@dataclass(frozen=True, slots=True)
class DataReport:
    """What a source holds.

    `records` counts what was kept: pairs, rewrites or biases, as `holds` says. `groups` counts them by domain
    (pairs), trait (rewrites) or name (biases). `listed` are the pairs whose chosen response the file lists
    first, and second; `longer` the pairs whose chosen response is the longer one. Both are None where they
    mean nothing.
    """

    spec: str
    format: str
    holds: Holds
    sha256: str
    read: int
    records: int
    skipped: tuple[Skip, ...]
    groups: Counts
    lengths: tuple[tuple[str, Lengths], ...]
    notes: tuple[str, ...]
    labelled: int | None = None
    objective: int | None = None
    twins: Twins | None = None
    listed: tuple[int, int] | None = None
    longer: int | None = None

    def to_json(self) -> dict[str, object]:
        """Give the report as plain values for JSON."""
        return asdict(self) | {
            "groups": dict(self.groups),
            "lengths": {what: asdict(lengths) for what, lengths in self.lengths},
            "skipped": [{"reason": s.reason, "count": s.count, "places": list(s.places)} for s in self.skipped],
            "notes": list(self.notes),
            "listed": None if self.listed is None else {"first": self.listed[0], "second": self.listed[1]},
        }


def check(spec: str) -> DataReport:
    """Read a whole source and report what it holds; errors as for `load`.

    Files of rewrites and seed libraries are reported as what they are.
    """
    if spec.startswith(objective.PREFIX):
        return _on_pairs(spec, load(spec))
    opened = open_source(spec)
    match opened.format.holds:
        case "pairs":
            return _on_pairs(spec, pairs_of(opened))
        case "rewrites":
            return _on_rewrites(spec, rewrites_of(opened))
        case "biases":
            loaded = library_of(opened)
            biases = loaded.library.biases
            groups = tuple((bias.name, 1) for bias in biases)
            texts = {"definition": [bias.definition for bias in biases]}
            return _report(spec, "biases", loaded, len(biases), groups, texts)


def _on_pairs(spec: str, loaded: Loaded) -> DataReport:
    pairs = loaded.pairs
    labelled = [pair for pair in pairs if pair.labelled]
    texts = {
        "prompt": [pair.question for pair in pairs],
        "chosen": [pair.chosen for pair in pairs],
        "rejected": [pair.rejected for pair in pairs],
    }
    report = _report(spec, "pairs", loaded, len(pairs), _counted(pair.domain for pair in pairs), texts)
    return replace(
        report,
        labelled=len(labelled),
        objective=sum(pair.objective for pair in pairs),
        twins=twins(pairs),
        listed=loaded.listed,
        longer=sum(len(pair.chosen) > len(pair.rejected) for pair in labelled) if labelled else None,
    )


def _on_rewrites(spec: str, loaded: LoadedRewrites) -> DataReport:
    kept = loaded.rewrites
    texts = {
        "original": [rewrite.original for rewrite in kept],
        "rewritten": [rewrite.rewritten for rewrite in kept],
    }
    return _report(spec, "rewrites", loaded, len(kept), _counted(rewrite.trait for rewrite in kept), texts)


def _report(
    spec: str, holds: Holds, account: Account, records: int, groups: Counts, texts: dict[str, list[str]]
) -> DataReport:
    return DataReport(
        spec=spec,
        format=account.format,
        holds=holds,
        sha256=account.sha256,
        read=account.read,
        records=records,
        skipped=account.skipped,
        groups=groups,
        lengths=tuple((what, measure_lengths(kept)) for what, kept in texts.items() if kept),
        notes=account.notes,
    )


def measure_lengths(texts: Sequence[str]) -> Lengths:
    """Measure texts in characters; percentiles are nearest ranks, so each is the length of one of the texts.

    Raises ValueError without a text.
    """
    if not texts:
        raise ValueError("there is no text to measure")
    lengths = sorted(len(words) for words in texts)
    rank = [lengths[max(0, -(-percent * len(lengths) // 100) - 1)] for percent in (0, 10, 50, 90, 100)]
    return Lengths(*rank)


def _counted(names: Iterable[str]) -> Counts:
    return tuple(Counter(names).most_common())
