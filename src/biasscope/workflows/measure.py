"""Measure known biases on one judge: no naming, every bias on the same pairs, one correction. Stores nothing.

Rewrites are kept apart from verdicts, so that judges that are measured after each other share them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from biasscope.ask import Asker
from biasscope.catalogue.known import Catalogue
from biasscope.config import GRADED_SHAMS
from biasscope.judges.base import Judge
from biasscope.quantities import Estimate, NullControl
from biasscope.records import ORIGINAL, Baseline, Bias, PreferencePair, Side, Trial, Verdict
from biasscope.steps.formats import measure_format
from biasscope.steps.judge import Table, judge_pairs
from biasscope.steps.mirror import on_sides
from biasscope.steps.perturb import Writer
from biasscope.steps.preference import preference_change
from biasscope.steps.slots import measure_slots
from biasscope.steps.validate import Tested, TrialDesign, baseline, validate_candidates
from biasscope.steps.watching import unseen
from biasscope.workflows.conclude import conclude
from biasscope.workflows.null_control import null_control
from biasscope.workflows.stages import OnSeen, StageSeen


@dataclass(frozen=True, slots=True)
class Measurement:
    """One judge on the originals, one trial per bias, and the table with every rewrite and verdict behind them.

    `habits` are trials about how it is asked: its slot bias, where it knows slots, and its labels or scale where they
    were asked for. `changes` are the effects
    of the trials as changes of preference (fractions), in their order.
    """

    baseline: Baseline | None
    trials: tuple[Trial, ...]
    table: Table
    tested: tuple[Tested, ...] = ()
    changes: tuple[Estimate | None, ...] = ()
    habits: tuple[Trial, ...] = ()
    control: NullControl | None = None
    sides: Side = "rejected"

    @property
    def slot(self) -> Trial | None:
        """The trial of its slot bias."""
        return next((t for t in self.habits if t.estimand == "slot"), None)

    @property
    def effects(self) -> tuple[tuple[Trial, Estimate | None], ...]:
        """Every trial with its change of preference; the habits first, whose own effects are changes of verdicts."""
        return (*((habit, None) for habit in self.habits), *zip(self.trials, self.changes, strict=True))

    @property
    def verdicts(self) -> tuple[int, int]:
        """How many verdicts were to be had (of rewrites that there are), and how many of them are missing."""
        asked = [v for v in self.table.verdicts.values() if isinstance(v, Verdict) or v.reason != "no_rewrite"]
        return len(asked), sum(not isinstance(v, Verdict) for v in asked)


@dataclass(frozen=True, slots=True)
class Controls:
    """Whether slots are measured, which `FORMATS` are, and the shams: how many (None: the usual number for graded verdicts), and whose."""

    slots: bool = True
    formats: tuple[Bias, ...] = ()
    shams: int | None = None
    writer: Writer | None = None


async def measure_biases(
    judge: Judge,
    writer: Writer,
    pairs: Sequence[PreferencePair],
    biases: Sequence[Bias],
    design: TrialDesign,
    *,
    sides: Side = "rejected",
    table: Table | None = None,
    teacher: Asker | None = None,
    controls: Controls | None = None,
    catalogue: Catalogue | None = None,
    on_seen: OnSeen = unseen,
) -> Measurement:
    """Try every bias on every pair; the pairs chose no bias, so the effects are not inflated.

    An effect is how much more often the response with the trait is preferred, the one or the other by `sides`. `table`
    may hold rewrites that were made for another judge. `teacher` reads rewrites for the manipulation check, and detectors of the `catalogue` (ours by default) those by rule.
    Without `controls` neither slots nor anything where nothing is to be found is measured. `on_seen` is told of stages
    and looks, and changes nothing.
    """
    table = Table(orders=judge.orders) if table is None else table
    slots = controls is not None and controls.slots and len(table.orders) == 2
    # A slot bias is one more hypothesis about this judge: it counts, and helps no trait to be accepted.
    formats = () if controls is None else controls.formats
    beside = (1.0,) * (int(slots) + len(formats))
    visits = on_sides(pairs, sides)
    on_seen(StageSeen("trials"))
    tested = await validate_candidates(
        judge, writer, table, visits, biases, design, beside=beside, on_look=on_seen
    )
    on_seen(StageSeen("habits"))
    await judge_pairs(judge, table, pairs, (ORIGINAL,))
    others = len(tested) + len(beside) - 1
    slot = measure_slots(table, pairs, design.rule, beside=others) if slots else None
    habits = [] if slot is None else [slot]
    habits += [await measure_format(b, judge, table, pairs, design.rule, beside=others) for b in formats]
    on_seen(StageSeen("follow-ups"))
    trials = await conclude(teacher, table, tested, set(), design.rule, beside=beside, catalogue=catalogue)
    changes = [
        preference_change(table, t, level=0.95 if trial.effect is None else trial.effect.level)
        for t, trial in zip(tested, trials, strict=True)
    ]
    control = None
    if controls is not None:
        shams = controls.shams
        if shams is None:
            shams = GRADED_SHAMS if any(t.graded for t in tested) else 0
        by = writer if controls.writer is None else controls.writer
        on_seen(StageSeen("null control"))
        control = await null_control(judge, by, table, visits, tested, design, shams=shams, on_look=on_seen)
    return Measurement(
        baseline(table, pairs), tuple(trials), table, tuple(tested), tuple(changes), tuple(habits), control, sides
    )
