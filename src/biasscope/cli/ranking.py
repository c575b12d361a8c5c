"""Ranking judges for the command line, and saying what came out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table

from biasscope import api
from biasscope.api.measuring import judge_role
from biasscope.cli.output import console, print_hanging, print_json
from biasscope.cli.progress import Progress
from biasscope.cli.working import run_kept
from biasscope.config import RankConfig
from biasscope.report import ranked_words as words
from biasscope.report.ranked import PlaceOut, RankOut
from biasscope.workflows.relations import parse_related
from biasscope.workflows.stages import RANKING

if TYPE_CHECKING:
    from rich.console import Console


def rank(run: Path, config: RankConfig, related: Sequence[str], *, json: bool, quiet: bool) -> None:
    """Rank or continue, and print the outcome; `related` are ``SPEC=REASON``."""
    identity, execution = config.identity, config.execution
    if related:
        named = parse_related(related, [judge.spec for judge in identity.judges])
        config = config.model_copy(update={"related": {**config.related, **named}})
    data = api.load_rank(identity)
    progress = Progress(quiet=quiet)
    items, judges = len(data.items.items), len(identity.judges)
    progress.line(
        f"{items:,} items, {judges} judge{'s' if judges > 1 else ''}, both orders: {2 * items * judges:,} verdicts at most"
    )
    by_role = {judge_role(k, judges): execution.of(j).price for k, j in enumerate(identity.judges)}
    progress.expect(RANKING, prices=by_role)
    work = api.rank(run, config, data=data, on_event=progress.event, on_seen=progress.seen)
    print_ranked(run_kept(work, progress), json=json)


def print_ranked(found: RankOut, *, json: bool) -> None:
    """Print for a person, or as JSON and nothing else."""
    if json:
        print_json(found)
        return
    shown = console()
    shown.print(words.headline(found), style="bold")
    if not found.judges:
        return
    shown.print(words.set_line(found))
    view = words.main_view(found)
    _ranks(shown, found, view.places)
    if view.apart:
        shown.print("\nRanked apart, since they had a hand in the benchmark", style="bold")
        _ranks(shown, found, view.apart)
    for crossed in words.crossed_views(found):
        shown.print(f"\nError in per cent by where the trait is: {words.VIEW_WORDS[crossed]}", style="bold")
        short = [row[: words.CELLS_SHORT] for row in words.crossed_rows(found, crossed)]
        shown.print(_table(words.CELLS[: words.CELLS_SHORT], short), soft_wrap=False)
    if len(found.judges) > 1:
        shown.print(f"\nEvery two judges on the {words.VIEW_WORDS[found.main]}, in points", style="bold")
        shown.print(_table(words.PAIRS, words.pair_rows(view)), soft_wrap=False)
    for line in words.notes(found):
        print_hanging(shown, "  • ", line)
    shown.print(f"\nBy bias and domain, and everything else: {Path(found.run) / 'rank.md'}", soft_wrap=True)


def _ranks(shown: Console, found: RankOut, places: Sequence[PlaceOut]) -> None:
    shown.print()
    shown.print(_table(words.MAIN, [words.main_row(found, place) for place in places], text=1), soft_wrap=False)
    columns, beside = words.beside_table(found, places)
    if beside:
        shown.print()
        shown.print(_table(columns, beside), soft_wrap=False)


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]], *, text: int = 0) -> Table:
    """A table whose numbers stand right; `text` is the column with names, which alone may be folded."""
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for number, column in enumerate(columns):
        if number == text:
            table.add_column(column, overflow="fold")
        else:
            table.add_column(column, justify="left" if number < text else "right", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    return table
