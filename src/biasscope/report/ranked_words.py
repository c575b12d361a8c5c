"""A ranking in sentences and in the cells of tables. Points and per cent are printed here; everywhere else are fractions.

Names of judges are a user's words: whoever shows a sentence escapes it for its medium.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from biasscope.quantities import Estimate, Sides
from biasscope.report.findings import UNIT_WORDS, amount, interval_text, number, p_cell, span
from biasscope.report.ranked import PlaceOut, RankedJudgeOut, RankOut, ViewRankingOut
from biasscope.stats.rates import Rate
from biasscope.workflows.ranked_scores import CellScores, ViewScores
from biasscope.workflows.ranked_set import CROSSED, View

VIEW_WORDS: dict[View, str] = {
    "hardened": "hardened items",
    "unfiltered": "unfiltered sample",
    "crossed": "crossed items",
    "crossed_unfiltered": "crossed items, unfiltered sample",
    "originals": "originals",
}
_COUNTED: dict[View, str] = VIEW_WORDS | {
    "unfiltered": "in the unfiltered sample",
    "crossed_unfiltered": "crossed in the unfiltered sample",
}
SLOT_DRIVEN = 0.35
"""From so far away from one half on the slot decides nearly every verdict."""
MUCH_MISSING = 0.1

MAIN = ("rank", "judge", "error", "95 % interval", "ties", "missing", "alike")
"""What `main_row` gives: rates in per cent; `alike` is the share of items judged alike in both orders."""
BESIDE = ("judge", "originals", "change", "unfiltered", "crossed", "pull")
"""What `beside_row` gives: errors in per cent, change and pull in points."""
CELLS = ("judge", "neither", "worse", "better", "both", "pull", "95 % interval", "asymmetry", "95 % interval")
"""What `cells_row` gives: the error in per cent by the response that carries the trait, pull and asymmetry in points."""
CELLS_SHORT = 7
"""So many of these columns fit on a terminal."""
PAIRS = ("judges", "difference", "95 % interval", "q", "n")
"""What `pair_row` gives, in points."""


def headline(out: RankOut) -> str:
    """The ranking in one sentence."""
    if not out.complete:
        return "The ranking is not finished; the same command continues it."
    if not any(not j.apart for j in out.judges):
        return "Every judge had a hand in the benchmark, so that none is ranked as an outsider."
    ranked = [p for p in main_view(out).places if p.rank is not None]
    if not ranked:
        return "No judge can be ranked: no item has verdicts that can be read."
    first = ranked[0]
    rate = scores(judge_of(out, first.judge), out.main).error
    told = rate_text(rate)
    if len(ranked) == 1:
        return f"{first.judge} errs on {told} of the {VIEW_WORDS[out.main]}."
    near = [p.judge for p in ranked[1:] if not are_told_apart(out, first.judge, p.judge)]
    rest = f"; {listed(near)} cannot be told from it" if near else ", fewer than any other"
    return f"{first.judge} errs least, on {told} of the {VIEW_WORDS[out.main]}{rest}."


def set_line(out: RankOut) -> str:
    """What was judged."""
    b = out.benchmark
    views = out.judges[0].views if out.judges else ()
    counts = ", ".join(f"{view.items:,} {_COUNTED[view.view]}" for view in views)
    drawn = f", the first {b.limit:,} drawn by seed" if b.limit is not None else ""
    what = "questions" if b.plain else "source questions"
    return f"{b.path}: {counts}. They come from {b.clusters:,} {what}{drawn}, each of which counts as one draw."


def main_view(out: RankOut) -> ViewRankingOut:
    """The view that the ranking is about."""
    return next(view for view in out.views if view.view == out.main)


def are_told_apart(out: RankOut, one: str, other: str) -> bool:
    """Whether the main view shows a difference between two judges."""
    found = next((d for d in main_view(out).differences if {one, other} == set(d.judges)), None)
    return found is not None and found.q is not None and found.q <= out.q


def judge_of(out: RankOut, name: str) -> RankedJudgeOut:
    """A judge by its name."""
    return next(judge for judge in out.judges if judge.name == name)


def scores(judge: RankedJudgeOut, view: View) -> ViewScores:
    """What a judge did on a view; raises StopIteration for one that the benchmark has not."""
    return next(one for one in judge.views if one.view == view)


def find(judge: RankedJudgeOut, view: View) -> ViewScores | None:
    """The same, None where the benchmark has no such view."""
    return next((one for one in judge.views if one.view == view), None)


def crossed_view(judge: RankedJudgeOut) -> ViewScores | None:
    """The crossed items that nobody chose, else those that the filter kept."""
    return find(judge, "crossed_unfiltered") or find(judge, "crossed")


# --- cells ---------------------------------------------------------------------------------------------------


def per_cent(value: float | None) -> str:
    """A rate with one digit, empty where it is not known."""
    return "" if value is None else f"{100 * value:.1f}"


def rate_cell(rate: Rate | None) -> str:
    """An error rate without its interval."""
    return per_cent(None if rate is None else rate.value)


def rate_span(rate: Rate | None) -> str:
    """The interval of a rate, empty where there is none."""
    return "" if rate is None or rate.low is None else f"{per_cent(rate.low)} to {per_cent(rate.high)}"


def rate_text(rate: Rate | None) -> str:
    """A rate in a sentence."""
    if rate is None:
        return "an unknown share"
    interval = rate_span(rate)
    return f"{per_cent(rate.value)} %" + (f" (95 % interval {interval})" if interval else " (no interval)")


def estimate_cell(found: Estimate | None) -> str:
    """A change in points without its interval."""
    return "" if found is None else number(found.value, "fraction")


def sides_cells(sides: Sides | None, which: str) -> tuple[str, str]:
    """Pull or asymmetry and its interval; log-odds are named, points are not."""
    found: Estimate | None = None if sides is None else getattr(sides, which)
    if sides is None or found is None:
        return "", ""
    unit = "" if sides.scale == "fraction" else f" {UNIT_WORDS[sides.scale]}"
    return number(found.value, sides.scale) + unit, span(found.low, found.high, sides.scale)


def place_cell(place: PlaceOut) -> str:
    """A rank with the ranks that it cannot be told from."""
    if place.rank is None:
        return ""
    alone = place.best == place.worst
    return f"{place.rank}" if alone else f"{place.rank} ({place.best} to {place.worst})"


# --- rows ----------------------------------------------------------------------------------------------------


def main_row(out: RankOut, place: PlaceOut) -> tuple[str, ...]:
    """One judge on the main view."""
    found = scores(judge_of(out, place.judge), out.main)
    lost = found.lost / found.asked if found.asked else None
    return (
        place_cell(place),
        place.judge,
        rate_cell(found.error),
        rate_span(found.error),
        per_cent(found.ties),
        per_cent(lost),
        per_cent(found.consistency),
    )


def beside_row(out: RankOut, place: PlaceOut) -> tuple[str, ...]:
    """The same judge where the main view has something to be held against."""
    judge = judge_of(out, place.judge)
    main, crossed = scores(judge, out.main), crossed_view(judge)
    errors = [None if (v := find(judge, view)) is None else v.error for view in ("originals", "unfiltered")]
    return (
        judge.name,
        rate_cell(errors[0]),
        estimate_cell(main.change),
        rate_cell(errors[1]),
        rate_cell(None if crossed is None else crossed.error),
        sides_cells(None if crossed is None or crossed.cells is None else crossed.cells.sides, "pull")[0],
    )


def beside_table(out: RankOut, places: Sequence[PlaceOut]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The columns and rows of `beside_row`, without columns that nothing stands in; no rows where none is left."""
    rows = [beside_row(out, place) for place in places]
    kept = [0, *(k for k in range(1, len(BESIDE)) if any(row[k] for row in rows))]
    if len(kept) == 1:
        return (), []
    return tuple(BESIDE[k] for k in kept), [tuple(row[k] for k in kept) for row in rows]


