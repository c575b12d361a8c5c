"""A ranking as a Markdown page, and its tables in LaTeX."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from biasscope.report import latex
from biasscope.report import ranked_words as words
from biasscope.report.findings import interval_text, number
from biasscope.report.markdown import bullets, cell
from biasscope.report.ranked import PlaceOut, RankedJudgeOut, RankOut
from biasscope.workflows.ranked_scores import GroupScores, ViewScores
from biasscope.workflows.ranked_set import View


def render(out: RankOut) -> str:
    """Render the whole page."""
    parts = ["# Judges on a hardened benchmark", cell(words.headline(out))]
    if not out.judges:
        return "\n\n".join(parts) + "\n"
    parts += [cell(words.set_line(out))]
    if told := words.notes(out):
        parts.append(bullets(told))
    view = words.main_view(out)
    parts += [f"## Ranks on the {words.VIEW_WORDS[out.main]}", *_ranked(out, view.places)]
    if view.apart:
        parts += ["## Ranked apart, since they had a hand in the benchmark", *_ranked(out, view.apart)]
    parts += _crossed(out)
    parts += ["## Every two judges", *_pairs(out)] if len(out.judges) > 1 else []
    parts += _groups(out, "bias", lambda found: found.biases)
    parts += _groups(out, "domain", lambda found: found.domains)
    parts += [
        "## Every view",
        _views(out),
        "## What is missing",
        _missing(out),
        "## How to read this",
        reading(out),
    ]
    return "\n\n".join(parts) + "\n"


_NUMBERS = re.compile(r"[-+\d.,();% ]|to|of|log-odds")
"""What cells of numbers are made of, in which nothing is markup."""


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}"
    return "\n".join([head, *(f"| {' | '.join(_cell(c) for c in row)} |" for row in rows)])


def _cell(text: str) -> str:
    return cell(text) if _NUMBERS.sub("", text) else text


def _ranked(out: RankOut, places: Sequence[PlaceOut]) -> list[str]:
    rows = _table(words.MAIN, [words.main_row(out, place) for place in places])
    columns, beside = words.beside_table(out, places)
    return [rows, _table(columns, beside)] if beside else [rows]


def _crossed(out: RankOut) -> list[str]:
    parts = []
    for view in words.crossed_views(out):
        parts += [
            f"## Where the trait is: {words.VIEW_WORDS[view]}",
            _table(words.CELLS, words.crossed_rows(out, view)),
        ]
    return parts


def _pairs(out: RankOut) -> list[str]:
    parts = []
    for view in out.views:
        parts += [f"On the {words.VIEW_WORDS[view.view]}, in points:", _table(words.PAIRS, words.pair_rows(view))]
    return parts


def _groups(out: RankOut, what: str, of: Callable[[ViewScores], Sequence[GroupScores]]) -> list[str]:
    """Errors by bias or domain on the main view, a column a judge."""
    found = [{g.group: g for g in of(words.scores(judge, out.main))} for judge in out.judges]
    names = list(dict.fromkeys(name for groups in found for name in groups))
    if len(names) < 2:
        return []
    rows = [[name, *(_group(groups.get(name)) for groups in found)] for name in names]
    title = f"## By {what}: error on the {words.VIEW_WORDS[out.main]} in per cent, and its change from the originals in points"
    return [title, _table([what, *(cell(judge.name) for judge in out.judges)], rows)]


def _group(found: GroupScores | None) -> str:
    if found is None or found.error is None:
        return ""
    interval = words.rate_span(found.error)
    change = "" if found.change is None else f"; {number(found.change.value, 'fraction')}"
    return f"{words.rate_cell(found.error)}{f' ({interval})' if interval else ''}{change}"


def _views(out: RankOut) -> str:
    columns = (
        "judge",
        "items",
        "error",
        "95 % interval",
        "by margin",
        "ties",
        "missing",
        "alike",
        "first",
        "change",
        "n",
    )
    return _table(columns, [_view(judge, found) for judge in out.judges for found in judge.views])


def _view(judge: RankedJudgeOut, found: ViewScores) -> tuple[str, ...]:
    change = "" if found.change is None else number(found.change.value, "fraction")
    if found.change is not None and found.change.low is not None:
        change += f" ({interval_text(found.change.low, found.change.high, 'fraction')})"
    first = "" if found.first_answer is None else words.per_cent(0.5 + found.first_answer)
    return (
        judge.name,
        words.VIEW_WORDS[found.view],
        words.rate_cell(found.error),
        words.rate_span(found.error),
        words.rate_cell(found.by_margin),
        words.per_cent(found.ties),
        words.per_cent(found.lost / found.asked if found.asked else None),
        words.per_cent(found.consistency),
        first,
        change,
        f"{found.error.n if found.error else 0:,} of {found.items:,}",
    )


def _missing(out: RankOut) -> str:
    rows = [
        (judge.name, words.VIEW_WORDS[found.view], reason, f"{count:,}", f"{found.asked:,}")
        for judge in out.judges
        for found in judge.views
        for reason, count in found.missing
    ]
    if not rows:
        return "Nothing: every item has a verdict of every judge in every order."
    return _table(("judge", "items", "reason", "verdicts", "of"), rows)


def reading(out: RankOut) -> str:
    """How the numbers are made, in a paragraph."""
    return (
        "Every item is judged in both orders. An error is the share of verdicts that are not for the better response, a tie "
        "counting one half, over items that have a verdict in every order. Rewrites of one source pair, and pairs that ask "
        "the same, count as one draw in every interval and test. Two judges are compared item by item; in `1 (1 to 3)` the "
        "rank as it came stands before those that it cannot be told from, by Benjamini-Hochberg over all pairs of judges at "
        f"{100 * out.q:g} %. *Change* is the error less that on the items' originals. The pull is half the difference between "
        "what the trait does on the worse and on the better response: above 0 the judge is drawn by it, below 0 it is driven "
        "off, and 0 is what a judge of contents has. The asymmetry is their sum: what the trait does to errors wherever it "
        "stands. *Alike* is the share of items judged alike in both orders, *first* how often the response shown first is chosen."
    )


# --- LaTeX ---------------------------------------------------------------------------------------------------

COLUMNS = (
    latex.Column("Judge", "l"),
    latex.Column("Rank"),
    latex.Column("Error (%)"),
    latex.Column("95 % interval"),
    latex.Column("Originals (%)"),
    latex.Column("Change (points)"),
    latex.Column("Unfiltered (%)"),
    latex.Column("Crossed (%)"),
    latex.Column("Pull"),
)
DAGGER = latex.Tex(r"$^{\dagger}$")


def rank_table(out: RankOut) -> str:
    """One row a judge, those that are ranked apart last and with a dagger."""
    view = words.main_view(out)
    rows = []
    for place in (*view.places, *view.apart):
        judge = words.judge_of(out, place.judge)
        _, _, error, interval, *_ = words.main_row(out, place)
        name = latex.Tex(latex.escape(judge.name) + (DAGGER if judge.apart else ""))
        rows.append((name, words.place_cell(place), error, interval, *words.beside_row(out, place)[1:]))
    apart = (
        " Judges with a dagger had a hand in the benchmark and are ranked among themselves." if view.apart else ""
    )
    caption = (
        f"Errors of judges on the {words.VIEW_WORDS[out.main]}, in both orders, with intervals by source question; in brackets "
        "the ranks that a judge cannot be told from. Change: less the error on the items' originals. Pull: half the difference "
        f"between what the trait does on the worse and on the better response, on crossed items.{apart}"
    )
    return latex.table(COLUMNS, rows, caption, "tab:rank")


def crossed_table(out: RankOut, view: View) -> str:
    """The crossed cells, one row a judge."""
    columns = [latex.Column("Judge", "l"), *(latex.Column(c[0].upper() + c[1:]) for c in words.CELLS[1:])]
    caption = (
        f"Errors (%) on the {words.VIEW_WORDS[view]} by the response that carries the trait; pull and asymmetry in points (or "
        "log-odds where they say so) with 95 % intervals by source question."
    )
    label = "tab:" + ("crossed" if view == "crossed" else "crossed-unfiltered")
    return latex.table(columns, words.crossed_rows(out, view), caption, label)


def tables(out: RankOut) -> dict[str, str]:
    """Every table in LaTeX by the name of its file."""
    found = {"rank.tex": rank_table(out)}
    for view in words.crossed_views(out):
        found["crossed.tex" if view == "crossed" else "crossed-unfiltered.tex"] = crossed_table(out, view)
    return found
