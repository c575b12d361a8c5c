"""Ranks of several judges by their errors, and how far the items tell them apart. Pure.

Differences come from `transfer.paired_differences`. A rank alone says nothing: two judges that differ by chance have
one too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from biasscope.stats.transfer import Difference


@dataclass(frozen=True, slots=True)
class Rank:
    """The place of one judge among others, 1 the fewest errors; None without an error rate.

    `rank` counts judges with fewer errors, as they came. `best` to `worst` are the ranks that are left when only
    differences count that the items show: `best` counts judges that are shown to err less, `worst` all but those that
    are shown to err more. All judges between whom nothing is shown share ranks.
    """

    rank: int | None
    best: int | None
    worst: int | None


def ranks(
    errors: Sequence[float | None], differences: Mapping[tuple[int, int], Difference], *, q: float = 0.05
) -> list[Rank]:
    """The ranks of judges numbered as in `errors`; `differences` are by (one, another): other less one.

    Two judges are told apart where the Benjamini-Hochberg value of their difference is at most `q`. Equal errors share
    the better rank. Raises ValueError for a q outside (0, 1).
    """
    if not 0 < q < 1:
        raise ValueError(f"need q between 0 and 1, got {q}")
    fewer: dict[int, set[int]] = {k: set() for k in range(len(errors))}
    more: dict[int, set[int]] = {k: set() for k in range(len(errors))}
    for (one, other), d in differences.items():
        if d.value is None or d.q is None or d.q > q or d.value == 0:
            continue
        better, worse = (one, other) if d.value > 0 else (other, one)
        fewer[worse].add(better)
        more[better].add(worse)
    ranked = [k for k, e in enumerate(errors) if e is not None]
    return [_rank(k, errors, ranked, fewer[k], more[k]) for k in range(len(errors))]


def _rank(
    number: int, errors: Sequence[float | None], ranked: Sequence[int], fewer: set[int], more: set[int]
) -> Rank:
    own = errors[number]
    if own is None:
        return Rank(None, None, None)
    among = set(ranked)
    below = sum(1 for k in ranked if (e := errors[k]) is not None and e < own)
    best, worst = 1 + len(fewer & among), len(ranked) - len(more & among)
    return Rank(min(max(1 + below, best), worst), best, worst)
