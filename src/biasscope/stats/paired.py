"""Within-item tests: is a candidate rewrite judged worse than neutral rewrites of the same text?

Scores are errors per item (mean over both orders; a tie is one half) or margins. What is missing is None and
an item without a candidate score or without any neutral score is left out. Nothing here decides anything.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from biasscope import seeds

Scores = Sequence[float | None]

SMALLEST_P = 1e-15
"""Floor of exact p-values: below it the FFT's rounding is larger than the probability."""


def to_array(scores: Scores) -> NDArray[np.float64]:
    """Turn scores into floats with NaN for what is missing (inside this floor only)."""
    return np.array([np.nan if s is None else s for s in scores], dtype=float)


def stack(candidate: Scores, neutrals: Sequence[Scores]) -> NDArray[np.float64]:
    """Stack arms (candidate first) and keep the items that have it and at least one neutral.

    Raises ValueError when the arms differ in length or there is no neutral arm.
    """
    if not neutrals or any(len(n) != len(candidate) for n in neutrals):
        raise ValueError(
            f"need neutral arms as long as the candidate ({len(candidate)}), got {[len(n) for n in neutrals]}"
        )
    arms = np.vstack([to_array(candidate), *(to_array(n) for n in neutrals)])
    known = ~np.isnan(arms)
    return arms[:, known[0] & known[1:].any(axis=0)]


def quarters(arms: NDArray[np.float64]) -> NDArray[np.int64]:
    """Put error scores on the quarter grid 0..4 (two orders, ties one half), -1 for what is missing.

    Raises ValueError for a score that is not on the grid: margins need `sign_flip_p`.
    """
    known = ~np.isnan(arms)
    scaled = np.where(known, 4 * np.nan_to_num(arms), -1.0)
    grid = np.rint(scaled).astype(int)
    if np.abs(scaled - grid).max(initial=0) > 1e-6 or grid.max(initial=0) > 4:
        raise ValueError("error scores must be 0, .25, .5, .75 or 1")
    return grid


def exact_p(candidate: Scores, neutrals: Sequence[Scores]) -> float:
    """One-sided exact within-item permutation p-value for "the candidate is judged worse".

    Under the null hypothesis the candidate is exchangeable with the item's neutral rewrites, so that its score
    is a draw from the item's multiset of scores; the distribution of the sum over items is the product of the
    items' generating functions, taken by FFT. With one neutral and 0/1 scores this is McNemar's exact test.
    Returns 1.0 when no item differs between arms.
    """
    grid = quarters(stack(candidate, neutrals))
    counts = np.stack([(grid == value).sum(axis=0) for value in range(5)])
    live = (counts < counts.sum(axis=0)).all(axis=0)
    if not live.any():
        return 1.0
    observed = int(grid[0, live].sum())
    length = 4 * int(live.sum()) + 1
    size = 1 << int(np.ceil(np.log2(length + 1)))
    root = np.exp(-2j * np.pi * np.arange(size // 2 + 1) / size)
    powers = np.stack([root**value for value in range(5)])
    spectrum = np.ones(size // 2 + 1, dtype=complex)
    for item, repeats in zip(*np.unique(counts[:, live].T, axis=0, return_counts=True), strict=True):
        spectrum *= (item @ powers / item.sum()) ** int(repeats)
    tail = np.fft.irfft(spectrum, size)[observed:length].sum()
    return float(np.clip(tail, SMALLEST_P, 1.0))


def live_items(candidate: Scores, neutrals: Sequence[Scores]) -> int:
    """How many items are not scored alike in all arms: the only ones that say anything."""
    arms = stack(candidate, neutrals)
    return int((np.nanmax(arms, axis=0) > np.nanmin(arms, axis=0)).sum()) if arms.shape[1] else 0


def attainable_p(candidate: Scores, neutrals: Sequence[Scores]) -> float:
    """The smallest p-value that these items could have given: every item's worst score is the candidate's.

    A judge whose verdicts hardly ever change cannot reach a small p, whatever the candidate does to it.
    """
    grid = quarters(stack(candidate, neutrals))
    if grid.size == 0:
        return 1.0
    worst = (grid == grid.max(axis=0)).sum(axis=0) / (grid >= 0).sum(axis=0)
    return float(max(SMALLEST_P, np.prod(worst)))


def sign_flip_p(differences: Sequence[float], *, names: tuple[object, ...], draws: int = 50_000) -> float:
    """One-sided sign-flip permutation p-value for a positive mean of paired differences.

    Under the null hypothesis differences are symmetric about 0, so that their signs are exchangeable. All
    2^n sign patterns are taken for n <= 12; otherwise `draws` of them, seeded by `names`, with the observed
    one counted: (1 + hits) / (1 + draws). Returns 1.0 for no differences or none but zeros.
    """
    values = np.asarray([d for d in differences if d != 0], dtype=float)
    n = len(values)
    if n == 0:
        return 1.0
    observed = values.sum()
    slack = 1e-12 * np.abs(values).sum()
    if n <= 12:
        patterns = 1 - 2 * ((np.arange(1 << n)[:, None] >> np.arange(n)) & 1)
        return float(((patterns @ values) >= observed - slack).mean())
    rng = seeds.generator("sign-flip", *names)
    hits = done = 0
    while done < draws:
        block = min(4_096, draws - done)
        signs = 1 - 2 * rng.integers(0, 2, size=(block, n), dtype=np.int8)
        hits += int(((signs @ values) >= observed - slack).sum())
        done += block
    return (1 + hits) / (1 + draws)
