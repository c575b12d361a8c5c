"""Charts of a result: those of the report, as objects that a notebook shows."""

import json
from pathlib import Path

import altair as alt
import pytest

import biasscope
from biasscope.api.result import DiscoverResult
from biasscope.errors import UsageError

from .conftest import DRAWN, KNOWN, PAIRS

MEASURED = {"forest": "effects-1", "slots": "slots"}
DISCOVERED = {"forest": "effects", "slots": "slots", "growth": "growth", "library": "library"}


def saved(result, name):
    return json.loads((result.path / "charts" / f"{name}.json").read_text(encoding="utf-8"))


def drawn(chart):
    """What a chart draws: marks, channels and data, without the heading that a page has around it."""
    spec = chart.to_dict()
    return {key: spec[key] for key in ("layer", "datasets", "description", "width", "height", "config")}


@pytest.mark.parametrize(("which", "names"), [("measured", MEASURED), ("discovered", DISCOVERED)])
def test_a_chart_is_that_of_the_report(request, which, names):
    result = request.getfixturevalue(which)
    for name in names.keys() & {*result.plot.available}:
        chart, kept = getattr(result.plot, name)(), saved(result, names[name])

        assert isinstance(chart, alt.LayerChart)
        assert drawn(chart) == {key: kept[key] for key in drawn(chart)}
        assert chart.to_dict()["title"]["text"]
    assert {"forest", "slots"} <= {*result.plot.available}


def test_every_chart_of_a_report_can_be_had_from_the_result(measured, discovered):
    for result in (measured, discovered):
        files = {p.stem for p in (result.path / "charts").glob("*.json")}
        kinds = {f.rpartition("-")[0] or f for f in files}
        called = {"effects": "forest"}
        assert {called.get(kind, kind) for kind in kinds} <= {*result.plot.available}


def plots_of(discovered, **of_the_second):
    """The charts of a discovery in which a second bias was tried."""
    (first, *_) = discovered.summary.trials
    second = first.model_copy(update={"id": "second", "name": "Second bias"} | of_the_second)
    summary = discovered.summary.model_copy(update={"trials": (first, second)})
    return first, DiscoverResult(summary, discovered.path).plot


def test_a_chart_of_one_bias_is_asked_for_by_id_or_name_and_by_nothing_where_one_holds(discovered):
    one, plot = plots_of(discovered, status="not_shown")

    assert plot.size().to_dict() == plot.size(one.id).to_dict() == plot.size(one.name).to_dict()
    assert plot.size("second").to_dict()["title"]["text"].endswith("Second bias")
    assert one.name in plot.features(one.id).to_dict()["title"]["text"]
    assert "domains" in plot.available
    assert one.name in plot.domains().to_dict()["title"]["text"]
    with pytest.raises(UsageError, match="no bias 'absent' was tried") as refused:
        plot.size("absent")
    assert one.id in refused.value.hint


def test_where_several_biases_hold_one_must_be_named(discovered):
    one, plot = plots_of(discovered)
    with pytest.raises(UsageError, match="a bias must be named") as refused:
        plot.size()
    assert refused.value.hint == f"By its id: {one.id}, second."


def test_a_chart_without_numbers_says_which_there_are(measured, discovered):
    with pytest.raises(UsageError, match="no numbers for a chart of differences") as refused:
        measured.plot.differences()
    assert refused.value.hint == f"There are {', '.join(measured.plot.available)}."
    _, plot = plots_of(discovered, details=None)
    with pytest.raises(UsageError, match="no numbers for a chart of domains of Second bias"):
        plot.domains("second")


def test_of_several_judges_one_is_named_and_their_differences_are_drawn():
    found = biasscope.measure([DRAWN, "planted:fair"], data=PAIRS, biases=KNOWN)
    plot = found.plot

    assert plot.available == ("forest", "slots", "differences")
    assert (
        plot.forest(2).to_dict()
        == plot.forest("planted:fair").to_dict()
        == plot.forest("planted:fair (reason)").to_dict()
    )
    told = " ".join(plot.differences().to_dict()["title"]["subtitle"])
    assert "judge 1 is planted:biases=authority@3 (reason); judge 2 is planted:fair (reason)." in told
    with pytest.raises(UsageError, match="a judge must be named") as refused:
        plot.forest()
    assert "2 ('planted:fair (reason)')" in refused.value.hint
    with pytest.raises(UsageError, match="there is no judge 3"):
        plot.forest(3)


def test_a_chart_can_be_changed_and_saved(measured):
    measured.plot.forest().properties(width=500).save("forest.json")
    assert json.loads(Path("forest.json").read_text(encoding="utf-8"))["width"] == 500
