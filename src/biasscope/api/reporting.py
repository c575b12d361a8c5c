"""The pages of a run folder, made from its files: report.html, its charts, report.md, and tables in LaTeX. Asks nobody."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from biasscope.api.showing import refuse_newer, result_file, show
from biasscope.config import MeasureConfig
from biasscope.errors import DataError
from biasscope.records import HABITS, Evidence
from biasscope.report import latex, markdown, measured_page
from biasscope.report.measured import JudgedOut, MeasuredOut
from biasscope.report.outputs import ReportOut
from biasscope.report.summary import Summary
from biasscope.rundir import Manifest, RunDir
from biasscope.rundir.files import named_errors, write_whole

PAGE = "report.html"
CHARTS = "charts"
MARKDOWN = "report.md"
TABLES = "tables"


def report(run: Path, *, tables: bool = False) -> ReportOut:
    """Write the pages of a run folder anew from its files, and with `tables` its tables in LaTeX too.

    What is unfinished, empty or torn has a page that says so, and no tables. Raises UsageError where there is no run
    folder, DataError for one of a newer schema or of another command, RunLocked while a process works in it.
    """
    refuse_newer(run)
    with RunDir.amend(run) as folder:
        found: Summary | MeasuredOut | None = None
        notes: list[str] = []
        try:
            found = show(run)
        except DataError as error:
            if (folder.path / "trials.jsonl").exists() and not result_file(folder.path).exists():
                raise
            notes.append(f"{error}. {error.hint}")
        if isinstance(found, MeasuredOut):
            folder.write_text(MARKDOWN, measured_page.render(found))
        elif found is not None:
            folder.write_text(MARKDOWN, markdown.render(found))
        made = write_page(folder, found, notes)
        if not tables or found is None:
            return made
        return made.model_copy(update={"tables": _write_tables([found], folder.path / TABLES)})


def write_tables(runs: Sequence[Path], folder: Path) -> tuple[str, ...]:
    """Write the LaTeX tables over all these runs into any folder: ``main.tex`` and ``biases.tex``; returns their paths.

    Raises what `show` raises for a run that holds no result, and RunError where nothing can be written.
    """
    return _write_tables([show(run) for run in runs], folder)


def _write_tables(found: Sequence[Summary | MeasuredOut], folder: Path) -> tuple[str, ...]:
    texts = {"main.tex": latex.main_table(found), "biases.tex": latex.bias_table(found)}
    with named_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        write_whole(folder / name, [text])
    return tuple(str(folder / name) for name in texts)


def write_page(folder: RunDir, found: Summary | MeasuredOut | None, notes: list[str] | None = None) -> ReportOut:
    """Write report.html and its charts from the summary and from what else is in an entered folder.

    `notes` say what could not be read; they are on the page, with what more turns out so.
    """
    # Drawing takes a second to load, and most commands draw nothing.
    from biasscope.report.html.about import about
    from biasscope.report.html.page import discovery_page, empty_page, measurement_page

    notes = list(notes or [])
    told = about(folder.config, _manifest(folder, notes))
    if isinstance(found, MeasuredOut):
        kept = [_evidence(folder, f"evidence-{n}", _traits(j), notes) for n, j in enumerate(found.judges, 1)]
        page = measurement_page(found, kept, told, notes)
    elif found is not None:
        wanted = found.complete and any(t.status == "accepted" for t in found.trials)
        page = discovery_page(found, _evidence(folder, "evidence", wanted, notes), told, notes)
    else:
        what = "measurement" if isinstance(folder.config, MeasureConfig) else "discovery"
        torn = result_file(folder.path).exists()
        headline = (
            f"The result of this {what} cannot be read: its {result_file(folder.path).name} is damaged."
            if torn
            else f"This {what} holds no result yet: it was stopped before anything was found out."
        )
        page = empty_page(f"A {what} without a result", headline, told, notes)
    folder.write_text(PAGE, page.html)
    folder.write_group(CHARTS, {f"{c.name}.json": c.saved for c in page.charts})
    return ReportOut(
        run=str(folder.path),
        report=str(folder.path / PAGE),
        complete=found is not None and found.complete,
        charts=tuple(f"{CHARTS}/{c.name}.json" for c in page.charts),
        notes=tuple(notes),
    )


def _manifest(folder: RunDir, notes: list[str]) -> Manifest | None:
    try:
        return folder.manifest
    except DataError as error:
        notes.append(f"Versions and hashes are not known: {error}.")
        return None


def _traits(judged: JudgedOut) -> bool:
    """Whether a trait of a text holds on a judge: only those have pairs to read."""
    return any(e.status == "accepted" and e.estimand not in HABITS for e in judged.effects)


def _evidence(folder: RunDir, name: str, wanted: bool, notes: list[str]) -> list[Evidence]:
    """The pairs behind the findings; where there should be some, a file that cannot be read is noted."""
    try:
        return folder.read_records(name, Evidence)
    except DataError as error:
        if wanted:
            notes.append(f"The pairs behind the findings cannot be shown: {error}.")
        return []
