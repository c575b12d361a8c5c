"""The trait on the chosen response as well: pull and asymmetry by hand on fakes."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import expit, logit

from biasscope.records import ORDERS
from biasscope.steps.followups import SIDE_PAIRS, both_sides

from ..fakes import FakeJudge, NamingWriter, pairs
from .following import cells, stopped

LEANS = (-2.0, -0.5, 0.5, 2.0)
"""What makes a judge err on a pair whatever is written: above 0 it does."""


def lean(shown):
    return LEANS[int(shown.pair.id[1:]) % 4]


def likes(shown):
    """Drawn to the trait wherever it stands."""
    trait = {"calm_bias": 1.0, "calm_bias@chosen": -1.0}.get(shown.arm, 0.0)
    return "rejected" if lean(shown) + trait > 0 else "chosen"


def confused(shown):
    """Errs more where the trait is in sight, whoever shows it."""
    trait = 1.0 if shown.arm.startswith("calm_bias") else 0.0
    return "rejected" if lean(shown) + trait > 0 else "chosen"


async def sides_of(decide, count=8, *, graded=False, neutrals=1, of=None):
    of = pairs(count) if of is None else of
    bench, tested = await stopped(
        FakeJudge(decide, graded=graded), of[: len(of) // 2], of[len(of) // 2 :], neutrals=neutrals
    )
    return bench, await both_sides(bench, tested)


async def test_a_judge_that_likes_a_trait_wherever_it_stands_is_pulled_and_not_confused():
    _, found = await sides_of(likes)

    # half of the pairs are lost anyway; one group of four turns to its response with the trait, on either side
    assert (found.scale, found.reason) == ("fraction", "")
    assert (found.on_rejected.value, found.on_chosen.value) == (0.25, -0.25)
    assert (found.pull.value, found.asymmetry.value) == (0.25, 0.0)
    assert (found.pull.n, found.asymmetry.n) == (8, 8)
    # item pulls: (1 - 0) / 2 in one group, (0 - -1) / 2 in another, 0 in two
    assert found.pull.se == pytest.approx((8 * 0.25**2 / 7 / 8) ** 0.5)
    assert found.pull.low > 0 > found.asymmetry.low


async def test_a_judge_that_a_trait_confuses_errs_more_wherever_it_stands_and_is_not_pulled():
    _, found = await sides_of(confused, 40)

    assert (found.on_rejected.value, found.on_chosen.value) == (0.25, 0.25)
    assert (found.pull.value, found.asymmetry.value) == (0.0, 0.5)
    assert found.asymmetry.low > 0


async def test_a_chosen_side_rewrite_stands_in_the_place_of_the_chosen_response():
    bench, _ = await sides_of(likes)
    shown = {(s.pair.id, s.arm, s.order): (s.chosen, s.rejected) for s in bench.judge.seen}

    for order in ORDERS:
        assert shown["p1", "calm_bias@chosen", order] == ("calm_bias@chosen p1", "Wrong text.")
        assert shown["p1", "neutral-1@chosen", order] == ("neutral-1@chosen p1", "Wrong text.")
        assert shown["p8", "calm_bias", order] == ("Right text.", "calm_bias p8")
    assert {j.response for j in bench.writer.jobs if j.side == "chosen"} == {"Right text."}


async def test_the_other_side_is_asked_about_all_pairs_and_nothing_is_judged_twice():
    bench, _ = await sides_of(likes, neutrals=2)
    chosen = {"calm_bias@chosen", "neutral-1@chosen"}

    # the trial judged the first half on the rejected side; its second neutral rewrite is not asked for again
    assert {(i, arm) for i, arm, _ in cells(bench.judge)} == {
        (f"p{n}", arm) for n in range(1, 9) for arm in chosen | ({"calm_bias", "neutral-1"} if n > 4 else set())
    }
    assert max(cells(bench.judge).values()) == 1


async def test_the_other_side_is_measured_on_no_more_pairs_than_it_needs_and_on_unvisited_ones_first():
    bench, found = await sides_of(likes, SIDE_PAIRS + 20)
    half = SIDE_PAIRS // 2 + 10  # visited; the pairs after them were not

    assert found.pull.n == SIDE_PAIRS
    expected = {f"p{n}" for n in (*range(half + 1, 2 * half + 1), *range(1, SIDE_PAIRS - half + 1))}
    assert {p for p, arm, _ in cells(bench.judge) if "@" in arm} == expected


async def test_a_pair_that_lacks_one_side_is_left_out_of_both():
    writer, judge, of = NamingWriter(("p2", "calm_bias@chosen")), FakeJudge(likes), pairs(8)
    bench, tested = await stopped(judge, of, writer=writer)
    found = await both_sides(bench, tested)

    # p2 leans by .5 the wrong way, where the trait on the chosen response would have helped
    assert found.pull.n == 7
    assert found.on_chosen.value == pytest.approx(-1 / 7)
    assert found.on_rejected.value == pytest.approx(2 / 7)


async def test_rare_errors_are_compared_in_log_odds():
    """Of forty pairs 6 are lost anyway, 12 with the trait on the rejected response and 4 with it on the chosen."""

    def decide(shown):
        most = {"calm_bias": 12, "calm_bias@chosen": 4}.get(shown.arm, 6)
        return "rejected" if 2 * ((int(shown.pair.id[1:]) - 1) % 20) < most else "chosen"

    _, found = await sides_of(decide, 40)
    up, down = logit(12 / 40) - logit(6 / 40), logit(4 / 40) - logit(6 / 40)

    assert found.scale == "log-odds"
    assert found.on_rejected.value == pytest.approx(up)
    assert found.on_chosen.value == pytest.approx(down)
    assert found.pull.value == pytest.approx((up - down) / 2)
    assert found.asymmetry.value == pytest.approx(up + down)


async def test_a_judge_that_never_errs_is_told_in_fractions_with_the_reason():
    _, found = await sides_of(lambda s: "rejected" if s.arm == "calm_bias" else "chosen")

    assert (found.scale, found.on_rejected.value, found.pull.value) == ("fraction", 1.0, 0.5)
    assert "always judged alike" in found.reason


async def test_margins_are_told_as_probabilities_that_the_rejected_response_is_preferred():
    def decide(shown):
        return -lean(shown) - {"calm_bias": 1.0, "calm_bias@chosen": -1.0}.get(shown.arm, 0.0)

    _, found = await sides_of(decide, graded=True)
    up = expit(np.array(LEANS) + 1).mean() - expit(LEANS).mean()

    # leans come in opposite pairs, so what is gained on one side is lost on the other
    assert found.scale == "fraction"
    assert found.on_rejected.value == pytest.approx(up)
    assert found.on_chosen.value == pytest.approx(-up)
    assert found.pull.value == pytest.approx(up)
    assert found.asymmetry.value == pytest.approx(0, abs=1e-12)


async def test_without_labels_there_is_a_pull_and_no_talk_of_errors():
    _, found = await sides_of(likes, of=[replace(p, labelled=False) for p in pairs(8)])

    assert (found.scale, found.pull.value, found.asymmetry) == ("fraction", 0.25, None)
