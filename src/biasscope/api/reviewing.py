"""The review of a benchmark: how far reviewers agree, what was decided, and every answer as a table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from biasscope.errors import UsageError
from biasscope.report.reviewed import AgreementOut, agreement_out
from biasscope.reviews import Decision, decide
from biasscope.rundir.files import named_errors, replacing
from biasscope.rundir.reviews import read_review

WRITERS = {".csv": "write_csv", ".jsonl": "write_ndjson", ".parquet": "write_parquet"}


def agreement(run: Path | str, *, seed: int = 0) -> AgreementOut:
    """Sum up the review of a run folder, also while people are at it.

    `seed` draws the bootstrap samples behind intervals. Raises UsageError where there is nothing to review and DataError
    where its items cannot be read.
    """
    return agreement_out(read_review(run), seed=seed)


def review_decisions(run: Path | str) -> tuple[Decision, ...]:
    """What reviewers and the adjudicator decided about each item; raises as `agreement` does."""
    files = read_review(run)
    return decide(files.items, files.stand)


def write_answers(run: Path | str, file: Path) -> int:
    """Write every answer that stands as a row of a .csv, .jsonl or .parquet file, and return how many there are.

    Beside the answer stand the source pair, bias, arm, slot of the rewrite and known better response, which reviewers did
    not see, and the adjudicator's answers under that name. Raises UsageError for another kind of file, RunError where it
    cannot be written, and what `agreement` raises.
    """
    import polars as pl

    if file.suffix.lower() not in WRITERS:
        raise UsageError(
            f"answers cannot be written as {file.name}", hint="Name a .csv, .jsonl or .parquet file."
        )
    files = read_review(run)
    items = {item.id: item for item in files.items}
    rows: list[dict[str, Any]] = []
    for (reviewer, item_id), said in sorted(files.stand.items()):
        hidden = items[item_id].hidden
        rows.append(
            {"item": item_id, "pair": hidden.pair, "domain": hidden.domain, "bias": hidden.bias, "arm": hidden.arm,
             "side": hidden.side, "rewrite_slot": hidden.variant, "gold": hidden.gold, "reviewer": reviewer,
             "kind": said.kind, "whole": said.whole, "better": said.better, "same_answer": said.same_answer,
             "same_content": said.same_content, "valid": said.valid, "flag": said.flag, "note": said.note, "at": said.at}
        )  # fmt: skip
    truths = ("whole", "same_answer", "same_content", "valid", "flag")
    columns = (
        "item", "pair", "domain", "bias", "arm", "side", "rewrite_slot", "gold", "reviewer", "kind", "whole", "better",
        "same_answer", "same_content", "valid", "flag", "note", "at",
    )  # fmt: skip
    frame = pl.DataFrame(rows, schema={c: pl.Boolean if c in truths else pl.String for c in columns})
    with named_errors(file), replacing(file) as temporary:
        getattr(frame, WRITERS[file.suffix.lower()])(temporary)
    return len(rows)
