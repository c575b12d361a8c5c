"""`biasscope ablate`: variants of a discovery on its ledger, beside each other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from biasscope.cli.output import Json, Quiet

if TYPE_CHECKING:
    from biasscope.config import RunConfig
    from biasscope.report.ablation import AblationOut

EXAMPLE = "Example: biasscope ablate RUN --vary validate=late --vary teacher=openai:OTHER --vary seed=1,2"


def ablate(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Folder of a discovery; it is the first variant.")],
    vary: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE[,VALUE...]",
            help="A setting and its other values, one variant each; may be repeated. Without any: validate and deeper-explain.",
        ),
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Run variants of a discovery and compare what they find.

    Each variant differs from the run in one setting and shares its ledger, so that only what differs is paid. Compared are
    what holds and the gain in errors on held-out pairs, with intervals. RUN gets ablation.json and ablation.tex.
    """
    from biasscope import api
    from biasscope.cli.output import print_json
    from biasscope.cli.progress import Progress
    from biasscope.cli.working import run_kept
    from biasscope.workflows.stages import stages_of

    progress = Progress(quiet=quiet)

    def begin(label: str, config: RunConfig) -> None:
        progress.line(f"Variant: {label}")
        progress.expect(stages_of(config.identity), iterations=config.identity.iterations)

    work = api.ablate(run, vary or (), on_event=progress.event, on_seen=progress.seen, on_variant=begin)
    found = run_kept(work, progress)
    if json:
        print_json(found)
        return
    _show(found)


def _show(found: AblationOut) -> None:
    from rich.table import Table

    from biasscope.cli.output import console
    from biasscope.report.ablation import COLUMNS, headline, row

    shown = console()
    shown.print(headline(found), style="bold", soft_wrap=True)
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for number, heading in enumerate(COLUMNS):
        table.add_column(heading, justify="right" if number else "left", overflow="fold")
    for variant in found.variants:
        table.add_row(*row(variant))
    shown.print(table, soft_wrap=False)
    shown.print(
        "Gains and differences are in points of error on held-out pairs, each with one of the variant's biases; the error as "
        "published is on the pairs that selected the biases, and inflated by that."
    )
    shown.print(f"Table: {found.run}/ablation.tex", soft_wrap=True)
