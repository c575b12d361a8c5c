"""What is asked of the judge about an accepted bias alone: fresh pairs, the trait on the other side, equal length.

None of this decides whether a bias is accepted. Everything goes through the table, so that nothing that was
judged already is judged again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from biasscope.ask import Asker
from biasscope.judges.base import Judge
from biasscope.quantities import EqualLength, Estimate, Sides
from biasscope.records import ORIGINAL, PreferencePair
from biasscope.stats.estimates import estimate, neutral_mean
from biasscope.stats.length import equal_length
from biasscope.stats.sides import sides
from biasscope.steps.columns import arms, scores
from biasscope.steps.equal_length import Means, equal_arm, equalise
from biasscope.steps.judge import Table, judge_pairs
from biasscope.steps.perturb import Job, Writer, on_chosen, perturb_pairs
from biasscope.steps.validate import Tested, effect_se

CONFIRMABLE = 0.75
"""A trial that visited more than this share of the pairs has too few fresh ones left."""
FRESH_NEUTRALS = 2
FRESH_PAIRS = 150
"""Pairs on which what stopped early is tried again where little was found."""
SIDE_PAIRS = 200
"""Pairs on which a bias is measured with the trait on the chosen response too."""
LENGTH_PAIRS = 250
"""Pairs on which rewrites are brought to equal length: enough to tell most of an effect from none of it."""


@dataclass(frozen=True, slots=True)
class Bench:
    """What follow-ups are made with; `teacher` condenses where that is asked for."""

    judge: Judge
    writer: Writer
    teacher: Asker | None
    table: Table

    async def fetch(self, pairs: Sequence[PreferencePair], jobs: Callable[[PreferencePair], list[Job]]) -> None:
        """Rewrite and judge the arms of these jobs on these pairs, in both orders."""
        made = {p.id: jobs(p) for p in pairs}
        await perturb_pairs(self.writer, self.table, [job for of_pair in made.values() for job in of_pair])
        await judge_pairs(self.judge, self.table, pairs, {i: [j.arm for j in js] for i, js in made.items()})

    def jobs(self, tested: Tested, neutrals: int) -> Callable[[PreferencePair], list[Job]]:
        """The biased rewrite of a pair and its first neutral ones."""

        def of(pair: PreferencePair) -> list[Job]:
            plain = self.writer.neutral_jobs(pair, tested.bias, neutrals)
            return [*plain, Job(pair, tested.bias.id, tested.bias)]

        return of


async def confirm(bench: Bench, tested: Tested, *, most: int | None = None) -> Estimate | None:
    """The effect on pairs that the trial had not visited when it stopped, at `most` so many, with a 95 % interval.

    It owes nothing to when the trial stopped or to having been picked. None where too few pairs are left.
    """
    left = tested.unvisited
    if len(left) < (1 - CONFIRMABLE) * (len(left) + len(tested.visited)) or not left:
        return None
    fresh = left[:most]
    neutral = tested.neutral_arms[:FRESH_NEUTRALS]
    await bench.fetch(fresh, bench.jobs(tested, len(neutral)))
    found = arms(bench.table, fresh, (tested.bias.id, *neutral), graded=tested.graded)
    differences = found[0] - neutral_mean(found[1:])
    known = ~np.isnan(differences)
    if known.sum() < 2:
        return None
    se = effect_se(bench.table, tested, fresh, differences)
    limit = None if tested.graded else 1.0
    return estimate(float(differences[known].mean()), se, int(known.sum()), limit=limit)


async def both_sides(bench: Bench, tested: Tested) -> Sides | None:
    """Pull and asymmetry: the trait on either response, on pairs that the trial did not visit first.

    What it visited is bent by when it stopped, and there may be little of it. In fractions of preference, also for margins: the mean of the logistic of the item's margin.
    """
    pairs = (*tested.unvisited, *tested.visited)[:SIDE_PAIRS]
    wanted = bench.jobs(tested, 1)
    await bench.fetch(pairs, lambda pair: [*wanted(pair), *(on_chosen(job) for job in wanted(pair))])
    arm, neutral = tested.bias.id, tested.neutral_arms
    # Scores of a scale have no logistic; their verdicts do as well.
    graded = tested.unit == "log-odds"
    rejected = arms(bench.table, pairs, (arm, *neutral), graded=graded)
    chosen = arms(bench.table, pairs, (f"{arm}@chosen", f"{neutral[0]}@chosen"), graded=graded)
    original = scores(bench.table, pairs, ORIGINAL, graded=False)
    known = original[~np.isnan(original)]
    if graded:
        rejected, chosen = special.expit(rejected), special.expit(chosen)
    return sides(
        (rejected[0], rejected[1:]),
        (chosen[0], chosen[1:]),
        baseline_error=float(known.mean()) if len(known) and not graded else None,
        labelled=all(p.labelled for p in pairs),
    )


async def at_equal_length(bench: Bench, tested: Tested, means: Means) -> EqualLength | None:
    """The effect with rewrites of equal length beside that with free length, on fresh pairs first."""
    pairs = (*tested.unvisited, *tested.visited)[:LENGTH_PAIRS]
    free = (tested.bias.id, tested.neutral_arms[0])
    await bench.fetch(pairs, bench.jobs(tested, 1))
    await equalise(bench.teacher, bench.table, pairs, free, means)
    equal = tuple(equal_arm(arm, means, tested.bias.id) for arm in free)
    await judge_pairs(bench.judge, bench.table, pairs, equal)
    brought, left = (arms(bench.table, pairs, names, graded=tested.graded) for names in (equal, free))
    limit = None if tested.graded else 1.0
    return equal_length(brought[0], brought[1:], left[0], left[1:], limit=limit)
