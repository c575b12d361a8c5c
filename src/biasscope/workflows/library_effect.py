"""The effect of a library: what its biases do together on pairs by which none of them was selected."""

from __future__ import annotations

from collections.abc import Sequence

from biasscope import seeds
from biasscope.judges.base import Judge
from biasscope.records import ORIGINAL, Bias, LibraryEffect, PreferencePair
from biasscope.stats import effects
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
) -> tuple[LibraryEffect | None, list[tuple[str, str, int]]]:
    """Give every held-out pair one accepted bias drawn by seed, beside its original and a neutral rewrite.

    Returns the effect and what is missing on the held-out pairs. The effect is None without accepted biases,
    or without held-out pairs that have all three arms.
    """
    if not accepted:
        return None, []
    table = Table()
    drawn = {p.id: accepted[seeds.pick(len(accepted), "library-effect", seed, p.id)] for p in holdout}
    neutral = {p.id: writer.neutral_jobs(p, drawn[p.id], 1)[0] for p in holdout}
    await perturb_pairs(
        writer, table, [j for p in holdout for j in (neutral[p.id], Job(p, drawn[p.id].id, drawn[p.id]))]
    )
    arms = {p.id: (ORIGINAL, neutral[p.id].arm, drawn[p.id].id) for p in holdout}
    await judge_pairs(judge, table, holdout, arms)
    rows = [tuple(table.error(p, arm) for arm in arms[p.id]) for p in holdout]
    known = [(a, b, c) for a, b, c in rows if a is not None and b is not None and c is not None]
    found = effects.increase([c for _, _, c in known], [[b for _, b, _ in known]]) if known else None
    if found is None:
        return None, table.missing()
    effect = LibraryEffect(
        before=sum(a for a, _, _ in known) / len(known),
        neutral=found.neutral,
        after=found.candidate,
        gain=effects.interval(found, unit="fraction"),
        paper=_paper_column(tried, validation, accepted),
        notes=("paper: mean error over accepted biases on the pairs that selected them, inflated by selection",),
    )
    return effect, table.missing()


def _paper_column(table: Table, pairs: Sequence[PreferencePair], accepted: Sequence[Bias]) -> float | None:
    rates = []
    for bias in accepted:
        known = [e for p in pairs if (e := table.error(p, bias.id)) is not None]
        if known:
            rates.append(sum(known) / len(known))
    return sum(rates) / len(rates) if rates else None
