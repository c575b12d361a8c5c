"""Everything that a measurement asks about some pairs, at once on every judge, to be found in the ledger afterwards."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from biasscope.catalogue.shams import sham_biases
from biasscope.config import GRADED_SHAMS
from biasscope.judges.base import Judge
from biasscope.judges.margins import is_saturated
from biasscope.records import ORIGINAL, Bias, PreferencePair, Side
from biasscope.steps.formats import measure_format
from biasscope.steps.judge import Table, judge_pairs
from biasscope.steps.mirror import on_sides
from biasscope.steps.perturb import Job, Writer, perturb_pairs
from biasscope.steps.validate import TrialDesign
from biasscope.workflows.measure import Controls

WAVES = 2
"""How often a block should fill all calls in flight: with one wave alone, most of them wait for the slowest."""


@dataclass(frozen=True, slots=True)
class Blocks:
    """What is measured on each pair: biases beside neutral rewrites, shams, and how the judges are asked.

    `table` keeps the rewrites, which all judges share. The few calls that a measurement makes once, whatever the
    number of pairs, are not among them.
    """

    judges: Sequence[Judge]
    writer: Writer
    biases: Sequence[Bias]
    design: TrialDesign
    sides: Side
    controls: Controls
    table: Table = field(default_factory=Table)

    async def measure(self, pairs: Sequence[PreferencePair]) -> None:
        """Rewrite and judge everything that is measured on these pairs."""
        visits = on_sides(pairs, self.sides)
        jobs = {pair.id: self._jobs(pair) for pair in visits}
        await perturb_pairs(self.writer, self.table, [job for of_pair in jobs.values() for job in of_pair])
        arms = {i: [ORIGINAL, *dict.fromkeys(job.arm for job in of_pair)] for i, of_pair in jobs.items()}
        for judge in self.judges:
            table = Table(rewrites=self.table.rewrites, orders=judge.orders)
            await judge_pairs(judge, table, visits, arms)
            await self._look_for_nothing(judge, table, visits)
            await judge_pairs(judge, table, pairs, (ORIGINAL,))
            for bias in self.controls.formats:
                await measure_format(bias, judge, table, pairs, self.design.rule, beside=0)

    def at_once(self, pair: PreferencePair, in_flight: Sequence[int]) -> int:
        """How many pairs like this one keep `in_flight` calls of each judge busy."""
        visits = on_sides([pair], self.sides)
        arms = sum(1 + len({job.arm for job in self._jobs(visit)}) for visit in visits)
        calls = [arms * len(judge.orders) for judge in self.judges]
        return max(math.ceil(WAVES * most / each) for most, each in zip(in_flight, calls, strict=True))

    def _jobs(self, pair: PreferencePair) -> list[Job]:
        return [job for bias in self.biases for job in self._with_neutrals(self.writer, pair, bias)]

    def _with_neutrals(self, writer: Writer, pair: PreferencePair, bias: Bias) -> list[Job]:
        return [*writer.neutral_jobs(pair, bias, self.design.rule.neutrals), Job(pair, bias.id, bias)]

    async def _look_for_nothing(self, judge: Judge, table: Table, visits: Sequence[PreferencePair]) -> None:
        """Judge the shams that these verdicts will be given, on the pairs of the biases."""
        count = self.controls.shams
        if count is None:
            count = GRADED_SHAMS if _is_graded(judge, table, visits) else 0
        writer, shams = self.controls.writer or self.writer, sham_biases(count)
        jobs = {p.id: [job for sham in shams for job in self._with_neutrals(writer, p, sham)] for p in visits}
        await perturb_pairs(writer, table, [job for of_pair in jobs.values() for job in of_pair])
        arms = {i: list(dict.fromkeys(job.arm for job in of_pair)) for i, of_pair in jobs.items()}
        await judge_pairs(judge, table, visits, arms)


def _is_graded(judge: Judge, table: Table, pairs: Sequence[PreferencePair]) -> bool:
    """Whether trials on these verdicts will be scored by their margins."""
    found = [table.verdict(p, ORIGINAL, o) for p in pairs for o in table.orders]
    margins = [v.margin for v in found if v is not None and v.margin is not None]
    return bool(margins) and not (judge.margin_unit == "log-odds" and is_saturated(margins))
