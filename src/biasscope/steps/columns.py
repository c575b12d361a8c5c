"""Columns of a table as arrays over pairs, NaN where a score is missing: what the statistics take."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from biasscope.records import PreferencePair
from biasscope.stats.estimates import Array
from biasscope.steps.judge import ERROR, Table


def scores(table: Table, pairs: Sequence[PreferencePair], arm: str, *, graded: bool) -> Array:
    """Item scores of an arm, shape (pairs,): errors in {0, .25, .5, .75, 1}, or negated margins when graded."""
    score = table.loss if graded else table.error
    return _array([score(p, arm) for p in pairs])


def cells(table: Table, pairs: Sequence[PreferencePair], arm: str) -> Array:
    """Errors of single verdicts, shape (pairs, orders): chosen shown first, then rejected shown first."""
    found = [[table.verdict(p, arm, order) for order in table.orders] for p in pairs]
    errors = [[None if v is None else ERROR[v.choice] for v in each] for each in found]
    return _array(errors).reshape(-1, len(table.orders))


def arms(table: Table, pairs: Sequence[PreferencePair], names: Sequence[str], *, graded: bool) -> Array:
    """Item scores of several arms, shape (arms, pairs)."""
    return np.stack([scores(table, pairs, name, graded=graded) for name in names])


def _array(values: Sequence[object]) -> Array:
    # None becomes NaN.
    return np.array(values, dtype=float)
