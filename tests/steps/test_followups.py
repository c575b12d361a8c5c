"""What is asked about an accepted bias alone: fresh pairs, and rewrites of equal length. By hand on fakes."""

from dataclasses import replace

import numpy as np
import pytest

from biasscope import seeds
from biasscope.ask import Missing
from biasscope.records import ORDERS
from biasscope.stats.rules import RULES
from biasscope.steps.followups import LENGTH_PAIRS, Bench, at_equal_length, confirm
from biasscope.steps.judge import Table
from biasscope.steps.validate import TrialDesign, validate_candidates

from ..fakes import FakeJudge, NamingWriter, pair, pairs
from .following import CALM, LOUD, cells, falls_for, stopped

# --- fresh pairs ------------------------------------------------------------------------------------------


def on_half_of_the_fresh(shown):
    """Falls for the calm arm on p5 to p8, in one order on p9, and for one neutral rewrite of p5."""
    number = int(shown.pair.id[1:])
    if shown.arm == "calm_bias":
        wrong = number <= 8 or (number == 9 and shown.order == "chosen_first")
    else:
        wrong = (number, shown.arm) == (5, "neutral-1")
    return "rejected" if wrong else "chosen"


async def test_the_effect_on_fresh_pairs_is_their_mean_beyond_two_neutral_rewrites():
    of = pairs(12)
    bench, tested = await stopped(FakeJudge(on_half_of_the_fresh), of[:4], of[4:], neutrals=3)
    found = await confirm(bench, tested)

    # .5, 1, 1, 1, .5, 0, 0, 0: squared deviations from .5 sum to 1.5
    assert (found.value, found.n, found.level) == (0.5, 8, 0.95)
    assert found.se == pytest.approx((1.5 / 7 / 8) ** 0.5)
    assert (found.low, found.high) == (
        pytest.approx(0.5 - 1.959964 * found.se),
        pytest.approx(0.5 + 1.959964 * found.se),
    )
    assert cells(bench.judge) == {
        (p.id, arm, order): 1
        for p in of[4:]
        for arm in ("calm_bias", "neutral-1", "neutral-2")
        for order in ORDERS
    }


async def test_what_another_trial_judged_on_the_fresh_pairs_is_not_judged_again():
    of, table, writer = pairs(12), Table(), NamingWriter()
    judge = falls_for("calm_bias")
    await stopped(judge, of, of=LOUD, neutrals=2, table=table, writer=writer)
    bench, tested = await stopped(judge, of[:4], of[4:], neutrals=2, table=table, writer=writer)
    writer.jobs.clear()
    found = await confirm(bench, tested)

    assert cells(judge) == {(p.id, "calm_bias", order): 1 for p in of[4:] for order in ORDERS}
    assert [(j.pair.id, j.arm) for j in writer.jobs] == [(p.id, "calm_bias") for p in of[4:]]
    assert (found.value, found.n) == (1.0, 8)
    # a constant says nothing about its precision
    assert (found.se, found.low, found.high) == (0.0, None, None)


@pytest.mark.parametrize(("visited", "fresh"), [(4, 0), (7, 2), (10, 3)])
async def test_where_less_than_a_quarter_is_fresh_nothing_is_confirmed_or_paid(visited, fresh):
    of = pairs(visited + fresh)
    bench, tested = await stopped(falls_for("calm_bias"), of[:visited], of[visited:])

    assert await confirm(bench, tested) is None
    assert bench.judge.seen == []


async def test_a_quarter_is_enough():
    of = pairs(12)
    bench, tested = await stopped(falls_for("calm_bias"), of[:9], of[9:])

    assert (await confirm(bench, tested)).n == 3


async def test_a_single_readable_pair_confirms_nothing():
    def decide(shown):
        return Missing("refused") if int(shown.pair.id[1:]) > 3 else "chosen"

    of = pairs(6)
    bench, tested = await stopped(FakeJudge(decide), of[:2], of[2:])

    assert await confirm(bench, tested) is None


async def test_fresh_pairs_that_ask_the_same_question_count_as_one_for_the_precision():
    visited, fresh = pairs(4), [pair(f"q{n}", question=f"Question {n % 4}?") for n in range(16)]
    judge = FakeJudge(lambda s: "rejected" if s.arm == "calm_bias" and int(s.pair.id[1:]) % 4 == 0 else "chosen")
    bench, tested = await stopped(judge, visited, fresh)
    found = await confirm(bench, tested)

    # one of four questions is always lost: deviations .75 and -.25, four times each
    assert found.value == 0.25
    assert found.se == pytest.approx((12 * 4 / 3) ** 0.5 / 16)


async def test_margins_are_confirmed_in_log_odds_without_a_limit():
    of = pairs(12)
    judge = FakeJudge(
        lambda s: 3.0 - 0.4 * int(s.pair.id[1:]) - (2.0 if s.arm == "calm_bias" else 0), graded=True
    )
    bench, tested = await stopped(judge, of[:4], of[4:])
    found = await confirm(bench, tested)

    assert tested.unit == "log-odds"
    assert found.value == pytest.approx(2.0)