def cells_row(judge: RankedJudgeOut, cells: CellScores) -> tuple[str, ...]:
    """The errors of one judge on crossed items, by where the trait is."""
    return (
        judge.name,
        *(rate_cell(cell) for cell in (cells.neither, cells.rejected, cells.chosen, cells.both)),
        *sides_cells(cells.sides, "pull"),
        *sides_cells(cells.sides, "asymmetry"),
    )


def crossed_rows(out: RankOut, view: View) -> list[tuple[str, ...]]:
    """The crossed table of one view, judges in the order in which they were named."""
    found = [(judge, find(judge, view)) for judge in out.judges]
    return [cells_row(j, v.cells) for j, v in found if v is not None and v.cells is not None]


def pair_rows(view: ViewRankingOut) -> list[tuple[str, ...]]:
    """Every two judges."""
    return [
        (
            f"{d.judges[1]} less {d.judges[0]}",
            number(d.difference, "fraction"),
            span(d.low, d.high, "fraction"),
            p_cell(d.q),
            f"{d.n:,}",
        )
        for d in view.differences
    ]


def crossed_views(out: RankOut) -> list[View]:
    """The crossed views that the benchmark has."""
    return [view.view for view in out.views if view.view in CROSSED]


# --- what should be known ------------------------------------------------------------------------------------


