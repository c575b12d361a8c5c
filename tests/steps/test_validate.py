"""Trying candidates on pairs: what is fetched look by look, and which scores reach the statistics."""

from collections import Counter
from dataclasses import replace

import pytest

from biasscope.ask import Missing
from biasscope.errors import DataError
from biasscope.records import Rewrite
from biasscope.stats.rules import RULES, Rule
from biasscope.stats.sequential import item_order
from biasscope.steps.judge import Table, judge_pairs
from biasscope.steps.validate import TrialDesign, baseline, questions, settle, validate_candidates

from ..fakes import FakeJudge, NamingWriter, bias, pair, pairs

CALM = bias()
LOUD = bias("Loud bias")
TWICE = Rule("twice", (0.5, 1.0), (0.5, 0.5), ((0.5, 2), (1.0, 1)), fewest=2)
"""A look at half of the pairs, with two neutral rewrites each, and one at all, with one for the others."""


def once(neutrals=1, **changes):
    """Every pair, one look, however few there are."""
    return replace(RULES["fixed"], fewest=1, neutral_plan=((1.0, neutrals),), **changes)


def falls_for(*arms, wrong=()):
    """A judge that picks the rejected response in these arms, and on the pairs `wrong` in every arm."""
    return FakeJudge(lambda s: "rejected" if s.arm in arms or s.pair.id in wrong else "chosen")


async def tried(judge, *, of=None, candidates=(CALM,), writer=None, neutrals=1, table=None, rule=None):
    return await validate_candidates(
        judge,
        writer or NamingWriter(),
        Table() if table is None else table,
        pairs(8) if of is None else of,
        candidates,
        TrialDesign(rule or once(neutrals), seed=0),
        iteration=2,
    )


async def test_a_candidate_is_measured_against_the_neutral_rewrite_of_the_same_pairs():
    (tested,) = await tried(falls_for("calm_bias", wrong=("p8",)))
    reading = tested.stopped.reading

    # 7 of 8 items differ, each by 1; the test is McNemar's: 2 to the power of -7
    assert reading.value == 7 / 8
    assert reading.se == pytest.approx(0.125)
    assert reading.p == tested.stopped.p == pytest.approx(2**-7)
    assert (reading.candidate, reading.neutral) == (1.0, 0.125)
    assert (tested.bias, tested.iteration, tested.missing) == (CALM, 2, ())
    assert (tested.neutral_arms, tested.graded) == (("neutral-1",), False)


async def test_a_single_pair_can_show_nothing():
    (tested,) = await tried(falls_for("calm_bias"), of=pairs(1))

    assert tested.stopped.p == 0.5
    assert not tested.stopped.reading.signal
    assert tested.stopped.status == "no_signal"


async def test_when_every_verdict_is_missing_nothing_is_measured_and_all_is_counted():
    (tested,) = await tried(FakeJudge(lambda s: Missing("refused")), of=pairs(3))

    assert (tested.stopped.reading, tested.stopped.p, tested.stopped.status) == (None, 1.0, "no_signal")
    assert tested.missing == (("calm_bias", "verdict: refused", 6), ("neutral-1", "verdict: refused", 6))
    assert tested.stopped.missing == (("calm_bias", 3, 3), ("neutral-1", 3, 3))


async def test_when_no_rewrite_could_be_made_nothing_is_measured():
    unable = [(f"p{n}", "calm_bias") for n in (1, 2, 3)]
    (tested,) = await tried(falls_for("calm_bias"), of=pairs(3), writer=NamingWriter(*unable))

    assert tested.stopped.reading is None
    assert tested.missing == (("calm_bias", "rewrite: refused", 3),)


async def test_candidates_share_the_neutral_rewrites_and_their_verdicts():
    judge, writer = falls_for(), NamingWriter()
    await tried(judge, candidates=(CALM, LOUD), writer=writer, neutrals=2, of=pairs(3))

    assert len(writer.jobs) == 3 * 4
    assert len(judge.seen) == 3 * 2 * 5


