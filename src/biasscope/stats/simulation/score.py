"""What a rule got right on simulated judges and what it cost: operating characteristics with their Monte-Carlo error.

It knows outcomes, not how they came about, so that every rule is scored alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from biasscope.stats.simulation.world import SIZES, Size, Suite


@dataclass(frozen=True, slots=True)
class Covered:
    """How many of some intervals contain the truth."""

    held: int = 0
    of: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What a rule did in one run: which candidates it accepted, what it asked for, what its intervals contain.

    `rewrites` are calls of the teacher, `verdicts` calls of the judge. `selected` are the intervals of accepted
    candidates, `fresh` their intervals on items after the stop; None for a rule that gives none.
    """

    suite: Suite
    pairs: int
    accepted: NDArray[np.bool_]
    rewrites: int
    verdicts: int
    selected: Covered | None = None
    fresh: Covered | None = None

    @property
    def false_share(self) -> float:
        """Share of nulls among the accepted; 0 where nothing was accepted."""
        return float((self.accepted & self._of("null")).sum() / max(1, self.accepted.sum()))

    @property
    def calls_ratio(self) -> float:
        """Calls of teacher and judge, over two for every candidate and pair: a rewrite, a verdict in one order."""
        return (self.rewrites + self.verdicts) / (2 * self.pairs * len(self.accepted))

    @property
    def teacher_calls_ratio(self) -> float:
        """Calls of the teacher, over one for every candidate and pair."""
        return self.rewrites / (self.pairs * len(self.accepted))

    def recall(self, *sizes: Size) -> float | None:
        """Share of the candidates of these sizes that were accepted; None where the suite has none."""
        wanted = self._of(*sizes)
        return float(self.accepted[wanted].mean()) if wanted.any() else None

    def _of(self, *sizes: Size) -> NDArray[np.bool_]:
        return np.isin(self.suite.sizes, sizes)


@dataclass(frozen=True, slots=True)
class Measure:
    """A mean over runs with its standard error, which is 0 where all runs agree, as a few may do by chance."""

    value: float
    mc_error: float


@dataclass(frozen=True, slots=True)
class Characteristics:
    """Means over runs; None where a suite or a rule has no such thing.

    `fdr` is the mean share of nulls among the accepted. Coverage is over all intervals of all runs.
    """

    fdr: Measure
    recall_medium_large: Measure | None
    recall: Mapping[Size, Measure | None]
    calls_ratio: Measure
    teacher_calls_ratio: Measure
    coverage_fcr: Measure | None
    coverage_fresh: Measure | None


def characteristics(outcomes: Sequence[Outcome]) -> Characteristics:
    """Score a rule over runs of one suite. Raises ValueError for fewer than two runs: they have no error."""
    if len(outcomes) < 2:
        raise ValueError(f"need at least 2 runs, got {len(outcomes)}")
    return Characteristics(
        fdr=_mean([o.false_share for o in outcomes]),
        recall_medium_large=_recall(outcomes, "medium", "large"),
        recall=MappingProxyType({size: _recall(outcomes, size) for size in SIZES[1:]}),
        calls_ratio=_mean([o.calls_ratio for o in outcomes]),
        teacher_calls_ratio=_mean([o.teacher_calls_ratio for o in outcomes]),
        coverage_fcr=_coverage([o.selected for o in outcomes]),
        coverage_fresh=_coverage([o.fresh for o in outcomes]),
    )


def acceptance(outcomes: Sequence[Outcome]) -> Measure:
    """Share of runs in which anything at all was accepted: of sham candidates, none should be."""
    return _mean([float(o.accepted.any()) for o in outcomes])


def _mean(values: Sequence[float]) -> Measure:
    array = np.asarray(values)
    return Measure(float(array.mean()), float(array.std(ddof=1) / np.sqrt(len(array))))


def _recall(outcomes: Sequence[Outcome], *sizes: Size) -> Measure | None:
    shares = [share for o in outcomes if (share := o.recall(*sizes)) is not None]
    return _mean(shares) if shares else None


def _coverage(counted: Sequence[Covered | None]) -> Measure | None:
    """The ratio of two totals, its error by linearisation over runs, since intervals of one run depend."""
    held = np.array([c.held for c in counted if c is not None], dtype=float)
    of = np.array([c.of for c in counted if c is not None], dtype=float)
    if of.sum() == 0:
        return None
    ratio = held.sum() / of.sum()
    residuals = held - ratio * of
    return Measure(float(ratio), float(np.sqrt((residuals**2).sum()) / of.sum()))
