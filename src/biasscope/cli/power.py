"""`biasscope power`: what a validation could show, before anything is paid."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from biasscope.cli.output import Json, console, print_json

if TYPE_CHECKING:
    from biasscope.report.outputs import PowerOut

Option = typer.Option


def power(
    data: Annotated[
        str | None,
        Option(metavar="SOURCE", help="Pairs, split by question as discover splits --data; see data check."),
    ] = None,
    pairs: Annotated[int | None, Option(min=1, metavar="N", help="Validation pairs, instead of --data.")] = None,
    effect: Annotated[
        float | None,
        Option(
            metavar="SIZE",
            help="Effect to be shown, in points (log-odds with --graded); by default the smallest one of interest.",
        ),
    ] = None,
    error: Annotated[
        float, Option(min=0.01, max=0.99, metavar="RATE", help="Error rate on neutral rewrites.")
    ] = 0.45,
    change: Annotated[
        float,
        Option(min=0, max=1, metavar="RATE", help="How often two neutral rewrites are judged differently."),
    ] = 0.28,
    candidates: Annotated[int, Option(min=1, metavar="M", help="Candidates that will be tried.")] = 20,
    rule: Annotated[
        Literal["default", "fast", "thorough", "fixed"], Option(help="The rule, as in discover.")
    ] = "default",
    graded: Annotated[
        float | None,
        Option(
            metavar="SPREAD",
            help="A judge with margins: standard deviation (log-odds) of the difference of two neutral rewrites.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Say how many pairs an effect takes, before paying.

    Or what the pairs of a file can show: with a power of 80 %, for one bias that holds among the candidates.
    """
    from biasscope.report.outputs import PowerOut
    from biasscope.stats.rules import RULES
    from biasscope.workflows.power import foresee

    _refuse(data, pairs, effect, graded)
    kept, validation = (None, pairs) if data is None else _validation(data)
    found = foresee(
        RULES[rule],
        candidates=candidates,
        error=error,
        change=change,
        spread=graded,
        pairs=validation,
        effect=effect if effect is None or graded is not None else effect / 100,
    )
    told = PowerOut(
        source=data,
        source_pairs=kept,
        rule=rule,
        error=error if graded is None else None,
        change=change if graded is None else None,
        spread=graded,
        **asdict(found),
    )
    if json:
        print_json(told)
        return
    shown = console()
    for line in _lines(told):
        shown.print(line)


def _refuse(data: str | None, pairs: int | None, effect: float | None, graded: float | None) -> None:
    from biasscope.errors import UsageError

    if data is not None and pairs is not None:
        raise UsageError("--data and --pairs both say how many pairs there are", hint="Give one of them.")
    for name, value in (("--effect", effect), ("--graded", graded)):
        if value is not None and not value > 0:
            raise UsageError(
                f"{name} must be above 0, got {value:g}", hint="Give the size of what is to be shown."
            )


def _validation(source: str) -> tuple[int, int]:
    """How many pairs a source has, and how many of them discover would validate on by default."""
    from biasscope import datasets
    from biasscope.config import Identity
    from biasscope.workflows.roles import split_one

    found = datasets.load(source).pairs
    usual = {name: Identity.model_fields[name].default for name in ("holdout_share", "seed")}
    return len(found), len(split_one(found, **usual).validation)


def _lines(told: PowerOut) -> list[str]:
    """The answer for people."""
    if told.spread is not None:
        judge = f"margins of two neutral rewrites differ with a standard deviation of {told.spread:g} log-odds"
    else:
        judge = (
            f"{100 * (told.error or 0):.0f} % errors on neutral rewrites, of which two are judged differently in "
            f"{100 * (told.change or 0):.0f} %"
        )
    lines = []
    if told.source is not None:
        lines.append(f"{told.source}: {told.source_pairs:,} pairs, of which {told.pairs:,} validate.")
    if told.pairs is not None:
        shown = (
            "no effect at all"
            if told.smallest_effect is None
            else f"effects from {_size(told, told.smallest_effect)} on"
        )
        lines.append(f"{told.pairs:,} usable validation pairs show {shown}.")
    needs = (
        "cannot be shown: no more verdicts can turn"
        if told.pairs_needed is None
        else f"takes about {told.pairs_needed:,} usable validation pairs"
    )
    lines.append(f"An effect of {_size(told, told.effect)} {needs}.")
    return [
        *lines,
        f"Assumed: {judge}; rule {told.rule}; one bias that holds among {told.candidates:,} candidates (if several "
        f"hold, each needs less); power {100 * told.power:.0f} %.",
        "Usable are pairs whose rewrites pass the answer check and whose verdicts can be read in both orders.",
    ]


def _size(told: PowerOut, value: float) -> str:
    return f"{value:.3f} log-odds" if told.unit == "log-odds" else f"{100 * value:.1f} points"
