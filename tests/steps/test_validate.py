"""Trying candidates on pairs: which scores reach the statistics, and what is read beside them."""

import pytest

from biasscope.ask import Missing
from biasscope.catalogue.seed import seed_library
from biasscope.records import Rewrite
from biasscope.steps.judge import Table, judge_pairs
from biasscope.steps.validate import Shown, TrialDesign, arm_scores, baseline, check_traits, validate_candidates

from ..fakes import FakeAsker, FakeJudge, NamingWriter, bias, pairs

CALM = bias()
LOUD = bias("Loud bias")


def falls_for(*arms, wrong=()):
    """A judge that picks the rejected response in these arms, and on the pairs `wrong` in every arm."""
    return FakeJudge(lambda s: "rejected" if s.arm in arms or s.pair.id in wrong else "chosen")


async def tried(judge, *, of=None, candidates=(CALM,), writer=None, neutrals=1, table=None):
    return await validate_candidates(
        judge,
        writer or NamingWriter(),
        Table() if table is None else table,
        pairs(8) if of is None else of,
        candidates,
        TrialDesign(neutrals=neutrals, min_effect=0.05, q=0.05, seed=0),
        iteration=2,
    )


async def test_a_candidate_is_measured_against_the_neutral_rewrite_of_the_same_pairs():
    (tested,) = await tried(falls_for("calm_bias", wrong=("p8",)))

    # 7 of 8 items differ, each by 1; the test is McNemar's: 2 to the power of -7
    assert tested.measured.effect.value == 7 / 8
    assert tested.measured.effect.se == pytest.approx(0.125)
    assert tested.measured.p == pytest.approx(2**-7)
    assert (tested.measured.found.candidate, tested.measured.found.neutral) == (1.0, 0.125)
    assert (tested.error_biased, tested.error_original) == (1.0, 0.125)
    assert (tested.measured.flips.harm, tested.measured.flips.rescue) == (0.875, 0.0)
    assert (tested.bias, tested.iteration, tested.missing) == (CALM, 2, ())


async def test_a_single_pair_can_show_nothing():
    (tested,) = await tried(falls_for("calm_bias"), of=pairs(1))

    assert tested.measured.p == 0.5
    assert not tested.measured.signal
    assert tested.measured.effect.low is None


async def test_when_every_verdict_is_missing_nothing_is_measured_and_all_is_counted():
    (tested,) = await tried(FakeJudge(lambda s: Missing("refused")), of=pairs(3))

    assert (tested.measured.effect, tested.measured.p, tested.measured.signal) == (None, 1.0, False)
    assert (tested.error_biased, tested.error_original) == (None, None)
    assert tested.missing == (("calm_bias", "verdict: refused", 6), ("neutral-1", "verdict: refused", 6))


async def test_when_no_rewrite_could_be_made_nothing_is_measured():
    unable = [(f"p{n}", "calm_bias") for n in (1, 2, 3)]
    (tested,) = await tried(falls_for("calm_bias"), of=pairs(3), writer=NamingWriter(*unable))

    assert tested.measured.effect is None
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


async def test_the_errors_are_of_pairs_that_have_both():
    def decide(shown):
        if (shown.pair.id, shown.arm) == ("p1", "original"):
            return Missing("refused")
        return "rejected" if shown.pair.id in ("p1", "p2") else "chosen"

    (tested,) = await tried(FakeJudge(decide), of=pairs(4), writer=NamingWriter(("p4", "calm_bias")))

    assert (tested.error_biased, tested.error_original) == (0.5, 0.5)  # p2 and p3


async def test_no_candidate_is_nothing_tried_and_no_pair_is_an_error():
    assert await tried(falls_for(), candidates=()) == []
    with pytest.raises(ValueError, match="at least one pair"):
        await tried(falls_for(), of=[])


async def test_margins_are_used_where_they_are_there_and_not_saturated():
    def lean(size):
        return FakeJudge(
            lambda s: (size if s.arm != "calm_bias" else size / 2) + int(s.pair.id[1]) / 100, graded=True
        )

    (soft,) = await tried(lean(1.0))
    (hard,) = await tried(lean(9.0))
    (without,) = await tried(FakeJudge(lambda s: "chosen", graded=True))

    assert (soft.measured.unit, soft.measured.effect.value) == ("log-odds", pytest.approx(0.5))
    assert hard.measured.unit == "fraction"  # log-odds of 9 are a probability beyond 98 %
    assert without.measured.unit == "fraction"


