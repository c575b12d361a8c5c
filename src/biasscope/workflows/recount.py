"""Item scores and effects from the verdicts that a run stored: what its tables held, without asking again.

Frames have a row a verdict, as `verdict_rows.VerdictRow`. Scores are P(prefers the rejected response) per item: the mean
error over both orders, a tie counting one half, or the logistic of the item's mean log-odds where `soft`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from biasscope.records import ORIGINAL
from biasscope.stats.estimates import Array

ITEM = ("pair", "question")


@dataclass(frozen=True, slots=True)
class Items:
    """A value of each item, by (pair id, hash of its question); only items of which it is known."""

    values: dict[tuple[str, str], float]

    def at(self, keys: Sequence[tuple[str, str]]) -> Array:
        """The values of some items in their order, NaN where unknown."""
        return np.array([self.values.get(key, np.nan) for key in keys], dtype=float)


def item_scores(verdicts: pl.DataFrame, *, soft: bool = False) -> pl.DataFrame:
    """The score of every item and arm that has a verdict in all orders of its judge: columns pair, question, arm, score.

    With `soft` every verdict needs a margin in log-odds.
    """
    orders = verdicts["order"].n_unique()
    error = pl.col("choice").replace_strict({"chosen": 0.0, "tie": 0.5, "rejected": 1.0}, default=None)
    value = -pl.col("margin") if soft else error
    found = (
        verdicts.with_columns(value.alias("value"))
        .group_by(*ITEM, "arm")
        .agg(pl.col("value").sum().alias("total"), pl.col("value").count().alias("known"))
        .filter(pl.col("known") == orders)
    )
    # Two halves are exact in any order of adding, and so are the sums of two margins.
    mean = pl.col("total") / orders
    return found.select(*ITEM, "arm", (1 / (1 + (-mean).exp()) if soft else mean).alias("score"))


def effect_items(
    verdicts: pl.DataFrame, arm: str, neutral_arms: Sequence[str], *, role: str = "trial", soft: bool = False
) -> Items:
    """Score of an arm less the mean over its neutral arms, for every pair on which the arm was judged in this `role`."""
    of = verdicts.filter(pl.col("arm") == arm, pl.col("role") == role)
    beside = verdicts.filter(pl.col("arm").is_in(list(neutral_arms)), pl.col("role") != "discovery")
    beside = beside.join(of.select(ITEM).unique(), on=ITEM, how="semi")
    biased = item_scores(of, soft=soft)
    neutral = item_scores(beside, soft=soft).group_by(ITEM).agg(pl.col("score").mean().alias("neutral"))
    both = biased.join(neutral, on=ITEM, how="inner")
    return _items(both.with_columns((pl.col("score") - pl.col("neutral")).alias("value")))


def error_items(verdicts: pl.DataFrame) -> Items:
    """The error on the originals of every pair that trials could visit."""
    found = item_scores(_originals(verdicts))
    return _items(found.rename({"score": "value"}))


def first_items(verdicts: pl.DataFrame) -> Items:
    """P(prefers the answer shown first) - .5 on the originals; none for a judge that knows no slots."""
    of = _originals(verdicts).filter(pl.col("order").is_not_null())
    chosen = pl.col("choice").replace_strict({"chosen": 1.0, "tie": 0.5, "rejected": 0.0}, default=None)
    first = pl.when(pl.col("order") == "chosen_first").then(chosen).otherwise(1 - chosen)
    found = (
        of.with_columns(first.alias("first"))
        .group_by(ITEM)
        .agg((pl.col("first").mean() - 0.5).alias("value"), pl.col("first").count().alias("known"))
        .filter(pl.col("known") == 2)
    )
    return _items(found)


def _originals(verdicts: pl.DataFrame) -> pl.DataFrame:
    return verdicts.filter(pl.col("arm") == ORIGINAL, pl.col("role") == "trial")


def _items(found: pl.DataFrame) -> Items:
    rows = found.select(*ITEM, "value").iter_rows()
    return Items({(pair, question): value for pair, question, value in rows})
