"""A summary, its evidence and its settings as one HTML file, with the specifications of its charts beside it.

Every text is escaped where it is put out. The only markup that is passed on is the style sheet and drawings, which are
built anew from the elements of a drawing; a policy in the head forbids scripts and loading besides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from biasscope.records import Evidence
from biasscope.report.html.about import About
from biasscope.report.html.charts import Chart
from biasscope.report.html.discovery import discovery_view
from biasscope.report.html.measurement import measurement_view
from biasscope.report.measured import MeasuredOut
from biasscope.report.seeing import seen
from biasscope.report.summary import Summary


@dataclass(frozen=True, slots=True)
class Page:
    """The file, and its charts."""

    html: str
    charts: tuple[Chart, ...]


def discovery_page(
    summary: Summary, evidence: Sequence[Evidence], about: About, notes: Sequence[str] = ()
) -> Page:
    """The page of a discovery; `notes` say what of the folder could not be read."""
    view = discovery_view(summary, evidence, about, notes)
    return Page(_render("discovery.html.jinja", view), view.charts)


def measurement_page(
    out: MeasuredOut, evidence: Sequence[Sequence[Evidence]], about: About, notes: Sequence[str] = ()
) -> Page:
    """The page of a measurement; `evidence` is by judge, `notes` say what of the folder could not be read."""
    view = measurement_view(out, evidence, about, notes)
    return Page(_render("measurement.html.jinja", view), view.charts)


def empty_page(title: str, headline: str, about: About, notes: Sequence[str] = ()) -> Page:
    """The page of a folder that holds no result that could be read."""
    view = {"title": title, "headline": headline, "about": about, "notes": tuple(notes)}
    return Page(_render("empty.html.jinja", view), ())


def _render(name: str, view: object) -> str:
    return _environment().get_template(name).render(view=view)


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FunctionLoader(_source),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=visible,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["style"] = Markup(_source("style.css"))
    # The filter that comes with the engine gives back markup, which `visible` leaves alone.
    made.filters["listed"] = ", ".join
    made.filters["drawing"] = lambda chart: Markup(chart.svg)
    return made


def _source(name: str) -> str:
    return resources.files(__package__).joinpath("templates", name).read_text(encoding="utf-8")


def visible(value: object) -> object:
    """Text with what cannot be seen or stored made visible; anything else as it is."""
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    return seen(value)
