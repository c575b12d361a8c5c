"""Making training data for the command line, and saying what came out."""

from __future__ import annotations

from pathlib import Path

from rich.table import Table

from biasscope import api
from biasscope.cli.output import console, print_hanging, print_json
from biasscope.cli.progress import Progress
from biasscope.cli.working import run_kept
from biasscope.config import TrainingDataConfig
from biasscope.report import training_data_card as card
from biasscope.report.seeing import seen
from biasscope.report.training_data import TrainingDataOut
from biasscope.workflows.stages import TRAINING_DATA


def make(run: Path, config: TrainingDataConfig, *, json: bool, quiet: bool) -> None:
    """Make or continue, and print the outcome."""
    data = api.load_training_data(config.identity)
    progress = Progress(quiet=quiet)
    progress.line(_plan(config, data))
    progress.expect(TRAINING_DATA, prices={"teacher": config.execution.teacher.price})
    work = api.make_training_data(run, config, data=data, on_event=progress.event, on_seen=progress.seen)
    print_training_data(run_kept(work, progress), json=json)


def _plan(config: TrainingDataConfig, data: api.TrainingSource) -> str:
    refused = sum(count for _, _, count in data.intake.evaluation)
    left = f"; {refused:,} refused, since they are evaluated on" if refused else ""
    return (
        f"{len(data.pairs):,} pairs to train on{left}; {config.identity.augmented:.0%} of the rows with one of "
        f"{len(data.known.biases)} biases, by {config.identity.rewrites}"
    )


def print_training_data(out: TrainingDataOut, *, json: bool) -> None:
    """Print for a person, or as JSON and nothing else."""
    if json:
        print_json(out)
        return
    shown = console()
    shown.print(f"{card.headline(out)}.", style="bold", soft_wrap=True)
    if out.augmented:
        shown.print(_table(out), soft_wrap=False)
        print_hanging(shown, "  ", card.side_line(out))
        print_hanging(shown, "  ", card.length_line(out))
    for line in card.loss_lines(out):
        print_hanging(shown, "  Left out: ", line)
    for source in out.evaluation:
        print_hanging(
            shown, "  Kept apart: ", f"{seen(source.source)}, {source.questions:,} questions, {source.refused:,} pairs refused"
        )  # fmt: skip
    for note in out.notes:
        print_hanging(shown, "Note: ", note)
    shown.print(f"\nTo train on: {Path(out.run) / 'train.jsonl'}", soft_wrap=True)
    shown.print(f"Card: {Path(out.run) / 'card.md'}", soft_wrap=True)


def _table(out: TrainingDataOut) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("bias", overflow="fold")
    for name in ("on chosen", "on rejected", "words it adds there", "and there"):
        table.add_column(name, justify="right")
    for b in out.biases:
        added = ("-" if v is None else f"{v:+.1f}" for v in (b.adds_to_chosen, b.adds_to_rejected))
        table.add_row(" ".join(seen(b.bias).split()), f"{b.on_chosen:,}", f"{b.on_rejected:,}", *added)
    return table
