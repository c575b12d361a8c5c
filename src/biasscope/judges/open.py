"""From a judge's specification to a judge: the one place that knows which kinds of instrument there are."""

from __future__ import annotations

from biasscope.ask import Asker
from biasscope.config import JudgeSpec
from biasscope.errors import ConfigError
from biasscope.judges.base import Judge
from biasscope.judges.program import check_program, program_judge
from biasscope.judges.prompted import prompted_judge, read_prompt


def open_judge(asker: Asker, spec: JudgeSpec) -> Judge:
    """A judge that asks through `asker` as `spec` says; raises ConfigError for what does not go together.

    A program takes no notice of a mode, so that whoever asks any judge need not know what it is.
    """
    _check_scale(spec)
    return program_judge(asker, spec) if spec.is_program else prompted_judge(asker, spec)


def check_judge(spec: JudgeSpec) -> None:
    """Raise ConfigError for a judge that cannot be asked as a user says in `spec`; opens nothing."""
    _check_scale(spec)
    if not spec.is_program:
        read_prompt(spec)
        return
    check_program(spec)
    if spec.mode == "label":
        raise ConfigError(
            f"mode label reads log-probabilities, and {spec.spec} is a program",
            hint="Leave out --judge-mode label: a program may give margins of its own.",
        )


def _check_scale(spec: JudgeSpec) -> None:
    if spec.scale is not None and spec.kind == "pairwise":
        raise ConfigError("a pairwise judge has no scale", hint="Give --judge-kind pointwise, or no --scale.")
