"""The rule of this package on simulated scores: the same machine and the same final decision as in a run.

It plays the part of the models: hands over scores as the machine asks for them and counts what they would have cost.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import special

from biasscope.stats.decision import Decision, counted, decide, unsettled
from biasscope.stats.rules import Rule
from biasscope.stats.sequential import Column, Sequential
from biasscope.stats.simulation import truth
from biasscope.stats.simulation.score import Covered, Outcome
from biasscope.stats.simulation.world import NEUTRALS, JudgeWorld, Simulated
from biasscope.stats.standing import Stopped

LATEST_CONFIRMED = 0.75
"""What stopped after this share of the pairs has too few fresh ones left to confirm it."""

_NEUTRAL_ARMS = tuple(f"neutral-{k + 1}" for k in range(NEUTRALS))


def shipped(
    world: JudgeWorld, simulated: Simulated, rule: Rule, *, graded: bool = False, batches: int = 1
) -> Outcome:
    """Run one simulated judge through the rule. Raises ValueError for fewer pairs than the rule needs.

    With several `batches`, candidates arrive as in iterations: those with an effect in the first ones, nulls last;
    each batch is corrected within itself while it runs, and all of them together at the end, where trials go on that
    had stopped on an acceptance which does not hold. Neutral rewrites and
    originals are paid once.
    """
    scores = simulated.scores(graded=graded)
    unread = simulated.unreadable.any(axis=2) & ~simulated.refused
    # A phrasing is told where there is more than one, as in a run; only candidates of graded trials use it.
    phrasings = np.arange(simulated.pairs) % world.phrasings if graded and world.phrasings > 1 else None
    stopped: dict[int, Stopped] = {}
    for batch in np.array_split(simulated.arrival, batches):
        stopped |= _run(scores, unread, phrasings, batch, rule, graded)
    ends = [stopped[k] for k in range(simulated.candidates)]
    while due := unsettled(ends, q=rule.q):
        beside = [counted(s) for k, s in enumerate(ends) if k not in due]
        for k, end in _run(scores, unread, phrasings, np.array(due), rule, graded, beside).items():
            ends[k] = end
    final = decide(ends, q=rule.q)
    visited = np.array([s.visited for s in ends])
    neutral = int(rule.neutrals_at(simulated.pairs)[: visited.max()].sum())
    rewrites = int(visited.sum()) + neutral
    accepted = np.array([d.status == "accepted" for d in final])
    true = truth.effects(world, simulated, graded=graded)
    return Outcome(
        suite=simulated.suite,
        pairs=simulated.pairs,
        accepted=accepted,
        rewrites=rewrites,
        verdicts=2 * rewrites + 2 * simulated.pairs,
        selected=_selected(final, accepted, true),
        fresh=_confirmed(scores, rule, visited, accepted, true),
    )


def _run(
    scores: NDArray[np.float64],
    unread: NDArray[np.bool_],
    phrasings: NDArray[np.int64] | None,
    batch: NDArray[np.int64],
    rule: Rule,
    graded: bool,
    beside: Sequence[float] | None = None,
) -> dict[int, Stopped]:
    """Hand the machine what it asks for until every candidate of the batch has stopped."""
    names = {f"candidate-{k}": int(k) for k in batch}
    rows = {arm: 1 + k for k, arm in enumerate(_NEUTRAL_ARMS)}
    rows |= {name: 1 + NEUTRALS + k for name, k in names.items()}
    machine = Sequential(
        dict.fromkeys(names, _NEUTRAL_ARMS),
        items=scores.shape[1],
        rule=rule,
        unit="log-odds" if graded else "fraction",
        beside=beside,
    )
    while (due := machine.due()) is not None:
        part = slice(due.start, due.stop)
        asked = None if phrasings is None else phrasings[part]
        machine.record({arm: Column(scores[rows[arm], part], unread[rows[arm], part], asked) for arm in due.arms})
    return {names[name]: end for name, end in machine.stopped().items()}


def _selected(final: list[Decision], accepted: NDArray[np.bool_], true: NDArray[np.float64]) -> Covered:
    """How many of the printed intervals of accepted candidates contain the truth; one without ends is none."""
    printed = [(final[k].effect, true[k]) for k in np.flatnonzero(accepted)]
    known = [
        (e.low, value, e.high)
        for e, value in printed
        if e is not None and e.low is not None and e.high is not None
    ]
    return Covered(sum(low <= value <= high for low, value, high in known), len(known))


def _confirmed(
    scores: NDArray[np.float64],
    rule: Rule,
    visited: NDArray[np.int64],
    accepted: NDArray[np.bool_],
    true: NDArray[np.float64],
) -> Covered:
    """Plain 95 % intervals on the pairs that an accepted candidate had not visited when it stopped."""
    pairs = scores.shape[1]
    planned = np.arange(1, NEUTRALS + 1)[:, None] <= rule.neutrals_at(pairs)
    neutrals = np.where(planned, scores[1 : 1 + NEUTRALS], np.nan)
    known = ~np.isnan(neutrals)
    wordings = np.where(known, neutrals, 0).sum(axis=0) / np.where(known.any(axis=0), known.sum(axis=0), np.nan)
    held = of = 0
    for k in np.flatnonzero(accepted & (visited <= LATEST_CONFIRMED * pairs)):
        fresh = (scores[1 + NEUTRALS + k] - wordings)[visited[k] :]
        fresh = fresh[~np.isnan(fresh)]
        reach = special.ndtri(0.975) * fresh.std(ddof=1) / np.sqrt(len(fresh))
        held += int(abs(fresh.mean() - true[k]) <= reach)
        of += 1
    return Covered(held, of)
