"""Judges and teachers of known behaviour, in process: the ground truth of every test of the method.

They read the real prompts and answer in text, so that prompts, parsing, rewriting, checking, explaining, naming and
merging are all exercised; what a judge is drawn by is known (`truth`). `server` offers them over HTTP.
"""

from __future__ import annotations

from biasscope.models.planted.judge import PlantedJudge
from biasscope.models.planted.model import PlantedModel
from biasscope.models.planted.suite import SuiteJudgeTemper, parse_suite_name
from biasscope.models.planted.suite_judge import SuiteJudge
from biasscope.models.planted.suite_writer import SuiteWriter
from biasscope.models.planted.teacher import PlantedTeacher
from biasscope.models.planted.tempers import JudgeTemper, parse_name

__all__ = ["PlantedJudge", "PlantedModel", "PlantedTeacher", "open_planted"]


def open_planted(name: str, *, seed: int = 0) -> PlantedModel:
    """Open a planted model by name: ``fair``, ``planted:biases=analogy@1;noise=1`` (see `tempers`), or one of a
    suite for calibration, such as ``planted:suite=20-10-10;seed=3`` (see `suite`).

    Raises UsageError for a name, option or trait that does not exist.
    """
    short = name.removeprefix("planted:").strip()
    if (suite := parse_suite_name(short, seed=seed)) is not None:
        return SuiteJudge(short, suite) if isinstance(suite, SuiteJudgeTemper) else SuiteWriter(short, suite)
    temper = parse_name(name, seed=seed)
    if isinstance(temper, JudgeTemper):
        return PlantedJudge(short, temper)
    return PlantedTeacher(short, temper)