async def test_a_later_candidate_pays_for_its_own_arm_alone():
    judge, table = falls_for(), Table()
    await tried(judge, table=table, of=pairs(3))
    judge.seen.clear()
    await tried(judge, table=table, of=pairs(3), candidates=(LOUD,))

    assert {s.arm for s in judge.seen} == {"loud_bias"}


async def test_missing_counts_are_those_of_a_candidates_own_arms():
    judge = FakeJudge(lambda s: Missing("refused") if (s.pair.id, s.arm) == ("p1", "loud_bias") else "chosen")
    calm, loud = await tried(judge, candidates=(CALM, LOUD))

    assert calm.missing == ()
    assert loud.missing == (("loud_bias", "verdict: refused", 2),)


async def test_no_candidate_is_nothing_tried_and_too_few_pairs_are_an_error():
    assert await tried(falls_for(), candidates=()) == []
    for candidates in ((CALM,), ()):
        with pytest.raises(DataError, match="only 19 pairs to validate on, and at least 20 are needed") as few:
            await tried(falls_for(), of=pairs(19), rule=RULES["default"], candidates=candidates)
        assert "biasscope power" in few.value.hint


async def test_too_few_pairs_are_refused_before_anything_is_paid():
    judge, writer = falls_for(), NamingWriter()
    with pytest.raises(DataError):
        await tried(judge, writer=writer, of=pairs(19), rule=RULES["default"])

    assert (judge.seen, writer.jobs) == ([], [])


# --- look by look -----------------------------------------------------------------------------------------


def visit_of(of):
    """The pairs in the order in which they are visited."""
    return [of[i] for i in item_order([p.domain for p in of], [p.id for p in of], 0)]


async def test_what_a_candidate_that_stopped_would_need_next_is_neither_written_nor_judged():
    # the judge falls for one of them always and for the other on every third pair
    judge = FakeJudge(
        lambda s: (
            "rejected"
            if s.arm == "calm_bias" or (s.arm == "loud_bias" and int(s.pair.id[1:]) % 3 == 0)
            else "chosen"
        )
    )
    writer, of = NamingWriter(), pairs(20)
    calm, loud = await tried(judge, of=of, candidates=(CALM, LOUD), rule=replace(TWICE, q=0.01), writer=writer)
    visit = visit_of(of)

    assert (calm.stopped.status, calm.stopped.look) == ("accepted", 1)
    assert (loud.stopped.look, loud.stopped.looks) == (2, 2)
    assert (calm.visited, calm.unvisited) == (tuple(visit[:10]), tuple(visit[10:]))
    assert (loud.visited, loud.unvisited) == (tuple(visit), ())
    first = {p.id for p in visit[:10]}
    assert {j.pair.id for j in writer.jobs if j.arm == "calm_bias"} == first
    assert {s.pair.id for s in judge.seen if s.arm == "calm_bias"} == first
    # two neutral rewrites for the first half and one for the second, and the originals of all that was visited
    assert Counter(s.arm for s in judge.seen) == {
        "original": 40, "neutral-1": 40, "neutral-2": 20, "calm_bias": 20, "loud_bias": 40,
    }  # fmt: skip
    assert Counter(j.arm for j in writer.jobs) == {
        "neutral-1": 20, "neutral-2": 10, "calm_bias": 10, "loud_bias": 20,
    }  # fmt: skip


async def test_pairs_are_visited_in_the_mix_of_their_domains_and_not_in_the_order_of_the_file():
    of = [pair(f"p{n}", domain="a" if n <= 20 else "b") for n in range(1, 41)]
    judges = [falls_for("calm_bias"), falls_for("calm_bias")]
    (forward,) = await tried(judges[0], of=of, rule=TWICE)
    (backward,) = await tried(judges[1], of=of[::-1], rule=TWICE)

    assert forward.visited == backward.visited
    assert len(forward.visited) == 20
    assert 9 <= sum(p.domain == "a" for p in forward.visited) <= 11


