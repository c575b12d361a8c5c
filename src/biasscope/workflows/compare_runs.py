"""Two runs beside each other: what holds in which, and by how much a judge differs, pair by pair. Asks nobody.

Everything is a change of preference in fractions: margins of two judges are not of one scale.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biasscope.errors import DataError
from biasscope.records import HABITS, Trial
from biasscope.stats import power
from biasscope.stats.estimates import Array
from biasscope.stats.reading import clustered_se
from biasscope.stats.rules import FEWEST
from biasscope.stats.transfer import Difference, paired_differences
from biasscope.workflows.recount import Items, effect_items, error_items, first_items

TWO_SIDED = 0.05
"""Level of a difference of which nobody said before to which side it goes."""


@dataclass(frozen=True, slots=True)
class Subject:
    """One judge of one run: its verdicts, its trials by the id of their bias, and how it is called here."""

    label: str
    verdicts: pl.DataFrame
    trials: dict[str, Trial]

    def effect(self, trial: Trial) -> Items:
        """The effect of a trait on each pair that its trial visited, as a change of preference."""
        return effect_items(self.verdicts, trial.bias.id, trial.neutral_arms, soft=trial.unit == "log-odds")


@dataclass(frozen=True, slots=True)
class Compared:
    """One quantity on two judges: the means over the items that both have, and the difference (other less reference).

    `needed` is how many items would show a true difference of that size with a power of 80 %, two-sided at 5 %, if items
    differ as these do; None where nothing differs, or all in the same way.
    """

    reference: float | None
    other: float | None
    difference: Difference
    needed: int | None


@dataclass(frozen=True, slots=True)
class ComparedBias:
    """A bias that was tried on both judges."""

    reference: Trial
    other: Trial
    compared: Compared


@dataclass(frozen=True, slots=True)
class RunComparison:
    """Two judges on the `shared` pairs: errors, slots (None where one knows none), the biases tried on both.

    `redefined` are ids that stand for another definition in the other run; they are not compared.
    """

    shared: int
    errors: Compared
    slots: Compared | None
    biases: tuple[ComparedBias, ...]
    redefined: tuple[str, ...]


def compare_runs(reference: Subject, other: Subject) -> RunComparison:
    """Compare two judges on the pairs that both judged; one correction over all differences.

    Raises DataError where they share fewer pairs than anything is decided on.
    """
    errors = error_items(reference.verdicts), error_items(other.verdicts)
    shared = errors[0].values.keys() & errors[1].values.keys()
    if len(shared) < FEWEST:
        raise DataError(
            f"{reference.label} and {other.label} have {len(shared)} pairs in common, and at least {FEWEST} are needed",
            hint="Measure both judges on the same --data with the same --seed.",
        )
    slots = first_items(reference.verdicts), first_items(other.verdicts)
    both = [i for i in reference.trials if i in other.trials and not _is_habit(reference.trials[i])]
    redefined = [i for i in both if _words(reference.trials[i]) != _words(other.trials[i])]
    compared = [i for i in both if i not in redefined]
    has_slots = bool(slots[0].values and slots[1].values)
    of = [errors, *([slots] if has_slots else [])]
    of += [(reference.effect(reference.trials[i]), other.effect(other.trials[i])) for i in compared]
    found = _compared(of)
    rest = found[2:] if has_slots else found[1:]
    return RunComparison(
        len(shared),
        found[0],
        found[1] if has_slots else None,
        tuple(ComparedBias(reference.trials[i], other.trials[i], c) for i, c in zip(compared, rest, strict=True)),
        tuple(redefined),
    )


def _is_habit(trial: Trial) -> bool:
    return trial.bias.estimand in HABITS


def _words(trial: Trial) -> tuple[str, str]:
    return trial.bias.definition, trial.bias.estimand


def _compared(of: Sequence[tuple[Items, Items]]) -> list[Compared]:
    columns = []
    for one, other in of:
        keys = sorted(one.values.keys() & other.values.keys())
        _, clusters = np.unique([question for _, question in keys], return_inverse=True)
        columns.append((one.at(keys), other.at(keys), clusters.astype(np.int64)))
    differences = paired_differences(columns, limit=1.0)
    return [
        Compared(_mean(one), _mean(other), difference, _needed(other - one, clusters))
        for (one, other, clusters), difference in zip(columns, differences, strict=True)
    ]


def _needed(differences: Array, clusters: NDArray[np.int64]) -> int | None:
    known = ~np.isnan(differences)
    values = differences[known]
    size = abs(float(values.mean())) if len(values) > 1 else 0.0
    spread = clustered_se(values, clusters[known]) ** 2 * len(values) if size > 0 else 0.0
    # Pairs that ask the same weigh as one, so that the share may come out above what single pairs allow.
    share = min(1.0, spread + size**2)
    if size == 0 or spread == 0 or size >= share:
        return None
    return power.pairs_needed(size, power.DiscordantNoise(share), alpha=TWO_SIDED / 2)


def _mean(values: np.ndarray) -> float | None:
    return float(np.sort(values).mean()) if len(values) else None