async def test_scores_are_of_items_with_the_biased_rewrite_and_unread_ones_are_told_from_unwritten_ones():
    def decide(shown):
        gone = shown.pair.id == "p2" and shown.arm == "calm_bias" and shown.order == "chosen_first"
        return Missing("refused") if gone else "rejected" if shown.arm == "calm_bias" else "chosen"

    table, of = Table(), pairs(4)
    for p in of:
        for arm in ("calm_bias", "neutral-1", "neutral-2", "neutral-loud-1"):
            table.rewrites[p.id, arm] = Rewrite(p.id, arm, "text", "plain", int(p.id[1]))
    table.rewrites["p1", "calm_bias"] = table.rewrites["p3", "neutral-1"] = Missing("unchanged")
    await judge_pairs(FakeJudge(decide), table, of, ("calm_bias", "neutral-1", "neutral-2", "neutral-loud-1"))
    scores = arm_scores(
        table,
        of,
        "calm_bias",
        ["neutral-1", "neutral-2"],
        ["neutral-1", "neutral-2", "neutral-loud-1"],
        graded=False,
    )

    assert scores.candidate == (None, 1.0, 1.0)  # p2, p3 and p4
    assert scores.neutrals == ((0.0, None, 0.0), (0.0, 0.0, 0.0))
    assert scores.controls == ((0.0, 0.0, 0.0),)
    assert scores.phrasings == (2, 3, 4)
    assert scores.missing == ((1, 3), (0, 2), (0, 3))
    assert scores.unread == ((True, False, False), (False, False, False), (False, False, False))
    assert scores.strata[0] == (None, 1.0, 1.0, 1.0, 1.0, 1.0)
    assert scores.strata[1] == (0.0, 0.0, None, None, 0.0, 0.0)


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


def test_a_share_is_clearly_off_when_its_whole_interval_is():
    # Wilson's interval of 30 in 48 is .484 to .748, of 18 in 48 .252 to .516
    assert Shown(30, 48).clearly_below(0.8)
    assert not Shown(36, 48).clearly_below(0.8)
    assert Shown(18, 48).clearly_above(0.2)
    assert not Shown(12, 48).clearly_above(0.2)
    assert Shown(3, 4).share == 0.75


def test_where_nothing_was_read_nothing_is_off():
    assert Shown(0, 0).share is None
    assert not Shown(0, 0).clearly_below(0.8)
    assert not Shown(0, 0).clearly_above(0.2)


def written(of, **texts):
    table = Table()
    for p in of:
        for arm, text in texts.items():
            table.rewrites[p.id, arm.replace("__", "-")] = Rewrite(p.id, arm, f"{text} {p.id}", "plain", 0)
    return table


async def test_a_trait_with_a_detector_is_found_without_a_model():
    authority, of = seed_library().get("authority"), pairs(3)
    table = written(of, authority="Experts agree on this.", neutral__1="This is a line.")
    table.rewrites["p3", "authority"] = Missing("refused")

    assert await check_traits(None, table, of, authority, "neutral-1") == (Shown(2, 2, 2), Shown(0, 3, 3))


async def test_without_a_detector_a_model_reads_and_what_it_does_not_say_is_not_counted():
    def say(ask, attempt):
        return "Hard to say." if "p1" in ask.text else "Verdict: yes" if "calm" in ask.text else "Verdict: no"

    of = pairs(3)
    table = written(of, calm_bias="calm words", neutral__1="plain words")

    assert await check_traits(FakeAsker(say), table, of, CALM, "neutral-1") == (Shown(2, 2, 3), Shown(0, 2, 3))
    assert await check_traits(None, table, of, CALM, "neutral-1") == (Shown(0, 0, 3), Shown(0, 0, 3))


async def test_a_model_reads_the_same_sample_of_pairs_whatever_their_order():
    of = pairs(100)
    table = written(of, calm_bias="calm", neutral__1="plain")
    readers = [FakeAsker(lambda ask, attempt: "Verdict: yes") for _ in range(2)]
    for reader, order in zip(readers, (of, of[::-1]), strict=True):
        assert await check_traits(reader, table, order, CALM, "neutral-1") == (
            Shown(48, 48, 48),
            Shown(48, 48, 48),
        )
    texts = [[a.text for a in reader.asked] for reader in readers]

    assert texts[0] == texts[1]
    drawn = {int(text.split("p")[-1]) for text in texts[0]}
    assert drawn != set(range(1, 49))
