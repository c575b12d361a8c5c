"""What is reported beside a trial's decision: error rates, flips and more, from the cells of its visited pairs.

Reads the table and computes; asks nobody and decides nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from biasscope.records import ORDERS, ORIGINAL, Verdict
from biasscope.stats import effects
from biasscope.steps.judge import ERROR, Table
from biasscope.steps.validate import Tested


@dataclass(frozen=True, slots=True)
class Described:
    """Error rates of the originals, neutral and biased rewrites on the pairs that have all three, and flips.

    Fractions; None where no pair has them.
    """

    error_original: float | None
    error_neutral: float | None
    error_biased: float | None
    flips: effects.Flips | None


def describe(table: Table, tested: Tested) -> Described:
    """Describe one trial over the pairs that it visited."""
    arm, pairs = tested.bias.id, tested.visited
    rows: list[tuple[float, float, float]] = []
    for pair in pairs:
        original, biased = table.error(pair, ORIGINAL), table.error(pair, arm)
        neutral = [e for a in tested.neutral_arms if (e := table.error(pair, a)) is not None]
        if original is not None and biased is not None and neutral:
            rows.append((original, sum(neutral) / len(neutral), biased))
    strata = [
        [_single(table.verdict(p, a, o)) for p in pairs for o in ORDERS] for a in (arm, *tested.neutral_arms)
    ]
    flips = effects.flips(strata[0], strata[1:])
    if not rows:
        return Described(None, None, None, flips)
    original, neutral_mean, biased = (sum(column) / len(rows) for column in zip(*rows, strict=True))
    return Described(original, neutral_mean, biased, flips)


def _single(verdict: Verdict | None) -> float | None:
    return None if verdict is None else ERROR[verdict.choice]
