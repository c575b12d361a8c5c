"""The charts of a report as Altair specifications: rows of values with intervals, drawn for the width of a phone.

A row's name stands above its line and not beside it, so that long names fit. Names are cut and freed of characters that
no drawing can hold; whole they stand in the tables of the page.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from typing import Any

import altair as alt

from biasscope.models.failures import plain
from biasscope.report.findings import UNIT_WORDS, number, span
from biasscope.report.html.drawing import GRID, HELD, INK, MUTED, OTHER, draw

WIDTH = 340
ROW = 34
MOST_ROWS = 40
NAME_CHARACTERS = 34
MOST_DESCRIPTION = 8_000


@dataclass(frozen=True, slots=True)
class Row:
    """One value of a chart; `held` ones are filled. `low` and `high` are None where there is no interval."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None
    held: bool = False


@dataclass(frozen=True, slots=True)
class Chart:
    """A specification with its drawing and caption; the text for those who do not see it is in both."""

    name: str
    title: str
    caption: str
    spec: dict[str, Any]

    @property
    def svg(self) -> str:
        """Its drawing, made anew each time."""
        return draw(self.spec, self.spec["description"])

    @property
    def saved(self) -> str:
        """The specification as it is saved."""
        return json.dumps(self.spec, ensure_ascii=False, indent=2) + "\n"


def row_chart(
    name: str,
    title: str,
    caption: str,
    rows: Sequence[Row],
    *,
    unit: str,
    axis: str,
    marks: Sequence[float] = (0.0,),
) -> Chart:
    """Rows from top to bottom as they are given, at most `MOST_ROWS`, each with ticks at `marks`, the first one darker.

    `unit` is that of effects (fractions are drawn in points), or ``share`` for fractions drawn as per cent.
    """
    shown = rows[:MOST_ROWS]
    scale = 100.0 if unit in ("fraction", "share") else 1.0
    values = [
        {
            "row": position,
            "name": _short(row.name),
            "figures": _figures(row, unit),
            "value": row.value * scale,
            "low": None if row.low is None else row.low * scale,
            "high": None if row.high is None else row.high * scale,
            "held": row.held,
        }
        for position, row in enumerate(shown)
    ]
    ticks = [
        {"row": position, "at": mark * scale, "first": which == 0}
        for position in range(len(shown))
        for which, mark in enumerate(marks)
    ]
    told = "; ".join(f"{plain(row.name, 80)} {_figures(row, unit)}" for row in shown)
    left = f" and {len(rows) - len(shown)} more" if len(rows) > len(shown) else ""
    return _chart(
        name, title, caption, f"{title}. {told}{left}.", _row_layers(), {"rows": values, "ticks": ticks}, axis
    )


def bar_chart(name: str, title: str, caption: str, parts: Sequence[tuple[str, int, int]], *, axis: str) -> Chart:
    """Counts from top to bottom: of each (name, count before, count new) the sum, what is new filled."""
    bars = [
        {"row": position, "from": start, "to": end, "held": fresh}
        for position, (_, old, new) in enumerate(parts)
        for start, end, fresh in ((0, old, False), (old, old + new, True))
    ]
    rows = [
        {"row": position, "name": _short(what), "figures": str(old + new)}
        for position, (what, old, new) in enumerate(parts)
    ]
    told = "; ".join(f"{plain(what, 80)}: {old + new}, of them {new} new" for what, old, new in parts)
    return _chart(name, title, caption, f"{title}. {told}.", _bar_layers(), {"rows": rows, "bars": bars}, axis)


def _chart(
    name: str,
    title: str,
    caption: str,
    description: str,
    layers: Mapping[str, Any],
    data: Mapping[str, list[dict[str, Any]]],
    axis: str,
) -> Chart:
    """Fill a specification with its data and the title of its axis."""
    spec = deepcopy(dict(layers))
    spec |= {"description": plain(description, MOST_DESCRIPTION), "datasets": dict(data)}
    for layer in spec["layer"]:
        if "axis" in layer["encoding"].get("x", {}):
            layer["encoding"]["x"]["axis"]["title"] = axis
    return Chart(name, title, caption, spec)


