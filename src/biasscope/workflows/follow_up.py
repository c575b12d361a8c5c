"""After the decision: what accepted biases are asked beyond it, and the marks that come of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from biasscope.config import Identity
from biasscope.quantities import Estimate, TrialDetails
from biasscope.records import Trial
from biasscope.stats.normal import upper_quantile
from biasscope.steps.describe import feature_profile
from biasscope.steps.followups import FRESH_PAIRS, Bench, at_equal_length, both_sides, confirm
from biasscope.steps.validate import Tested

MANY = 10
"""Where fewer were found, each is worth a second look: there a false one does most harm, and looking is cheap."""
AGAIN = 0.2
"""One-sided level at which the effect has to be seen again on fresh pairs; a real one of the usual size nearly always is."""


async def follow_up(
    bench: Bench, tested: Sequence[Tested], trials: Sequence[Trial], identity: Identity
) -> list[Trial]:
    """Measure accepted biases further, as the configuration says; other trials stay as they are.

    Where fewer than `MANY` were found, one that was accepted before its trial had visited most of its pairs is tried
    again on some of the others, and is `not_shown` unless it is seen there too.
    """
    of = {t.bias.id: t for t in tested}
    few = sum(t.status == "accepted" for t in trials) < MANY
    return [
        await _one(bench, of[t.bias.id], t, identity, few=few) if t.status == "accepted" else t for t in trials
    ]


async def _one(bench: Bench, tested: Tested, trial: Trial, identity: Identity, *, few: bool) -> Trial:
    details = trial.details or TrialDetails()
    if few or identity.confirm:
        fresh = await confirm(bench, tested, most=None if identity.confirm else FRESH_PAIRS)
        details = replace(details, confirmed=fresh)
        if few and fresh is not None and not _seen(fresh):
            reason = "it was not seen again on pairs that its trial had not visited"
            return replace(trial, status="not_shown", reason=reason, details=details)
    found = feature_profile(bench.table, tested)
    means = identity.equal_length
    details = replace(
        details,
        profile=found,
        sides=await both_sides(bench, tested) if identity.both_sides else None,
        equal_length=None if means is None else await at_equal_length(bench, tested, means),
    )
    marks = (*trial.marks, "bundled") if found.bundled else trial.marks
    return replace(trial, details=details, marks=marks)


def _seen(fresh: Estimate) -> bool:
    """Whether an effect in the expected direction shows at the level `AGAIN`; without an error any does."""
    return fresh.value > upper_quantile(AGAIN) * (fresh.se or 0.0) if fresh.value > 0 else False
