"""Several judges beside each other, as a part of what ``biasscope measure --json`` prints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict

from biasscope.report.summary import Out
from biasscope.workflows.compare import Comparison


class TransferOut(Out):
    """How far what was accepted on `source` holds on `target`; `ceiling` is the share that equal effects would show."""

    source: str
    target: str
    accepted: int
    held: int
    share: float | None
    ceiling: float | None
    ratio: float | None


class SimilarityOut(Out):
    """Split-half correlation of the effects of two judges over biases; null where it cannot be told, with the reason."""

    judges: tuple[str, str]
    value: float | None
    low: float | None
    high: float | None
    biases: int
    level: float
    reason: str


class DifferenceOut(Out):
    """One bias on two judges, pair by pair: effect on the second less that on the first, in fractions.

    `discovered_on` names the judge, if it is one of the two, on which the bias was discovered: its effect there is
    inflated by having been picked, and so is the difference.
    """

    bias: str
    name: str
    judges: tuple[str, str]
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    q: float | None
    n: int
    discovered_on: tuple[str, ...]


class ComparisonOut(Out):
    """Several judges on the same pairs, rewrites and biases, by changes of preference (fractions)."""

    transfer: tuple[TransferOut, ...]
    similarity: tuple[SimilarityOut, ...]
    differences: tuple[DifferenceOut, ...]


def comparison_out(
    found: Comparison, names: Sequence[str], titles: Mapping[str, str], discovered: Sequence[Iterable[str]]
) -> ComparisonOut:
    """A comparison as output: `names` of the judges, `titles` of biases by id, and what was discovered on each judge."""
    here = [frozenset(d) for d in discovered]
    return ComparisonOut(
        transfer=tuple(
            TransferOut(source=names[j], target=names[k], **asdict(t)) for (j, k), t in found.transfer.items()
        ),
        similarity=tuple(
            SimilarityOut(judges=(names[j], names[k]), **asdict(s)) for (j, k), s in found.similarity.items()
        ),
        differences=tuple(
            DifferenceOut(
                bias=bias,
                name=titles[bias],
                judges=(names[j], names[k]),
                difference=d.value,
                low=d.low,
                high=d.high,
                p=d.p,
                q=d.q,
                n=d.n,
                discovered_on=tuple(names[i] for i in (j, k) if bias in here[i]),
            )
            for (bias, j, k), d in found.differences.items()
        ),
    )
