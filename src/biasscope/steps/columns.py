"""Columns of a table as arrays over pairs, NaN where a score is missing: what the statistics take."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from biasscope.records import PreferencePair
from biasscope.steps.judge import ERROR, Table

Array = NDArray[np.float64]


def scores(table: Table, pairs: Sequence[PreferencePair], arm: str, *, graded: bool) -> Array:
    """Item scores of an arm, shape (pairs,): errors in {0, .25, .5, .75, 1}, or negated margins when graded."""
    score = table.loss if graded else table.error
    return _array([score(p, arm) for p in pairs])


def cells(table: Table, pairs: Sequence[PreferencePair], arm: str) -> Array:
    """Errors of single verdicts, shape (pairs, orders): chosen shown first, then rejected shown first."""
    found = [[table.verdict(p, arm, order) for order in table.orders] for p in pairs]
    errors = [[None if v is None else ERROR[v.choice] for v in each] for each in found]
    return _array(errors).reshape(-1, len(table.orders))


def lengths(table: Table, pairs: Sequence[PreferencePair], arm: str, count: Callable[[str], int]) -> Array:
    """Lengths of the rewrites of an arm by `count`, shape (pairs,)."""
    rewrites = [table.rewrite(p, arm) for p in pairs]
    return _array([None if r is None else float(max(1, count(r.text))) for r in rewrites])


def stacked(columns: Sequence[Array], like: Array) -> Array:
    """Arms along the first axis; an empty stack where there are none."""
    return np.stack(columns) if columns else np.empty((0, *like.shape))


def _array(values: Sequence[object]) -> Array:
    # None becomes NaN.
    return np.array(values, dtype=float)
