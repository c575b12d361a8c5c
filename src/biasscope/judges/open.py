"""From a judge's specification to a judge: the one place that knows which kinds of instrument there are."""

from __future__ import annotations

from biasscope.ask import Asker
from biasscope.config import JudgeSpec
from biasscope.judges.base import Judge
from biasscope.judges.program import is_program, program_judge
from biasscope.judges.prompted import prompted_judge, read_prompt


def open_judge(asker: Asker, spec: JudgeSpec) -> Judge:
    """A judge that asks through `asker` as `spec` says."""
    if is_program(spec):
        return program_judge(asker, spec)
    return prompted_judge(asker, spec)


def check_judge(spec: JudgeSpec) -> None:
    """Raise ConfigError for a judge that cannot be asked as `spec` says; opens nothing."""
    if not is_program(spec):
        read_prompt(spec)
