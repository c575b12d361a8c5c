"""What was seen of a run so far, kept for whoever shows it. Prints nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from biasscope.cli import seen_words
from biasscope.records import Status
from biasscope.steps.watching import LookSeen
from biasscope.workflows.sample import BudgetSeen
from biasscope.workflows.stages import JudgeSeen, Seen, Stage, StageSeen


@dataclass
class Watched:
    """The latest of everything, and which candidates stopped since the start.

    `stages` are those of the run in their order, `iterations` the most that it makes.
    """

    stages: Sequence[Stage] = ()
    iterations: int = 1
    at: StageSeen | None = None
    judge: JudgeSeen | None = None
    look: LookSeen | None = None
    budget: BudgetSeen | None = None
    over_told: bool = False
    stopped: dict[str, tuple[str, Status]] = field(default_factory=dict)

    def take(self, seen: Seen) -> list[str]:
        """Take what was seen, and return the lines that say it where nothing is drawn."""
        if isinstance(seen, StageSeen):
            self.at = seen
            return [seen_words.stage_line(seen)]
        if isinstance(seen, JudgeSeen):
            # Of another judge the same biases are tried anew.
            self.judge, self.look, self.stopped = seen, None, {}
            return [seen_words.judge_line(seen)] if seen.of > 1 else []
        if isinstance(seen, LookSeen):
            return self._take_look(seen)
        self.budget = seen
        return []

    def budget_line(self) -> str:
        """How far a budget of time is spent, while pairs are being chosen by it."""
        choosing = self.at is not None and self.at.stage == "sample"
        return seen_words.budget_line(self.budget) if choosing and self.budget is not None else ""

    def over(self) -> str:
        """Once: that a budget of time will be exceeded whatever is measured; empty otherwise."""
        if self.over_told or self.budget is None or self.budget.over <= 0:
            return ""
        self.over_told = True
        return seen_words.over_line(self.budget)

    def stopped_line(self) -> str:
        """Which candidates stopped since the start, those that were accepted by name."""
        states = [status for _, status in self.stopped.values()]
        accepted = [name for name, status in self.stopped.values() if status == "accepted"]
        counts = [f"{seen_words.STATES[s]}: {states.count(s)}" for s in dict.fromkeys(states) if s != "accepted"]
        parts = [f"accepted for now: {', '.join(accepted)}"] if accepted else []
        return f"Since the start {'; '.join([*parts, *counts])}" if states else ""

    def _take_look(self, seen: LookSeen) -> list[str]:
        self.look = seen
        if not seen_words.are_shams(seen.candidates):
            ended = [(c.bias, c.status) for c in seen.candidates]
            self.stopped |= {bias.id: (bias.name, status) for bias, status in ended if status is not None}
        return [seen_words.look_line(seen)]
