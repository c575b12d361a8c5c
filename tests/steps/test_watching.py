"""What can be seen of a trial while it works: where its candidates stand after each look, and nothing else changes."""

from dataclasses import replace

import pytest

from biasscope.ask import Missing
from biasscope.stats.normal import upper_quantile
from biasscope.stats.rules import Rule
from biasscope.steps.judge import Table
from biasscope.steps.validate import TrialDesign, settle, validate_candidates

from ..fakes import FakeJudge, NamingWriter, bias, pairs

CALM, LOUD, STILL = bias(), bias("Loud bias"), bias("Still bias")
TWICE = Rule("twice", (0.5, 1.0), (0.5, 0.5), ((1.0, 1),), fewest=2)


def falls(shown):
    """For the calm bias always, for the loud one on every other pair, for the neutral rewrite on one in eight."""
    number = int(shown.pair.id[1:])
    turned = {"calm_bias": True, "loud_bias": number % 2 == 0, "neutral-1": number % 8 == 0}
    return "rejected" if turned.get(shown.arm, False) else "chosen"


async def watched(judge=None, *, rule=TWICE, candidates=(CALM, LOUD, STILL), count=40, iteration=3):
    seen = []
    tested = await validate_candidates(
        judge or FakeJudge(falls),
        NamingWriter(),
        Table(),
        pairs(count),
        candidates,
        TrialDesign(rule),
        iteration=iteration,
        on_look=seen.append,
    )
    return seen, tested


async def test_a_trial_tells_at_its_start_and_after_each_look():
    seen, _ = await watched()

    assert [(s.look, s.visited, s.next_stop) for s in seen] == [(0, 0, 20), (1, 20, 40), (2, 40, None)]
    assert {(s.iteration, s.looks, s.pairs) for s in seen} == {(3, 2, 40)}
    assert [c.bias for c in seen[0].candidates] == [CALM, LOUD, STILL]


async def test_before_its_first_look_a_candidate_has_no_effect():
    seen, _ = await watched()

    for candidate in seen[0].candidates:
        assert (candidate.look, candidate.visited, candidate.status) == (0, 0, None)
        assert (candidate.effect, candidate.p, candidate.q) == (None, 1.0, 1.0)
    assert len(seen[0].alive) == 3
    assert seen[0].stopped_now == ()


async def test_what_is_told_at_the_end_is_where_each_candidate_stopped():
    seen, tested = await watched()

    for candidate, found in zip(seen[-1].candidates, tested, strict=True):
        stopped = found.stopped
        assert (candidate.bias, candidate.status) == (found.bias, stopped.status)
        assert (candidate.look, candidate.visited, candidate.p) == (stopped.look, stopped.visited, stopped.p)
        assert candidate.effect.value == stopped.reading.value
    assert seen[-1].alive == ()


async def test_a_candidate_that_stopped_keeps_what_it_stopped_with():
    seen, _ = await watched()
    calm = [s.candidates[0] for s in seen]

    assert calm[1].status == "accepted"
    assert seen[1].stopped_now[0].bias == CALM
    assert CALM not in [c.bias for c in seen[1].alive]
    assert calm[2] == calm[1]
    assert CALM not in [c.bias for c in seen[2].stopped_now]


async def test_an_interval_so_far_is_that_of_one_look_by_itself():
    seen, tested = await watched(candidates=(LOUD,), rule=replace(TWICE, q=1e-9, futility=None))
    reading = tested[0].stopped.reading
    reach = upper_quantile(0.025) * reading.se

    effect = seen[-1].candidates[0].effect

    assert (effect.value, effect.se, effect.n, effect.level) == (reading.value, reading.se, 40, 0.95)
    assert (effect.low, effect.high) == pytest.approx((reading.value - reach, reading.value + reach))
    assert effect.p == seen[-1].candidates[0].p == tested[0].stopped.p
    assert tested[0].stopped.p == pytest.approx(min(1.0, reading.p / 0.5))


async def test_where_no_verdict_can_be_read_there_is_nothing_to_tell():
    seen, _ = await watched(FakeJudge(lambda s: Missing("refused")))

    assert {c.effect for s in seen for c in s.candidates} == {None}
    assert {c.status for c in seen[-1].candidates} == {"no_signal"}


async def test_who_watches_changes_nothing():
    _, tested = await watched()
    judge = FakeJudge(falls)
    alone = await validate_candidates(
        judge, NamingWriter(), Table(), pairs(40), (CALM, LOUD, STILL), TrialDesign(TWICE), iteration=3
    )
    again = FakeJudge(falls)
    await watched(again)

    assert repr(alone) == repr(tested)
    assert judge.seen == again.seen


async def test_trials_that_go_on_at_the_end_of_a_run_are_seen_too():
    """One of many that was accepted by itself is not over the whole run, and visits its pairs again."""
    rule = replace(TWICE, futility=None)
    table, design = Table(), TrialDesign(rule)
    judge = FakeJudge(lambda s: "rejected" if s.arm == "calm_bias" and int(s.pair.id[1:]) % 3 == 0 else "chosen")
    tried = []
    for name in (CALM, *(bias(f"Other bias {k}") for k in range(40))):
        tried += await validate_candidates(judge, NamingWriter(), table, pairs(60), [name], design, iteration=1)
    seen = []
    await settle(judge, NamingWriter(), table, pairs(60), tried, design, on_look=seen.append)

    assert tried[0].stopped.status == "accepted"
    assert tried[0].stopped.look == 1
    assert [s.look for s in seen][:3] == [0, 1, 2]
    assert {c.bias for s in seen for c in s.candidates} == {CALM}
