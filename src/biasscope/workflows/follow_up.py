"""After the decision: what accepted biases are asked beyond it, and the marks that come of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from biasscope.config import Identity
from biasscope.quantities import TrialDetails
from biasscope.records import Trial
from biasscope.steps.describe import feature_profile
from biasscope.steps.followups import Bench, at_equal_length, both_sides, confirm
from biasscope.steps.validate import Tested


async def follow_up(
    bench: Bench, tested: Sequence[Tested], trials: Sequence[Trial], identity: Identity
) -> list[Trial]:
    """Measure accepted biases further, as the configuration says; other trials stay as they are."""
    of = {t.bias.id: t for t in tested}
    return [await _one(bench, of[t.bias.id], t, identity) if t.status == "accepted" else t for t in trials]


async def _one(bench: Bench, tested: Tested, trial: Trial, identity: Identity) -> Trial:
    found = feature_profile(bench.table, tested)
    means = identity.equal_length
    details = replace(
        trial.details or TrialDetails(),
        profile=found,
        sides=await both_sides(bench, tested) if identity.both_sides else None,
        confirmed=await confirm(bench, tested) if identity.confirm else None,
        equal_length=None if means is None else await at_equal_length(bench, tested, means),
    )
    marks = (*trial.marks, "bundled") if found.bundled else trial.marks
    return replace(trial, details=details, marks=marks)
