"""What grows while the loop of a discovery runs, with who is told of its stages, and what one iteration named."""

from __future__ import annotations

from dataclasses import dataclass, field

from biasscope.records import Bias, BiasLibrary
from biasscope.steps.judge import Table
from biasscope.steps.perturb import Writer
from biasscope.steps.shifts import Shifts
from biasscope.steps.validate import Tested
from biasscope.steps.watching import unseen
from biasscope.workflows.evidence import Sightings
from biasscope.workflows.outcome import Missed
from biasscope.workflows.stages import OnSeen, Stage, StageSeen


@dataclass
class State:
    """What grows while the loop runs: everything tested, everything named, and the tables.

    `writer` writes for trials: rules for what features proposed. `on_seen` is told of stages and looks; `index` is the
    iteration at work, 0 outside of iterations.
    """

    library: BiasLibrary
    writer: Writer
    seen: Table
    tried: Table
    tested: list[Tested] = field(default_factory=list)
    provisional: set[str] = field(default_factory=set)
    waiting: list[Bias] = field(default_factory=list)
    missing: list[Missed] = field(default_factory=list)
    sightings: Sightings = field(default_factory=dict)
    on_seen: OnSeen = unseen
    index: int = 0

    def at(self, stage: Stage) -> None:
        """Tell whoever watches that a stage begins."""
        self.on_seen(StageSeen(stage, self.index))

    def known(self) -> list[Bias]:
        """Library, tested and waiting biases, each once: a name that was there does not come back."""
        every = [*self.library.biases, *(t.bias for t in self.tested), *self.waiting]
        return list({b.id: b for b in every}.values())


@dataclass(frozen=True, slots=True)
class Named:
    """What a teacher made of one iteration: how many pairs it is from, and what was named and merged."""

    perturbed: int = 0
    found: Shifts = field(default_factory=lambda: Shifts((), (), None, 0, 0))
    decoys: int = 0
    decoys_named: int = 0
    named: int = 0
    merged: tuple[tuple[str, str], ...] = ()
    missing: tuple[Missed, ...] = ()
