"""Measuring a judge for the quickstart, and saying what came out."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from biasscope import __version__, api
from biasscope.cli.models import download
from biasscope.cli.output import console, print_hanging, print_json
from biasscope.cli.progress import Progress
from biasscope.cli.summary import missing_line, trials_table
from biasscope.cli.working import run_kept
from biasscope.errors import RunMismatch, WeightsError
from biasscope.report.outputs import ExampleOut, QuickstartCallsOut, QuickstartOut, SlotHabitOut
from biasscope.report.summarising import missing_out, trial_out
from biasscope.workflows.quickstart import verdicts_needed
from biasscope.workflows.stages import QUICKSTART

PREFERRED = "qwen2.5-coder-0.5b"
FALLBACK = "smollm2-135m"
CONTEXT = 60
"""How many characters of what two texts share are shown before they differ."""
HABIT_SHARE = 0.9
"""From this share of verdicts for one slot on, plain verdicts are said to tell next to nothing about the texts."""


def measure(run: Path, judge: str | None, *, pairs: int, seed: int, json: bool, quiet: bool) -> None:
    """Measure a judge, the local default one unless another is named, and print what was found."""
    progress = Progress(quiet=quiet)
    spec = judge or f"local:{_weights(progress, quiet=quiet)}"
    at_home = " No key is needed and nothing leaves this machine." if not spec.startswith("openai:") else ""
    progress.expect(QUICKSTART)
    progress.line(
        f"{spec} judges {pairs} pairs with a provable answer in both orders, as they are, with three traits and "
        f"with matched neutral edits: {verdicts_needed(pairs)} verdicts.{at_home}"
    )
    try:
        work = api.first_look(run, spec, pairs=pairs, seed=seed, on_event=progress.event, on_seen=progress.seen)
        look = run_kept(work, progress)
    except RunMismatch as error:
        raise RunMismatch(str(error), hint="Name a new folder: biasscope quickstart RUN.") from None
    found = _object(look, run)
    if json:
        print_json(found)
    else:
        _show(found)


def _weights(progress: Progress, *, quiet: bool) -> str:
    """Make sure that weights are here, small ones where the preferred cannot be had, and return their name."""
    try:
        download(PREFERRED, quiet=quiet)
    except WeightsError as error:
        progress.say(f"{error}. Taking {FALLBACK}, which shows how this works and not how judges behave.")
        download(FALLBACK, quiet=quiet)
        return FALLBACK
    return PREFERRED


def _object(look: api.FirstLook, run: Path) -> QuickstartOut:
    first, total = look.slots
    return QuickstartOut(
        version=__version__,
        run=str(run),
        judge=look.judge,
        pairs=look.pairs,
        slot_habit=SlotHabitOut(first=first, verdicts=total),
        trials=tuple(trial_out(t) for t in look.measured.trials),
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
            for e in look.examples
        ),
        missing=missing_out(look.missing),
        calls=QuickstartCallsOut(judge=look.calls, replayed=look.replayed),
    )


def _show(found: QuickstartOut) -> None:
    shown = console()
    first, total = found.slot_habit.first, found.slot_habit.verdicts
    shown.print("Slot habit", style="bold")
    shown.print(f"{found.judge} picked the answer shown first in {first} of {total} verdicts.")
    if total and max(first, total - first) >= HABIT_SHARE * total:
        shown.print(
            "Its plain verdicts say next to nothing about the texts. What follows is therefore measured on its "
            "log-odds, averaged over both orders, so that the habit cancels."
        )
    shown.print("\nWhat three known biases do to it", style="bold")
    shown.print(trials_table(found.trials), soft_wrap=False)
    for trial in found.trials:
        if trial.reason and trial.status in ("invalid", "no_signal"):
            shown.print(f"{trial.name}: {trial.reason}.")
    shown.print(
        "An effect is how far the judge leans towards the wrong answer when that answer shows the trait, beyond a "
        "neutral edit in the same place, of the same size except for length, where size is the trait. Not shown means "
        "not proven, not absent."
    )
    _examples(shown, found)
    shown.print()
    shown.print(missing_line(found.missing))
    shown.print(f"Calls: {found.calls.judge:,} judged now, {found.calls.replayed:,} replayed from {found.run}.")
    shown.print("\nNext: your own judge, with a teacher that looks for biases nobody has named", style="bold")
    shown.print(
        "  biasscope discover runs/mine --dry-run \\\n"
        "      --judge openai:MODEL --teacher openai:STRONGER \\\n"
        "      --discovery 'objective:400?seed=1' --validation 'objective:400?seed=2'\n"
        "--dry-run shows the plan; leave it out to run. --judge-url names your own\n"
        "server, --data your own pairs.",
        soft_wrap=True,
    )


def _examples(shown: Console, found: QuickstartOut) -> None:
    """Pairs that moved, with both texts where they differ: what a number means is seen there."""
    names = {t.id: t.name for t in found.trials}
    for e in found.examples:
        shown.print(f"\nA pair that moved ({names[e.bias]})", style="bold")
        neutral, biased = differing(_flat(e.neutral_text), _flat(e.biased_text))
        told = "log-odds for the right answer"
        for head, text in (
            ("question", _flat(e.question)),
            (f"wrong answer, neutral edit: {told} {e.neutral_margin:+.3f}", neutral),
            (f"wrong answer with the trait: {told} {e.biased_margin:+.3f}", biased),
        ):
            shown.print(f"  {head}")
            print_hanging(shown, "    ", _cut(text))


def differing(one: str, other: str) -> tuple[str, str]:
    """Leave out the beginning that two texts share, but for the last few words before they differ."""
    shared = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    start = one.rfind(" ", 0, max(0, shared - CONTEXT)) + 1
    lead = "... " if start else ""
    return lead + one[start:], lead + other[start:]


def _flat(text: str) -> str:
    return " ".join(text.split())


def _cut(text: str, longest: int = 260) -> str:
    return text if len(text) <= longest else text[: longest - 4].rstrip() + " ..."
