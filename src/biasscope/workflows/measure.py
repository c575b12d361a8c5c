"""Measure known biases on one judge at a fixed number of pairs: no teacher, no naming, one correction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from biasscope.judges.base import Judge
from biasscope.records import ORIGINAL, Baseline, Bias, PreferencePair, Trial
from biasscope.steps.judge import Table, judge_pairs
from biasscope.steps.perturb import Writer
from biasscope.steps.validate import TrialDesign, baseline, validate_candidates
from biasscope.workflows.conclude import decide_trials


@dataclass(frozen=True, slots=True)
class Measurement:
    """The judge on the originals, one trial per bias, and the table with every rewrite and verdict behind them."""

    baseline: Baseline | None
    trials: tuple[Trial, ...]
    table: Table


async def measure_biases(
    judge: Judge, writer: Writer, pairs: Sequence[PreferencePair], biases: Sequence[Bias], design: TrialDesign
) -> Measurement:
    """Try every bias on every pair in both orders; pairs that chose no bias, so the effects are not inflated."""
    table = Table(orders=judge.orders)
    tested = await validate_candidates(judge, writer, table, pairs, biases, design)
    await judge_pairs(judge, table, pairs, (ORIGINAL,))
    trials = decide_trials(table, tested, design.rule)
    return Measurement(baseline(table, pairs), tuple(trials), table)
