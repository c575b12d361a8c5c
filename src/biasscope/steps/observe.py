"""Verdicts of a table as observations: which text was shown first, and how far it was chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from scipy import special

from biasscope import seeds
from biasscope.records import ORIGINAL, Order, PreferencePair, Unit, Verdict
from biasscope.steps.judge import ERROR, Table
from biasscope.steps.propose import Observation


def observe(table: Table, pairs: Sequence[PreferencePair], margins: Unit | None) -> list[Observation]:
    """The verdicts on the original pairs, one observation for each; what is missing is counted by the table.

    Where a verdict has a margin in log-odds (`margins`), the choice is its probability: judges whose labels never change
    still lean. A judge that sees one response at a time knows no first one; the sides are then drawn by the pair's id.
    """
    found: list[Observation] = []
    for pair in pairs:
        for order in table.orders:
            verdict = table.verdict(pair, ORIGINAL, order)
            if verdict is not None:
                found.append(_observation(pair, order, _for_chosen(verdict, margins)))
    return found


def _for_chosen(verdict: Verdict, margins: Unit | None) -> float:
    if margins == "log-odds" and verdict.margin is not None:
        return float(special.expit(verdict.margin))
    return 1 - ERROR[verdict.choice]


def _observation(pair: PreferencePair, order: Order | None, for_chosen: float) -> Observation:
    question = seeds.question_hash(pair.question)
    chosen_first = order == "chosen_first" if order else bool(seeds.pick(2, "side", pair.id))
    better: Literal[-1, 0, 1] = 0
    if pair.labelled:
        better = 1 if chosen_first else -1
    if chosen_first:
        return Observation(question, pair.chosen, pair.rejected, for_chosen, better)
    return Observation(question, pair.rejected, pair.chosen, 1 - for_chosen, better)
