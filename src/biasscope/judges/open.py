"""From a judge's specification to a judge: the one place that knows which kinds of instrument there are."""

from __future__ import annotations

from biasscope.ask import Asker
from biasscope.config import JudgeSpec
from biasscope.judges.base import Judge
from biasscope.judges.pairwise import PairwiseJudge
from biasscope.judges.program import ProgramJudge, is_program


def open_judge(asker: Asker, spec: JudgeSpec) -> Judge:
    """A judge that asks through `asker` as `spec` says."""
    if is_program(spec):
        return ProgramJudge(asker, spec)
    return PairwiseJudge(asker, spec.mode)
