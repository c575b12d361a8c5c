"""What a run folder says it found, without a call."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from biasscope.config import MeasureConfig
from biasscope.errors import DataError
from biasscope.report.measured import MeasuredOut
from biasscope.report.summary import Summary
from biasscope.rundir import RunDir


def show(run: Path) -> Summary | MeasuredOut:
    """Read the summary of a run folder; raises UsageError or DataError where there is none to read."""
    folder = RunDir.read(run)
    path = folder.path / "summary.json"
    measured = isinstance(folder.config, MeasureConfig)
    command = "biasscope measure" if measured else "biasscope discover"
    try:
        text = path.read_text(encoding="utf-8")
        return MeasuredOut.model_validate_json(text) if measured else Summary.model_validate_json(text)
    except FileNotFoundError:
        if (path.parent / "trials.jsonl").exists():
            raise DataError(
                f"{run} holds no discovery",
                hint="If it is one of biasscope quickstart: that command shows it again, and judges nothing twice.",
            ) from None
        raise DataError(f"{run} holds no result yet", hint=f"Run {command} with it again to continue.") from None
    except ValidationError as error:
        raise DataError(
            f"{path} cannot be read: {error.errors()[0]['msg']}",
            hint=f"Run {command} with it again; replies are kept, so nothing is paid twice.",
        ) from None