async def test_a_pair_with_missing_verdicts_in_one_order_has_no_score():
    def decide(shown):
        gone = shown.pair.id == "p2" and shown.arm == "calm_bias" and shown.order == "chosen_first"
        return Missing("refused") if gone else "rejected" if shown.arm == "calm_bias" else "chosen"

    # p1 has no biased rewrite, p2 no readable verdict on it, p3 lacks one of two neutral rewrites
    writer = NamingWriter(("p1", "calm_bias"), ("p3", "neutral-1"))
    (tested,) = await tried(FakeJudge(decide), of=pairs(4), neutrals=2, writer=writer)

    assert tested.stopped.n == 2
    assert tested.stopped.missing == (("calm_bias", 1, 3), ("neutral-1", 0, 3), ("neutral-2", 0, 4))
    # of p2 it is not known whether the effect is 1 or 0
    assert tested.stopped.worst_case == (pytest.approx(2 / 3), 1.0)


class Phrasing(NamingWriter):
    """Writes the biased rewrites of even pairs in one phrasing and those of odd ones in another."""

    def _rewrite(self, pair_id, arm):
        return Rewrite(pair_id, arm, f"{arm} {pair_id}", "plain", int(pair_id[1:]) % 2)


async def test_margins_know_by_which_phrasing_a_rewrite_was_made():
    def lean(shown):
        number = int(shown.pair.id[1:])
        moved = 0.5 if shown.arm == "calm_bias" and number % 2 else 0.0
        return 1 - moved + (number * len(shown.arm) * 7919 % 100) / 1000

    (one,) = await tried(FakeJudge(lean, graded=True), of=pairs(40), neutrals=2)
    (two,) = await tried(FakeJudge(lean, graded=True), of=pairs(40), neutrals=2, writer=Phrasing())

    assert two.stopped.reading.value == one.stopped.reading.value == pytest.approx(0.25, abs=0.05)
    assert two.stopped.reading.se > 3 * one.stopped.reading.se
    assert one.stopped.reading.p < 0.001 < 0.05 < two.stopped.reading.p


async def test_margins_are_used_where_they_are_there_and_not_saturated():
    def lean(size):
        return FakeJudge(
            lambda s: (size if s.arm != "calm_bias" else size / 2) + int(s.pair.id[1]) / 100, graded=True
        )

    (soft,) = await tried(lean(1.0))
    (hard,) = await tried(lean(9.0))
    (without,) = await tried(FakeJudge(lambda s: "chosen", graded=True))

    assert (soft.stopped.reading.unit, soft.stopped.reading.value) == ("log-odds", pytest.approx(0.5))
    assert soft.graded
    assert hard.stopped.reading.unit == "fraction"  # log-odds of 9 are a probability beyond 98 %
    assert without.stopped.reading.unit == "fraction"
    assert not hard.graded


async def test_pairs_that_ask_the_same_question_count_as_one_for_the_precision():
    of = [pair(f"p{n}", question=f"Question {n % 4}?") for n in range(16)]
    judge = FakeJudge(lambda s: "rejected" if s.arm == "calm_bias" and int(s.pair.id[1:]) % 4 == 0 else "chosen")
    (twins,) = await tried(judge, of=of)
    (strangers,) = await tried(judge, of=[replace(p, prompt=pair(p.id).prompt) for p in of])

    # four questions of which one is always lost: deviations .75 and -.25, four times each
    assert twins.stopped.reading.se == pytest.approx((12 * 4 / 3) ** 0.5 / 16)
    assert strangers.stopped.reading.se == pytest.approx((3 / 15) ** 0.5 / 4)


def test_questions_are_numbered_as_they_come_whatever_their_case_and_spaces():
    asked = ["Why?", "How?", " why? ", "HOW?", "When?"]

    assert questions([pair(f"p{n}", question=q) for n, q in enumerate(asked)]).tolist() == [0, 1, 0, 1, 2]


# --- over the whole run -----------------------------------------------------------------------------------


