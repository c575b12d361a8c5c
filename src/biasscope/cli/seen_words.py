"""Words for what is seen of a run while it works. What they tell of candidates is so far, and says so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from biasscope.report import findings
from biasscope.stats.rules import FEWEST

if TYPE_CHECKING:
    from biasscope.steps.watching import CandidateSeen, LookSeen
    from biasscope.workflows.sample import BudgetSeen
    from biasscope.workflows.stages import JudgeSeen, StageSeen

STAGES = {
    "sample": "measuring the first pairs, to see how many fit",
    "baseline": "judging the originals",
    "features": "looking for features of the texts",
    "perturb": "rewriting discovery pairs",
    "judge": "judging the rewrites",
    "explain": "asking the judge why",
    "name": "naming what it says",
    "merge": "merging names",
    "trials": "trying candidates",
    "habits": "looking at how the judge is asked",
    "follow-ups": "following up what was accepted",
    "null control": "looking where nothing is to be found",
    "library effect": "measuring the library on held-out pairs",
    "items": "judging the items of the benchmark",
    "report": "writing the report",
    "rewrite": "rewriting responses",
    "traits": "reading rewrites for their traits",
    "filter": "judging the items",
    "tuning": "choosing and fitting on the tuning pairs",
}
"""What a run does in each of its stages."""

STATES = {
    "accepted": "accepted for now",
    "dropped": "dropped",
    "not_shown": "not shown",
    "no_signal": "no signal",
    "invalid": "invalid",
}
"""What a trial decided, which the end of the run may take back."""


def stage_line(seen: StageSeen) -> str:
    """What has begun."""
    words = STAGES[seen.stage]
    return f"Iteration {seen.iteration}: {words}" if seen.iteration else words[0].upper() + words[1:]


def judge_line(seen: JudgeSeen) -> str:
    """Which judge is measured."""
    return f"Judge {seen.number} of {seen.of}, {seen.spec}, on {seen.pairs:,} pairs"


def are_shams(candidates: Sequence[CandidateSeen]) -> bool:
    """Whether these candidates ask for nothing."""
    return bool(candidates) and all(c.bias.origin == "sham" for c in candidates)


def trial_line(seen: LookSeen) -> str:
    """Where a trial is, and how many of its candidates are alive."""
    what = "shams" if are_shams(seen.candidates) else "candidates"
    total, alive = len(seen.candidates), len(seen.alive)
    many = f"{total} {what if total != 1 else what[:-1]}"
    if seen.look == 0:
        if seen.looks == 1:
            return f"{many} on {seen.pairs:,} pairs, one look"
        return (
            f"{many}, {seen.looks} looks at up to {seen.pairs:,} pairs, the first after {seen.next_stop or 0:,}"
        )
    where = f"Look {seen.look} of {seen.looks}, {seen.visited:,} of {seen.pairs:,} pairs"
    return f"{where}: {alive} of {many} alive"


def look_line(seen: LookSeen) -> str:
    """A look in one line, with what stopped at it; so far, since the run is not over."""
    by_state: dict[str, list[str]] = {}
    for candidate in seen.stopped_now if seen.look else ():
        by_state.setdefault(STATES[candidate.status or "dropped"], []).append(candidate.bias.name)
    stopped = "".join(f"; {state}: {', '.join(names)}" for state, names in by_state.items())
    return f"{trial_line(seen)}{stopped}"


def state(seen: CandidateSeen) -> str:
    """How a candidate stands."""
    return "alive" if seen.status is None else STATES[seen.status]


def effect_so_far(seen: CandidateSeen) -> str:
    """Effect and interval as of the latest look, without the unit."""
    if seen.effect is None:
        return ""
    e = seen.effect
    span = findings.span(e.low, e.high, e.unit)
    return findings.number(e.value, e.unit) + (f" ({span})" if span else "")


def budget_line(seen: BudgetSeen) -> str:
    """How far a budget of time is spent."""
    spent = f"{minutes(seen.spent_minutes)} of {seen.minutes:g} minutes"
    return f"{seen.pairs:,} of {seen.available:,} pairs measured in {spent}"


def over_line(seen: BudgetSeen) -> str:
    """That the fewest pairs will not fit, by how much, and what helps."""
    return (
        f"{FEWEST} pairs, the fewest on which anything is decided, will take about "
        f"{minutes(seen.fewest_minutes or 0.0)} minutes, {minutes(seen.over)} over the budget; "
        "fewer --biases or --neutrals take less"
    )


def minutes(value: float) -> str:
    """Minutes for people: whole ones from ten on, two digits below."""
    return f"{value:.0f}" if value >= 10 else f"{value:.2g}"
