"""An effect as a change of preference, whatever it was measured in: how much more often the response with the trait is
preferred than one with a neutral rewrite, as a fraction. For comparing judges, and for limits that are set in points."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import special

from biasscope.quantities import Estimate, Sides
from biasscope.records import PreferencePair
from biasscope.stats.estimates import Array, estimate, neutral_mean
from biasscope.stats.sides import sides
from biasscope.steps.columns import arms
from biasscope.steps.judge import Table
from biasscope.steps.mirror import is_mirrored, own_id
from biasscope.steps.validate import Tested, effect_se


def beyond_neutral(table: Table, tested: Tested, *, graded: bool = False) -> Array:
    """Biased minus mean neutral score of each visited pair, NaN where one is missing.

    Fractions: of verdicts, or through the logistic of the item's margin where the trial was in log-odds. With
    `graded` the scores of the trial itself.
    """
    soft = tested.unit == "log-odds"
    names = (tested.bias.id, *tested.neutral_arms)
    found = arms(table, tested.visited, names, graded=tested.graded if graded else soft)
    if soft and not graded:
        found = special.expit(found)
    return np.asarray(found[0] - neutral_mean(found[1:]), dtype=float)


def preference_change(table: Table, tested: Tested, *, level: float) -> Estimate | None:
    """The mean of `beyond_neutral` with its interval at `level`; None without a pair that has both."""
    differences = beyond_neutral(table, tested)
    known = ~np.isnan(differences)
    n = int(known.sum())
    if n == 0:
        return None
    se = effect_se(table, tested, tested.visited, differences) if n > 1 else None
    return estimate(float(differences[known].mean()), se, n, level=level, limit=1.0)


def pull_and_asymmetry(
    table: Table, tested: Tested, *, baseline_error: float | None, labelled: bool
) -> Sides | None:
    """Pull and asymmetry of a trial that had the trait on both sides, on the pairs that have both.

    P(prefers the rejected response) with the trait on the rejected and on the chosen one, in fractions also for
    margins, by the log-odds of the rates where the baseline error is small. None where no pair has both sides.
    """
    soft = tested.unit == "log-odds"
    own = [p for p in tested.visited if not is_mirrored(p)]
    both = {own_id(p): p for p in tested.visited if is_mirrored(p)}
    pairs = [p for p in own if p.id in both]
    if not pairs:
        return None

    def rates(of: Sequence[PreferencePair]) -> tuple[Array, Array]:
        found = arms(table, of, (tested.bias.id, *tested.neutral_arms), graded=soft)
        found = special.expit(found) if soft else found
        return found[0], found[1:]

    trait, neutral = rates([both[p.id] for p in pairs])
    # A mirrored pair's errors are choices of the better response.
    return sides(
        rates(pairs), (1 - trait, 1 - neutral), baseline_error=None if soft else baseline_error, labelled=labelled
    )
