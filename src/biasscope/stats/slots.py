"""Does a judge prefer a place, whatever stands there? From verdicts in both orders, or in one order per pair. Pure.

A preference is P(chooses what is shown first) - .5, a tie counting one half: a fraction in [-.5, .5]. How often verdicts
change with the order says nothing about it: a noisy judge changes often and to either side.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import special

from biasscope.records import Effect
from biasscope.stats.estimates import Array, estimate
from biasscope.stats.normal import upper_tail
from biasscope.stats.paired import sign_flip_p_of
from biasscope.stats.reading import by_cluster, clustered_se

LIMIT = 0.5


def both_orders_preference(first: Array, clusters: NDArray[np.int64], *, level: float = 0.95) -> Effect:
    """The preference from pairs judged in both orders: `first` holds P(chooses the first) - .5 of each, over its orders.

    The response that is better, or liked, is first once and second once, so that it cancels in every pair. `clusters`
    numbers the question of each pair. p is two-sided, by flipping the signs of whole clusters (`sign_flip_p`): for a
    judge that has no preference, choosing the first in both orders is as likely as choosing the second. 1.0 and no
    interval where no pair leans to either side. The interval takes Student's t with the clusters that lean, less one:
    they alone tell anything, and there may be few among many. Raises ValueError without pairs.
    """
    if len(first) == 0:
        raise ValueError("need a pair that was judged in both orders")
    sums = by_cluster(first, clusters)
    p = min(1.0, 2 * min(sign_flip_p_of(sums), sign_flip_p_of(-sums)))
    value, se = float(np.sort(first).mean()), clustered_se(first, clusters)
    if se == 0:
        return Effect(value, 0.0, None, None, len(first), "fraction", level, p)
    reach = se * float(special.stdtrit(max(1, int((sums != 0).sum()) - 1), (1 + level) / 2))
    low, high = max(-LIMIT, value - reach), min(LIMIT, value + reach)
    return Effect(value, se, low, high, len(first), "fraction", level, p)


def one_order_preference(
    first: Array, chosen_first: NDArray[np.bool_], clusters: NDArray[np.int64], *, level: float = 0.95
) -> Effect:
    """The preference from pairs judged in one order each: the mean over the two strata (better first, better second).

    `first` holds P(chooses the first) - .5 of each verdict, `chosen_first` its stratum. The liking for the better
    response cancels between the strata if which one is first does not depend on the pair. The standard error is that of
    the two means, cluster-robust (C / (C - 1)); p is two-sided and normal. Raises ValueError for an empty stratum.
    """
    strata = (chosen_first, ~chosen_first)
    if not all(s.any() for s in strata):
        raise ValueError("need verdicts with the better response first and with it second")
    value = sum(float(np.sort(first[s]).mean()) for s in strata) / 2
    influence = np.zeros(len(first))
    for s in strata:
        influence[s] = (first[s] - first[s].mean()) / (2 * s.sum())
    sums = by_cluster(influence, clusters)
    se = float(np.sqrt((sums**2).sum() * len(sums) / (len(sums) - 1))) if len(sums) > 1 else 0.0
    p = 1.0 if se == 0 else min(1.0, 2 * upper_tail(abs(value) / se))
    found = estimate(value, se, len(first), level=level, limit=LIMIT)
    return Effect(value, found.se, found.low, found.high, found.n, "fraction", level, p)
