"""What a run folder says it found, without a call."""

from __future__ import annotations

import json
import re
from pathlib import Path

from pydantic import ValidationError

from biasscope.config import (
    AnyConfig,
    BenchmarkConfig,
    MeasureConfig,
    MitigateConfig,
    RankConfig,
    TrainingDataConfig,
)
from biasscope.errors import DataError, UsageError
from biasscope.report import measured, summary
from biasscope.report.measured import MeasuredOut
from biasscope.report.summary import Summary
from biasscope.rundir import RunDir

RESULT = "report.json"
"""What a run found, as one JSON object with a schema."""
EARLIER = "summary.json"
"""What the same file was called in folders of earlier programs."""


_OTHERS: dict[type[AnyConfig], tuple[str, str, str, str]] = {
    RankConfig: ("a ranking", "rank.md and report.json", "biasscope benchmark rank", "judges nothing"),
    BenchmarkConfig: ("a benchmark", "report.md and report.json", "biasscope benchmark build", "pays nothing"),
    MitigateConfig: (
        "fixes of a judge",
        "mitigation.md and report.json",
        "biasscope mitigate judge",
        "pays nothing",
    ),
    TrainingDataConfig: ("training data", "card.md and report.json", "biasscope mitigate data", "pays nothing"),
}
"""Folders that hold something else: what, in which files, which command made it, and what that does not do twice."""


def result_file(run: Path) -> Path:
    """The file of a run folder that says what was found: ``report.json``, or in an older folder ``summary.json``."""
    earlier = run / EARLIER
    return earlier if earlier.exists() and not (run / RESULT).exists() else run / RESULT


def show(run: Path) -> Summary | MeasuredOut:
    """Read what a run folder says was found; raises UsageError or DataError where there is none to read."""
    refuse_newer(run)
    folder = RunDir.read(run)
    if (other := _OTHERS.get(type(folder.config))) is not None:
        what, pages, command, nothing = other
        raise UsageError(
            f"{run} holds {what}",
            hint=f"It is in {pages}; {command} with it again prints it, and {nothing} twice.",
        )
    is_measured = isinstance(folder.config, MeasureConfig)
    command = "biasscope measure" if is_measured else "biasscope discover"
    path = result_file(folder.path)
    try:
        text = path.read_text(encoding="utf-8")
        # Within a version fields may be added: what a later program wrote beside them is passed over.
        if is_measured:
            return MeasuredOut.model_validate_json(text, extra="ignore")
        return Summary.model_validate_json(text, extra="ignore")
    except FileNotFoundError:
        if (path.parent / "trials.jsonl").exists():
            raise DataError(
                f"{run} holds no discovery",
                hint="If it is one of biasscope quickstart: that command shows it again, and judges nothing twice.",
            ) from None
        raise DataError(f"{run} holds no result yet", hint=f"Run {command} with it again to continue.") from None
    except (ValidationError, UnicodeDecodeError) as error:
        said = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error)
        raise DataError(
            f"{path} cannot be read: {said}",
            hint=f"Run {command} with it again; replies are kept, so nothing is paid twice.",
        ) from None


def refuse_newer(run: Path) -> None:
    """Refuse a folder whose result has a newer schema than this program reads, before anything else of it is read.

    Raises DataError; a file that is absent or no JSON is left to whoever reads it.
    """
    try:
        found = json.loads(result_file(run).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return
    version = str(found.get("schema_version", "")) if isinstance(found, dict) else ""
    for ours in (summary.SCHEMA, measured.SCHEMA):
        name, number = ours.split("/")
        newer = re.fullmatch(rf"{re.escape(name)}/([0-9]{{1,6}})", version)
        if newer and int(newer[1]) > int(number):
            raise DataError(
                f"{run} was written by a newer biasscope: its {result_file(run).name} is {version}, and this one reads {ours}",
                hint="Update biasscope: pip install --upgrade biasscope",
            )
