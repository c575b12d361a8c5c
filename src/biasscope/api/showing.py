"""What a run folder says it found, without a call."""

from __future__ import annotations

import json
import re
from pathlib import Path

from pydantic import ValidationError

from biasscope.config import MeasureConfig
from biasscope.errors import DataError
from biasscope.report import measured, summary
from biasscope.report.measured import MeasuredOut
from biasscope.report.summary import Summary
from biasscope.rundir import RunDir


def show(run: Path) -> Summary | MeasuredOut:
    """Read the summary of a run folder; raises UsageError or DataError where there is none to read."""
    refuse_newer(run)
    folder = RunDir.read(run)
    is_measured = isinstance(folder.config, MeasureConfig)
    command = "biasscope measure" if is_measured else "biasscope discover"
    path = folder.path / "summary.json"
    try:
        text = path.read_text(encoding="utf-8")
        return MeasuredOut.model_validate_json(text) if is_measured else Summary.model_validate_json(text)
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
    """Refuse a folder whose summary has a newer schema than this program reads, before anything else of it is read.

    Raises DataError; a summary that is absent or no JSON is left to whoever reads it.
    """
    try:
        found = json.loads((run / "summary.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return
    version = str(found.get("schema_version", "")) if isinstance(found, dict) else ""
    for ours in (summary.SCHEMA, measured.SCHEMA):
        name, number = ours.split("/")
        newer = re.fullmatch(rf"{re.escape(name)}/([0-9]{{1,6}})", version)
        if newer and int(newer[1]) > int(number):
            raise DataError(
                f"{run} was written by a newer biasscope: its summary is {version}, and this one reads {ours}",
                hint="Update biasscope: pip install --upgrade biasscope",
            )
