"""The pairs a person should read before believing a finding: where it shows most, and where it was seen first. Asks nobody."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from biasscope.records import ORIGINAL, Account, Bias, Evidence, Explanation, Rewrite, Shift, Trial, Unit, Verdict
from biasscope.steps.identify import Proposal
from biasscope.steps.judge import Table
from biasscope.steps.shifts import Perturbed, find_shifts
from biasscope.steps.validate import Tested

MOST = 5
"""Pairs that are kept of each trial."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """An explained shift, and the bias that the teacher named from it."""

    explanation: Explanation
    proposal: Proposal


Sightings = dict[str, tuple[Sighting, ...]]
"""By the id of the candidate that came of them; the strongest first."""


def sightings_of(candidates: Iterable[Bias], named: Sequence[Sighting]) -> Sightings:
    """What each new candidate of one iteration was named from.

    A pair is perturbed once in an iteration, so that a pair and an iteration are one sighting.
    """
    return {b.id: tuple(s for s in named if set(s.proposal.evidence) & set(b.evidence)) for b in candidates}


def gather_evidence(
    seen: Table,
    tried: Table,
    tested: Sequence[Tested],
    trials: Sequence[Trial],
    sightings: Mapping[str, Sequence[Sighting]],
    margin_unit: Unit | None,
) -> tuple[Evidence, ...]:
    """The evidence for what was accepted, in the order of the trials: first its sighting, then its strongest pairs.

    `seen` holds the discovery pairs, `tried` those of the trials; `margin_unit` is what the judge's margins are in.
    """
    of = {t.bias.id: t for t in tested}
    found: list[Evidence] = []
    for bias in (t.bias for t in trials if t.status == "accepted"):
        found += [sighted(seen, bias, s, margin_unit) for s in sightings.get(bias.id, ())[:1]]
        found += strongest_pairs(tried, of[bias.id])
    return tuple(found)


def trial_evidence(table: Table, tested: Sequence[Tested], trials: Sequence[Trial]) -> tuple[Evidence, ...]:
    """The strongest pairs of what was accepted, where nothing had to be discovered first."""
    of = {t.bias.id: t for t in tested}
    return tuple(e for t in trials if t.status == "accepted" for e in strongest_pairs(table, of[t.bias.id]))


def strongest_pairs(table: Table, tested: Tested) -> list[Evidence]:
    """The pairs of a trial on which the trait moved the judge most beyond the first neutral rewrite.

    They show what the bias looks like and not how large it is: pairs on which nothing moved are left out.
    """
    arm = tested.bias.id
    perturbed = [Perturbed(p, arm, arm, tested.neutral_arms[0]) for p in tested.visited]
    shifts = find_shifts(table, perturbed, graded=tested.graded).shifts[:MOST]
    return [shown(table, tested.bias, s, s.neutral, tested.unit) for s in shifts]


def shown(table: Table, bias: Bias, shift: Shift, neutral: Rewrite | None, unit: Unit) -> Evidence:
    """A shift of a trial as evidence."""
    return Evidence(
        bias_id=bias.id,
        role="validation",
        written=shift.rewrite.arm,
        pair=shift.pair,
        neutral=neutral,
        rewrite=shift.rewrite,
        verdicts=_verdicts(table, shift, neutral),
        loss=shift.loss,
        unit=unit,
    )


def sighted(table: Table, bias: Bias, sighting: Sighting, margin_unit: Unit | None) -> Evidence:
    """The pair on which a bias was named, with how its name came about."""
    told, shift = sighting.explanation, sighting.explanation.shift
    neutral = None if shift.neutral == shift.rewrite else shift.neutral
    graded = neutral is not None and shift.verdict.margin is not None
    return Evidence(
        bias_id=bias.id,
        role="discovery",
        written=shift.bias_id,
        pair=shift.pair,
        neutral=neutral,
        rewrite=shift.rewrite,
        verdicts=_verdicts(table, shift, neutral),
        loss=shift.loss,
        unit=margin_unit if graded and margin_unit is not None else "fraction",
        account=Account(
            told.reasoning, told.deeper, sighting.proposal.name, sighting.proposal.definition, told.keys
        ),
    )


def _verdicts(table: Table, shift: Shift, neutral: Rewrite | None) -> tuple[Verdict, ...]:
    arms = [ORIGINAL, *([] if neutral is None else [neutral.arm]), shift.rewrite.arm]
    found = (table.verdict(shift.pair, arm, order) for arm in arms for order in table.orders)
    return tuple(v for v in found if v is not None)
