"""Fit the correction of a judge's margins on items of tuning pairs. Asks nobody."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from biasscope.benchmarks import BenchmarkItem
from biasscope.catalogue.features import Feature, text_features
from biasscope.config import Adjustment
from biasscope.quantities import Unit
from biasscope.records import Order
from biasscope.stats.adjustment import fit_slopes, slot_of
from biasscope.verdict_rows import VerdictRow

SMALLEST = 1e-6
"""A slope nearer to 0 than this is none."""


def fit_adjustment(
    items: Sequence[BenchmarkItem],
    rows: Iterable[VerdictRow],
    unit: Unit,
    *,
    source: str = "",
    seed: int = 0,
) -> Adjustment | None:
    """The slot from all items that have a margin in both orders, slopes from the crossed ones within each variant.

    None where no item has margins, or where they are in fractions.
    """
    if unit == "fraction":
        return None
    margins: dict[str, dict[Order | None, float]] = {}
    for row in rows:
        if row.margin is not None:
            margins.setdefault(row.pair, {})[row.order] = row.margin
    both = [m for m in margins.values() if "chosen_first" in m and "rejected_first" in m]
    slot = slot_of(np.array([m["chosen_first"] for m in both]), np.array([m["rejected_first"] for m in both]))
    crossed = [item for item in items if item.subset == "crossed"]
    orders = len({order for m in margins.values() for order in m})
    known = np.array([_mean(margins.get(item.id, {}), orders) for item in crossed], dtype=float)
    if not both and np.isnan(known).all():
        return None
    features = text_features()
    found = fit_slopes(
        known,
        _differences(crossed, features),
        _numbered(item.variant for item in crossed),
        _numbered(item.question_hash for item in crossed),
        seed=seed,
    )
    slopes = {f.name: float(v) for f, v in zip(features, found.values, strict=True) if abs(v) > SMALLEST}
    questions = len({item.question_hash for item in items})
    return Adjustment(unit=unit, slot=slot, slopes=slopes, pairs=questions, source=source)


def _mean(margins: Mapping[Order | None, float], orders: int) -> float:
    return sum(margins.values()) / orders if margins and len(margins) == orders else np.nan


def _differences(items: Sequence[BenchmarkItem], features: Sequence[Feature]) -> np.ndarray:
    counted: dict[str, np.ndarray] = {}
    for text in dict.fromkeys(t for item in items for t in (item.chosen, item.rejected)):
        counted[text] = np.array([f.count(text) for f in features], dtype=float)
    rows = [counted[item.chosen] - counted[item.rejected] for item in items]
    return np.array(rows, dtype=float).reshape(len(items), len(features))


def _numbered(names: Iterable[str]) -> np.ndarray:
    number: dict[str, int] = {}
    return np.array([number.setdefault(name, len(number)) for name in names], dtype=np.int64)
