"""Calibration through texts: a suite's candidates tried by real prompts, parsers, checks and validation.

The simulation (`calibrate`) hands scores to the rule; here a planted judge and a planted writer of the same world read
and write texts, so that what lies between a model and a score is tried too. One run a call; how models are opened
and runs are spread is for others to say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from biasscope.ask import Answered, Ask, Asker, Missing
from biasscope.judges.pairwise import Mode, PairwiseJudge
from biasscope.models.planted.suite import (
    TEXT_WORLD,
    Planted,
    SuiteJudgeTemper,
    parse_suite_name,
    suite_biases,
    suite_truth,
)
from biasscope.objective import generate
from biasscope.records import Baseline, Effect, Status, Trial
from biasscope.stats.rules import RULES, Rule
from biasscope.stats.simulation.score import Covered, Outcome
from biasscope.stats.simulation.truth import error_rate
from biasscope.stats.simulation.world import SUITES
from biasscope.steps.judge import Table
from biasscope.steps.perturb import TeacherWriter
from biasscope.steps.validate import TrialDesign, baseline, validate_candidates
from biasscope.workflows.conclude import conclude

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Found:
    """One candidate: what is true of it, and what the run says. `true_effect` is in the unit of `effect`."""

    id: str
    planted: Planted
    true_effect: float
    status: Status
    reason: str
    effect: Effect | None
    visited: int


@dataclass(frozen=True, slots=True, eq=False)
class TextRun:
    """What one run through texts found and what it took.

    `found` is in the order of `outcome.suite.sizes`: nulls first. `asks` counts by kind (``rewrite``, ``judge``,
    ``check``) what was asked, `replies` what had to be said for it, second attempts included. `missing` counts
    (arm, reason).
    """

    outcome: Outcome
    found: tuple[Found, ...]
    baseline: Baseline | None
    asks: Mapping[str, int]
    replies: Mapping[str, int]
    missing: tuple[tuple[str, str, int], ...]


@dataclass(frozen=True, slots=True)
class _Counted:
    """An asker that counts what it is asked and how many replies were read for it."""

    asker: Asker
    asks: Counter[str] = field(default_factory=Counter)
    replies: Counter[str] = field(default_factory=Counter)

    @property
    def name(self) -> str:
        return self.asker.name

    async def ask(self, asks: Sequence[Ask[T]]) -> list[Answered[T] | Missing]:
        answers = await self.asker.ask(asks)
        for ask, answer in zip(asks, answers, strict=True):
            self.asks[ask.kind] += 1
            self.replies[ask.kind] += len(answer.keys)
        return answers


async def calibrate_text(
    judge: Asker, writer: Asker, *, pairs: int = 620, rule: Rule = RULES["default"], mode: Mode = "reason"
) -> TextRun:
    """Try all candidates of a suite on generated pairs, and decide.

    `judge` asks ``planted:suite=NAME;seed=S`` and `writer` asks ``planted:suite-writer;seed=S``; the suite and the
    seed of the pairs are those of the judge, S in 0 to 9,999. With mode ``label`` the trials are graded.

    Raises ValueError for another judge or too large a seed, DataError for fewer pairs than the rule needs.
    """
    temper = parse_suite_name(judge.name)
    if not isinstance(temper, SuiteJudgeTemper):
        raise ValueError(f"need the judge of a suite, got {judge.name!r}")
    judged, written = _Counted(judge), _Counted(writer)
    shown = tuple(generate(pairs, seed=temper.seed))
    table = Table()
    tested = await validate_candidates(
        PairwiseJudge(judged, mode),
        TeacherWriter((written,), seed=temper.seed),
        table,
        shown,
        suite_biases(temper.suite, temper.seed),
        TrialDesign(rule, temper.seed),
    )
    held = {t.bias.id for t in tested if t.stopped.status == "accepted"}
    trials = await conclude(written, table, tested, held, rule)
    found = _found(temper, trials)
    asks, replies = judged.asks + written.asks, judged.replies + written.replies
    return TextRun(
        outcome=Outcome(
            suite=SUITES[temper.suite],
            pairs=pairs,
            accepted=np.array([f.status == "accepted" for f in found]),
            rewrites=asks["rewrite"],
            verdicts=asks["judge"],
            selected=_covered(found),
        ),
        found=found,
        baseline=baseline(table, shown),
        asks=asks,
        replies=replies,
        missing=tuple(table.missing()),
    )


def _found(temper: SuiteJudgeTemper, trials: Sequence[Trial]) -> tuple[Found, ...]:
    """The trials beside what is true, in the order of the suite's sizes."""
    by_id = {trial.bias.id: trial for trial in trials}
    truth = suite_truth(temper.suite, temper.seed)
    return tuple(
        Found(i, planted, _effect(planted, t), t.status, t.reason, t.effect, t.visited)
        for i, planted in truth.items()
        for t in (by_id[i],)
    )


def _effect(planted: Planted, trial: Trial) -> float:
    """The true effect: lost log-odds (what a trait does is spread over items with mean 1), or added error."""
    if trial.unit == "log-odds":
        return planted.shift
    return error_rate(TEXT_WORLD, planted.shift) - error_rate(TEXT_WORLD)


def _covered(found: Sequence[Found]) -> Covered:
    """How many intervals of accepted candidates contain the truth; one without ends is none."""
    known = [
        (f.effect.low, f.true_effect, f.effect.high)
        for f in found
        if f.status == "accepted"
        and f.effect is not None
        and f.effect.low is not None
        and f.effect.high is not None
    ]
    return Covered(sum(low <= true <= high for low, true, high in known), len(known))
