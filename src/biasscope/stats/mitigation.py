"""Does a fix work? The same variants judged before and after it, in four cells: the trait on rejected, chosen, both, none. Pure.

A cell's score is P(prefers the rejected response), mean over the orders that the judge has. The *pull* of a variant is half of
what the score gains when the trait moves from the chosen to the rejected response; which side a judge favours by itself, and
what rewording does, drop out. A fix works where the pull shrinks and the error rises in no cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from biasscope.quantities import Estimate, Unit
from biasscope.stats import multiple
from biasscope.stats.estimates import Array
from biasscope.stats.normal import upper_quantile
from biasscope.stats.paired import sign_flip_p_of
from biasscope.stats.rates import Clusters, Rate, clustered_mean, clustered_rate
from biasscope.stats.reading import by_cluster

Cell = Literal["neither", "rejected", "chosen", "both"]
CELLS: tuple[Cell, ...] = ("neither", "rejected", "chosen", "both")
"""Which response carries the trait, in the order of the rows of cell scores."""
NEITHER, REJECTED, CHOSEN, BOTH = range(4)

FixStatus = Literal["works", "not_shown", "no_pull", "raises_error", "turned_round", "no_signal"]
"""``works``: the pull shrinks and no error rises. ``not_shown``: it is not seen to shrink. ``no_pull``: there was none to begin
with on these pairs. ``raises_error`` and ``turned_round`` (the judge is drawn the other way) are harmful. ``no_signal``: too few
variants were judged in all cells."""
HARMFUL: frozenset[FixStatus] = frozenset({"raises_error", "turned_round"})
POWER = 0.8


@dataclass(frozen=True, slots=True)
class Judged:
    """The variants of one bias under one fix: scores [4 cells, variants] before and after, NaN where one is missing.

    `pull_before` and `pull_after` are cells of the same shape in which the pull is counted, which for graded judges are
    log-odds towards the rejected response; `clusters` numbers the question of each variant. Raises ValueError for shapes
    that do not fit.
    """

    before: Array
    after: Array
    pull_before: Array
    pull_after: Array
    clusters: Clusters
    unit: Unit = "fraction"

    def __post_init__(self) -> None:
        shapes = {a.shape for a in (self.before, self.after, self.pull_before, self.pull_after)}
        if shapes != {(len(CELLS), len(self.clusters))}:
            raise ValueError(f"need four arrays of shape (4, {len(self.clusters)}), got {sorted(shapes)}")


@dataclass(frozen=True, slots=True)
class CellChange:
    """The error in one cell before and after a fix."""

    cell: Cell
    """Which response carries the trait."""
    before: Rate | None
    """Error rate before, on the variants that both have; null without one."""
    after: Rate | None
    """Error rate after."""
    rise: Estimate | None
    """After less before, a fraction in [-1, 1]; for the cell `chosen`, where the trait used to help the better response, less the
    error before in the cell `neither`: what the trait gave is no merit that a fix could take away."""
    p: float | None
    """One-sided p-value of a rise, sign flips over questions."""
    q: float | None
    """The Benjamini-Hochberg value over all cells, biases and fixes that were looked at together."""


@dataclass(frozen=True, slots=True)
class FixEffect:
    """What a fix does to one bias."""

    status: FixStatus
    """What came out; see `reason`."""
    reason: str
    """The same in words."""
    unit: Unit
    """Of the pull: `fraction` of verdicts, or the unit of margins."""
    before: Estimate | None
    """The pull before; null without a variant that was judged in both of its cells, before and after."""
    after: Estimate | None
    """The pull after."""
    shrink: Estimate | None
    """Before less after, paired by variant."""
    p: float | None
    """One-sided p-value that it shrinks."""
    q: float | None
    """Its Benjamini-Hochberg value over all biases and fixes."""
    p_before: float | None
    """One-sided p-value that there was a pull before."""
    q_turned: float | None
    """Benjamini-Hochberg value that the pull after goes the other way."""
    detectable: float | None
    """The smallest true shrinkage that would have been seen with 80 % power, in `unit`, by the standard error that was found and
    a single test at the level asked for; null where nothing varies."""
    cells: tuple[CellChange, ...]
    """The four cells."""


def fix_effects(judged: Sequence[Judged], *, q: float = 0.05) -> list[FixEffect]:
    """Assess fixes on biases together: every kind of test has one Benjamini-Hochberg correction over all of them.

    Raises ValueError for a level outside (0, 1).
    """
    if not 0 < q < 1:
        raise ValueError(f"need a level between 0 and 1, got {q}")
    found = [_measured(one) for one in judged]
    shrinks = _adjusted([m.p for m in found])
    turns = _adjusted([m.p_turned for m in found])
    rises = iter(_adjusted([cell.p for m in found for cell in m.cells]))
    effects = []
    for one, m, shrink, turn in zip(judged, found, shrinks, turns, strict=True):
        cells = tuple(_with_q(cell, next(rises)) for cell in m.cells)
        status, reason = _status(m, cells, shrink, turn, q)
        se = None if m.shrink is None else m.shrink.se
        detectable = (upper_quantile(q) + upper_quantile(1 - POWER)) * se if se else None
        effects.append(
            FixEffect(
                status, reason, one.unit, m.before, m.after, m.shrink, m.p, shrink, m.p_before, turn, detectable,
                cells,
            )
        )  # fmt: skip
    return effects


@dataclass(frozen=True, slots=True)
class _Measured:
    before: Estimate | None
    after: Estimate | None
    shrink: Estimate | None
    p: float | None
    p_before: float | None
    p_turned: float | None
    cells: tuple[CellChange, ...]


def pull_of(cells: Array) -> Array:
    """The pull of each variant from its scores [4 cells, variants]."""
    return np.asarray((cells[REJECTED] - cells[CHOSEN]) / 2, dtype=float)


def _measured(one: Judged) -> _Measured:
    before, after = pull_of(one.pull_before), pull_of(one.pull_after)
    whole = ~np.isnan(before) & ~np.isnan(after)
    limit = 1.0 if one.unit == "fraction" else None
    before, after, own = before[whole], after[whole], one.clusters[whole]
    cells = tuple(_cell(one, number) for number in range(len(CELLS)))
    if not whole.any():
        return _Measured(None, None, None, None, None, None, cells)
    return _Measured(
        clustered_mean(before, own, limit=limit),
        clustered_mean(after, own, limit=limit),
        clustered_mean(before - after, own, limit=limit),
        _p_above(before - after, own),
        _p_above(before, own),
        _p_above(-after, own),
        cells,
    )


def _cell(one: Judged, number: int) -> CellChange:
    # What the trait gave to the better response falls away with it: the judge without the trait is what counts there.
    reference = one.before[NEITHER if number == CHOSEN else number]
    after = one.after[number]
    rise = after - reference
    known = ~np.isnan(rise) & ~np.isnan(one.before[number])
    own = one.clusters[known]
    return CellChange(
        CELLS[number],
        clustered_rate(one.before[number][known], own),
        clustered_rate(after[known], own),
        clustered_mean(rise[known], own, limit=1.0),
        _p_above(rise[known], own) if known.any() else None,
        None,
    )


def _p_above(values: Array, clusters: Clusters) -> float:
    """One-sided p-value of a mean above 0, the signs of whole clusters flipped."""
    return sign_flip_p_of(by_cluster(values, clusters))


def _adjusted(ps: Sequence[float | None]) -> list[float | None]:
    qs = iter(multiple.adjusted([p for p in ps if p is not None]))
    return [None if p is None else next(qs) for p in ps]


def _with_q(cell: CellChange, q: float | None) -> CellChange:
    return CellChange(cell.cell, cell.before, cell.after, cell.rise, cell.p, q)


def _status(
    m: _Measured, cells: Sequence[CellChange], shrink: float | None, turned: float | None, q: float
) -> tuple[FixStatus, str]:
    if shrink is None or turned is None or m.p_before is None or m.shrink is None or m.shrink.se is None:
        return "no_signal", "too few pairs were judged with the trait on either response, before and after"
    raised = [cell.cell for cell in cells if cell.q is not None and cell.q <= q]
    if turned <= q:
        return "turned_round", "the judge is now drawn the other way: the trait counts against a response"
    if raised:
        where = ", ".join(_WHERE[cell] for cell in raised)
        return "raises_error", f"the error rises with the trait on {where}"
    if shrink <= q:
        return "works", "the pull shrinks, and no error is seen to rise"
    if m.p_before > q:
        return "no_pull", "on these pairs the judge is not seen to be drawn by it to begin with"
    return "not_shown", "the pull is not seen to shrink"


_WHERE: dict[Cell, str] = {
    "neither": "neither response",
    "rejected": "the worse response",
    "chosen": "the better response",
    "both": "both responses",
}
