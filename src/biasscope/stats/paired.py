"""Within-item tests: is a candidate rewrite judged worse than neutral rewrites of the same text?

Scores are errors per item (mean over both orders; a tie is one half) or margins. What is missing is None and
an item without a candidate score or without any neutral score is left out. Nothing here decides anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.fft import next_fast_len

from biasscope.stats.saddlepoint import signed_sum_tail

Scores = Sequence[float | None]

_HIGHEST = np.int8(4)
_VALUES = np.arange(_HIGHEST + 1, dtype=np.int8)[:, None, None]

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
    return usable(np.vstack([to_array(candidate), *(to_array(n) for n in neutrals)]))


def usable(arms: NDArray[np.float64]) -> NDArray[np.float64]:
    """Keep the columns (items) of an arms matrix, candidate first, that have it and at least one neutral score."""
    known = ~np.isnan(arms)
    return arms[:, known[0] & known[1:].any(axis=0)]


def quarters(arms: NDArray[np.float64]) -> NDArray[np.int8]:
    """Put error scores on the quarter grid 0..4 (two orders, ties one half), -1 for what is missing.

    Raises ValueError for a score that is not on the grid: margins need `sign_flip_p`.
    """
    known = ~np.isnan(arms)
    scaled = np.where(known, 4 * np.nan_to_num(arms), -1.0)
    grid = np.rint(scaled).astype(np.int8)
    if np.abs(scaled - grid).max(initial=0) > 1e-6 or grid.max(initial=0) > 4 or ((grid < 0) & known).any():
        raise ValueError("error scores must be 0, .25, .5, .75 or 1")
    return grid


def exact_p(candidate: Scores, neutrals: Sequence[Scores]) -> float:
    """One-sided exact within-item permutation p-value for "the candidate is judged worse".

    Under the null hypothesis the candidate is exchangeable with the item's neutral rewrites, so that its score
    is a draw from the item's multiset of scores; the distribution of the sum over items is the product of the
    items' generating functions, taken by FFT. With one neutral and 0/1 scores this is McNemar's exact test.
    Returns 1.0 when no item differs between arms.
    """
    return exact_p_of(stack(candidate, neutrals))


def exact_p_of(arms: NDArray[np.float64]) -> float:
    """`exact_p` of an arms matrix [arms, items], candidate first, NaN where a score is missing."""
    grid = quarters(usable(arms))
    lowest, highest = np.where(grid < 0, _HIGHEST, grid).min(axis=0), grid.max(axis=0)
    live = highest > lowest
    if not live.any():
        return 1.0
    # What every arm of an item shares adds nothing to the comparison: sums start at the items' lowest scores.
    grid, span = (grid - lowest)[:, live], int((highest - lowest)[live].sum())
    counts = (grid == _VALUES).sum(axis=1)
    observed = int(grid[0].sum())
    if not counts[1::2].any():  # even steps only: the half grid says the same
        counts, observed, span = counts[::2], observed // 2, span // 2
    size = next_fast_len(span + 1, real=True)
    tail = np.fft.irfft(_spectrum(counts, size), size)[observed : span + 1].sum()
    return float(np.clip(tail, SMALLEST_P, 1.0))


def _spectrum(counts: NDArray[np.int64], size: int) -> NDArray[np.complex128]:
    """The product of the items' generating functions at the roots of unity; equal items are raised to powers."""
    base = int(counts.sum(axis=0).max()) + 1
    places = base ** np.arange(len(counts))
    codes, repeats = np.unique(places @ counts, return_counts=True)
    kinds = (codes[:, None] // places) % base
    factors = (kinds / kinds.sum(axis=1, keepdims=True)) @ _powers(size, len(counts))
    spectrum = np.ones(size // 2 + 1, dtype=complex)
    for bit in reversed(range(int(repeats.max()).bit_length())):
        spectrum = spectrum * spectrum
        chosen = factors[(repeats >> bit) & 1 == 1]
        spectrum *= chosen.prod(axis=0)
    return spectrum


@lru_cache(maxsize=16)
def _powers(size: int, values: int) -> NDArray[np.complex128]:
    root = np.exp(-2j * np.pi * np.arange(size // 2 + 1) / size)
    return np.stack([root**value for value in range(values)])


def sign_flip_p(differences: Sequence[float]) -> float:
    """One-sided sign-flip permutation p-value for a positive mean of paired differences.

    Under the null hypothesis differences are symmetric about 0, so that their signs are exchangeable. Counted
    exactly for up to 12 differences that are not 0, and where hardly any pattern does better than the observed
    one; otherwise by a saddlepoint (`saddlepoint.signed_sum_tail`), which is deterministic and holds its
    relative accuracy in the far tail, where drawn patterns say nothing. At least `SMALLEST_P`; 1.0 for no
    differences or none but zeros. Raises ValueError for an infinite difference.
    """
    return sign_flip_p_of(np.asarray(differences, dtype=float))


def sign_flip_p_of(differences: NDArray[np.float64]) -> float:
    """`sign_flip_p` of an array, NaN where a difference is missing."""
    known = differences[~np.isnan(differences)]
    if np.isinf(known).any():
        raise ValueError("differences must be finite")
    moved = known[known != 0]
    if len(moved) == 0:
        return 1.0
    return max(SMALLEST_P, signed_sum_tail(np.abs(moved), float(np.sort(moved).sum())))
