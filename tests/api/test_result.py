"""What a result offers: tables with the numbers of the summary, and what a notebook shows, with every text escaped."""

import json
from html.parser import HTMLParser
from pathlib import Path

import polars as pl
import pytest

import biasscope
from biasscope.api.frames import DISCOVERED, MEASURED, MISSING
from biasscope.api.result import DiscoverResult, MeasureResult
from biasscope.report.summary import MissingOut

ELEMENTS = {"div", "p", "strong", "table", "caption", "thead", "tbody", "tr", "th", "td"}
EVIL = "<script>alert(1)</script> | *bold* [a](http://x.y) \u202e\x1b[31m"


class Page(HTMLParser):
    """The elements and the text of some HTML."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.elements, self.text = [], ""
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.elements.append(tag)

    def handle_data(self, data):
        self.text += data


def evil(result):
    """A result in which every name that a model or a user gives is hostile."""
    summary = result.summary
    missing = (MissingOut(arm=EVIL, reason="failed", count=2),)
    if isinstance(result, MeasureResult):
        judged = summary.judges[0]
        effects = tuple(
            e.model_copy(update={"name": EVIL, "reason": EVIL, "marks": (EVIL,)}) for e in judged.effects
        )
        judged = judged.model_copy(update={"name": EVIL, "judge": EVIL, "effects": effects, "missing": missing})
        return MeasureResult(summary.model_copy(update={"judges": (judged,)}), Path(f"runs/{EVIL}"))
    trials = tuple(
        t.model_copy(update={"name": EVIL, "definition": EVIL, "reason": EVIL}) for t in summary.trials
    )
    summary = summary.model_copy(update={"judge": EVIL, "trials": trials, "missing": missing})
    return DiscoverResult(summary, Path(f"runs/{EVIL}"))


@pytest.fixture(params=["measured", "discovered"])
def result(request):
    return request.getfixturevalue(request.param)


def test_a_measurement_is_a_table_with_a_row_a_bias_and_the_numbers_of_its_summary(measured):
    frame, (judged,) = measured.effects, measured.summary.judges

    assert frame.schema == pl.Schema(MEASURED)
    assert frame.rows() == measured.trials.rows()
    assert frame.height == len(judged.effects) == 3
    for row, effect in zip(frame.rows(named=True), judged.effects, strict=True):
        for name in MEASURED.keys() & type(effect).model_fields.keys() - {"marks", "change"}:
            assert row[name] == getattr(effect, name)
        assert (row["id"], row["judge"], row["judge_name"]) == (effect.bias, judged.judge, judged.name)
        assert row["change"] == effect.change.value  # an estimate there, a number here
        assert row["marks"] == list(effect.marks)
        assert (row["worst_low"], row["worst_high"]) == (effect.worst_case or (None, None))


def test_a_discovery_is_a_table_with_a_row_a_trial_and_the_numbers_of_its_summary(discovered):
    frame, trials = discovered.effects, discovered.summary.trials

    assert frame.schema == pl.Schema(DISCOVERED)
    assert frame.height == len(trials) > 0
    for row, trial in zip(frame.rows(named=True), trials, strict=True):
        for name in DISCOVERED.keys() & type(trial).model_fields.keys() - {"marks", "change"}:
            assert row[name] == getattr(trial, name)
        assert row["judge_name"] == f"{discovered.summary.judge} (reason)"


def test_both_tables_begin_alike(measured, discovered):
    assert measured.effects.columns[:13] == discovered.effects.columns[:13]


def test_what_is_missing_is_a_table_that_may_be_empty(measured):
    assert measured.missing.schema == pl.Schema(MISSING)
    assert measured.missing.height == sum(len(j.missing) for j in measured.summary.judges)
    assert evil(measured).missing.rows() == [(EVIL, EVIL, EVIL, "failed", 2)]


def test_every_verdict_that_was_asked_for_is_in_the_table_of_verdicts(measured, discovered):
    verdicts = measured.verdicts
    answered = verdicts.filter(pl.col("missing").is_null())

    assert set(verdicts["judge"]) == {measured.summary.judges[0].judge}
    assert {"authority", "sentiment", "original"} <= set(verdicts["arm"])
    assert set(answered["choice"]) <= {"chosen", "rejected", "tie"}
    assert discovered.verdicts.height > 0


def test_a_result_prints_in_a_line_and_is_the_json_of_the_command(result):
    assert repr(result).startswith(f"<{type(result).__name__} ")
    assert "\n" not in repr(result)
    assert str(result.path) in repr(result)
    assert json.loads(result.to_json()) == json.loads((result.path / "report.json").read_text(encoding="utf-8"))


def test_a_notebook_shows_what_was_found_with_every_bias(result):
    shown, written = Page(result._repr_html_()), result._repr_markdown_()

    assert shown.elements.count("tr") >= result.effects.height + 1
    for name in result.effects["name"]:
        assert name in shown.text
        assert name in written
    assert str(result.path) in shown.text


def test_no_text_of_a_model_or_user_becomes_markup(result):
    hostile = evil(result)
    html, written = hostile._repr_html_(), hostile._repr_markdown_()

    assert set(Page(html).elements) <= ELEMENTS
    assert "alert(1)" in Page(html).text
    assert "<script" not in written
    assert "[a](http" not in written
    assert "*bold*" not in written.replace("\\*", "")
    for shown in (html, written, repr(hostile)):
        assert "\u202e" not in shown
        assert "\x1b" not in shown


def test_rows_of_a_markdown_table_have_as_many_cells_as_its_head(result):
    lines = [line for line in evil(result)._repr_markdown_().splitlines() if line.startswith("|")]
    tables = {line.replace("\\|", "").count("|") for line in lines}
    heads = {line.count("|") for line in lines if "---" in line}
    assert tables == heads


# --- audits --------------------------------------------------------------------------------------------------

ROWS = [
    {
        "question": f"Question {n}?",
        "first": "one " * (n % 9 + 1),
        "second": "two " * ((7 * n) % 11 + 1),
        "judge": judge,
    }
    for judge in ("a", "b<i>")
    for n in range(60)
]


@pytest.fixture
def log():
    rows = [row | {"choice": "first" if len(row["first"]) >= len(row["second"]) else "second"} for row in ROWS]
    Path("log.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return "log.jsonl"


def test_an_audit_is_tables_with_the_numbers_of_its_summary(log):
    found = biasscope.audit(log)
    one, other = found.audits

    assert found.judges["judge"].to_list() == ["a", "b<i>"] == [one.judge, other.judge]
    assert found.judges["slot_preference"].to_list() == [a.slot_preference.estimate for a in found.audits]
    assert found.associations.height == len(one.associations) + len(other.associations)
    assert found.associations["change"].to_list()[: len(one.associations)] == [
        a.change.value for a in one.associations
    ]
    assert found.candidates.height == len(one.candidates) + len(other.candidates)
    assert set(found.candidates.filter(judge="a")["feature"]) == {c.feature for c in one.candidates}
    assert json.loads(found.to_json())["schema_version"] == "biasscope.audits/1"


def test_an_audit_of_one_judge_is_the_summary_itself(log):
    found = biasscope.audit(
        log, judge="a", columns="choice=choice,first=first,second=second,judge=judge", markdown="a.md"
    )

    assert found.summary is found.audits[0]
    assert "a" in repr(found)
    assert Path("a.md").read_text(encoding="utf-8").startswith("# ")


def test_an_audit_is_shown_with_names_escaped(log):
    found = biasscope.audit(log)
    shown = Page(found._repr_html_())

    assert "b<i>" in shown.text
    assert "i" not in shown.elements
    assert "b<i>" not in found._repr_markdown_()
