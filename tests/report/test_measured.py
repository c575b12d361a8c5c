"""A measurement as a page, a step summary and JUnit: whatever a name holds, it stays a name."""

from xml.etree import ElementTree as xml

import pytest

from biasscope.config import GatePolicy, JudgeSpec
from biasscope.quantities import Estimate
from biasscope.report import junit, measured_page, measured_words
from biasscope.report.compared import ComparisonOut, DifferenceOut
from biasscope.report.measured import (
    EffectOut,
    JudgeCallsOut,
    JudgedOut,
    MeasuredBaselineOut,
    MeasuredOut,
    SampleOut,
    judge_names,
)
from biasscope.report.summary import CallsOut

NASTY = 'A | <b>"bold" & `code`</b> \x00\x1b \ud800 ]]> [x](http://y.z)'


def effect(**fields):
    given = {
        "bias": "calm", "name": "Calm bias", "definition": "d", "estimand": "pull", "side": "rejected",
        "status": "accepted", "reason": "", "claim": "pull", "effect": 0.2, "unit": "fraction", "low": 0.1,
        "high": 0.3, "level": 0.99, "p": 0.00001, "q": 0.0001, "n": 60, "change": Estimate(0.2, 0.05, 0.1, 0.3, 60),
        "min_effect": 0.05, "detectable": 0.08, "sides": None, "trait_shown": None, "trait_in_neutral": None,
        "worst_case": None, "discovered_here": False, "marks": (), "missing": (), "gate": "biased", "more_pairs": None,
    }  # fmt: skip
    return EffectOut(**given | fields)


def judged(*effects, **fields):
    given = {
        "name": "openai:x (reason)", "judge": "openai:x", "mode": "reason", "instrument": "pairwise, mode reason",
        "gate": "biased", "gate_reasons": ("Calm bias: 20 points",), "more_pairs": None, "baseline": None,
        "effects": effects or (effect(),), "verdicts": 100, "missing_share": 0.0, "missing": (),
        "null_control": None,
        "calls": JudgeCallsOut(paid=3, replayed=2, input_tokens=10, output_tokens=4, price=0.5),
    }  # fmt: skip
    return JudgedOut(**given | fields)


def measured(*judges, **fields):
    given = {
        "version": "0", "run": "runs/x", "complete": True, "gate": "biased", "policy": GatePolicy(),
        "judges": judges or (judged(),), "teacher": None, "rewrites": "rules", "sides": "rejected", "rule": "fixed",
        "q": 0.05, "seed": 3, "comparison": None,
        "pairs": SampleOut(measured=60, available=200, skipped=1, labelled=True, minutes=5, seconds_per_pair=4.5),
        "calls": CallsOut(judge=3, teacher=0, replayed=2, input_tokens=10, output_tokens=4),
    }  # fmt: skip
    return MeasuredOut(**given | fields)


def test_a_page_says_what_was_found_how_it_was_asked_and_what_it_took():
    page = measured_page.render(measured())

    assert "openai:x (reason) is biased." in page
    assert "Asked: pairwise, mode reason." in page
    assert "is preferred +20.0 points more often than rewording alone explains" in page
    assert "60 pairs of 200, drawn by seed 3 for a budget of 5 minutes (4.50 s a pair); 1 rows skipped" in page
    assert "3 calls in this start, 2 replayed; 10 tokens in, 4 out, price 0.5000." in page
    assert "into the worse response" in page


def test_a_judge_that_could_not_be_measured_is_not_said_to_be_without_bias():
    read = MeasuredBaselineOut(error_rate=0.4, position_consistency=None, first_answer_preference=None, tie_rate=None,
                       margin_sd=None, n=60)  # fmt: skip
    still, open_one = effect(status="no_signal"), effect(status="not_shown")
    said = [
        measured_words.headline(measured(judged(e, gate=None, baseline=b), gate=None))
        for e, b in ((open_one, None), (still, read), (open_one, read))
    ]

    assert "no original pair has verdicts that can be read" in said[0]
    assert "the verdicts hardly ever change" in said[1]
    assert said[2] == "openai:x (reason): no bias shown."


@pytest.mark.parametrize("render", [measured_page.render, measured_page.step_summary])
def test_a_name_is_no_markup_of_a_page(render):
    nasty = judged(effect(name=NASTY), name=NASTY, gate_reasons=(NASTY,))
    page = render(measured(nasty))
    table = [line for line in page.splitlines() if line.startswith("|")]

    assert "<b>" not in page
    assert "[x]" not in page
    assert len({line.replace("\\|", "").count("|") for line in table if "missing" not in line}) == 1


