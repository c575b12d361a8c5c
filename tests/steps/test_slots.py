"""Slot bias and mirrored pairs: what needs no rewrite, and what stands on the other side."""

import pytest

from biasscope.records import ONE_PRESENTATION, ORIGINAL
from biasscope.stats.rules import RULES
from biasscope.steps.judge import Table, judge_pairs
from biasscope.steps.mirror import is_mirrored, mirrored, on_sides, own_id
from biasscope.steps.slots import measure_slots

from ..fakes import FakeJudge, pair, pairs

RULE = RULES["fixed"]


async def habit(decide, count=30, beside=4):
    of = pairs(count)
    table = Table()
    await judge_pairs(FakeJudge(decide), table, of, (ORIGINAL,))
    return measure_slots(table, of, RULE, beside=beside)


def slot(first):
    """A judge that prefers what stands in one slot."""
    return lambda shown: "chosen" if (shown.order == "chosen_first") == first else "rejected"


@pytest.mark.parametrize(("first", "effect"), [(True, 0.5), (False, -0.5)])
async def test_a_judge_that_always_picks_one_slot_is_found_and_has_no_interval(first, effect):
    found = await habit(slot(first))

    assert (found.status, found.estimand, found.bias.id) == ("accepted", "slot", "position")
    assert (found.effect.value, found.effect.low, found.effect.n) == (effect, None, 30)
    # all 30 signs alike, on either side; and it is one of five hypotheses
    assert found.effect.p == pytest.approx(2 * 0.5**30)
    assert found.q == pytest.approx(5 * found.effect.p)


async def test_a_judge_that_goes_by_the_text_has_none():
    found = await habit(lambda shown: "chosen")

    assert (found.effect.value, found.effect.p, found.status) == (0.0, 1.0, "not_shown")


async def test_a_habit_in_some_pairs_has_an_interval_that_allows_for_the_others_tried():
    found = await habit(lambda s: slot(True)(s) if int(s.pair.id[1:]) % 2 else "chosen")

    assert found.status == "accepted"
    assert found.effect.level == 1 - 0.05 / 5
    assert 0 < found.effect.low < found.effect.value == 0.25 < found.effect.high <= 0.5


async def test_few_pairs_say_nothing():
    assert (await habit(slot(True), count=19)).status == "no_signal"


def test_a_judge_that_sees_one_response_at_a_time_has_no_slots():
    assert measure_slots(Table(orders=ONE_PRESENTATION), pairs(30), RULE, beside=0) is None


def test_a_mirrored_pair_shows_the_same_texts_with_exchanged_roles():
    p = pair("p1", objective=True, reference="7")
    m = mirrored(p)

    assert (m.chosen, m.rejected, m.prompt, m.reference) == (p.rejected, p.chosen, p.prompt, "7")
    assert not m.labelled
    assert not m.objective
    assert (own_id(m), own_id(p), is_mirrored(m), is_mirrored(p)) == ("p1", "p1", True, False)


def test_sides_say_which_pairs_are_visited():
    of = pairs(2)

    assert list(on_sides(of, "rejected")) == of
    assert [p.id for p in on_sides(of, "chosen")] == ["p1@chosen", "p2@chosen"]
    assert [p.id for p in on_sides(of, "both")] == ["p1", "p1@chosen", "p2", "p2@chosen"]
