"""A program as a judge: what it is shown, and verdicts from what it says."""

import json
from dataclasses import replace

import pytest
from tests.fakes import FakeAsker, pair

from biasscope.ask import Missing, Reply
from biasscope.config import PROGRAMS, JudgeSpec
from biasscope.errors import ConfigError
from biasscope.judges.base import Explaining, Presentation
from biasscope.judges.open import check_judge, open_judge
from biasscope.judges.program import ProgramJudge
from biasscope.models.open import KINDS
from biasscope.records import ORDERS

PAIR = pair("p1", chosen="Right.", rejected="Wrong.", reference="Right")


def shown(order="chosen_first", of=PAIR, **more):
    return Presentation(of, "original", order, of.chosen, of.rejected, **more)


def judging(say, **spec):
    """A judge whose program is a function of the case; it gives the judge and what was asked."""

    def answer(ask, attempt):
        said = say(json.loads(ask.request(attempt).messages[-1].content))
        return said if isinstance(said, Reply) else json.dumps(said)

    asker = FakeAsker(answer)
    return open_judge(asker, JudgeSpec(**{"spec": "python:judge.py:judge"} | spec)), asker


def cases(asker):
    return [json.loads(ask.request(0).messages[-1].content) for ask in asker.asked]


def test_every_kind_of_program_is_a_kind_of_model_and_judged_as_a_program():
    assert set(KINDS) > PROGRAMS
    for kind in PROGRAMS:
        assert isinstance(
            open_judge(FakeAsker(lambda ask, attempt: ""), JudgeSpec(spec=f"{kind}:x")), ProgramJudge
        )


async def test_a_program_that_compares_is_shown_both_orders_and_its_places_become_choices():
    judge, asker = judging(
        lambda case: {"choice": "first" if case["first"] == "Right." else "second", "reason": "R."}
    )
    verdicts = await judge.judge([shown(order) for order in ORDERS])
    assert judge.orders == ORDERS
    assert [(v.choice, v.order, v.reasoning, v.margin) for v in verdicts] == [
        ("chosen", "chosen_first", "R.", None),
        ("chosen", "rejected_first", "R.", None),
    ]
    assert all(len(v.keys) == 1 for v in verdicts)
    first, second = cases(asker)
    assert (first["first"], first["second"]) == (second["second"], second["first"]) == ("Right.", "Wrong.")
    assert set(first) == {"kind", "question", "messages", "first", "second", "reference"}
    assert first["reference"] is None


async def test_a_program_is_not_told_which_response_is_the_better_one():
    judge, asker = judging(lambda case: "first")
    other = replace(PAIR, id="q", chosen=PAIR.rejected, rejected=PAIR.chosen)
    await judge.judge([shown("chosen_first"), shown("rejected_first", other)])
    assert cases(asker)[0] == cases(asker)[1]


async def test_margins_favour_the_chosen_response_and_count_only_where_their_unit_is_declared():
    say = {"choice": "first", "margin": 2.0}
    judge, _ = judging(lambda case: say, margins="log-odds")
    assert judge.margin_unit == "log-odds"
    assert [v.margin for v in await judge.judge([shown(order) for order in ORDERS])] == [2.0, -2.0]
    undeclared, _ = judging(lambda case: say)
    assert undeclared.margin_unit is None
    assert [v.margin for v in await undeclared.judge([shown()])] == [None]


async def test_a_program_that_scores_sees_one_response_at_a_time():
    judge, asker = judging(lambda case: len(case["response"]) / 2, kind="pointwise")
    (verdict,) = await judge.judge([shown(None, replace(PAIR, rejected="No."))])
    assert judge.orders == (None,)
    assert judge.margin_unit == "score"
    assert (verdict.choice, verdict.scores, verdict.margin, verdict.order) == ("chosen", (3.0, 1.5), 1.5, None)
    assert len(verdict.keys) == 2
    assert [(case["response"], case["scale"]) for case in cases(asker)] == [("Right.", None), ("No.", None)]
    (equal,) = await judge.judge([shown(None)])
    assert (equal.choice, equal.margin) == ("tie", 0.0)