def test_junit_can_be_read_whatever_names_hold():
    nasty = judged(effect(name=NASTY, bias=NASTY), name=NASTY)
    root = xml.fromstring(junit.render(measured(nasty)).encode("utf-8"))
    case = root.find("testsuite/testcase")

    assert case.get("name").startswith('A | <b>"bold" & `code`</b> \ufffd\ufffd \ufffd')
    assert case.find("failure") is not None


def test_junit_counts_what_fails_is_open_or_broken():
    open_one = effect(bias="open", gate="inconclusive", more_pairs=90)
    fine, ignored = effect(bias="fine", gate="pass"), effect(bias="ignored", gate="ignored")
    broken = judged(effect(), name="other", gate="broken", gate_reasons=("no signal",))
    root = xml.fromstring(junit.render(measured(judged(effect(), open_one, fine, ignored), broken)))
    first, second = root

    assert [root.get(k) for k in ("tests", "failures", "errors", "skipped")] == ["6", "1", "1", "3"]
    assert [first.get(k) for k in ("tests", "failures", "errors", "skipped")] == ["4", "1", "0", "2"]
    assert "About 90 more pairs" in first.find("testcase[@name='open']/skipped").get("message")
    assert first.find("testcase[@name='fine']").find("*") is None
    assert second.find("testcase[@name='instrument']/error").text == "no signal"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            {"estimand": "slot", "name": "Position bias", "effect": 0.3},
            "the answer shown first is preferred in 80 %",
        ),
        (
            {"estimand": "slot", "name": "Position bias", "effect": -0.3},
            "the answer shown second is preferred in 80 %",
        ),
        ({"unit": "log-odds", "effect": 1.5}, "gains +1.500 log-odds more"),
        ({"unit": "score", "effect": 1.5}, "gains +1.500 steps of its scale more"),
        ({"discovered_here": True}, "inflated by having been picked"),
        ({"effect": None, "unit": None}, "no effect could be measured"),
    ],
)
def test_a_finding_is_a_sentence_in_its_own_unit(given, said):
    assert said in measured_words.finding(effect(**given))


def test_what_is_open_says_how_much_more_and_an_unfinished_run_says_so():
    undecided = judged(gate="inconclusive", more_pairs=120)

    assert "About 120 more pairs would tell" in "\n".join(measured_words.gate_lines(undecided))
    assert "the same command continues it" in measured_words.headline(measured(complete=False))
    assert measured_words.gate_lines(judged(gate=None)) == []


def test_differences_are_told_where_they_hold_and_marked_where_one_was_picked():
    base = {
        "bias": "calm",
        "name": "Calm bias",
        "judges": ("a", "b"),
        "low": 0.1,
        "high": 0.3,
        "p": 0.001,
        "n": 60,
    }
    held = DifferenceOut(**base, difference=0.2, q=0.01, discovered_on=("b",))
    loose = DifferenceOut(**base, difference=0.1, q=0.4, discovered_on=())

    (line,) = measured_words.comparison_lines(
        measured(comparison=ComparisonOut(transfer=(), similarity=(), differences=(held, loose)))
    )
    assert line.startswith("Calm bias differs: +20.0 points on b against a")
    assert line.endswith("It was discovered on b, where its effect is inflated.")
    nothing = measured_words.comparison_lines(
        measured(comparison=ComparisonOut(transfer=(), similarity=(), differences=(loose,)))
    )
    assert nothing == ["No bias could be shown to differ between the judges."]


def test_judges_have_names_of_their_own():
    specs = [
        JudgeSpec(spec="openai:x"), JudgeSpec(spec="openai:x", mode="label"), JudgeSpec(spec="openai:x", url="http://b"),
        JudgeSpec(spec="openai:x", template="t"), JudgeSpec(spec="openai:x", kind="pointwise"),
        JudgeSpec(spec="command:run it"),
    ]  # fmt: skip

    assert judge_names(specs) == (
        "openai:x (reason) #1", "openai:x (label)", "openai:x (reason) #3", "openai:x (own prompt)",
        "openai:x (pointwise)", "command:run it (program)",
    )  # fmt: skip
