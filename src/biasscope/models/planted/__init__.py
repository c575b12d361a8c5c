"""Judges and teachers of known behaviour, in process: the ground truth of every test of the method.

They read the real prompts and answer in text, so that prompts, parsing, rewriting, checking, explaining, naming and
merging are all exercised; what a judge is drawn by is known (`truth`). `server` offers them over HTTP.
"""

from __future__ import annotations

from biasscope.models.planted.judge import PlantedJudge
from biasscope.models.planted.teacher import PlantedTeacher
from biasscope.models.planted.tempers import JudgeTemper, parse_name

__all__ = ["PlantedJudge", "PlantedTeacher", "open_planted"]


def open_planted(name: str, *, seed: int = 0) -> PlantedJudge | PlantedTeacher:
    """Open a planted model by name, such as ``fair`` or ``planted:biases=analogy@1;noise=1`` (see `tempers`).

    Raises UsageError for a name, option or trait that does not exist.
    """
    temper = parse_name(name, seed=seed)
    short = name.removeprefix("planted:").strip()
    if isinstance(temper, JudgeTemper):
        return PlantedJudge(short, temper)
    return PlantedTeacher(short, temper)
