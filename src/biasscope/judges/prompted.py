"""From a specification to a prompted judge: what goes together, and what is refused before anything is paid."""

from __future__ import annotations

from biasscope.ask import Asker
from biasscope.config import JudgeSpec
from biasscope.errors import ConfigError
from biasscope.judges import pairwise, pointwise
from biasscope.judges.asking import Asking
from biasscope.judges.pairwise import PairwiseJudge
from biasscope.judges.pointwise import PointwiseJudge
from biasscope.judges.readers import ScoreReader, VerdictReader
from biasscope.judges.template import (
    PAIRWISE,
    POINTWISE,
    REFERENCE,
    read_scale,
    read_template,
    score_reader,
    verdict_reader,
)


def prompted_judge(asker: Asker, spec: JudgeSpec) -> PairwiseJudge | PointwiseJudge:
    """A model that is asked as `spec` says; raises ConfigError as `read_prompt` does."""
    reader, asking = read_prompt(spec)
    if isinstance(reader, ScoreReader):
        return PointwiseJudge(asker, reader, asking)
    return PairwiseJudge(asker, spec.mode, reader, asking)


def read_prompt(spec: JudgeSpec) -> tuple[VerdictReader | ScoreReader, Asking]:
    """How the judge of a specification is asked and read.

    Raises ConfigError for a template that cannot be used and for settings that do not go together.
    """
    _check(spec)
    template, declared = None, dict[str, object]()
    if spec.template is not None:
        fields = PAIRWISE if spec.kind == "pairwise" else POINTWISE
        template, declared = read_template(
            spec.template, (*fields, REFERENCE) if spec.reference or spec.answer_first else fields
        )
    shows = spec.reference or spec.answer_first
    asking = Asking(
        template, shows, spec.samples, spec.temperature, spec.max_tokens, spec.guard.strip(), spec.answer_first
    )
    if spec.kind == "pairwise":
        return pairwise.OURS if template is None else verdict_reader(declared), asking
    if template is not None:
        return score_reader(declared, spec.scale), asking
    return pointwise.OURS if spec.scale is None else ScoreReader(read_scale(spec.scale)), asking


def _check(spec: JudgeSpec) -> None:
    if spec.mode == "label" and spec.kind == "pointwise":
        raise ConfigError(
            "mode label compares two responses by log-odds, and a pointwise judge sees one",
            hint="Leave out --judge-mode label: differences of scores are margins already.",
        )
    if spec.margins is not None:
        raise ConfigError(
            "only a program says what its margins are counted in", hint="Leave out margins for a prompted judge."
        )
    if spec.samples > 1 and spec.temperature == 0:
        raise ConfigError(
            f"{spec.samples} samples at temperature 0 are one reply {spec.samples} times",
            hint="Give --judge-temperature, such as 0.7.",
        )
