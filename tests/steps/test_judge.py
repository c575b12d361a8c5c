"""Judging arms in both orders, and the table that keeps what was judged."""

import pytest

from biasscope.ask import Missing
from biasscope.judges.base import Presentation
from biasscope.records import ORDERS, ORIGINAL, Rewrite, Verdict
from biasscope.steps.judge import Table, judge_pairs, presentations, side_by_side

from ..fakes import FakeJudge, pair, pairs


def written(table, of, *arms):
    for p in of:
        for arm in arms:
            table.rewrites[p.id, arm] = Rewrite(p.id, arm, f"{arm} text of {p.id}", "rule", 0)


def filled(choices, margins=(None, None)):
    table = Table()
    for order, choice, margin in zip(("chosen_first", "rejected_first"), choices, margins, strict=True):
        table.verdicts["p1", "calm", order] = (
            Missing("refused") if choice is None else Verdict("p1", "calm", order, choice, margin=margin)
        )
    return table


async def test_every_arm_is_judged_in_both_orders_and_what_shares_a_prefix_is_next_to_each_other():
    judge, table, of = FakeJudge(lambda s: "chosen"), Table(), pairs(2)
    written(table, of, "calm")

    await judge_pairs(judge, table, of, ("original", "calm"))

    assert [(s.pair.id, s.order, s.arm) for s in judge.seen] == [
        (p, order, arm)
        for p in ("p1", "p2")
        for order in ("chosen_first", "rejected_first")
        for arm in ("original", "calm")
    ]


async def test_an_arm_shows_its_rewrite_in_place_of_the_rejected_response():
    judge, table, of = FakeJudge(lambda s: "chosen"), Table(), pairs(1)
    written(table, of, "calm")

    await judge_pairs(judge, table, of, ("original", "calm"))

    assert [s.shown for s in judge.seen] == [
        ("Right text.", "Wrong text."),
        ("Right text.", "calm text of p1"),
        ("Wrong text.", "Right text."),
        ("calm text of p1", "Right text."),
    ]


async def test_what_the_table_holds_is_not_asked_again():
    judge, table, of = FakeJudge(lambda s: "chosen"), Table(), pairs(2)
    await judge_pairs(judge, table, of[:1], ("original",))
    await judge_pairs(judge, table, of, ("original",))

    assert [s.pair.id for s in judge.seen] == ["p1", "p1", "p2", "p2"]


async def test_arms_may_come_from_a_generator():
    judge, table = FakeJudge(lambda s: "chosen"), Table()

    await judge_pairs(judge, table, pairs(3), (arm for arm in ("original",)))

    assert len(table.verdicts) == 6


async def test_one_order_per_pair_can_be_asked_for():
    judge, table = FakeJudge(lambda s: "chosen"), Table()

    await judge_pairs(
        judge, table, pairs(2), ("original",), orders={"p1": "rejected_first", "p2": "chosen_first"}
    )

    assert [(s.pair.id, s.order) for s in judge.seen] == [("p1", "rejected_first"), ("p2", "chosen_first")]


async def test_a_missing_rewrite_is_not_judged_and_counted_once():
    judge, table = FakeJudge(lambda s: "chosen"), Table()
    table.rewrites["p1", "calm"] = Missing("refused")

    await judge_pairs(judge, table, pairs(1), ("calm",))

    assert judge.seen == []
    assert table.verdicts["p1", "calm", "chosen_first"] == Missing("no_rewrite")
    assert table.missing() == [("calm", "rewrite: refused", 1)]


async def test_an_arm_that_nobody_wrote_is_a_mistake_of_the_caller():
    with pytest.raises(KeyError, match="calm"):
        await judge_pairs(FakeJudge(lambda s: "chosen"), Table(), pairs(1), ("calm",))