async def test_one_score_that_is_missing_makes_the_verdict_missing_with_its_reason():
    judge, _ = judging(lambda case: None if case["response"] == "Wrong." else 3, kind="pointwise")
    (verdict,) = await judge.judge([shown(None)])
    assert isinstance(verdict, Missing)
    assert verdict.reason == "empty"


async def test_a_score_off_the_declared_scale_is_missing():
    judge, _ = judging(lambda case: 11, kind="pointwise", scale="1-10")
    (verdict,) = await judge.judge([shown(None)])
    assert verdict.reason == "off_scale"


async def test_a_reference_is_shown_where_it_is_asked_for_and_a_pair_without_one_is_not_asked():
    judge, asker = judging(lambda case: "first", reference=True)
    bare = replace(PAIR, id="bare", reference=None)
    verdicts = await judge.judge([shown(of=bare), shown()])
    assert [getattr(v, "reason", None) or v.choice for v in verdicts] == ["no_reference", "chosen"]
    assert [case["reference"] for case in cases(asker)] == ["Right"]


async def test_recorded_verdicts_are_addressed_by_pair_arm_and_order_and_no_other_program_is_told():
    judge, asker = judging(lambda case: "first", spec="recorded:verdicts.jsonl")
    await judge.judge([shown("rejected_first")])
    (case,) = cases(asker)
    assert (case["pair_id"], case["arm"], case["order"]) == ("p1", "original", "rejected_first")


async def test_several_samples_are_several_requests_and_their_majority_counts():
    judge, asker = judging(lambda case: "first", samples=3)
    (verdict,) = await judge.judge([shown(replicate=1)])
    assert verdict.samples == ("chosen",) * 3
    assert [ask.request(0).replicate for ask in asker.asked] == [3, 4, 5]


async def test_a_case_that_does_not_fit_is_over_long():
    judge, _ = judging(lambda case: Reply("", over_long=True))
    (verdict,) = await judge.judge([shown()])
    assert verdict.reason == "over_long"


def test_a_program_cannot_be_asked_why():
    judge, _ = judging(lambda case: "first")
    assert not isinstance(judge, Explaining)


@pytest.mark.parametrize(
    ("spec", "word"),
    [
        ({"template": "Which? {first} {second}"}, "template"),
        ({"temperature": 0.7}, "temperature"),
        ({"max_tokens": 5}, "max_tokens"),
        ({"scale": "1-10"}, "scale"),
        ({"kind": "pointwise", "margins": "score"}, "margins"),
        ({"kind": "pointwise", "scale": "nice"}, "nice"),
    ],
)
def test_settings_that_a_program_has_no_use_for_are_refused(spec, word):
    for refuse in (check_judge, lambda s: open_judge(FakeAsker(lambda ask, attempt: ""), s)):
        with pytest.raises(ConfigError, match=word) as error:
            refuse(JudgeSpec(spec="python:judge.py:judge", **spec))
        assert error.value.hint


async def test_mode_label_is_refused_of_a_user_and_takes_nothing_from_a_program():
    with pytest.raises(ConfigError, match=r"mode label .* is a program") as error:
        check_judge(JudgeSpec(spec="python:judge.py:judge", mode="label"))
    assert "--judge-mode" in error.value.hint
    judge, _ = judging(lambda case: "first", mode="label")
    assert [v.choice for v in await judge.judge([shown()])] == ["chosen"]


def test_a_program_is_called_one_where_it_is_said_how_a_judge_is_asked():
    assert JudgeSpec(spec="python:judge.py:judge").instrument == "pairwise, a program"
    assert JudgeSpec(spec="openai:x").instrument == "pairwise, mode reason"
