"""Validate candidates on pairs that chose none of them: biased against neutral rewrites, both orders.

Drives `stats.sequential`: fetches what the next look needs, pair by pair, for all candidates together, and hands
over the scores; decides nothing itself. Neutral rewrites and their verdicts are shared through the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from biasscope import seeds
from biasscope.errors import DataError
from biasscope.judges.base import Judge
from biasscope.judges.margins import is_saturated
from biasscope.records import ORIGINAL, Baseline, Bias, PreferencePair, Unit
from biasscope.stats.decision import counted, unsettled
from biasscope.stats.effects import phrasing_variance
from biasscope.stats.estimates import Array
from biasscope.stats.position import consistent, first_answer
from biasscope.stats.reading import clustered_se
from biasscope.stats.rules import RULES, Rule
from biasscope.stats.sequential import Column, Fetch, Sequential, item_order
from biasscope.stats.standing import Stopped
from biasscope.steps.columns import cells, scores
from biasscope.steps.judge import ERROR, Table, judge_pairs
from biasscope.steps.perturb import Job, Writer, perturb_pairs
from biasscope.steps.watching import OnLook, look_seen, unseen


@dataclass(frozen=True, slots=True)
class TrialDesign:
    """How candidates are tried: the rule, and the seed of the order in which pairs are visited."""

    rule: Rule = field(default_factory=lambda: RULES["default"])
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Tested:
    """A candidate with where its trial stopped, before any final decision.

    `visited` are the pairs in the order in which they were visited, up to the stop, `unvisited` those after it;
    `neutral_arms` the arms it was compared with; `missing` counts (arm, reason) over its own arms.
    """

    bias: Bias
    iteration: int
    stopped: Stopped
    visited: tuple[PreferencePair, ...]
    unvisited: tuple[PreferencePair, ...]
    neutral_arms: tuple[str, ...]
    missing: tuple[tuple[str, str, int], ...]

    @property
    def unit(self) -> Unit:
        """The unit of its scores; fractions where nothing could be read."""
        return "fraction" if self.stopped.reading is None else self.stopped.reading.unit

    @property
    def graded(self) -> bool:
        """Whether its scores are margins."""
        return self.unit != "fraction"


async def validate_candidates(
    judge: Judge,
    writer: Writer,
    table: Table,
    pairs: Sequence[PreferencePair],
    candidates: Sequence[Bias],
    design: TrialDesign,
    *,
    iteration: int = 0,
    beside: Sequence[float] | None = None,
    on_look: OnLook = unseen,
) -> list[Tested]:
    """Try every candidate until it is accepted, hopeless, or all pairs are seen; margins where unsaturated.

    `beside` are the p-values of everything else that the run tried, when trials go on at its end. `on_look` is told
    how candidates stand, at the start and after each look; it changes nothing.
    Raises DataError for fewer pairs than the rule can decide on.
    """
    if len(pairs) < design.rule.fewest:
        raise DataError(
            f"only {len(pairs)} pairs to validate on, and at least {design.rule.fewest} are needed",
            hint="Give more pairs; `biasscope power` says how many an effect needs.",
        )
    if not candidates:
        return []
    order = item_order([p.domain for p in pairs], [p.id for p in pairs], design.seed)
    visit = [pairs[i] for i in order]
    by_arm = {b.id: b for b in candidates}
    trial = _Trial(judge, writer, table, visit, by_arm, design.rule, beside, iteration, on_look)
    stopped = await trial.run()
    return [_tested(b, iteration, stopped[b.id], visit, trial.groups[b.id], table) for b in candidates]


async def settle(
    judge: Judge,
    writer: Writer,
    table: Table,
    pairs: Sequence[PreferencePair],
    tested: Sequence[Tested],
    design: TrialDesign,
    *,
    on_look: OnLook = unseen,
) -> list[Tested]:
    """Let trials go on that stopped with an acceptance which does not hold over the whole run.

    They visit their pairs again, which costs nothing, beside everything else that was tried, and then new ones.
    """
    settled = list(tested)
    while due := unsettled([t.stopped for t in settled], q=design.rule.q):
        beside = [counted(t.stopped) for i, t in enumerate(settled) if i not in due]
        biases = [settled[i].bias for i in due]
        again = await validate_candidates(
            judge, writer, table, pairs, biases, design, beside=beside, on_look=on_look
        )
        for i, found in zip(due, again, strict=True):
            settled[i] = replace(found, iteration=settled[i].iteration)
    return settled


def _tested(
    bias: Bias,
    iteration: int,
    stopped: Stopped,
    visit: Sequence[PreferencePair],
    group: tuple[str, ...],
    table: Table,
) -> Tested:
    own = {bias.id, *group}
    missing = tuple(m for m in table.missing() if m[0] in own)
    at = stopped.visited
    return Tested(bias, iteration, stopped, tuple(visit[:at]), tuple(visit[at:]), group, missing)


@dataclass
class _Trial:
    judge: Judge
    writer: Writer
    table: Table
    visit: Sequence[PreferencePair]
    biases: dict[str, Bias]
    rule: Rule
    beside: Sequence[float] | None
    iteration: int
    on_look: OnLook
    groups: dict[str, tuple[str, ...]] = field(init=False)

    def __post_init__(self) -> None:
        jobs = {i: self.writer.neutral_jobs(self.visit[0], b, self.rule.neutrals) for i, b in self.biases.items()}
        self.groups = {i: tuple(j.arm for j in made) for i, made in jobs.items()}

    async def run(self) -> dict[str, Stopped]:
        """Fetch and record look after look."""
        # What the first look needs does not depend on how verdicts are scored, and says how they can be.
        blank = self._machine("fraction")
        self._tell(blank)
        first = blank.due()
        if first is not None:
            await self._fetch(first)
        unit = self._unit(first)
        machine = self._machine(unit)
        while (due := machine.due()) is not None:
            await self._fetch(due)
            machine.record({arm: self._column(arm, due, graded=unit != "fraction") for arm in due.arms})
            self._tell(machine)
        return machine.stopped()

    def _tell(self, machine: Sequential) -> None:
        """Tell whoever watches how the trial stands."""
        due = machine.due()
        stop = None if due is None else due.stop
        standings = machine.standings()
        self.on_look(
            look_seen(standings, self.biases, iteration=self.iteration, pairs=len(self.visit), next_stop=stop)
        )

    def _machine(self, unit: Unit) -> Sequential:
        return Sequential(
            self.groups,
            items=len(self.visit),
            rule=self.rule,
            unit=unit,
            clusters=questions(self.visit),
            beside=self.beside,
        )

    async def _fetch(self, due: Fetch) -> None:
        """Rewrite and judge what is due; originals ride along, since they share the prompt's beginning."""
        pairs = self.visit[due.start : due.stop]
        jobs: list[Job] = []
        arms: dict[str, list[str]] = {}
        for position, pair in enumerate(pairs, due.start):
            made = self._jobs(pair, due)
            wanted = [made[arm] for arm in due.arms_at(position)]
            jobs += wanted
            arms[pair.id] = [ORIGINAL, *(job.arm for job in wanted)]
        await perturb_pairs(self.writer, self.table, jobs)
        await judge_pairs(self.judge, self.table, pairs, arms)

    def _jobs(self, pair: PreferencePair, due: Fetch) -> dict[str, Job]:
        """Every rewrite that a pair may need, by arm."""
        made: dict[str, Job] = {}
        seen: set[tuple[str, ...]] = set()
        for arm in due.candidates:
            bias = self.biases[arm]
            made[arm] = Job(pair, arm, bias)
            if self.groups[arm] not in seen:
                seen.add(self.groups[arm])
                made |= {j.arm: j for j in self.writer.neutral_jobs(pair, bias, self.rule.neutrals)}
        return made

    def _column(self, arm: str, due: Fetch, *, graded: bool) -> Column:
        pairs = self.visit[due.start : due.stop]
        found = scores(self.table, pairs, arm, graded=graded)
        rewrites = [self.table.rewrite(p, arm) for p in pairs]
        return Column(
            found,
            np.isnan(found) & np.array([r is not None for r in rewrites], dtype=bool),
            np.array([-1 if r is None else r.phrasing for r in rewrites], dtype=np.int64),
        )

    def _unit(self, first: Fetch | None) -> Unit:
        """The unit in which verdicts are scored: that of the judge's margins where they come and say something."""
        unit = self.judge.margin_unit
        if unit is None or first is None:
            return "fraction"
        pairs = self.visit[: first.stop]
        found = [self.table.verdict(p, ORIGINAL, o) for p in pairs for o in self.table.orders]
        known = [v.margin for v in found if v is not None and v.margin is not None]
        if not known or (unit == "log-odds" and is_saturated(known)):
            return "fraction"
        return unit


