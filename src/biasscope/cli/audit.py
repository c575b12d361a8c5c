"""`biasscope audit`: the words; `auditing` does what they say."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from biasscope.cli.output import Json

EXAMPLE = """Examples:

\b
  biasscope audit outputs/judge.jsonl
  biasscope audit verdicts.csv --columns choice=winner,first=a,second=b

Fields of --columns: question, first, second, chosen, rejected, choice, place, label, order, reply, judge, pair_id,
first_score, second_score, arm. Without it usual names are found."""

Option = typer.Option


def audit(
    logs: Annotated[
        list[Path],
        typer.Argument(
            metavar="LOG...",
            help="JudgeBench outputs, LLMBar results, Inspect's logs, or verdicts as CSV, JSON lines, JSON, Parquet; also "
            ".gz.",
        ),
    ],
    columns: Annotated[
        str | None,
        Option(metavar="FIELD=COLUMN,...", help="Which column of the log is what; see docs/audit.md."),
    ] = None,
    judge: Annotated[
        str | None, Option(metavar="NAME", help="Only the judge of this name, or those that hold it.")
    ] = None,
    markdown: Annotated[
        Path | None, Option(metavar="FILE", help="Write the audits as a Markdown page too.")
    ] = None,
    seed: Annotated[
        int, Option(min=0, metavar="N", help="Seed of the half-samples in which features have to hold.")
    ] = 0,
    json: Json = False,
) -> None:
    """Audit verdicts that exist already: no model is called.

    Says whether the judge prefers a place, how consistent and how often right it is, whether its replies were read
    rightly, and what its choices go with; then what to try next. Every judge of every log is audited by itself.
    """
    from biasscope.cli import auditing as doing

    doing.audit(logs, columns, doing.Told(judge, markdown, seed, json=json))
