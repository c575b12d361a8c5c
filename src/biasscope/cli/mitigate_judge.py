"""`biasscope mitigate judge`: the words; `mitigating` does what they say."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from biasscope.cli import continuing
from biasscope.cli.output import Json, Quiet

EXAMPLE = """Examples:

\b
  biasscope mitigate judge runs/fixed --found runs/mine --fresh new.jsonl
  biasscope mitigate judge runs/fixed --found runs/mine \\
      --fix guard,answer-first
  biasscope measure runs/again --judge runs/fixed/judges/guard.json \\
      --data more.jsonl"""

Option = typer.Option


def judge(
    run: continuing.Run,
    found: Annotated[
        Path | None,
        Option(metavar="RUN", help="Folder of biasscope discover or measure whose biases are to be mended."),
    ] = None,
    fresh: Annotated[
        str | None,
        Option(
            metavar="DATA",
            help="Labelled pairs that found nothing (default: those of the run that were left out).",
        ),
    ] = None,
    fix: Annotated[
        str | None,
        Option(
            metavar="NAMES",
            help="Fixes, joined by commas: guard, guard-definitions, guard-rules, guard-example, swap-and-tie, "
            "swap-and-average, adjust, adjust-and-average, samples, answer-first, reference, panel (default: what suits the judge).",
        ),
    ] = None,
    biases: Annotated[
        str | None,
        Option(metavar="IDS", help="Biases of the run or the catalogue, joined by commas (default: what holds)."),
    ] = None,
    judge: Annotated[
        str | None, Option(metavar="MODEL", help="Which judge of the run, where it has several.")
    ] = None,
    panel: Annotated[
        list[str] | None, Option(metavar="MODEL", help="Another judge of the panel; may be repeated.")
    ] = None,
    samples: Annotated[
        int | None, Option(min=2, max=99, metavar="N", help="Samples of the fix of that name (default 5).")
    ] = None,
    variants: Annotated[
        int | None, Option(min=1, max=100, metavar="N", help="Biases of each pair at most (default 4).")
    ] = None,
    limit: Annotated[int | None, Option(min=1, metavar="N", help="Take the first N fresh pairs.")] = None,
    max_calls: continuing.MaxCalls = None,
    max_in_flight: continuing.MaxInFlight = None,
    ledger: continuing.Ledger = None,
    seed: continuing.Seed = None,
    config: continuing.Config = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Measure fixes of a judge on pairs that chose nothing.

    Each fix is another way of asking the judge. It is measured before and after with the trait on the worse response, the
    better one, both and neither. Forms of a guard are chosen, and coefficients fitted, on other pairs than those reported
    on. Each fixed judge is stored as a file that --judge takes.
    """
    from biasscope.api.options import mitigate_config
    from biasscope.cli import mitigating as doing

    settled = mitigate_config(
        {
            "found": found,
            "fresh": fresh,
            "fix": fix,
            "biases": biases,
            "judge": judge,
            "panel": panel,
            "samples": samples,
            "variants": variants,
            "limit": limit,
            "max_calls": max_calls,
            "max_in_flight": max_in_flight,
            "ledger": ledger,
            "seed": seed,
            "config": config,
        }
    )
    doing.mitigate(run, settled, json=json, quiet=quiet)
