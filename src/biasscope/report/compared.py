"""Several judges beside each other, as a part of what ``biasscope measure --json`` prints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict

from biasscope.report.summary import Out
from biasscope.workflows.compare import Comparison


class TransferOut(Out):
    """How far what was accepted on one judge holds on another."""

    source: str
    """Name of the judge on which the biases were accepted."""
    target: str
    """Name of the judge on which they are looked for."""
    accepted: int
    """Biases accepted on the source that both judges have an effect for."""
    held: int
    """How many of them were accepted on the target too."""
    share: float | None
    """`held` of `accepted`, in [0, 1]; null without any."""
    ceiling: float | None
    """The share that equal effects would have shown with this many pairs, in [0, 1]; null without any."""
    ratio: float | None
    """Sum of their effects on the target over that on the source, the latter corrected for having been picked; null
    where that is not above 0."""


class SimilarityOut(Out):
    """How alike the effects of two judges are over biases."""

    judges: tuple[str, str]
    """Names of the two judges."""
    value: float | None
    """Split-half correlation of their effects over biases, in [-1, 1]; null where it cannot be told."""
    low: float | None
    """Lower end of its interval, in [-1, 1]; null where too many resamples leave it undefined."""
    high: float | None
    """Upper end of its interval, in [-1, 1]; null where too many resamples leave it undefined."""
    biases: int
    """Biases that both judges have an effect for."""
    level: float
    """Coverage of the interval, in (0, 1)."""
    reason: str
    """Why a number is missing or weak, in words; may be empty."""


class DifferenceOut(Out):
    """One bias on two judges, pair by pair."""

    bias: str
    """Id of the bias."""
    name: str
    """Its name, for people."""
    judges: tuple[str, str]
    """Names of the two judges."""
    difference: float | None
    """Effect on the second judge less that on the first, pair by pair, a change of preference in fractions; null from
    fewer than two common pairs."""
    low: float | None
    """Lower end of its interval, a fraction; null where nothing differs."""
    high: float | None
    """Upper end of its interval, a fraction; null where nothing differs."""
    p: float | None
    """Two-sided p-value, in [0, 1]."""
    q: float | None
    """The same adjusted over all differences that were looked at (Benjamini-Hochberg), in [0, 1]."""
    n: int
    """Pairs that both judges have the effect on."""
    discovered_on: tuple[str, ...]
    """Those of the two judges on which the bias was discovered: its effect there, and so the difference, is inflated by
    having been picked."""


class ComparisonOut(Out):
    """Several judges on the same pairs, rewrites and biases, by changes of preference (fractions)."""

    transfer: tuple[TransferOut, ...]
    """How far what was accepted on one judge holds on another, for every ordered pair of judges."""
    similarity: tuple[SimilarityOut, ...]
    """How alike the effects of two judges are, for every pair of judges."""
    differences: tuple[DifferenceOut, ...]
    """Bias by bias how two judges differ."""


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
