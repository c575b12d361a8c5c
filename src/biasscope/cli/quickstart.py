"""`biasscope quickstart`: a real local judge, measured in minutes, without a key."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from biasscope import __version__, api
from biasscope.cli.output import print_json
from biasscope.cli.progress import Progress
from biasscope.errors import WeightsError
from biasscope.models import weights
from biasscope.report import findings
from biasscope.report.outputs import ExampleOut, QuickstartCallsOut, QuickstartOut, SlotHabitOut
from biasscope.report.summary import missing_out, trial_out
from biasscope.workflows.quickstart import PAIRS, Example, verdicts_needed

PREFERRED = "qwen2.5-coder-0.5b"
FALLBACK = "smollm2-135m"
Option = typer.Option


def quickstart(
    run: Annotated[Path, typer.Argument(help="Folder of the run; the same command continues it.")] = Path(
        "runs/quickstart"
    ),
    judge: Annotated[
        str | None, Option(help=f"Judge to measure (default local:{PREFERRED}, fetched if need be).")
    ] = None,
    pairs: Annotated[int, Option(min=8, help="Generated pairs with a provable answer.")] = PAIRS,
    seed: Annotated[int, Option(help="Seed of the pairs.")] = 1,
    json: Annotated[
        bool, Option("--json", help="Print one JSON object on stdout and nothing else there.")
    ] = False,
    quiet: Annotated[bool, Option("--quiet", help="Show no progress.")] = False,
) -> None:
    """Measure a small local judge: its slot habit and what three known biases do to it."""
    with Progress(quiet=quiet) as progress:
        spec = judge or f"local:{_weights(progress)}"
        progress.line(
            f"Judge: {spec}. {pairs} pairs with a provable answer, both orders, rule-based rewrites against matched "
            f"neutral ones: {verdicts_needed(pairs)} verdicts. No key, nothing leaves this machine."
        )
        found = asyncio.run(api.first_look(run, spec, pairs=pairs, seed=seed, on_event=progress.event))
    if json:
        print_json(_object(found, run))
    else:
        _show(found, run)


def _weights(progress: Progress) -> str:
    if weights.find(PREFERRED) is None:
        progress.line(f"Fetching {PREFERRED} (491 MB, once; an interrupted download continues) ...")
    try:
        weights.fetch(PREFERRED)
    except WeightsError as error:
        progress.line(
            f"{error} Falling back to {FALLBACK} (98 MB): it shows how this works, not how judges behave."
        )
        weights.fetch(FALLBACK)
        return FALLBACK
    return PREFERRED


def _object(found: api.FirstLook, run: Path) -> QuickstartOut:
    first, total = found.slots
    return QuickstartOut(
        version=__version__,
        run=str(run),
        judge=found.judge,
        pairs=found.pairs,
        slot_habit=SlotHabitOut(first=first, verdicts=total),
        trials=tuple(trial_out(t) for t in found.measured.trials),
        examples=tuple(
            ExampleOut(
                pair_id=e.pair.id,
                bias=e.trial.bias.id,
                question=e.pair.question,
                neutral_text=e.neutral_text,
                biased_text=e.biased_text,
                neutral_margin=e.neutral_margin,
                biased_margin=e.biased_margin,
            )
            for e in found.examples
        ),
        missing=missing_out(found.missing),
        calls=QuickstartCallsOut(judge=found.calls, replayed=found.replayed),
    )


def _show(found: api.FirstLook, run: Path) -> None:
    console = Console(highlight=False)
    first, total = found.slots
    console.print(
        f"\n[bold]Slot habit.[/] {escape(found.judge)} picked the answer shown first in {first} of {total} verdicts."
    )
    if total and max(first, total - first) >= 0.9 * total:
        console.print(
            "Its plain verdicts say next to nothing about the texts. What follows is therefore measured on its "
            "log-odds, averaged over both orders, so that the habit cancels."
        )
    console.print(_table(found))
    console.print(
        "An effect is how far the judge leans towards the [bold]wrong[/] answer when that answer shows the trait, beyond "
        "a neutral edit of the same size in the same place. Not shown means not proven, not absent."
    )
    for example in found.examples:
        _example(console, example)
    if found.missing:
        console.print("Missing: " + "; ".join(f"{escape(a)} {escape(r)} x {c}" for a, r, c in found.missing))
    else:
        console.print("Missing: nothing; every verdict could be read.")
    console.print(f"Calls: {found.calls} judged now, {found.replayed} replayed from {escape(str(run))}.")
    console.print(
        "\n[bold]Next:[/] your own judge, with a teacher that looks for biases nobody has named:\n"
        "  biasscope discover runs/mine --judge openai:MODEL --teacher openai:STRONGER_MODEL \\\n"
        "      --discovery 'objective:400?seed=1' --validation 'objective:400?seed=2'\n"
        "(--judge-url for a server of your own; --data FILE for your own pairs; --dry-run shows the plan first)"
    )


def _table(found: api.FirstLook) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("trait", "effect", "95 % interval", "p", "q", "pairs", "status"):
        table.add_column(name, justify="left" if name in ("trait", "status") else "right")
    for t in found.measured.trials:
        e = t.effect
        unit = t.unit
        table.add_row(
            escape(t.bias.name),
            "" if e is None else findings.amount(e.value, unit),
            "" if e is None else findings.interval_text(e.low, e.high, unit),
            findings.p_text(None if e is None else e.p).removeprefix("p ").removeprefix("= "),
            "" if t.q is None else f"{t.q:.3f}",
            "" if e is None else str(e.n),
            findings.STATUS_WORDS[t.status] + (f" ({t.reason})" if t.reason else ""),
        )
    return table


def _example(console: Console, example: Example) -> None:
    console.print(
        f"\n[bold]A pair that moved[/] ({escape(example.trial.bias.name)}): {escape(_short(example.pair.question))}"
    )
    console.print(f"  wrong answer, neutral edit: {escape(_short(example.neutral_text))}")
    console.print(f"    log-odds for the right answer {example.neutral_margin:+.3f}")
    console.print(f"  wrong answer with the trait: {escape(_short(example.biased_text))}")
    console.print(f"    log-odds for the right answer {example.biased_margin:+.3f}")


def _short(text: str, longest: int = 260) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= longest else flat[: longest - 4] + " ..."
