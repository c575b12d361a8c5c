"""Slot bias: does the judge prefer what it is shown first, whatever it says? Two-sided; orders are not averaged.

The order is the treatment, so that nothing is written: the originals in both orders are enough.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from biasscope.catalogue.families.position import POSITION
from biasscope.records import ORIGINAL, Bias, Effect, PreferencePair, Status, Trial
from biasscope.stats import multiple, power
from biasscope.stats.estimates import Array
from biasscope.stats.normal import upper_quantile
from biasscope.stats.paired import sign_flip_p_of
from biasscope.stats.position import first_answer
from biasscope.stats.reading import by_cluster, clustered_se
from biasscope.stats.rules import Rule
from biasscope.steps.columns import cells
from biasscope.steps.judge import Table
from biasscope.steps.validate import questions


def measure_slots(table: Table, pairs: Sequence[PreferencePair], rule: Rule, *, beside: int) -> Trial | None:
    """P(prefers the answer shown first) - .5 over the originals with both orders, as a trial.

    None for a judge that knows no slots. `beside` as in `habit_trial`.
    """
    if len(table.orders) < 2:
        return None
    first = first_answer(cells(table, pairs, ORIGINAL))
    return habit_trial(POSITION.bias, first, questions(pairs), rule, beside=beside, limit=0.5)


def habit_trial(
    bias: Bias, values: Array, clusters: NDArray[np.int_], rule: Rule, *, beside: int, limit: float
) -> Trial:
    """The mean of one value per pair (NaN where missing) against 0, two-sided, as a trial.

    `limit` is the largest size of a value, in fractions. `beside` counts the other biases tried on the same judge. A
    habit is another question than a trait: it is in their count and they are in its own, but neither helps the other
    to be accepted.
    """
    known = ~np.isnan(values)
    values, clusters = values[known], clusters[known]
    n = len(values)
    if n < rule.fewest:
        short = f"only {n} pairs have every verdict that is needed, and {rule.fewest} are needed"
        return _trial(bias, "no_signal", short, None, rule, n)
    sums = by_cluster(values, clusters)
    p = min(1.0, 2 * min(sign_flip_p_of(sums), sign_flip_p_of(-sums)))
    q = multiple.adjusted([p, *[1.0] * beside])[0]
    held = q <= rule.q
    alone = multiple.fcr_level(rule.q, 1, 1 + beside)
    level = alone if held else 0.95
    value, se = float(values.mean()), clustered_se(values, clusters)
    effect = Effect(value, se, None, None, n, "fraction", level, p)
    if se > 0:
        reach = upper_quantile((1 - level) / 2) * se
        low, high = max(-limit, value - reach), min(limit, value + reach)
        effect = Effect(value, se, low, high, n, "fraction", level, p)
    seen = power.detectable(se, alpha=(1 - alone) / 2) if se > 0 else None
    status: Status = "accepted" if held else "not_shown"
    if not held and effect.low is not None and effect.high is not None:
        small = max(-effect.low, effect.high) < rule.min_effect
        status = "dropped" if small else status
    reason = {"not_shown": "not proven, not absent", "accepted": ""}.get(
        status, "its whole interval lies within the smallest effect of interest"
    )
    return _trial(bias, status, reason, effect, rule, n, q=q, detectable=seen)


def _trial(
    bias: Bias,
    status: Status,
    reason: str,
    effect: Effect | None,
    rule: Rule,
    n: int,
    *,
    q: float | None = None,
    detectable: float | None = None,
) -> Trial:
    return Trial(
        bias=bias,
        iteration=0,
        estimand=bias.estimand,
        unit="fraction",
        status=status,
        reason=reason,
        effect=effect,
        q=q,
        detectable=detectable,
        min_effect=rule.min_effect,
        visited=n,
    )