async def test_two_pairs_with_one_id_are_refused_since_they_would_share_their_cells():
    twins = [pair("p1", rejected="One."), pair("p1", rejected="Another.")]

    with pytest.raises(ValueError, match="p1"):
        await judge_pairs(FakeJudge(lambda s: "chosen"), Table(), twins, ("original",))


@pytest.mark.parametrize(
    ("choices", "error"),
    [
        (("chosen", "chosen"), 0.0),
        (("chosen", "tie"), 0.25),
        (("chosen", "rejected"), 0.5),
        (("tie", "tie"), 0.5),
        (("rejected", "tie"), 0.75),
        (("rejected", "rejected"), 1.0),
        (("rejected", None), None),
    ],
)
def test_the_error_of_an_item_is_the_mean_over_both_orders(choices, error):
    assert filled(choices).error(pair(), "calm") == error


def test_the_loss_of_an_item_is_its_negated_mean_margin():
    choices = ("chosen", "rejected")

    assert filled(choices, (2.0, -1.0)).loss(pair(), "calm") == -0.5
    assert filled(choices, (2.0, None)).loss(pair(), "calm") is None
    assert filled((None, "chosen"), (None, 2.0)).loss(pair(), "calm") is None


def test_what_was_never_asked_has_no_score():
    assert Table().error(pair(), "calm") is None
    assert Table().loss(pair(), "calm") is None
    assert Table().verdict(pair(), "calm", "chosen_first") is None
    assert Table().rewrite(pair(), "calm") is None


async def test_what_is_missing_is_counted_by_arm_and_reason():
    def decide(shown):
        return Missing("refused") if shown.order == "chosen_first" or shown.pair.id == "p3" else "chosen"

    table, of = Table(), pairs(3)
    written(table, of[1:], "calm")
    table.rewrites["p1", "calm"] = Missing("unchanged")
    await judge_pairs(FakeJudge(decide), table, of, ("original", "calm"))

    assert table.missing() == [
        ("calm", "rewrite: unchanged", 1),
        ("calm", "verdict: refused", 3),
        ("original", "verdict: refused", 4),
    ]


async def test_a_verdict_leads_back_to_what_the_judge_was_shown():
    judge, table, of = FakeJudge(lambda s: "chosen"), Table(), pairs(1)
    await judge_pairs(judge, table, of, ("original",))
    verdict = table.verdict(of[0], "original", "rejected_first")

    assert table.presentation(verdict).shown == ("Wrong text.", "Right text.")
    with pytest.raises(KeyError):
        table.presentation(Verdict("p1", "original", None, "chosen"))


async def test_nothing_to_judge_is_no_call():
    judge, table = FakeJudge(lambda s: "chosen"), Table()
    await judge_pairs(judge, table, [], ("original",))

    assert (judge.seen, table.verdicts, table.missing()) == ([], {}, [])


def test_what_begins_alike_is_judged_next_to_each_other_and_nothing_is_lost():
    cells = [
        pair(f"{chosen}-{rejected}", question="Q?", chosen=f"Right {chosen}.", rejected=f"Wrong {rejected}.")
        for chosen in ("plain", "bold")
        for rejected in ("plain", "bold")
    ]
    other = pair("other", question="Another?")
    shown = [
        Presentation(p, ORIGINAL, order, p.chosen, p.rejected)
        for p in (cells[0], cells[2], other, cells[1], cells[3])
        for order in ORDERS
    ]
    found = side_by_side(shown)
    assert sorted(map(repr, found)) == sorted(map(repr, shown))
    begins = [(s.pair.question, s.order, s.shown[0]) for s in found]
    assert [b for k, b in enumerate(begins) if k == 0 or b != begins[k - 1]] == list(dict.fromkeys(begins))
    assert [s.pair.question for s in found] == ["Q?"] * 8 + ["Another?"] * 2


def test_within_a_pair_the_order_stays_as_it_was():
    shown = list(presentations(Table(), pairs(3), dict.fromkeys(("p1", "p2", "p3"), (ORIGINAL,)), None))
    assert side_by_side(shown) == shown
