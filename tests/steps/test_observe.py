"""Verdicts of a table as observations."""

import pytest
from scipy.special import expit

from biasscope import seeds
from biasscope.ask import Missing
from biasscope.records import ONE_PRESENTATION, ORIGINAL
from biasscope.steps.judge import Table, judge_pairs
from biasscope.steps.observe import observe

from ..fakes import FakeJudge, pair


async def judged(decide, of, *, graded=False, orders=None):
    judge = FakeJudge(decide, graded=graded)
    table = Table(orders=judge.orders if orders is None else orders)
    await judge_pairs(judge, table, of, (ORIGINAL,))
    return observe(table, of, judge.margin_unit)


async def test_both_orders_are_told_as_they_were_shown():
    p = pair("p1", chosen="Right.", rejected="Wrong.")
    one, two = await judged(lambda s: "chosen" if s.order == "chosen_first" else "tie", [p])

    assert (one.first, one.second, one.chose_first, one.gold) == ("Right.", "Wrong.", 1.0, 1)
    assert (two.first, two.second, two.chose_first, two.gold) == ("Wrong.", "Right.", 0.5, -1)
    assert one.question == two.question == seeds.question_hash(p.question)


async def test_a_rejected_response_that_was_chosen_as_the_second_was_not_the_first():
    one, two = await judged(lambda s: "rejected", [pair()])

    assert (one.chose_first, two.chose_first) == (0.0, 1.0)


async def test_a_missing_verdict_is_no_observation():
    found = await judged(lambda s: Missing("refused") if s.order == "chosen_first" else "chosen", [pair()])

    assert [o.gold for o in found] == [-1]


async def test_a_margin_is_told_as_its_probability():
    one, two = await judged(lambda s: 2.0 if s.order == "chosen_first" else -0.5, [pair()], graded=True)

    assert one.chose_first == pytest.approx(expit(2.0))
    assert two.chose_first == pytest.approx(1 - expit(-0.5))


async def test_without_a_label_nobody_knows_which_is_better():
    found = await judged(lambda s: "chosen", [pair(labelled=False)])

    assert [o.gold for o in found] == [0, 0]


async def test_twins_share_a_question():
    twins = [pair("p1", question="How many?"), pair("p2", question="how  many?"), pair("p3", question="Why?")]
    found = await judged(lambda s: "chosen", twins)

    assert len({o.question for o in found}) == 2


async def test_a_judge_of_single_responses_knows_no_first_one_and_sides_are_drawn():
    many = [pair(f"p{n}", chosen=f"Right {n}.") for n in range(40)]
    found = await judged(lambda s: "chosen", many, orders=ONE_PRESENTATION)
    first = [o.first.startswith("Right") for o in found]

    assert len(found) == 40
    assert 10 < sum(first) < 30
    assert [o.chose_first for o in found] == [float(f) for f in first]
    assert [o.gold for o in found] == [1 if f else -1 for f in first]
