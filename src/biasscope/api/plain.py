"""The functions of the package itself: one call and a result, in a script or a notebook. Nothing is printed.

They are the commands of the command line: the same options by the same names, the same folders, the same results.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack

from biasscope.api import auditing
from biasscope.api.arguments import (
    SOURCE,
    DiscoverSettings,
    File,
    MeasureSettings,
    Model,
    OneJudge,
    refuse_unknown,
    told_in_python,
)
from biasscope.api.discovery import Record, load_data
from biasscope.api.discovery import discover as discover_run
from biasscope.api.folders import folder_of
from biasscope.api.given import judges_given
from biasscope.api.measuring import load_measure, read_policy
from biasscope.api.measuring import measure as measure_run
from biasscope.api.options import discover_config, measure_config
from biasscope.api.result import AuditResult, DiscoverResult, MeasureResult
from biasscope.api.showing import show
from biasscope.api.waiting import run_anywhere
from biasscope.config import GatePolicy
from biasscope.datasets.logs import parse_columns
from biasscope.engine import Event
from biasscope.errors import ConfigError, UsageError
from biasscope.report import audited_page, junit, measured_page
from biasscope.report.measured import MeasuredOut
from biasscope.rundir import parse_as
from biasscope.workflows.sample import Sample
from biasscope.workflows.stages import Seen

MEASURE = frozenset(
    {"judge", "data", "biases", "gate", "run", "on_event", "on_sample", "on_seen"}
    | MeasureSettings.__annotations__.keys()
)
"""The names of what `measure` takes."""
DISCOVER = frozenset(
    {"judge", "teacher", "data", "discovery", "validation", "run", "on_event", "on_record", "on_seen"}
    | DiscoverSettings.__annotations__.keys()
)
"""The names of what `discover` takes."""
AUDIT = frozenset({"columns", "judge", "markdown", "seed"})
"""The names of what `audit` takes besides paths."""

_log = logging.getLogger("biasscope")


def measure(
    judge: OneJudge | Sequence[OneJudge] | None = None,
    *,
    data: File | None = None,
    biases: str | Sequence[File] | None = None,
    gate: File | Mapping[str, Any] | GatePolicy | None = None,
    run: File | None = None,
    on_event: Callable[[Event], None] | None = None,
    on_sample: Callable[[Sample], None] | None = None,
    on_seen: Callable[[Seen], None] | None = None,
    **settings: Unpack[MeasureSettings],
) -> MeasureResult:
    """Measure known biases on one or several judges, as ``biasscope measure`` does.

    `judge` is a spec, a table or object with the fields of `JudgeSpec`, a function that can be imported, any other
    function as ``biasscope.Named(function, name)``, or several of these. `data` is a source of pairs, `biases` what is
    tried (default: every seed bias that can be written), `gate` a policy. `run` is the folder that keeps the run; the
    same call continues it and pays nothing twice. Without one it is ``biasscope-runs/measure-HASH`` in the working
    folder, the same for the same identity and data. Every other setting is an option of the command by its name with
    underscores. `on_event` hears of calls, `on_sample` of the pairs that fit into `minutes`, `on_seen` of stages and looks.

    Runs to its end in a script and in a notebook, where it works in a thread of its own. The first Ctrl-C waits for the
    calls in flight, the second drops them, and KeyboardInterrupt is raised; the same call continues. Raises
    BiasscopeError subclasses with a hint, UsageError for a name that is no setting.
    """
    with told_in_python(MEASURE):
        refuse_unknown("measure", settings, MEASURE)
        judges, functions = judges_given(judge)
        options = {**settings, "judge": judges, "data": data, "biases": biases}
        config = measure_config(options, source=SOURCE)
        policy = _policy(gate)
        if settings.get("junit") is not None and policy is None:
            raise UsageError("--junit tells the outcome of a gate", hint="Give --gate FILE.")
        loaded = load_measure(config.identity)
        folder = folder_of("measure", config, loaded.hashes) if run is None else Path(run)
        work = measure_run(
            folder,
            config,
            data=loaded,
            policy=policy,
            on_event=on_event,
            on_sample=on_sample,
            on_seen=on_seen,
            functions=functions,
        )
        found = run_anywhere(work, _log.warning)
        _write(found, settings.get("junit"), settings.get("summary"))
    return MeasureResult(found, folder)


def discover(
    judge: OneJudge | None = None,
    *,
    teacher: Model | None = None,
    data: File | None = None,
    discovery: File | None = None,
    validation: File | None = None,
    run: File | None = None,
    on_event: Callable[[Event], None] | None = None,
    on_record: Callable[[Record], None] | None = None,
    on_seen: Callable[[Seen], None] | None = None,
    **settings: Unpack[DiscoverSettings],
) -> DiscoverResult:
    """Discover the biases of a judge, as ``biasscope discover`` does.

    Pairs are one source, `data`, or one each to look for candidates and to validate them. `teacher` rewrites, names and
    merges; ``proposer="features"`` needs none. `on_record` hears of the baseline, of every iteration and of the outcome.
    Everything else is as for `measure`, and the folder without `run` is ``biasscope-runs/discover-HASH``; more
    `iterations` continue it.
    """
    with told_in_python(DISCOVER):
        refuse_unknown("discover", settings, DISCOVER)
        judges, functions = judges_given(judge)
        if len(judges) > 1:
            raise ConfigError("biases are discovered on one judge", hint="Call discover once for each.")
        config = discover_config(
            {
                **settings,
                "judge": judges[0] if judges else None,
                "teacher": teacher,
                "data": data,
                "discovery": discovery,
                "validation": validation,
            },
            source=SOURCE,
        )
        loaded = load_data(config.identity)
        folder = folder_of("discover", config, loaded.hashes) if run is None else Path(run)
        work = discover_run(
            folder,
            config,
            data=loaded,
            on_event=on_event,
            on_record=on_record,
            on_seen=on_seen,
            functions=functions,
        )
        found = run_anywhere(work, _log.warning)
    return DiscoverResult(found, folder)


def audit(
    *paths: File,
    columns: str | Mapping[str, str] | None = None,
    judge: str | None = None,
    markdown: File | None = None,
    seed: int = 0,
    **unknown: object,
) -> AuditResult:
    """Audit verdicts that exist already, as ``biasscope audit`` does: no model is called.

    `paths` are logs: JudgeBench outputs, LLMBar results, Inspect's logs, or verdicts as CSV, JSON lines, JSON or Parquet.
    `columns` says which column of a log is what, as a table or as ``FIELD=COLUMN,...``; `judge` keeps the judges of that
    name; `markdown` is a page to write too. Raises DataError for a log that cannot be read, UsageError for a judge that is
    in none and a name that is no setting.
    """
    with told_in_python(AUDIT):
        refuse_unknown("audit", unknown, AUDIT)
        if not paths:
            raise UsageError("no log is named", hint='Give at least one path: biasscope.audit("verdicts.csv").')
        fields = parse_columns(columns) if isinstance(columns, str) else columns
        audits = auditing.audit(paths, columns=fields, judge=judge, seed=seed)
        if markdown is not None:
            Path(markdown).write_text(audited_page.render(audits), encoding="utf-8", errors="replace")
    return AuditResult(audits)


def load(run: File) -> MeasureResult | DiscoverResult:
    """Read the folder of a run back to the result that `measure` or `discover` gave; asks nobody and writes nothing.

    A run that is not finished has what it held when it stopped (``summary.complete`` is False). Raises UsageError where
    there is no run folder, DataError for one without a result and for one of a newer schema.
    """
    folder = Path(run)
    with told_in_python(()):
        found = show(folder)
    return MeasureResult(found, folder) if isinstance(found, MeasuredOut) else DiscoverResult(found, folder)


def _policy(gate: File | Mapping[str, Any] | GatePolicy | None) -> GatePolicy | None:
    if gate is None or isinstance(gate, GatePolicy):
        return gate
    if isinstance(gate, Mapping):
        return parse_as(GatePolicy, gate, source="gate")
    return read_policy(gate)


def _write(found: MeasuredOut, junit_file: File | None, summary_file: File | None) -> None:
    """Write the outcome where it is asked for, as the command line does."""
    if junit_file is not None:
        Path(junit_file).write_text(junit.render(found), encoding="utf-8")
    if summary_file is not None:
        with Path(summary_file).open("a", encoding="utf-8", errors="replace") as file:
            file.write(measured_page.step_summary(found))
