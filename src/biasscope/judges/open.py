"""From a judge's specification to a judge: the one place that knows which kinds of instrument there are."""

from __future__ import annotations

from biasscope.ask import Asker
from biasscope.config import JudgeSpec
from biasscope.judges.base import Judge
from biasscope.judges.pairwise import PairwiseJudge


def open_judge(asker: Asker, spec: JudgeSpec) -> Judge:
    """A judge that asks through `asker` as `spec` says."""
    return PairwiseJudge(asker, spec.mode)
