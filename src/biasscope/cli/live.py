"""The live view of a run on a terminal, drawn anew from what was seen: stages, candidates, calls, cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from biasscope.cli import seen_words
from biasscope.cli.tally import KINDS, Tally, unanswered
from biasscope.report import findings

if TYPE_CHECKING:
    from biasscope.cli.watched import Watched
    from biasscope.steps.watching import CandidateSeen, LookSeen

AROUND = 7
"""Lines beside candidates and asks: two heads of tables, an empty line, three about the trial, and the rest by number."""
WIDE = 100
"""From so many columns on there is room between those of the candidates."""
FEWEST_LETTERS = 10
FEWEST_ROWS = 3
"""So many candidates are shown however low a window is."""
SO_FAR = "So far, no results: looks to come and the correction over the run decide."
STATE_STYLES = {None: "", "accepted": "green", "dropped": "dim", "not_shown": "dim"}
"""How a state is set off; anything else is yellow."""
UNITS = {"fraction": "points", "log-odds": "log-odds", "score": "steps"}


def draw(watched: Watched, tally: Tally, width: int, height: int) -> Group:
    """Everything that is known, in a window of this size: what does not fit is left out at the candidates."""
    head = _head(watched)
    calls = _calls(tally)
    below = [Text(line, style="dim") for line in (tally.pace(), tally.cost()) if line]
    parts: list[RenderableType] = [*head, calls, *below]
    if watched.look is not None:
        wrapped = sum(max(1, -(-line.cell_len // width)) for line in (*head, *below))
        rows = height - wrapped - len(tally.events) - AROUND
        parts += ["", *_trial(watched.look, width, max(FEWEST_ROWS, rows))]
    if stopped := watched.stopped_line():
        parts.append(Text(stopped, style="dim"))
    return Group(*parts)


def _head(watched: Watched) -> list[Text]:
    """Where the run is: judge or iteration, its stages, and what the one at work does."""
    lines: list[Text] = []
    if watched.judge is not None and watched.judge.of > 1:
        lines.append(Text(seen_words.judge_line(watched.judge), style="bold"))
    if watched.at is None:
        return lines
    lines.append(_stages(watched))
    if watched.at.iteration:
        doing = f"Iteration {watched.at.iteration} of at most {watched.iterations}: {seen_words.STAGES[watched.at.stage]}"
    else:
        doing = seen_words.stage_line(watched.at)
    lines.append(Text(doing, style="bold"))
    if budget := watched.budget_line():
        lines.append(Text(budget))
    return lines


def _stages(watched: Watched) -> Text:
    """The stages in a row: what is over is ticked, the one at work stands out."""
    row = Text()
    at = watched.at
    now = watched.stages.index(at.stage) if at is not None and at.stage in watched.stages else -1
    for number, stage in enumerate(watched.stages):
        mark, style = ("✓", "dim") if number < now else ("▸", "bold cyan") if number == now else ("·", "")
        row.append(f"{mark} {stage}", style=style)
        row.append("  ")
    row.rstrip()
    return row


def _calls(tally: Tally) -> Table:
    """One row for each kind of ask."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for name in ("", "done", "asked", "replayed", "missing"):
        table.add_column(name, justify="right" if name else "left", no_wrap=True)
    for e in tally.events:
        c = e.count
        numbers = (c.answered + c.missing, c.asked, c.replayed, c.missing)
        # What is finished steps back, so that the eye finds what is under way.
        style = "" if unanswered(e) else "dim"
        table.add_row(f"{e.role} {KINDS.get(e.kind, e.kind)}", *(f"{n:,}" for n in numbers), style=style)
    return table


def _trial(seen: LookSeen, width: int, rows: int) -> list[RenderableType]:
    """The trial at work: its candidates as their latest look left them, the living first."""
    where = seen_words.trial_line(seen)
    if seen.next_stop is None:
        where += "; the trial is over"
    elif seen.look:
        where += f"; the next one after {seen.next_stop:,}"
    shown = sorted(seen.candidates, key=lambda c: (c.status is not None, -c.look))
    parts: list[RenderableType] = [Text(where, style="bold"), Text(SO_FAR, style="italic")]
    parts.append(_candidates(shown[:rows], seen.looks, width))
    if len(shown) > rows:
        parts.append(Text(f"and {len(shown) - rows} more", style="dim"))
    return parts


def _candidates(shown: Sequence[CandidateSeen], looks: int, width: int) -> Table:
    """One row a candidate; where a window is narrow, names are cut and figures are not."""
    unit = next((c.effect.unit for c in shown if c.effect is not None), "fraction")
    heads = ("state", "look", "pairs", f"{UNITS[unit]} so far (95 %)", "p", "q")
    cells = [_cells(c, looks) for c in shown]
    gap = 2 if width >= WIDE else 1
    taken = sum(max(len(text) for text in column) + gap for column in zip(heads, *cells, strict=True))
    table = Table(box=None, pad_edge=False, padding=(0, gap, 0, 0), header_style="dim")
    table.add_column("candidate", no_wrap=True, overflow="ellipsis", max_width=max(FEWEST_LETTERS, width - taken))
    for name in heads:
        table.add_column(name, justify="left" if name == "state" else "right", no_wrap=True)
    for c, texts in zip(shown, cells, strict=True):
        table.add_row(Text(c.bias.name), *texts, style=STATE_STYLES.get(c.status, "yellow"))
    return table


def _cells(seen: CandidateSeen, looks: int) -> tuple[str, ...]:
    state, look = seen_words.state(seen), f"{seen.look}/{looks}"
    if seen.look == 0:
        return state, look, "", "", "", ""
    chances = findings.p_cell(seen.p), findings.p_cell(seen.q)
    return state, look, f"{seen.visited:,}", seen_words.effect_so_far(seen), *chances
