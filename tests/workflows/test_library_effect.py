"""What accepted biases do together on pairs that selected none of them."""

import pytest

from biasscope import seeds
from biasscope.ask import Missing
from biasscope.steps.judge import Table, judge_pairs
from biasscope.steps.perturb import Job, perturb_pairs
from biasscope.workflows.library_effect import library_effect

from ..fakes import FakeJudge, NamingWriter, bias, pairs

CALM, LOUD = bias(), bias("Loud bias")


async def effect(judge, accepted=(CALM,), *, holdout=None, tried=None, validation=(), writer=None, seed=0):
    found, table = await library_effect(
        judge,
        writer or NamingWriter(),
        pairs(8) if holdout is None else holdout,
        accepted,
        tried or Table(),
        validation,
        seed=seed,
    )
    judge.gaps = table.missing()
    return found


async def test_the_gain_is_beyond_the_neutral_rewrite_of_the_same_pairs():
    wrong = {"original": {"p1"}, "neutral-1": {"p1", "p2"}, "calm_bias": {"p1", "p2", "p3", "p4", "p5"}}
    found = await effect(FakeJudge(lambda s: "rejected" if s.pair.id in wrong[s.arm] else "chosen"))

    assert (found.before, found.neutral, found.after) == (1 / 8, 2 / 8, 5 / 8)
    assert (found.gain.value, found.gain.n, found.gain.unit) == (3 / 8, 8, "fraction")
    # three of eight differences are 1: variance 15/56, over 8 pairs
    assert found.gain.se == pytest.approx((15 / 56 / 8) ** 0.5)
    assert found.gain.high - found.gain.value == pytest.approx(1.959964 * found.gain.se)
    assert found.paper is None


async def test_each_pair_gets_one_bias_drawn_by_seed():
    judge = FakeJudge(lambda s: "chosen")
    await effect(judge, (CALM, LOUD), holdout=pairs(40), seed=3)
    arms = {s.pair.id: s.arm for s in judge.seen if s.arm in ("calm_bias", "loud_bias")}

    assert len(judge.seen) == 40 * 3 * 2
    assert arms == {p.id: ("calm_bias", "loud_bias")[seeds.pick(2, "library-effect", 3, p.id)] for p in pairs(40)}
    assert 10 <= list(arms.values()).count("calm_bias") <= 30


async def test_pairs_without_all_three_arms_are_left_out():
    def decide(shown):
        if (shown.pair.id, shown.arm) == ("p1", "original"):
            return Missing("refused")
        return "rejected" if shown.arm == "calm_bias" else "chosen"

    judge = FakeJudge(decide)
    found = await effect(judge, holdout=pairs(6), writer=NamingWriter(("p2", "calm_bias"), ("p3", "neutral-1")))

    assert found.gain.n == 3
    assert sum(count for _, _, count in judge.gaps) == 4
    assert (found.before, found.neutral, found.after) == (0.0, 0.0, 1.0)
    assert (found.gain.low, found.gain.high) == (None, None)


async def test_without_a_bias_that_holds_nothing_is_asked():
    judge, writer = FakeJudge(lambda s: "chosen"), NamingWriter()

    assert await effect(judge, (), writer=writer) is None
    assert (judge.seen, writer.jobs) == ([], [])


async def test_without_a_pair_held_out_or_a_verdict_there_is_no_effect():
    assert await effect(FakeJudge(lambda s: "chosen"), holdout=[]) is None
    assert await effect(FakeJudge(lambda s: Missing("refused"))) is None


async def test_the_papers_column_is_the_mean_error_over_biases_on_the_pairs_that_selected_them():
    wrong = {"calm_bias": {"p1", "p2", "p3"}, "loud_bias": {"p1"}}
    judge = FakeJudge(lambda s: "rejected" if s.pair.id in wrong.get(s.arm, ()) else "chosen")
    table, validation = Table(), pairs(4)
    await perturb_pairs(
        NamingWriter(("p4", "loud_bias")), table, [Job(p, b.id, b) for p in validation for b in (CALM, LOUD)]
    )
    await judge_pairs(judge, table, validation, ("calm_bias", "loud_bias"))
    found = await effect(judge, (CALM, LOUD), tried=table, validation=validation)

    assert found.paper == pytest.approx((3 / 4 + 1 / 3) / 2)
    assert "inflated by selection" in found.notes[0]
