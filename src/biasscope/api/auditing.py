"""An audit of logs: verdicts that exist already, read and summed up. Asks nobody, stores nothing, prints nothing."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from pathlib import Path

from biasscope.datasets.logs import LoadedLog, load_log
from biasscope.errors import UsageError
from biasscope.models.failures import plain
from biasscope.report.audited import AuditOut, audit_out
from biasscope.workflows.audit import audit_log


def audit(
    paths: Sequence[Path | str],
    *,
    columns: Mapping[str, str] | None = None,
    judge: str | None = None,
    seed: int = 0,
) -> tuple[AuditOut, ...]:
    """Audit every judge of every log, each by itself: judges and logs are never pooled.

    `columns` maps fields of a verdict to columns, for all logs; `judge` keeps the one of that name, or those whose names
    hold it; `seed` is that of the half-samples in which features have to hold. Raises DataError for a log that cannot be
    read, MissingExtra for one of Inspect without the extra, and UsageError for a judge that is in no log.
    """
    logs = [load_log(path, columns) for path in paths]
    found = [(log, name) for log in logs for name in log.judges]
    return tuple(audit_out(audit_log(log, name, seed=seed)) for log, name in _named(found, judge))


def _named(found: Sequence[tuple[LoadedLog, str]], judge: str | None) -> list[tuple[LoadedLog, str]]:
    if judge is None:
        return list(found)
    names = {name: plain(name) for _, name in found}
    kept = [(log, name) for log, name in found if judge in (name, names[name])]
    kept = kept or [(log, name) for log, name in found if judge.casefold() in names[name].casefold()]
    if not kept:
        near = difflib.get_close_matches(judge, names.values(), n=1, cutoff=0.3)
        guess = f"Did you mean {near[0]!r}? " if near else ""
        raise UsageError(
            f"no log holds a verdict of {judge!r}",
            hint=f"{guess}There are {', '.join(map(repr, list(names.values())[:8]))}.",
        )
    return kept