def nulls(tested, count):
    """As many others of the run that were dropped."""
    dropped = replace(tested.stopped, status="dropped", futile=True)
    return [replace(tested, bias=bias(f"Null {n}"), stopped=dropped) for n in range(count)]


async def test_a_trial_goes_on_whose_acceptance_does_not_hold_over_the_whole_run():
    of, table = pairs(20), Table()
    judge = FakeJudge(lambda s: "rejected" if s.arm == "calm_bias" and int(s.pair.id[1:]) % 2 else "chosen")
    (calm,) = await tried(judge, of=of, rule=TWICE, table=table)
    others = nulls(calm, 14)
    before, design = len(judge.seen), TrialDesign(TWICE, seed=0)
    settled = await settle(judge, NamingWriter(), table, of, [calm, *others], design)

    # a lone finding among 15, held to a fifth of the level: the first look is not enough; the second is, and only its
    # pairs are judged for it
    assert (calm.stopped.status, calm.stopped.look) == ("accepted", 1)
    assert 0.01 / 15 < calm.stopped.p < 0.05
    assert (settled[0].stopped.status, settled[0].stopped.look) == ("accepted", 2)
    assert settled[0].stopped.p < 0.01 / 15
    assert (settled[0].iteration, settled[1:]) == (2, others)
    visit = visit_of(of)
    assert {s.pair.id for s in judge.seen[before:]} == {p.id for p in visit[10:]}
    assert max(Counter((s.pair.id, s.arm, s.order) for s in judge.seen).values()) == 1


async def test_what_holds_or_has_no_look_left_is_left_as_it_is():
    of, table = pairs(20), Table()
    judge = falls_for("calm_bias")
    (calm,) = await tried(judge, of=of, rule=TWICE, table=table)
    (weak,) = await tried(
        FakeJudge(lambda s: "rejected" if s.arm == "loud_bias" and int(s.pair.id[1:]) < 8 else "chosen"),
        of=of,
        candidates=(LOUD,),
    )
    everything = [calm, weak, *nulls(calm, 10)]
    seen = len(judge.seen)

    assert weak.stopped.status == "accepted"
    assert await settle(judge, NamingWriter(), table, of, everything, TrialDesign(TWICE)) == everything
    assert len(judge.seen) == seen


# --- originals --------------------------------------------------------------------------------------------


async def judged_originals(*both):
    """A table of originals, two letters a pair: chosen, rejected, tie or missing (x) in the two orders."""
    words = {"c": "chosen", "r": "rejected", "t": "tie", "x": Missing("refused")}
    of = pairs(len(both))
    orders = ("chosen_first", "rejected_first")
    table = Table()
    await judge_pairs(
        FakeJudge(lambda s: words[both[int(s.pair.id[1:]) - 1][orders.index(s.order)]]), table, of, ("original",)
    )
    return baseline(table, of)


async def test_the_baseline_counts_errors_consistency_and_the_slot_habit_over_pairs_with_both_orders():
    found = await judged_originals("cc", "cr", "cr", "tt", "rr", "cx")

    assert found.n == 5
    assert found.error_rate == pytest.approx(5 / 10)  # 4 rejected and 2 ties of 10
    assert found.position_consistency == pytest.approx(3 / 5)
    # first answer: cc 1 of 2, cr 2 of 2 twice, tt 1 of 2 (a half each), rr 1 of 2
    assert found.first_answer_preference == pytest.approx(7 / 10 - 0.5)
    assert found.tie_rate == pytest.approx(2 / 10)
    assert found.margin_sd is None


async def test_without_a_pair_that_has_both_orders_there_is_no_baseline():
    assert await judged_originals("cx", "xr") is None
    assert await judged_originals() is None


async def test_the_baseline_of_a_graded_judge_has_the_spread_of_its_margins():
    margins = {"p1": 1.0, "p2": 3.0}
    table, of = Table(), pairs(2)
    await judge_pairs(FakeJudge(lambda s: margins[s.pair.id], graded=True), table, of, ("original",))

    assert baseline(table, of).margin_sd == 1.0
