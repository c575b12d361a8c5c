"""Shams where rules write: one more neutral edit of a known bias, taken as if it showed something.

A rule cannot be asked for nothing as a teacher can; another phrasing of its neutral edit is the same to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from biasscope.ask import Missing
from biasscope.records import Bias, PreferencePair, Rewrite
from biasscope.steps.perturb import Job, Writer


@dataclass(frozen=True, slots=True)
class RuleShams:
    """Writes shams as neutral edits beyond the `neutrals` that trials compare with, of the `known` biases in turn."""

    writer: Writer
    known: Sequence[Bias]
    neutrals: int

    def neutral_jobs(self, pair: PreferencePair, bias: Bias, count: int) -> list[Job]:
        """The neutral edits of the known bias whose next one is the sham."""
        return self.writer.neutral_jobs(pair, self._stands_for(bias)[0], count)

    async def write(self, jobs: Sequence[Job]) -> list[Rewrite | Missing]:
        """Write shams by the rule of a known bias, everything else as it is."""
        return await self.writer.write([self._as_neutral(job) for job in jobs])

    def _as_neutral(self, job: Job) -> Job:
        if job.bias is None or job.bias.origin != "sham":
            return job
        known, turn = self._stands_for(job.bias)
        return replace(job, bias=known, index=self.neutrals + 1 + turn)

    def _stands_for(self, bias: Bias) -> tuple[Bias, int]:
        """The known bias of a sham, and how many shams it stood for before; any other bias is itself."""
        if bias.origin != "sham":
            return bias, 0
        number = int(bias.id.rpartition("-")[2]) - 1
        return self.known[number % len(self.known)], number // len(self.known)
