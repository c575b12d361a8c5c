"""Several judges on the same pairs, rewrites and biases: what holds on both, how alike they are, what differs.

Everything is compared as a change of preference in fractions: margins of two judges are not of one scale. Asks nobody.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from biasscope.records import ORIGINAL, PreferencePair
from biasscope.stats import power
from biasscope.stats.estimates import Array
from biasscope.stats.position import first_answer
from biasscope.stats.transfer import (
    Difference,
    Screened,
    Similarity,
    Transfer,
    paired_differences,
    similarity,
    transfer,
)
from biasscope.steps.columns import cells
from biasscope.steps.preference import beyond_neutral
from biasscope.steps.validate import questions
from biasscope.workflows.measure import Measurement


@dataclass(frozen=True, slots=True)
class Comparison:
    """Judges are numbered from 0. `transfer` is by (source, target), `similarity` by two judges, `differences` by
    (bias, one judge, another): the effect on the other less that on the one."""

    transfer: dict[tuple[int, int], Transfer]
    similarity: dict[tuple[int, int], Similarity]
    differences: dict[tuple[str, int, int], Difference]


def compare_judges(found: Sequence[Measurement], pairs: Sequence[PreferencePair], *, q: float) -> Comparison:
    """Compare judges that were measured on `pairs` with the same biases at level `q`."""
    effects = [[beyond_neutral(m.table, t) for t in m.tested] for m in found]
    screened = [_screened(m, q) for m in found]
    halves = [_halves(m, e) for m, e in zip(found, effects, strict=True)]
    judges = range(len(found))
    return Comparison(
        {(j, k): transfer(screened[j], screened[k]) for j, k in permutations(judges, 2)},
        {(j, k): similarity(halves[j], halves[k], seed=(j, k)) for j, k in combinations(judges, 2)},
        _differences(found, effects, pairs),
    )


def _screened(found: Measurement, q: float) -> Screened:
    """The traits of a judge; a slot bias is in the count of its correction, and no trait to be carried over."""
    values = [np.nan if c is None else c.value for c in found.changes]
    ses = [np.nan if c is None or c.se is None else c.se for c in found.changes]
    accepted = np.array([t.status == "accepted" for t in found.trials], dtype=bool)
    count, held = max(1, len(found.effects)), max(1, int(accepted.sum()))
    level = power.single_level(q, tried=count, accepted=min(held, count))
    return Screened(np.array(values, dtype=float), np.array(ses, dtype=float), accepted, level)


def _halves(found: Measurement, effects: Sequence[Array]) -> tuple[Array, Array]:
    """The effect of each bias on every other question, and on those between."""
    sides = []
    for odd in (1, 0):
        means = []
        for tested, values in zip(found.tested, effects, strict=True):
            known = values[(questions(tested.visited) % 2 == odd) & ~np.isnan(values)]
            means.append(float(known.mean()) if len(known) else np.nan)
        sides.append(np.array(means, dtype=float))
    return sides[0], sides[1]


def _differences(
    found: Sequence[Measurement], effects: Sequence[Sequence[Array]], pairs: Sequence[PreferencePair]
) -> dict[tuple[str, int, int], Difference]:
    """Slots and traits of every two judges, with one correction over all of them."""
    names: list[tuple[str, int, int]] = []
    columns: list[tuple[Array, Array, NDArray[np.int64]]] = []
    for j, k in combinations(range(len(found)), 2):
        one, other = found[j], found[k]
        if one.slot is not None and other.slot is not None:
            names.append((one.slot.bias.id, j, k))
            columns.append((_slots(one, pairs), _slots(other, pairs), questions(pairs)))
        for number, tested in enumerate(one.tested):
            # Every judge visits the pairs in one order, so that where a trial stopped early is the beginning.
            common = min(len(tested.visited), len(other.tested[number].visited))
            names.append((tested.bias.id, j, k))
            columns.append(
                (effects[j][number][:common], effects[k][number][:common], questions(tested.visited[:common]))
            )
    return dict(zip(names, paired_differences(columns, limit=1.0), strict=True))


def _slots(found: Measurement, pairs: Sequence[PreferencePair]) -> Array:
    return first_answer(cells(found.table, pairs, ORIGINAL))