@cache
def _row_layers() -> dict[str, Any]:
    """The specification of rows without its data; made once, since altair takes its time to check it."""
    scale = alt.Scale(nice=False, zero=False, padding=10)
    held, first = alt.datum.held, alt.datum.first
    colour = alt.condition(held, alt.value(HELD), alt.value(OTHER))
    base = alt.Chart(alt.NamedData("rows")).encode(y=alt.Y("row:O", axis=None))
    ticks = (
        alt.Chart(alt.NamedData("ticks"))
        .mark_tick(thickness=1, size=16, yOffset=8, opacity=1)
        .encode(
            y=alt.Y("row:O", axis=None),
            x=alt.X("at:Q", scale=scale, axis=_across()),
            color=alt.condition(first, alt.value(INK), alt.value(OTHER)),
        )
    )
    interval = (
        base.transform_filter("isValid(datum.low)")
        .mark_rule(strokeWidth=2.5, yOffset=8)
        .encode(x=alt.X("low:Q", scale=scale, axis=_across()), x2="high:Q", color=colour)
    )
    point = base.mark_point(size=55, strokeWidth=1.8, yOffset=8, filled=False, opacity=1).encode(
        x=alt.X("value:Q", scale=scale, axis=_across()),
        stroke=colour,
        fill=alt.condition(held, alt.value(HELD), alt.value("none")),
    )
    return _finished(alt.layer(ticks, interval, point, *_texts(base, -1)))


@cache
def _bar_layers() -> dict[str, Any]:
    """The specification of counts without its data."""
    base = alt.Chart(alt.NamedData("rows")).encode(y=alt.Y("row:O", axis=None))
    bars = (
        alt.Chart(alt.NamedData("bars"))
        .mark_bar(height=9, yOffset=9)
        .encode(
            y=alt.Y("row:O", axis=None),
            x=alt.X("from:Q", scale=alt.Scale(nice=False, domainMin=0), axis=_across(counts=True)),
            x2="to:Q",
            color=alt.condition(alt.datum.held, alt.value(HELD), alt.value(OTHER)),
        )
    )
    return _finished(alt.layer(bars, *_texts(base, 2)))


def _across(*, counts: bool = False) -> alt.Axis:
    made = alt.Axis(title="", grid=False, tickCount=5, titleFontWeight="normal", labelColor=MUTED, titleColor=MUTED,
                    domainColor=GRID, tickColor=GRID)  # fmt: skip
    if counts:
        made["format"], made["tickMinStep"] = "d", 1
    return made


def _texts(base: alt.Chart, lift: int) -> tuple[alt.Chart, alt.Chart]:
    """The name of each row above its line, and its figures at the right."""
    name = base.mark_text(align="left", baseline="bottom", yOffset=lift, color=INK)
    figures = base.mark_text(align="right", baseline="bottom", yOffset=lift, color=MUTED)
    return name.encode(x=alt.value(0), text="name:N"), figures.encode(x=alt.value(WIDTH), text="figures:N")


def _finished(chart: alt.LayerChart | alt.FacetChart) -> dict[str, Any]:
    sized = chart.properties(width=WIDTH, height=alt.Step(ROW), background="transparent", padding=4)
    styled = (
        sized.configure(font="sans-serif", aria=False).configure_view(stroke=None).configure_text(fontSize=11)
    )
    return dict(styled.configure_axis(labelFontSize=10.5, titleFontSize=10.5).to_dict())


def axis_of(unit: str) -> str:
    """What the axis of effects says."""
    return "points" if unit == "fraction" else UNIT_WORDS[unit]


def _figures(row: Row, unit: str) -> str:
    if unit == "share":
        interval = (
            "" if row.low is None or row.high is None else f" ({100 * row.low:.1f} to {100 * row.high:.1f})"
        )
        return f"{100 * row.value:.1f} %{interval}"
    interval = span(row.low, row.high, unit)
    return f"{number(row.value, unit)} ({interval})" if interval else number(row.value, unit)


def _short(name: str) -> str:
    shown = plain(name, NAME_CHARACTERS + 1)
    return shown if len(shown) <= NAME_CHARACTERS else f"{shown[: NAME_CHARACTERS - 1].rstrip()}…"
