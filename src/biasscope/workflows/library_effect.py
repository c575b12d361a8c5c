"""The effect of a library: what its biases do together on pairs by which none of them was selected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from scipy import special

from biasscope import seeds
from biasscope.judges.base import Judge
from biasscope.records import ORIGINAL, Bias, LibraryEffect, PreferencePair, Unit
from biasscope.stats import effects
from biasscope.steps.columns import Array, scores
from biasscope.steps.judge import Table, judge_pairs
from biasscope.steps.perturb import Job, Writer, perturb_pairs


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
) -> tuple[LibraryEffect | None, list[tuple[str, str, int]]]:
    """Give every held-out pair one accepted bias drawn by seed, beside its original and a neutral rewrite.

    Returns the effect and what is missing on the held-out pairs. With margins (`unit`) the rates are probabilities
    of preferring the rejected response, the mean of the logistic, and the gain is in that unit. The effect is None without accepted biases,
    or without held-out pairs that have all three arms.
    """
    if not accepted or not holdout:
        return None, []
    table, graded = Table(orders=judge.orders), unit != "fraction"
    # So that not even the last digit of a sum depends on the order of a file.
    holdout = sorted(holdout, key=lambda p: p.id)
    drawn = {p.id: accepted[seeds.pick(len(accepted), "library-effect", seed, p.id)] for p in holdout}
    neutral = {p.id: writer.neutral_jobs(p, drawn[p.id], 1)[0] for p in holdout}
    await perturb_pairs(
        writer, table, [j for p in holdout for j in (neutral[p.id], Job(p, drawn[p.id].id, drawn[p.id]))]
    )
    arms = {p.id: (ORIGINAL, neutral[p.id].arm, drawn[p.id].id) for p in holdout}
    await judge_pairs(judge, table, holdout, arms)
    columns = np.stack([_scores(table, holdout, arms, k, graded=graded) for k in range(3)])
    whole = columns[:, ~np.isnan(columns).any(axis=0)]
    found = effects.increase(whole[2].tolist(), [whole[1].tolist()]) if whole.shape[1] else None
    if found is None:
        return None, table.missing()
    before, neutral_rate, after = (special.expit(whole) if graded else whole).mean(axis=1).tolist()
    effect = LibraryEffect(
        before=before,
        neutral=neutral_rate,
        after=after,
        gain=effects.interval(found, unit=unit),
        paper=_paper_column(tried, validation, accepted),
        notes=("paper: mean error over accepted biases on the pairs that selected them, inflated by selection",),
    )
    return effect, table.missing()


def _scores(
    table: Table,
    pairs: Sequence[PreferencePair],
    arms: Mapping[str, tuple[str, ...]],
    place: int,
    *,
    graded: bool,
) -> Array:
    """The scores of every pair's arm at a place of its arms."""
    return np.concatenate([scores(table, [p], arms[p.id][place], graded=graded) for p in pairs])


def _paper_column(table: Table, pairs: Sequence[PreferencePair], accepted: Sequence[Bias]) -> float | None:
    rates = []
    for bias in accepted:
        known = [e for p in pairs if (e := table.error(p, bias.id)) is not None]
        if known:
            rates.append(sum(known) / len(known))
    return sum(rates) / len(rates) if rates else None