def effect_se(table: Table, tested: Tested, pairs: Sequence[PreferencePair], differences: Array) -> float:
    """Standard error of the mean of `differences`, one per pair, NaN where missing; 0.0 for a single one.

    Pairs that ask the same count as one. In a trial with margins the variance between the phrasings of the trait
    is in it, as it is in the trial's own: a phrasing is not the concept.
    """
    known = ~np.isnan(differences)
    se = clustered_se(differences[known], questions(pairs)[known])
    if not tested.graded:
        return se
    rewrites = [table.rewrite(p, tested.bias.id) for p, k in zip(pairs, known, strict=True) if k]
    phrasings = [-1 if r is None else r.phrasing for r in rewrites]
    return float(np.hypot(se, np.sqrt(phrasing_variance(differences[known].tolist(), phrasings))))


def questions(pairs: Sequence[PreferencePair]) -> NDArray[np.int64]:
    """Number the question of each pair, so that pairs which ask the same count as one."""
    twins: dict[str, int] = {}
    hashes = [seeds.question_hash(p.question) for p in pairs]
    return np.array([twins.setdefault(h, len(twins)) for h in hashes], dtype=np.int64)


def baseline(table: Table, pairs: Sequence[PreferencePair]) -> Baseline | None:
    """How the judge does on the originals, over pairs with all orders; None when there are none.

    A judge that sees one response at a time has no position statistics.
    """
    found = cells(table, pairs, ORIGINAL)
    found = found[~np.isnan(found).any(axis=1)]
    if len(found) == 0:
        return None
    two = len(table.orders) == 2
    margins = scores(table, pairs, ORIGINAL, graded=True)
    # Sorted, so that not even the last digit depends on the order of a file.
    margins = np.sort(margins[~np.isnan(margins)])
    return Baseline(
        error_rate=float(found.mean()),
        position_consistency=float(consistent(found).mean()) if two else None,
        first_answer_preference=float(first_answer(found).mean()) if two else None,
        tie_rate=float((found == ERROR["tie"]).mean()),
        n=len(found),
        margin_sd=float(margins.std()) if len(margins) else None,
    )
