"""Logs of Inspect: each sample is a row of its metadata, its input and target, and what the judge replied.

Read with Inspect's own reader, which is imported when such a log is opened. The judge is the model that was evaluated.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from biasscope.datasets.containers import check_path
from biasscope.datasets.logs.verdicts import Tally
from biasscope.datasets.rows import Row
from biasscope.errors import DataError, MissingExtra

_UNUSED = {"messages", "events", "store", "attachments", "timelines"}
"""Fields of a sample that hold no verdict; they are most of a log."""

FAILED = "a sample that ended with an error"


def is_inspect_log(path: Path) -> bool:
    """Tell a log of Inspect by its ending, or a JSON document by the version, the evaluation and the plan in it."""
    if path.suffix.lower() == ".eval":
        return True
    if path.suffix.lower() != ".json" or not path.is_file():
        return False
    with path.open("rb") as stream:
        start = stream.read(4096)
    return start.lstrip().startswith(b"{") and b'"version"' in start and b'"eval"' in start and b'"task' in start


def inspect_rows(path: Path, tally: Tally) -> tuple[list[Row], str]:
    """The samples of a log as rows, and the SHA-256 of its bytes.

    Raises MissingExtra without Inspect, and DataError for a file that its reader cannot read.
    """
    check_path(path)
    try:
        from inspect_ai.log import read_eval_log
    except ImportError as error:
        raise MissingExtra(f"reading {path.name}", "inspect") from error
    try:
        log = read_eval_log(str(path), exclude_fields=set(_UNUSED))
    except (ValueError, OSError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise DataError(
            f"{path} cannot be read as a log of Inspect ({str(error).strip().splitlines()[0][:120]!r})",
            hint="Was it written and copied completely?",
        ) from error
    rows = list(_rows(path, log, tally))
    if not rows:
        raise DataError(f"{path} holds no sample", hint="Was the evaluation finished, with --log-samples?")
    return rows, hashlib.sha256(path.read_bytes()).hexdigest()


def _rows(path: Path, log: Any, tally: Tally) -> Iterator[Row]:
    for sample in log.samples or ():
        place = f"sample {sample.id!r}" + (f", epoch {sample.epoch}" if sample.epoch != 1 else "")
        if sample.error is not None:
            tally.skip(FAILED, place)
            continue
        yield Row(str(path), place, _values(log, sample))


def _values(log: Any, sample: Any) -> Mapping[str, object]:
    """A sample flat; metadata comes last, so that no field of Inspect's own hides one of the user's.

    What a sample asks is the whole prompt of the judge, so it is no question of a pair.
    """
    own: dict[str, object] = {
        "sample_id": str(sample.id),
        "epoch": sample.epoch,
        "sample_input": sample.input
        if isinstance(sample.input, str)
        else json.dumps([m.text for m in sample.input]),
        "target": sample.target if isinstance(sample.target, str) else " ".join(sample.target),
        "reply": sample.output.completion if sample.output else "",
        "judge": log.eval.model,
    }
    scores = sample.scores or {}
    for name, score in scores.items():
        own |= {f"{name}.value": score.value, f"{name}.answer": score.answer}
    if len(scores) == 1:
        own["decision"] = next(iter(scores.values())).answer
    return own | dict(sample.metadata or {})