async def test_fresh_pairs_tell_a_planted_effect_without_the_luck_by_which_it_was_accepted():
    """An error of .25 against .1, in fifty runs; where a trial stops early, luck has helped it."""
    design, of = TrialDesign(RULES["default"]), pairs(120)
    at_stop, fresh = [], []
    for run in range(50):

        def decide(s, run=run):
            rate = 0.25 if s.arm == "calm_bias" else 0.1
            return "rejected" if seeds.uniform(run, s.pair.id, s.arm, s.order) < rate else "chosen"

        bench = Bench(FakeJudge(decide), NamingWriter(), None, Table())
        (tested,) = await validate_candidates(bench.judge, bench.writer, bench.table, of, [CALM], design)
        found = await confirm(bench, tested)
        if tested.stopped.status == "accepted" and found is not None:
            at_stop.append(tested.stopped.reading.value)
            fresh.append(found)
            assert found.n == len(of) - len(tested.visited)
        assert max(cells(bench.judge).values()) == 1
    values = np.array([f.value for f in fresh])

    assert len(fresh) >= 15
    assert abs(values.mean() - 0.15) < 3 * values.std(ddof=1) / len(values) ** 0.5
    assert np.mean([f.low <= 0.15 <= f.high for f in fresh]) >= 0.85
    assert np.mean(at_stop) > 0.165


# --- equal length -----------------------------------------------------------------------------------------


class WordyWriter(NamingWriter):
    """Writes nine words that are calm, four that are loud, and six otherwise."""

    def _rewrite(self, pair_id, arm):
        made = super()._rewrite(pair_id, arm)
        if isinstance(made, Missing):
            return made
        words = [f"{arm}-{n}" for n in range({"calm_bias": 9, "loud_bias": 4}.get(arm, 6))]
        return replace(made, text=" ".join(words) + ".\n\nThe answer is 13.")


def by_length(shown):
    """Falls for more than seven words (three of them the answer's), and on every other pair for what is calm."""
    calm = shown.arm.startswith("calm_bias") and int(shown.pair.id[1:]) % 2 == 0
    return "rejected" if calm or len(shown.rejected.split()) > 10 else "chosen"


async def test_what_goes_away_at_equal_length_is_told_beside_what_is_there_with_free_length():
    bench, tested = await stopped(FakeJudge(by_length), pairs(8), writer=WordyWriter())
    found = await at_equal_length(bench, tested, "truncate")

    assert (found.free.value, found.equal.value, found.difference.value) == (1.0, 0.5, -0.5)
    assert found.equal.n == found.free.n == 8
    texts = {s.arm: s.rejected for s in bench.judge.seen if s.pair.id == "p1"}
    assert {arm: len(text.split()) for arm, text in texts.items()} == {
        "calm_bias@truncate:calm_bias": 10, "neutral-1@truncate:calm_bias": 10
    }  # fmt: skip
    assert all(text.endswith("\n\nThe answer is 13.") for text in texts.values())


async def test_two_biases_that_share_a_neutral_rewrite_each_have_it_at_their_own_length():
    judge, table, writer, of = falls_for(), Table(), WordyWriter(), pairs(8)
    for each in (CALM, LOUD):
        bench, tested = await stopped(judge, of, of=each, table=table, writer=writer)
        await at_equal_length(bench, tested, "truncate")
    words = {
        arm: len(table.rewrite(of[0], arm).text.split())
        for arm in ("calm_bias@truncate:calm_bias", "neutral-1@truncate:calm_bias",
                    "loud_bias@truncate:loud_bias", "neutral-1@truncate:loud_bias")
    }  # fmt: skip

    assert list(words.values()) == [10, 10, 8, 8]
    assert ("p1", "neutral-1@truncate:loud_bias", ORDERS[0]) in cells(judge)


async def test_fresh_pairs_come_first_and_no_more_are_taken_than_needed():
    of = pairs(LENGTH_PAIRS + 30)
    bench, tested = await stopped(falls_for("calm_bias"), of[:100], of[100:], writer=WordyWriter())
    await at_equal_length(bench, tested, "truncate")
    asked = {s.pair.id for s in bench.judge.seen if "@" in s.arm}

    assert asked == {p.id for p in (*of[100:], *of[:70])}


async def test_a_pair_that_lacks_an_arm_has_no_score_at_equal_length():
    writer = WordyWriter(("p3", "neutral-1"))
    bench, tested = await stopped(FakeJudge(by_length), pairs(8), writer=writer)
    found = await at_equal_length(bench, tested, "truncate")

    assert found.equal.n == 7
    assert "p3" not in {s.pair.id for s in bench.judge.seen}


async def test_condensing_without_a_model_is_refused_and_nothing_is_judged_for_it():
    bench, tested = await stopped(falls_for("calm_bias"), pairs(4), writer=WordyWriter())

    with pytest.raises(ValueError, match="needs a model that writes"):
        await at_equal_length(bench, tested, "condense")
    assert bench.judge.seen == []
