"""After the decision: who is asked further, what about, and which marks come of it."""

from dataclasses import replace

import pytest

from biasscope.catalogue.known import entry
from biasscope.stats.rules import RULES
from biasscope.steps.followups import FRESH_PAIRS, Bench
from biasscope.steps.judge import Table
from biasscope.steps.validate import TrialDesign, validate_candidates
from biasscope.workflows.conclude import decide_trials
from biasscope.workflows.follow_up import follow_up

from ..fakes import FakeJudge, NamingWriter, bias, pairs
from .conftest import config

CALM, LOUD = bias(), bias("Loud bias")
RULE = replace(RULES["fixed"], fewest=1, neutral_plan=((1.0, 2),))
NOTHING = {"both_sides": False}


class Telling(NamingWriter):
    """Writes the same words into every arm, and a sentence more into those of one bias."""

    def __init__(self, bias_id, sentence):
        super().__init__()
        self.bias_id, self.sentence = bias_id, sentence

    def _rewrite(self, pair_id, arm):
        made = super()._rewrite(pair_id, arm)
        told = f" {self.sentence}" if arm == self.bias_id else ""
        return replace(made, text=f"Words of {pair_id}." + told)


async def followed(identity, *, writer=None, candidates=(CALM, LOUD), fresh=0, fooled_up_to=10**6):
    """Twelve pairs on which a judge falls for what is calm, and `fresh` more; trials before and after, and the judge."""

    def decide(shown):
        number = int(shown.pair.id[1:])
        return (
            "rejected" if number == 1 or (shown.arm == candidates[0].id and number <= fooled_up_to) else "chosen"
        )

    judge = FakeJudge(decide)
    bench = Bench(judge, writer or NamingWriter(), None, Table())
    of = pairs(12 + fresh)
    tested = await validate_candidates(judge, bench.writer, bench.table, of[:12], candidates, TrialDesign(RULE))
    tested = [replace(t, unvisited=tuple(of[12:])) for t in tested]
    trials = decide_trials(bench.table, tested, RULE)
    judge.seen.clear()
    after = await follow_up(bench, tested, trials, config(**identity).identity)
    return trials, after, judge


async def test_only_what_holds_is_asked_further_and_decisions_stay():
    before, after, judge = await followed({})

    assert [t.status for t in before] == ["accepted", "no_signal"]
    assert after[1] is before[1]
    assert replace(after[0], details=before[0].details) == before[0]
    assert {s.arm for s in judge.seen} == {"calm_bias@chosen", "neutral-1@chosen"}


async def test_what_is_not_asked_for_is_not_measured_and_costs_nothing():
    (before, _), (after, _), judge = await followed(NOTHING)

    assert judge.seen == []
    assert (after.details.sides, after.details.confirmed, after.details.equal_length) == (None, None, None)
    assert after.details.profile is not None
    assert replace(after.details, profile=None) == before.details


@pytest.mark.parametrize(
    ("asked", "measured"),
    [
        ({"both_sides": True}, "sides"),
        (NOTHING | {"confirm": True}, "confirmed"),
        (NOTHING | {"equal_length": "truncate"}, "equal_length"),
    ],
)
async def test_each_question_is_asked_by_its_own_setting(asked, measured):
    _, (after, _), judge = await followed(asked, fresh=12)

    found = {name for name in ("sides", "confirmed", "equal_length") if getattr(after.details, name) is not None}
    # what stopped early is tried again on fresh pairs anyway, where little was found
    assert found == {measured, "confirmed"}
    assert judge.seen


async def test_the_little_that_was_found_early_is_tried_again_on_some_fresh_pairs():
    _, (after, _), judge = await followed(NOTHING, fresh=FRESH_PAIRS + 50)

    assert after.status == "accepted"
    assert (after.details.confirmed.value, after.details.confirmed.n) == (1.0, FRESH_PAIRS)
    assert {s.pair.id for s in judge.seen} == {f"p{n}" for n in range(13, 13 + FRESH_PAIRS)}


async def test_what_is_not_seen_again_does_not_hold():
    _, (after, _), judge = await followed({}, fresh=12, fooled_up_to=12)

    assert (after.status, after.q) == ("not_shown", pytest.approx(0, abs=0.01))
    assert "not seen again" in after.reason
    assert (after.details.confirmed.value, after.details.confirmed.n) == (0.0, 12)
    assert not any("@" in s.arm for s in judge.seen)


async def test_where_most_pairs_were_visited_there_is_nothing_to_try_again_on():
    _, (after, _), _ = await followed(NOTHING, fresh=3)

    assert (after.status, after.details.confirmed) == ("accepted", None)


async def test_confirmation_is_asked_of_fresh_pairs_alone():
    _, (after, _), judge = await followed(NOTHING | {"confirm": True}, fresh=12)

    assert {s.pair.id for s in judge.seen} == {f"p{n}" for n in range(13, 25)}
    assert (after.details.confirmed.value, after.details.confirmed.n) == (1.0, 12)


async def test_a_finding_that_comes_with_another_trait_is_marked_as_bundled():
    cited = "According to experts at a leading university, this is the accepted way to do it."
    assert entry("authority").detector(cited)
    _, (bundled, _), _ = await followed(NOTHING, writer=Telling("calm_bias", cited))
    _, (plain, _), _ = await followed(NOTHING, writer=Telling("calm_bias", ""))

    assert set(bundled.details.profile.bundled) == {"authority", "length"}
    assert bundled.marks == (*plain.marks, "bundled")
    assert plain.details.profile.bundled == ()


async def test_a_bias_is_not_bundled_with_its_own_trait():
    known = entry("authority").bias
    cited = "According to experts at a leading university, this is the accepted way to do it."
    _, (found, _), _ = await followed(NOTHING, writer=Telling("authority", cited), candidates=(known, LOUD))

    assert found.details.profile.bundled == ("length",)
