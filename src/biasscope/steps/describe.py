"""What is reported beside a trial's decision: error rates, flips, and everything of `TrialDetails` that is free.

Reads the cells of the pairs that a trial visited; asks nobody and decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from biasscope.catalogue.known import Catalogue, built_in
from biasscope.quantities import GroupEffects, Profile, TrialDetails
from biasscope.records import ORIGINAL, PreferencePair
from biasscope.stats import effects
from biasscope.stats.estimates import Array, neutral_mean
from biasscope.stats.groups import group_effects
from biasscope.stats.length import length_adjusted
from biasscope.stats.odds import odds_ratio
from biasscope.stats.position import position_use
from biasscope.stats.profile import profile
from biasscope.stats.split import split
from biasscope.steps.columns import arms, cells, scores
from biasscope.steps.equal_length import word_count
from biasscope.steps.judge import Table
from biasscope.steps.validate import Tested, questions


@dataclass(frozen=True, slots=True)
class Described:
    """Error rates of the originals, neutral and biased rewrites on the pairs that have all three, and flips.

    Fractions; None where no pair has them. `label_mass` is the median probability on the offered labels, None
    where no log-probabilities were read.
    """

    error_original: float | None
    error_neutral: float | None
    error_biased: float | None
    flips: effects.Flips | None
    label_mass: float | None
    details: TrialDetails


def describe(table: Table, tested: Tested) -> Described:
    """Describe one trial over the pairs that it visited."""
    arm, pairs = tested.bias.id, tested.visited
    biased, original = scores(table, pairs, arm, graded=False), scores(table, pairs, ORIGINAL, graded=False)
    neutral = neutral_mean(arms(table, pairs, tested.neutral_arms, graded=False))
    whole = ~np.isnan(original + biased + neutral)
    before, reworded, after = (
        float(a[whole].mean()) if whole.any() else None for a in (original, neutral, biased)
    )
    own, others = cells(table, pairs, arm), np.stack([cells(table, pairs, a) for a in tested.neutral_arms])
    flips = effects.flips(own.ravel().tolist(), [arm.ravel().tolist() for arm in others])
    return Described(
        before, reworded, after, flips, _label_mass(table, tested), _details(table, tested, own, others)
    )


def _label_mass(table: Table, tested: Tested) -> float | None:
    names = (tested.bias.id, *tested.neutral_arms)
    verdicts = [table.verdict(p, a, o) for p in tested.visited for a in names for o in table.orders]
    masses = [v.label_mass for v in verdicts if v is not None and v.label_mass is not None]
    return float(np.median(masses)) if masses else None


def _details(table: Table, tested: Tested, own: Array, others: Array) -> TrialDetails:
    pairs, graded = tested.visited, tested.graded
    limit = None if graded else 1.0
    original = scores(table, pairs, ORIGINAL, graded=graded)
    found = arms(table, pairs, (tested.bias.id, *tested.neutral_arms), graded=graded)
    beyond = found[0] - neutral_mean(found[1:])
    return TrialDetails(
        split=split(original, found[0], found[1:], limit=limit),
        # One presentation has no position to go by, and no second order to condition on.
        odds_ratio=None if len(table.orders) < 2 else odds_ratio(own, others, clusters=questions(pairs).tolist()),
        position=None if len(table.orders) < 2 else position_use(own, others, cells(table, pairs, ORIGINAL)),
        domains=_by(beyond, [p.domain for p in pairs], limit),
        writers=_by(beyond, _writers(table, pairs, tested.bias.id), limit),
        length=length_adjusted(found, _feature(table, tested, word_count), limit=limit),
    )


def feature_profile(table: Table, tested: Tested, catalogue: Catalogue | None = None) -> Profile:
    """What else the biased rewrites show beside the neutral ones: the known traits, and length in words (log)."""
    graded = tested.graded
    found = arms(table, tested.visited, (tested.bias.id, *tested.neutral_arms), graded=graded)
    features = {"length": np.log(_feature(table, tested, word_count))}
    catalogue = catalogue or built_in()
    for known in catalogue.entries:
        if known.detector is not None:
            features.setdefault(known.bias.id, _feature(table, tested, known.detector))
    itself = catalogue.get(tested.bias.id)
    own = (tested.bias.id, *(() if itself is None else itself.overlaps))
    return profile(features, found, own=own, limit=None if graded else 1.0)


def _feature(table: Table, tested: Tested, count: Callable[[str], float]) -> Array:
    """A number counted in the rewrites, shape (arms, pairs), biased first; NaN where there is no rewrite."""
    names = (tested.bias.id, *tested.neutral_arms)
    texts = [[None if (r := table.rewrite(p, a)) is None else r.text for p in tested.visited] for a in names]
    return np.array([[np.nan if t is None else float(count(t)) for t in row] for row in texts], dtype=float)


def _by(beyond: Array, labels: Sequence[str], limit: float | None) -> GroupEffects | None:
    """Effects by group; None where there is one group alone."""
    known = [label for label, d in zip(labels, beyond, strict=True) if not np.isnan(d)]
    return group_effects(beyond, labels, limit=limit) if len(set(known)) > 1 else None


def _writers(table: Table, pairs: Sequence[PreferencePair], arm: str) -> list[str]:
    """Who wrote the biased rewrite of each pair; the neutral ones of a pair are by the same writer."""
    rewrites = [table.rewrite(p, arm) for p in pairs]
    return ["" if r is None else r.writer for r in rewrites]
