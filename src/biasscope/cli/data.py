"""`biasscope data`: what a file holds, before anything is paid for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from biasscope.cli.output import Json, console, print_json, require_command

if TYPE_CHECKING:
    from biasscope.datasets import DataReport

app = typer.Typer(help="Preference data: check a file.")


@app.callback(invoke_without_command=True)
def _group(context: typer.Context) -> None:
    require_command(context)


@app.command("check")
def check(
    source: Annotated[
        str,
        typer.Argument(metavar="SOURCE", help="PATH, FORMAT:PATH, hf://datasets/... or objective:N?seed=S."),
    ],
    json: Json = False,
) -> None:
    """Say what a source holds, what is skipped and why."""
    from biasscope import datasets
    from biasscope.report.outputs import DataCheckOut

    report = datasets.check(source)
    if json:
        print_json(DataCheckOut.model_validate(report.to_json()))
        return
    shown = console()
    for line in _lines(report):
        shown.print(line, soft_wrap=True)


def _lines(report: DataReport) -> list[str]:
    """The report for people, one fact a line."""
    lines = [
        f"{report.spec}: format {report.format}, {report.read:,} rows read, {report.records:,} {report.holds} kept",
        *(f"  skipped {s.count:,}: {s.reason} ({', '.join(s.places)}{' ...' if s.count > len(s.places) else ''})"
          for s in report.skipped),
    ]  # fmt: skip
    groups = sorted(report.groups, key=lambda g: -g[1])
    shown = ", ".join(f"{name} {count:,}" for name, count in groups[:8])
    lines.append(f"  groups: {shown}" + (f" and {len(groups) - 8} more" if len(groups) > 8 else ""))
    if report.labelled is not None:
        lines.append(f"  labelled {report.labelled:,}, with a checkable answer {report.objective:,}")
    if report.twins is not None and report.twins.questions:
        lines.append(
            f"  questions asked more than once: {report.twins.questions:,} (in {report.twins.pairs:,} pairs)"
        )
    if report.listed is not None:
        lines.append(
            f"  the file lists the better response first {report.listed[0]:,}, second {report.listed[1]:,} times"
        )
    if report.longer is not None and report.labelled:
        lines.append(f"  the better response is the longer one in {100 * report.longer / report.labelled:.0f} %")
    for what, of in report.lengths:
        lines.append(f"  {what}: median {of.median:,} characters, 10 % to 90 % {of.p10:,} to {of.p90:,}")
    return lines + [f"  note: {note}" for note in report.notes]
