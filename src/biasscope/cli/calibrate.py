"""`biasscope calibrate`: the words; `calibration` does what they say."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from biasscope.cli.output import Json, Quiet

Option = typer.Option


def calibrate(
    suite: Annotated[
        Literal["20-10-10", "30-12-5-3"],
        Option(
            help="Candidates on each simulated judge: 20 without effect, 10 medium, 10 large; or 30 without effect, "
            "12 small, 5 medium, 3 large."
        ),
    ] = "20-10-10",
    rule: Annotated[
        Literal["default", "fast", "thorough", "fixed", "paper"], Option(help="The rule, as in discover.")
    ] = "default",
    runs: Annotated[int, Option(min=2, metavar="N", help="Simulated judges.")] = 200,
    pairs: Annotated[int, Option(min=20, metavar="N", help="Validation pairs for each.")] = 620,
    graded: Annotated[bool, Option("--graded", help="Judges that give margins in log-odds.")] = False,
    iterations: Annotated[
        int,
        Option(min=1, max=20, metavar="N", help="Candidates arrive in N batches, those without an effect last."),
    ] = 1,
    seed: Annotated[int, Option(metavar="N", help="Seed of the judges.")] = 0,
    text: Annotated[
        bool,
        Option(
            "--text",
            help="Go through the prompts, parsers and checks with planted models: about 20 seconds a judge.",
        ),
    ] = False,
    table: Annotated[
        bool,
        Option(
            "--table",
            help="Print the table of docs/statistics.md as Markdown: every suite and rule, for an hour or two.",
        ),
    ] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Measure the rule itself on judges whose biases are known.

    The judges are simulated: false discoveries, recall, calls and coverage of the intervals, beside the published
    rule and others. It calls no model; 200 judges take about half a minute.
    """
    from biasscope.cli import calibration
    from biasscope.errors import UsageError
    from biasscope.stats.simulation.world import SUITES
    from biasscope.workflows.calibrate import Setup

    setup = Setup(
        suite=SUITES[suite], rule=rule, runs=runs, pairs=pairs, graded=graded, iterations=iterations, seed=seed
    )
    if table and (json or text):
        raise UsageError(
            "the table is Markdown, of simulated judges", hint="Leave out --table, or --json and --text."
        )
    if text:
        calibration.measure_texts(setup, json=json, quiet=quiet)
    elif table:
        calibration.print_table(runs=runs, seed=seed, quiet=quiet)
    else:
        calibration.measure(setup, json=json, quiet=quiet)
