"""The effect of a library: what its biases do together on pairs by which none of them was selected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from scipy import special

from biasscope import seeds
from biasscope.judges.base import Judge
from biasscope.records import ORIGINAL, Bias, Effect, LibraryEffect, PreferencePair, Unit
from biasscope.stats.estimates import Array, estimate
from biasscope.stats.reading import clustered_se
from biasscope.steps.columns import scores
from biasscope.steps.judge import Table, judge_pairs
from biasscope.steps.perturb import Job, Writer, perturb_pairs
from biasscope.steps.validate import questions


async def library_effect(
    judge: Judge,
    writer: Writer,
    holdout: Sequence[PreferencePair],
    accepted: Sequence[Bias],
    tried: Table,
    validation: Sequence[PreferencePair],
    *,
    seed: int,
    unit: Unit = "fraction",
) -> tuple[LibraryEffect | None, Table]:
    """Give every held-out pair one accepted bias drawn by seed, beside its original and a neutral rewrite.

    Returns the effect and the table of the held-out pairs. The gain is in `unit`; the rates are error rates,
    for log-odds probabilities of preferring the rejected response (the mean of the logistic). The effect is None
    without accepted biases, or without held-out pairs that have all three arms.
    """
    table = Table(orders=judge.orders)
    if not accepted or not holdout:
        return None, table
    # So that not even the last digit of a sum depends on the order of a file.
    holdout = sorted(holdout, key=lambda p: p.id)
    drawn = {p.id: accepted[seeds.pick(len(accepted), "library-effect", seed, p.id)] for p in holdout}
    neutral = {p.id: writer.neutral_jobs(p, drawn[p.id], 1)[0] for p in holdout}
    await perturb_pairs(
        writer, table, [j for p in holdout for j in (neutral[p.id], Job(p, drawn[p.id].id, drawn[p.id]))]
    )
    arms = {p.id: (ORIGINAL, neutral[p.id].arm, drawn[p.id].id) for p in holdout}
    await judge_pairs(judge, table, holdout, arms)
    columns = _columns(table, holdout, arms, graded=unit != "fraction")
    whole = ~np.isnan(columns).any(axis=0)
    if not whole.any():
        return None, table
    # A score has no logistic; the verdicts that it gives do as well.
    rates = special.expit(columns) if unit == "log-odds" else _columns(table, holdout, arms, graded=False)
    before, neutral_rate, after = (float(rate) for rate in rates[:, whole].mean(axis=1))
    gains = (columns[2] - columns[1])[whole]
    se = clustered_se(gains, questions(holdout)[whole])
    found = estimate(float(gains.mean()), se, len(gains), limit=1.0 if unit == "fraction" else None)
    effect = LibraryEffect(
        before=before,
        neutral=neutral_rate,
        after=after,
        gain=Effect(found.value, se, found.low, found.high, found.n, unit),
        paper=_paper_column(tried, validation, accepted),
        notes=("paper: mean error over accepted biases on the pairs that selected them, inflated by selection",),
    )
    return effect, table


def _columns(
    table: Table, pairs: Sequence[PreferencePair], arms: Mapping[str, tuple[str, str, str]], *, graded: bool
) -> Array:
    """Scores of the original, neutral and biased arm of every pair, shape (3, pairs); each pair has its own arms."""
    found = [[scores(table, [p], arms[p.id][k], graded=graded)[0] for p in pairs] for k in range(3)]
    return np.array(found, dtype=float)


def _paper_column(table: Table, pairs: Sequence[PreferencePair], accepted: Sequence[Bias]) -> float | None:
    rates = []
    for bias in accepted:
        known = [e for p in pairs if (e := table.error(p, bias.id)) is not None]
        if known:
            rates.append(sum(known) / len(known))
    return sum(rates) / len(rates) if rates else None
