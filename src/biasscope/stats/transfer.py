"""Do biases carry over from one judge to another? Transfer with its power ceiling, similarity, paired differences. Pure.

Judges that are compared were measured on the same items and rewrites with the same biases. Effects are of one scale. Knows
no judge by name; arrays run over biases, or over biases and items with NaN where an item has no effect.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special

from biasscope import seeds
from biasscope.stats import multiple
from biasscope.stats.estimates import Array, estimate
from biasscope.stats.normal import upper_quantile
from biasscope.stats.paired import sign_flip_p_of
from biasscope.stats.reading import by_cluster, clustered_se

FEWEST_BIASES = 5
"""Fewest biases from which a similarity of judges is told at all."""
GOOD_BIASES = 15
"""From so many on its standard deviation is about .16 or less."""
RESAMPLES = 2000
UNDEFINED = 0.2
"""Largest share of resamples in which a similarity may be undefined before no interval is given."""


@dataclass(frozen=True, slots=True)
class Screened:
    """The biases on one judge: effects, standard errors (0 or NaN where unknown), and which were accepted.

    `level` is the one-sided level of a single test at which its correction accepted (`power.single_level`). Raises ValueError for
    arrays of different length.
    """

    values: Array
    ses: Array
    accepted: NDArray[np.bool_]
    level: float

    def __post_init__(self) -> None:
        if not len(self.values) == len(self.ses) == len(self.accepted):
            raise ValueError(
                f"need one of each per bias, got {[len(self.values), len(self.ses), len(self.accepted)]}"
            )


@dataclass(frozen=True, slots=True)
class Transfer:
    """How far the `accepted` biases of one judge hold on another: `held` of them, in `share`.

    `ceiling` is the share that would be expected to hold if their effects were the same there: what the number of
    pairs can show. `ratio` is the sum of the effects there over their sum here, the latter corrected for having been
    picked. All None without an accepted bias; `ratio` also where the corrected sum is not above 0.
    """

    accepted: int
    held: int
    share: float | None
    ceiling: float | None
    ratio: float | None


def transfer(source: Screened, target: Screened) -> Transfer:
    """One cell of the transfer matrix, over the biases that both judges have an effect for."""
    both = source.accepted & ~np.isnan(source.values) & ~np.isnan(target.values)
    picked = np.flatnonzero(both)
    if len(picked) == 0:
        return Transfer(0, 0, None, None, None)
    least = upper_quantile(source.level)
    true = np.array([unpicked(source.values[i], source.ses[i], least * source.ses[i]) for i in picked])
    held = int(target.accepted[picked].sum())
    # Where nothing moved on the target its error is unknown: what equal effects would bring is as on the source.
    ses = np.where(target.ses[picked] > 0, target.ses[picked], source.ses[picked])
    reach = np.divide(true, ses, out=np.full(len(picked), np.inf), where=ses > 0)
    ceiling = float(special.ndtr(reach - upper_quantile(target.level)).mean())
    total = float(true.sum())
    ratio = float(target.values[picked].sum()) / total if total > 0 else None
    return Transfer(len(picked), held, held / len(picked), ceiling, ratio)


def unpicked(value: float, se: float, least: float) -> float:
    """An effect corrected for having been reported because it was at least `least`; in [0, `value`].

    Half way between the value, which is too large, and the conditional maximum-likelihood estimate (Zollner & Pritchard
    2007), which is too small: of the two and of the mean under a flat prior it comes nearest in sums and in ceilings (as
    simulated in the tests). The value itself where the standard error is not above 0.
    """
    return (value + _conditional(value, se, least)) / 2 if se > 0 else value


def _conditional(value: float, se: float, least: float) -> float:
    """The mean, at least 0, under which a normal variable that exceeds `least` is `value` on average."""

    def excess(mean: float) -> float:
        # By the hazard of the normal distribution; its logarithm holds in the far tail.
        at = (least - mean) / se
        hazard = np.exp(-(at**2) / 2 - special.log_ndtr(-at)) / np.sqrt(2 * np.pi)
        return float(mean + se * hazard - value)

    if value <= least or excess(0.0) >= 0:
        return 0.0
    return float(optimize.brentq(excess, 0.0, value))


@dataclass(frozen=True, slots=True)
class Similarity:
    """Correlation of two judges' true effects over `biases`, in [-1, 1], with a bootstrap interval.

    `value` is None where it cannot be told, the interval also where too many resamples leave it undefined; `reason`
    says so.
    """

    value: float | None
    low: float | None
    high: float | None
    biases: int
    level: float = 0.95
    reason: str = ""


def similarity(
    one: tuple[Array, Array], other: tuple[Array, Array], *, level: float = 0.95, seed: object = 0
) -> Similarity:
    """Split-half correlation of effects, freed of noise: each judge's effects on odd and on even items, over biases.

    r = mean of cov(one odd, other even) and cov(one even, other odd), over the root of cov(one odd, one even) times
    cov(other odd, other even). The halves share no item, so that noise which judges share through items and rewrites
    drops out; a plain correlation would not. The interval is the percentile bootstrap over biases. Refused below
    `FEWEST_BIASES`. Raises ValueError for arrays of different length.
    """
    halves = np.stack([*one, *other])
    halves = halves[:, ~np.isnan(halves).any(axis=0)]
    n = halves.shape[1]
    if n < FEWEST_BIASES:
        need = (
            f"needs at least {FEWEST_BIASES} biases measured on both judges, better {GOOD_BIASES}; there are {n}"
        )
        return Similarity(None, None, None, n, level, need)
    value = float(_disattenuated(halves[:, None, :])[0])
    if np.isnan(value):
        return Similarity(
            None, None, None, n, level, "biases do not differ reliably in size on one of the judges"
        )
    rng = seeds.generator("similarity", seed)
    drawn = _disattenuated(halves[:, rng.integers(0, n, size=(RESAMPLES, n))])
    known = drawn[~np.isnan(drawn)]
    if len(known) < (1 - UNDEFINED) * RESAMPLES:
        reason = "no interval: in too many resamples biases do not differ reliably in size"
        return Similarity(value, None, None, n, level, reason)
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    few = f"from fewer than {GOOD_BIASES} biases: a rough figure" if n < GOOD_BIASES else ""
    return Similarity(value, float(low), float(high), n, level, few)


def _disattenuated(halves: Array) -> Array:
    """r of samples of biases, shape [4 halves, samples, biases]; NaN where a reliability is not above 0."""
    centred = halves - halves.mean(axis=-1, keepdims=True)
    odd, even, other_odd, other_even = centred
    across = ((odd * other_even).mean(axis=-1) + (even * other_odd).mean(axis=-1)) / 2
    within = (odd * even).mean(axis=-1), (other_odd * other_even).mean(axis=-1)
    # Effects that are all alike vary by rounding alone.
    rounding = [1e-12 * (halves[i : i + 2] ** 2).mean(axis=(0, -1)) for i in (0, 2)]
    usable = (within[0] > rounding[0]) & (within[1] > rounding[1])
    root = np.sqrt(np.where(usable, within[0] * within[1], 1.0))
    return np.where(usable, np.clip(across / root, -1.0, 1.0), np.nan)


@dataclass(frozen=True, slots=True)
class Difference:
    """One bias on two judges, item by item: effect on the other less effect on the one, with interval and p.

    `q` is the Benjamini-Hochberg value over all differences that were looked at together. None for what cannot be told
    from fewer than two common items, or where nothing differs.
    """

    value: float | None
    low: float | None
    high: float | None
    p: float | None
    q: float | None
    n: int
    level: float = 0.95


def paired_differences(
    pairs: Sequence[tuple[Array, Array, NDArray[np.int64]]], *, level: float = 0.95, limit: float | None = None
) -> list[Difference]:
    """Differences of item effects: (on the one judge, on the other, question) by item; one correction over all.

    The standard error is that of the mean of paired differences, items of one question counted as one draw; `p` is
    the two-sided sign-flip permutation test over questions. Raises ValueError for arrays of different length.
    """
    found: list[tuple[float, float, float, int] | None] = []
    for one, other, clusters in pairs:
        differences = other - one
        known = ~np.isnan(differences)
        n = int(known.sum())
        if n < 2:
            found.append(None)
            continue
        values, own = differences[known], clusters[known]
        sums = by_cluster(values, own)
        p = min(1.0, 2 * min(sign_flip_p_of(sums), sign_flip_p_of(-sums)))
        found.append((float(values.mean()), clustered_se(values, own), p, n))
    qs = iter(multiple.adjusted([f[2] for f in found if f is not None]))
    out = []
    for f in found:
        if f is None:
            out.append(Difference(None, None, None, None, None, 0, level))
            continue
        value, se, p, n = f
        e = estimate(value, se, n, level=level, limit=limit)
        out.append(Difference(value, e.low, e.high, p, next(qs), n, level))
    return out
