"""What can be seen of a trial while it works, as values for whoever shows them. Nothing is decided by it.

A trial tells at its start and after each look. What it tells is *so far*: neither the looks to come nor what else
the run tries is in it, so that none of it is a result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from biasscope.records import Bias, Effect, Status
from biasscope.stats.decision import interval
from biasscope.stats.standing import Standing, Standings

LEVEL = 0.95
"""Coverage of the intervals, each by itself: corrected neither for looking often nor for the other candidates."""


@dataclass(frozen=True, slots=True)
class CandidateSeen:
    """A candidate as its latest look left it: `look` of that look (0 before the first) and the pairs `visited`.

    `status` is None while it is alive, afterwards what its trial decided, which the end of the run may take back.
    `effect` has an interval at `LEVEL`; it is None where nothing could be read yet. `p` is the smallest over its
    looks, each divided by the weight of its look, and `q` the value by which the look decided.
    """

    bias: Bias
    look: int
    visited: int
    status: Status | None
    effect: Effect | None
    p: float
    q: float


@dataclass(frozen=True, slots=True)
class LookSeen:
    """A trial between two looks: `look` of `looks` are over, and the next one comes after `next_stop` pairs.

    `visited` of its `pairs` were judged in all arms. `next_stop` is None when every candidate has stopped.
    """

    iteration: int
    look: int
    looks: int
    visited: int
    pairs: int
    next_stop: int | None
    candidates: tuple[CandidateSeen, ...]

    @property
    def alive(self) -> tuple[CandidateSeen, ...]:
        """The candidates that have not stopped."""
        return tuple(c for c in self.candidates if c.status is None)

    @property
    def stopped_now(self) -> tuple[CandidateSeen, ...]:
        """Those that stopped at the look that is just over."""
        return tuple(c for c in self.candidates if c.status is not None and c.look == self.look)


OnLook = Callable[[LookSeen], None]
"""Who is told of looks; called between two of them, and never waited for."""


def unseen(_: object) -> None:
    """Watch nothing."""


def look_seen(
    at: Standings, biases: Mapping[str, Bias], *, iteration: int, pairs: int, next_stop: int | None
) -> LookSeen:
    """What a machine's standings say about these candidates, by arm."""
    seen = tuple(_candidate(s, biases[s.name], at) for s in at.of)
    return LookSeen(iteration, at.look, at.looks, at.visited, pairs, next_stop, seen)


def _candidate(standing: Standing, bias: Bias, at: Standings) -> CandidateSeen:
    stopped, reading = standing.stopped, standing.reading
    effect = None if reading is None else interval(reading, LEVEL, standing.p)
    if stopped is None:
        return CandidateSeen(bias, at.look, at.visited, None, effect, standing.p, standing.q)
    return CandidateSeen(bias, stopped.look, stopped.visited, stopped.status, effect, standing.p, standing.q)
