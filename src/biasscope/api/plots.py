"""The charts of a report as Altair charts, made from the same specifications: for a notebook, or to be changed and saved.

Loaded when a chart is asked for, since drawing takes a second to load.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from dataclasses import dataclass

import altair as alt

from biasscope.errors import UsageError
from biasscope.report.html import drawn
from biasscope.report.html.charts import Chart
from biasscope.report.measured import MeasuredOut
from biasscope.report.summary import Summary, TrialOut

_LINE = 64
"""Characters in a line below a chart's title, so that it is no wider than the chart."""


@dataclass(frozen=True, slots=True)
class MeasurePlots:
    """The charts of a measurement, each an ``altair.LayerChart``, which a notebook shows.

    `available` names those that the run has numbers for; any other raises UsageError.
    """

    found: MeasuredOut

    def forest(self, judge: int | str | None = None) -> alt.LayerChart:
        """Every bias on one judge as a change of preference, the largest first, with its interval.

        `judge` is its number from 1 on, its name or its spec; it may be left out where there is one.
        """
        number = _number_of(self.found, judge)
        judged = self.found.judges[number - 1]
        return self._shown(f"forest of {judged.name}", drawn.judge_chart(judged, number))

    def slots(self) -> alt.LayerChart:
        """How often the answer shown first is preferred, judge by judge."""
        return self._shown("slots", drawn.slot_habits_chart(self.found))

    def differences(self) -> alt.LayerChart:
        """Bias by bias, what one judge does beyond another."""
        names = [judged.name for judged in self.found.judges]
        labels = [f"judge {number}" for number in range(1, len(names) + 1)]
        who = "; ".join(f"{label} is {name}" for label, name in zip(labels, names, strict=True))
        return self._shown("differences", drawn.differences_chart(self.found, labels), f" {who}.")

    @property
    def available(self) -> tuple[str, ...]:
        """The names of the charts that this run has numbers for."""
        judged = enumerate(self.found.judges, 1)
        labels = ["" for _ in self.found.judges]
        has = {
            "forest": any(drawn.judge_chart(j, n) for n, j in judged),
            "slots": drawn.slot_habits_chart(self.found) is not None,
            "differences": drawn.differences_chart(self.found, labels) is not None,
        }
        return tuple(name for name, there in has.items() if there)

    def _shown(self, name: str, chart: Chart | None, more: str = "") -> alt.LayerChart:
        return _altair(name, chart, self.available if chart is None else (), more)


@dataclass(frozen=True, slots=True)
class DiscoverPlots:
    """The charts of a discovery, each an ``altair.LayerChart``, which a notebook shows.

    `size`, `domains` and `features` are of one bias, named by its id or name; it may be left out where one holds.
    `available` names those that the run has numbers for; any other raises UsageError.
    """

    found: Summary

    def forest(self) -> alt.LayerChart:
        """Everything that was tried with its interval, the largest effect first."""
        return self._shown("forest", drawn.effects_chart(self.found))

    def slots(self) -> alt.LayerChart:
        """How often what is shown first is chosen: on the originals, and in the arms of what holds."""
        return self._shown("slots", drawn.slots_chart(self.found))

    def growth(self) -> alt.LayerChart:
        """The library before, after each iteration and in the end."""
        return self._shown("growth", drawn.growth_chart(self.found))

    def library(self) -> alt.LayerChart:
        """Held-out pairs as they were, neutrally reworded, and with one accepted bias each."""
        return self._shown("library", drawn.library_chart(self.found))

    def size(self, bias: str | None = None) -> alt.LayerChart:
        """One bias as it was measured, on fresh pairs, and with length and other differences taken out."""
        return self._of_bias("size", drawn.sizes_chart, bias)

    def domains(self, bias: str | None = None) -> alt.LayerChart:
        """The effect of one bias in each domain."""
        return self._of_bias("domains", drawn.domains_chart, bias)

    def features(self, bias: str | None = None) -> alt.LayerChart:
        """What else changes in the texts when one bias is written in."""
        return self._of_bias("features", drawn.features_chart, bias)

    @property
    def available(self) -> tuple[str, ...]:
        """The names of the charts that this run has numbers for; of those of one bias where some bias has one."""
        whole = {
            "forest": drawn.effects_chart,
            "slots": drawn.slots_chart,
            "growth": drawn.growth_chart,
            "library": drawn.library_chart,
        }
        single = {"size": drawn.sizes_chart, "domains": drawn.domains_chart, "features": drawn.features_chart}
        names = [name for name, make in whole.items() if make(self.found) is not None]
        names += [n for n, make in single.items() if any(make(t, 1) for t in self.found.trials)]
        return tuple(names)

    def _of_bias(
        self, name: str, make: Callable[[TrialOut, int], Chart | None], bias: str | None
    ) -> alt.LayerChart:
        trial = _trial_of(self.found, bias)
        return self._shown(f"{name} of {trial.name}", make(trial, 1))

    def _shown(self, name: str, chart: Chart | None) -> alt.LayerChart:
        return _altair(name, chart, self.available if chart is None else ())


def _altair(name: str, chart: Chart | None, available: tuple[str, ...], more: str = "") -> alt.LayerChart:
    """A chart with its title and what stands below it in a report; UsageError says what there is in its place."""
    if chart is None:
        raise UsageError(
            f"this run has no numbers for a chart of {name}", hint=f"There are {', '.join(available) or 'none'}."
        )
    made = alt.LayerChart.from_dict(chart.spec)
    below = textwrap.wrap(chart.caption + more, _LINE)
    title = alt.TitleParams(text=chart.title, subtitle=below, anchor="start", fontSize=13, subtitleFontSize=11)
    return made.properties(title=title)


def _number_of(found: MeasuredOut, judge: int | str | None) -> int:
    """The number of a judge from 1 on; raises UsageError for one that there is not, and where several may be meant."""
    names = [judged.name for judged in found.judges]
    fitting = [
        n for n, judged in enumerate(found.judges, 1) if judge is None or judge in (n, judged.name, judged.judge)
    ]
    if len(fitting) != 1:
        which = "a judge must be named" if judge is None or fitting else f"there is no judge {judge!r}"
        listed = ", ".join(f"{n} ({name!r})" for n, name in enumerate(names, 1))
        raise UsageError(which, hint=f"By number or name: {listed}.")
    return fitting[0]


def _trial_of(found: Summary, bias: str | None) -> TrialOut:
    """A trial by the id or name of its bias, or the only one that holds."""
    fitting = [t for t in found.trials if (t.status == "accepted" if bias is None else bias in (t.id, t.name))]
    if len(fitting) != 1:
        which = "a bias must be named" if bias is None or fitting else f"no bias {bias!r} was tried"
        held = [t for t in found.trials if t.status == "accepted"] or found.trials
        raise UsageError(which, hint=f"By its id: {', '.join(t.id for t in held) or 'none was tried'}.")
    return fitting[0]
