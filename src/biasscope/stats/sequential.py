"""The sequential rule as a state machine: which scores to fetch next, and when a candidate stops. Pure.

    machine = Sequential({"flattery": ("neutral-1", "neutral-2")}, items=620, rule=RULES["default"])
    while (due := machine.due()) is not None:
        machine.record({arm: Column(scores of items due.start to due.stop) for arm in due.arms})
    machine.stopped()

Items are in the order in which they are visited. Knows no model, no text and no bias; the candidates of one
machine are those of one iteration, and the final decision over a whole run is made in `decision`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biasscope import seeds
from biasscope.records import Status, Unit
from biasscope.stats import gaps, multiple
from biasscope.stats.normal import upper_quantile
from biasscope.stats.reading import Array, Reading, Wording, read, wording_effect
from biasscope.stats.rules import Look, Rule
from biasscope.stats.standing import Standing, Standings, Stopped, at_the_end, no_signal


def item_order(domains: Sequence[str], ids: Sequence[str], seed: int) -> list[int]:
    """An order of the items in which every prefix has nearly the domain mix of the whole.

    Drawn from the ids, so that it does not depend on the order of the file. Returns indices.
    """
    keys: list[tuple[float, str, int]] = []
    for domain in sorted(set(domains)):
        members = [i for i, d in enumerate(domains) if d == domain]
        members.sort(key=lambda i: (seeds.derive_seed("visit", seed, ids[i]), ids[i]))
        start = seeds.uniform("visit-start", seed, domain)
        keys += [((rank + start) / len(members), domain, i) for rank, i in enumerate(members)]
    return [i for _, _, i in sorted(keys)]


@dataclass(frozen=True, slots=True)
class Fetch:
    """What to fetch for one look: scores of `candidates` and neutral arms for the items `start` to `stop`.

    `neutral_arms` are the arms that any of these items needs; `arms_at` says which of them one item needs.
    """

    look: int
    start: int
    stop: int
    candidates: tuple[str, ...]
    neutral_arms: tuple[str, ...]
    plan: tuple[int, ...]
    groups: tuple[tuple[str, ...], ...]

    @property
    def arms(self) -> tuple[str, ...]:
        """Every arm of this fetch."""
        return (*self.candidates, *self.neutral_arms)

    def arms_at(self, position: int) -> tuple[str, ...]:
        """The arms that the item at a position needs: the neutral ones of the plan, then the candidates."""
        count = self.plan[position - self.start]
        neutral = dict.fromkeys(arm for group in self.groups for arm in group[:count])
        return (*neutral, *self.candidates)


@dataclass(frozen=True, slots=True)
class Column:
    """Scores of one arm, NaN where missing; `unread` marks items with a rewrite and no readable verdict.

    `phrasings` number the phrasing of each item's rewrite (candidates of graded trials).
    """

    scores: Array
    unread: NDArray[np.bool_] | None = None
    phrasings: NDArray[np.int64] | None = None


@dataclass
class _Arm:
    scores: Array
    unread: NDArray[np.bool_]
    phrasings: NDArray[np.int64] | None = None


@dataclass
class _Candidate:
    neutrals: tuple[str, ...]
    p: float = 1.0
    q: float = 1.0
    reading: Reading | None = None
    stopped: Stopped | None = None


class Sequential:
    """The trials of one iteration's candidates, which share items and neutral rewrites.

    `candidates` maps each candidate's arm to its neutral arms, the first ones for every item; `clusters` numbers
    the question of each item; `min_effect` of the rule is in fractions and is replaced for margins (a `unit` other than fraction). `beside` are the
    p-values of everything else that the run tried, when trials go on at its end: the correction is then that of the
    whole run, None inside an iteration.

    Raises ValueError for too few items, a candidate with fewer than one neutral arm, or clusters of another
    length.
    """

    def __init__(
        self,
        candidates: Mapping[str, Sequence[str]],
        *,
        items: int,
        rule: Rule,
        unit: Unit = "fraction",
        clusters: Sequence[int] | NDArray[np.int64] | None = None,
        beside: Sequence[float] | None = None,
    ) -> None:
        self._rule = rule
        self._items = items
        self._schedule: tuple[Look, ...] = rule.schedule(items)
        self._plan = rule.neutrals_at(items)
        self._unit: Unit = unit
        if clusters is not None and len(clusters) != items:
            raise ValueError(f"need one cluster per item ({items}), got {len(clusters)}")
        self._clusters = None if clusters is None else np.asarray(clusters, dtype=np.int64)
        self._candidates: dict[str, _Candidate] = {}
        self._arms: dict[str, _Arm] = {}
        for name, neutrals in candidates.items():
            group = tuple(neutrals)[: rule.neutrals]
            if not group or name in group:
                raise ValueError(f"candidate {name!r} needs neutral arms of other names, got {group}")
            self._candidates[name] = _Candidate(group)
            for arm in (name, *group):
                empty = np.full(items, np.nan), np.zeros(items, dtype=bool)
                self._arms.setdefault(arm, _Arm(*empty))
        self._beside = None if beside is None else [float(p) for p in beside]
        self._look = 0
        self._visited = 0

    def due(self) -> Fetch | None:
        """What the next look needs; None once every candidate has stopped."""
        alive = self._alive()
        if not alive or self._look == len(self._schedule):
            return None
        start, stop = self._visited, self._schedule[self._look].stop
        plan = self._plan[start:stop]
        groups = tuple(dict.fromkeys(self._candidates[name].neutrals for name in alive))
        neutral = dict.fromkeys(arm for group in groups for arm in group[: int(plan.max())])
        counts = tuple(int(k) for k in plan)
        return Fetch(self._look + 1, start, stop, tuple(alive), tuple(neutral), counts, groups)

    def record(self, columns: Mapping[str, Column]) -> None:
        """Take the scores of everything that was due, and decide at this look.

        Neutral scores beyond the plan are ignored. Raises ValueError for a missing arm, a wrong length or
        infinite scores, KeyError never.
        """
        due = self.due()
        if due is None:
            raise ValueError("nothing is due")
        lacking = [arm for arm in due.arms if arm not in columns]
        if lacking:
            raise ValueError(f"no scores for {lacking}")
        for arm in due.arms:
            self._take(arm, columns[arm], due)
        self._visited, self._look = due.stop, due.look
        self._decide(self._schedule[due.look - 1].weight)

    def stopped(self) -> dict[str, Stopped]:
        """Where each candidate stopped, by name; raises ValueError while something is still due."""
        if self.due() is not None:
            raise ValueError("the trial is not over: scores are still due")
        return {name: c.stopped for name, c in self._candidates.items() if c.stopped is not None}

    def standings(self) -> Standings:
        """How the trial and every candidate stand; changes nothing."""
        of = (Standing(name, c.reading, min(1.0, c.p), c.q, c.stopped) for name, c in self._candidates.items())
        return Standings(self._look, len(self._schedule), self._visited, tuple(of))

    def _alive(self) -> list[str]:
        return [name for name, c in self._candidates.items() if c.stopped is None]

    def _take(self, arm: str, column: Column, due: Fetch) -> None:
        size = due.stop - due.start
        if column.scores.shape != (size,):
            raise ValueError(f"{arm} needs {size} scores, got shape {column.scores.shape}")
        kept, place = self._arms[arm], slice(due.start, due.stop)
        kept.scores[place] = column.scores
        if column.unread is not None:
            kept.unread[place] = column.unread
        if column.phrasings is not None:
            if kept.phrasings is None:
                kept.phrasings = np.zeros(self._items, dtype=np.int64)
            kept.phrasings[place] = column.phrasings

    def _neutrals(self, group: tuple[str, ...]) -> Array:
        """The scores of neutral arms so far, shape (arms, visited); NaN beyond the plan."""
        scores = np.stack([self._arms[arm].scores[: self._visited] for arm in group])
        return np.where(self._planned(len(group)), scores, np.nan)

    def _planned(self, arms: int) -> NDArray[np.bool_]:
        return np.asarray(np.arange(arms)[:, None] < self._plan[None, : self._visited])

    def _decide(self, weight: float) -> None:
        alive = self._alive()
        # Neutral arms matched to other candidates, stopped ones too, say what wording alone does to margins, but
        # are not compared with.
        of = self._candidates if self._unit != "fraction" else alive
        scores = {g: self._neutrals(g) for g in dict.fromkeys(self._candidates[name].neutrals for name in of)}
        wording = wording_effect(np.vstack(list(scores.values()))) if self._unit != "fraction" else None
        counted: dict[str, float] = {}
        for name, candidate in self._candidates.items():
            if candidate.stopped is None:
                self._read(name, candidate, scores[candidate.neutrals], wording, weight)
            counted[name] = self._counts(candidate)
        own = list(counted.values())
        adjusted = (
            multiple.adjusted(own) if self._beside is None else multiple.adjusted_for_few([*own, *self._beside])
        )
        qs = dict(zip(counted, adjusted, strict=False))
        last = self._look == len(self._schedule)
        for name in alive:
            self._candidates[name].q = qs[name]
            self._stop(name, accepted=qs[name] <= self._rule.q, last=last)

    def _read(
        self, name: str, candidate: _Candidate, neutrals: Array, wording: Wording | None, weight: float
    ) -> None:
        arm, seen = self._arms[name], slice(0, self._visited)
        reading = read(
            arm.scores[seen],
            neutrals,
            min_effect=self._rule.min_effect,
            q=self._rule.q,
            wording=wording,
            unit=self._unit,
            clusters=None if self._clusters is None else self._clusters[seen],
            phrasings=None if arm.phrasings is None else arm.phrasings[seen],
        )
        candidate.reading = reading
        if reading is not None:
            candidate.p = min(candidate.p, reading.p / weight)

    def _counts(self, candidate: _Candidate) -> float:
        """The p-value with which a candidate enters the correction; 1 for what cannot be accepted."""
        if candidate.stopped is not None and candidate.stopped.status != "accepted":
            return 1.0
        reading = candidate.reading
        # What has too few items is not accepted yet, so that it must not help others to be.
        if reading is None or reading.n < self._rule.fewest:
            return 1.0
        return candidate.p if reading.signal and reading.beyond_wording else 1.0

    def _stop(self, name: str, *, accepted: bool, last: bool) -> None:
        candidate = self._candidates[name]
        reading = candidate.reading
        if reading is None:
            if last:
                self._end(name, "no_signal", "no item has both a biased and a neutral verdict")
        elif reading.n < self._rule.fewest:
            if last:
                few = f"only {reading.n} pairs have verdicts in both arms, and {self._rule.fewest} are needed"
                self._end(name, "no_signal", few)
        elif not reading.moves:
            self._end(name, "no_signal", no_signal(reading))
        elif accepted:
            self._end(name, "accepted", "")
        elif last:
            self._end(name, *at_the_end(reading, self._rule))
        elif reading.supports and self._is_futile(reading):
            self._end(name, "dropped", "unlikely to reach the smallest effect of interest", futile=True)

    def _is_futile(self, reading: Reading) -> bool:
        if self._rule.futility is None:
            return False
        return reading.value + upper_quantile(self._rule.futility) * reading.se < reading.min_effect

    def _end(self, name: str, status: Status, reason: str, *, futile: bool = False) -> None:
        candidate = self._candidates[name]
        scores, unread = self._cells(name, candidate)
        missing = gaps.count((name, *candidate.neutrals), scores, unread)
        valid = not gaps.is_uneven(missing)
        if not valid and status != "no_signal":
            status, reason = "invalid", "verdicts are missing more often in one arm than in the other"
        candidate.stopped = Stopped(
            name=name,
            status=status,
            reason=reason,
            p=min(1.0, candidate.p),
            look=self._look,
            looks=len(self._schedule),
            visited=self._visited,
            reading=candidate.reading,
            valid=valid,
            missing=missing,
            worst_case=None if self._unit != "fraction" else gaps.worst_case(scores, unread),
            futile=futile,
            rule=self._rule.name,
        )

    def _cells(self, name: str, candidate: _Candidate) -> tuple[Array, NDArray[np.bool_]]:
        """Scores so far, and where a rewrite has no readable verdict; candidate first, nothing beyond the plan."""
        scores = np.vstack([self._arms[name].scores[: self._visited], self._neutrals(candidate.neutrals)])
        unread = np.stack([self._arms[arm].unread[: self._visited] for arm in (name, *candidate.neutrals)])
        unread[1:] &= self._planned(len(candidate.neutrals))
        return scores, unread
