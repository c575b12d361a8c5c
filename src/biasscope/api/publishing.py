"""Publish a benchmark: files of rows, a card and the summary in a folder that the hub can take as it is. Asks nobody."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from biasscope import __version__
from biasscope.api.benchmark_files import BenchmarkFiles, marked, read_benchmark, require_benchmark
from biasscope.api.known import catalogue_with
from biasscope.benchmarks import BenchmarkItem
from biasscope.benchmarks.draws import with_slots
from biasscope.errors import DataError, UsageError
from biasscope.report.benchmark_card import FILES, Card, render, subset_file
from biasscope.report.benchmark_summary import benchmark_out
from biasscope.report.benchmarked import BenchmarkOut
from biasscope.report.published import PublishedFileOut, PublishedOut
from biasscope.report.reviewed import AgreementOut, agreement_out
from biasscope.reviews import decide
from biasscope.rundir import RunDir
from biasscope.rundir.files import named_errors, write_whole
from biasscope.rundir.item_tables import TableFormat, write_items
from biasscope.rundir.reviews import ANSWERS, ReviewFiles, read_review
from biasscope.workflows.benchmark_review import Standing, after_review

CARD, SUMMARY, DATA = "README.md", "benchmark.json", "data"


def publish_benchmark(
    run: Path | str,
    out: Path,
    *,
    form: TableFormat = "parquet",
    licence: str | None = None,
    name: str | None = None,
) -> PublishedOut:
    """Write the benchmark in the folder `run` as a data set into the folder `out`, and say what is in it.

    One file a subset: what the filter kept, the unfiltered sample, and the source pairs of these; everything where no filter
    was run. Rows whose rewrites reviewers found not valid are left out; a benchmark that was not reviewed, or whose review does
    not pass, is published with a card that says so. `licence` is that of the sources. The same benchmark gives the same bytes.

    Raises UsageError for a folder `out` that holds something else and where no benchmark was built, DataError where nothing is
    left to publish.
    """
    require_benchmark(Path(run))
    _check_place(out)
    folder = RunDir.read(run)
    files = read_benchmark(folder)
    people = read_review(folder.path) if (folder.path / ANSWERS).exists() else None
    standing = after_review(files.items, _valid(people))
    rows = _rows(standing.items, files)
    if not rows:
        raise DataError(
            f"nothing of {run} is left to publish",
            hint="The filter kept nothing, or reviewers found nothing valid: try another rule, as in --keep 1/2.",
        )
    agreement = agreement_out(people) if people is not None and people.said else None
    taken_out = sum(t.count for t in standing.tallies)
    title = name or folder.path.resolve().name
    summary = _summary(files, standing, title)
    card = Card(
        title, summary, {file: len(of) for file, of in rows.items()}, f".{form}", licence, agreement, taken_out
    )
    _write(out, rows, card, form)
    return PublishedOut(
        version=__version__,
        run=str(run),
        folder=str(out),
        files=tuple(PublishedFileOut(path=f"{DATA}/{file}.{form}", rows=len(of)) for file, of in rows.items()),
        licence=licence,
        reviewed=agreement is not None and agreement.answers > 0,
        passes=None if agreement is None or not agreement.answers else agreement.gate.passes,
        taken_out=taken_out,
        notes=tuple(_notes(files, agreement, taken_out, licence)),
    )


def _check_place(out: Path) -> None:
    """Refuse a folder that holds anything but an earlier publication."""
    if not out.exists():
        return
    ours = out.is_dir() and (out / SUMMARY).is_file() and (out / CARD).is_file()
    if not out.is_dir() or (any(out.iterdir()) and not ours):
        raise UsageError(f"{out} holds something else than a published benchmark", hint="Name a new folder.")


def _valid(people: ReviewFiles | None) -> dict[str, bool | None]:
    """What reviewers decided about each rewrite, by the id of its item."""
    return {} if people is None else {d.item.id: d.valid for d in decide(people.items, people.stand)}


def _rows(items: Sequence[BenchmarkItem], files: BenchmarkFiles) -> dict[str, tuple[BenchmarkItem, ...]]:
    """The rows of each file that has any, with their slots: first what was kept, so that it is balanced by itself."""
    seed = files.config.identity.seed
    of = {i.id: i for i in items}
    kept = [i for i in items if i.subset != "original" and i.kept is not False]
    sampled = [i for i in items if i.unfiltered_sample]
    in_both = {i.id for i in kept}
    slotted = {i.id: i for i in with_slots(kept, seed=seed)}
    slotted |= {i.id: i for i in with_slots((i for i in sampled if i.id not in in_both), seed=seed)}
    pairs = {i.source_pair for i in slotted.values()}
    slotted |= {
        i.id: i
        for i in with_slots((i for i in items if i.subset == "original" and i.source_pair in pairs), seed=seed)
    }
    found: dict[str, list[BenchmarkItem]] = {file: [] for file in FILES}
    for name in of:
        if name not in slotted:
            continue
        item = slotted[name]
        if item.subset == "original" or item.kept is not False:
            found[subset_file(item.subset, unfiltered=False)].append(item)
        if item.unfiltered_sample:
            found[subset_file(item.subset, unfiltered=True)].append(item)
    if not (found["pro"] or found["crossed"]):
        return {}
    return {file: tuple(rows) for file, rows in found.items() if rows}


def _summary(files: BenchmarkFiles, standing: Standing, title: str) -> BenchmarkOut:
    """The summary of what stands, under the name of the benchmark: a folder's path means nothing elsewhere."""
    after = () if files.filtering is None else marked(files.items, files.filtering, files.config.identity.seed)[1]
    return benchmark_out(
        title,
        files.config.identity,
        files.facts,
        standing.items,
        (*files.tallies, *after, *standing.tallies),
        files.filtering,
        catalogue=catalogue_with(files.config.identity.biases),
    )


def _write(out: Path, rows: Mapping[str, Sequence[BenchmarkItem]], card: Card, form: TableFormat) -> None:
    data = out / DATA
    with named_errors(data):
        data.mkdir(parents=True, exist_ok=True)
        for old in data.iterdir():
            if old.suffix in (".parquet", ".jsonl") and (old.stem not in rows or old.suffix != f".{form}"):
                old.unlink()
    for file, items in rows.items():
        write_items(data / f"{file}.{form}", items, form)
    write_whole(out / SUMMARY, [card.out.model_dump_json(indent=2), "\n"])
    write_whole(out / CARD, [render(card)])


def _notes(
    files: BenchmarkFiles, agreement: AgreementOut | None, taken_out: int, licence: str | None
) -> Iterator[str]:
    """What whoever publishes should know."""
    if agreement is None or not agreement.answers:
        yield "Nobody has reviewed these rewrites; the card says so. biasscope benchmark review has people check them."
    elif not agreement.gate.passes:
        yield f"The review does not pass: {'; '.join(agreement.gate.failures)}. The card says so."
    if taken_out:
        yield f"{taken_out:,} variants were left out, since reviewers found a rewrite not valid."
    if files.filtering is None:
        yield "No filter was run: every variant is published."
    if licence is None:
        yield f"The licence of {files.facts.source} is not known; the card says so. Give it with --licence."