def notes(out: RankOut) -> list[str]:
    """What has to be known to read the ranking, most serious first."""
    told = [line for judge in out.judges for line in _judge_notes(out, judge)]
    b, has = out.benchmark, {v.view for v in out.views}
    if b.skipped:
        reasons = ", ".join(f"{s.reason}: {s.count:,}" for s in b.skipped)
        rows = sum(s.count for s in b.skipped)
        told.append(f"{rows:,} row{'' if rows == 1 else 's'} could not be used ({reasons}).")
    if b.unmatched:
        items = "item has" if b.unmatched == 1 else "items have"
        told.append(f"{b.unmatched:,} {items} no original to be held against.")
    if "originals" not in has and not b.plain:
        told.append("No originals are among the rows: give the whole published folder, or --originals.")
    if b.plain:
        told.append(
            "The file says nothing of where its rows come from: rows of one question count as one draw, and who wrote or "
            "filtered them is not known, so that --related alone marks judges."
        )
    if b.filtered and "hardened" in has and "unfiltered" not in has:
        told.append(
            "A filter chose the items and no unfiltered sample is among the rows: how often judges err cannot be told from how "
            "items were chosen."
        )
    return told


def _judge_notes(out: RankOut, judge: RankedJudgeOut) -> Iterator[str]:
    if judge.relations:
        yield f"{judge.name} is ranked apart: {'; '.join(r.reason for r in judge.relations)}."
    for guess in judge.guesses:
        yield (
            f"{judge.name} may be a relative of {guess.model} (both names speak of {guess.family}), and {_HANDS[guess.hand]}. "
            f"This is a guess from names; --related '{judge.judge}=REASON' ranks it apart."
        )
    main, crossed = scores(judge, out.main), crossed_view(judge)
    sides = None if crossed is None or crossed.cells is None else crossed.cells.sides
    if sides is not None and sides.pull.high is not None and sides.pull.high < 0:
        yield (
            f"{judge.name} is drawn away from the traits ({amount(sides.pull.value, sides.scale)}, "
            f"{interval_text(sides.pull.low, sides.pull.high, sides.scale)}): on one-sided items that looks like being right."
        )
    if main.first_answer is not None and abs(main.first_answer) > SLOT_DRIVEN:
        which = "first" if main.first_answer > 0 else "second"
        yield (
            f"{judge.name} chooses the response shown {which} in {50 + 100 * abs(main.first_answer):.0f} % of its verdicts: its "
            f"error says little about anything else{_margin(main)}."
        )
    if main.asked and main.lost > MUCH_MISSING * main.asked and main.worst_case is not None:
        low, high = main.worst_case
        reasons = ", ".join(f"{reason} x {count:,}" for reason, count in main.missing[:3])
        yield (
            f"{judge.name} gave no verdict {main.lost:,} times of {main.asked:,} ({reasons}): its error is between "
            f"{per_cent(low)} and {per_cent(high)} % whatever these would have been."
        )


_HANDS = {
    "filter": "that one filtered the items",
    "discovery": "the biases were discovered on that one",
    "writer": "that one wrote rewrites",
    "named": "that one is related",
}


def _margin(found: ViewScores) -> str:
    return (
        ""
        if found.by_margin is None
        else f"; by its mean log-odds over both orders it is {rate_text(found.by_margin)}"
    )


def listed(names: Sequence[str]) -> str:
    """Names as in a sentence."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
