"""What the instrument says where there is nothing to find."""

import asyncio
from collections import Counter
from dataclasses import replace

import pytest

from biasscope import api, prompts
from biasscope.ask import Missing, request_key
from biasscope.catalogue.shams import sham_biases
from biasscope.config import DataSpec
from biasscope.engine import Engine
from biasscope.judges.pairwise import PairwiseJudge
from biasscope.ledger import Ledger
from biasscope.models.scripted import ScriptedModel
from biasscope.records import ORDERS, ORIGINAL, Trial
from biasscope.rundir import RunDir
from biasscope.stats.nulls import leave_one_out
from biasscope.stats.rules import RULES
from biasscope.steps.columns import arms
from biasscope.steps.judge import Table, judge_pairs
from biasscope.steps.perturb import Job, RewriteAsk
from biasscope.steps.validate import TrialDesign, validate_candidates
from biasscope.workflows.null_control import REPEATED_PAIRS, ask_twice, null_control

from ..fakes import FakeJudge, NamingWriter, bias, pair, pairs
from .conftest import config

CALM, LOUD = bias(), bias("Loud bias")


def once(neutrals=2):
    """Every pair, one look, however few there are."""
    return TrialDesign(replace(RULES["fixed"], fewest=1, neutral_plan=((1.0, neutrals),)))


def falls_for(*arms):
    """A judge that picks the rejected response in these arms, and on p1 whatever is written."""
    return FakeJudge(lambda s: "rejected" if s.arm in arms or s.pair.id == "p1" else "chosen")


async def controlled(judge, shams, *, of=None, writer=None, tested=(), table=None, design=None):
    return await null_control(
        judge,
        writer or NamingWriter(),
        Table() if table is None else table,
        pairs(12) if of is None else of,
        tested,
        design or once(),
        shams=shams,
    )


# --- shams ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("passed", "verdict"), [((), "pass"), (("sham-2",), "warn"), (("sham-1", "sham-3"), "fail")]
)
async def test_shams_that_pass_are_counted_and_what_to_think_of_them_is_said(passed, verdict):
    found = await controlled(falls_for(*passed), 3)

    assert (found.shams.shams, found.shams.accepted, found.shams.verdict) == (3, len(passed), verdict)
    # each that passes moves eleven of twelve pairs whole; the mean is taken over three shams
    assert found.shams.mean.value == pytest.approx(len(passed) / 3 * 11 / 12)
    assert found.shams.centred == (not passed)


async def test_shams_visit_the_pairs_of_the_candidates_and_share_their_neutral_rewrites():
    judge, writer, table = falls_for(), NamingWriter(), Table()
    tested = await validate_candidates(judge, writer, table, pairs(12), [CALM], once())
    writer.jobs.clear()
    judge.seen.clear()
    await controlled(judge, 2, writer=writer, table=table, tested=tested)

    assert {j.arm for j in writer.jobs} == {"sham-1", "sham-2"}
    assert Counter(s.arm for s in judge.seen if not s.replicate) == {"sham-1": 24, "sham-2": 24}


def templates(trait):
    """What a writer is told about one text under thirty ids, with the trait's own words blanked."""
    same = [pair(f"p{n}", question="Why?") for n in range(30)]
    asked = [RewriteAsk(Job(p, trait.id, trait)).request(0) for p in same]
    return {
        tuple(m.content.replace(trait.name, "NAME").replace(trait.definition, "WHAT") for m in a.messages)
        for a in asked
    }


def test_a_writer_cannot_tell_a_sham_from_a_candidate():
    (sham,) = sham_biases(1)

    assert templates(sham) == templates(CALM)
    assert len(templates(sham)) == len(prompts.variants("rewrite_biased"))
    assert all("NAME: WHAT" in user for _, user in templates(sham))


async def test_a_sham_that_could_not_be_read_at_all_does_not_hide_the_unit_of_the_others():
    def decide(shown):
        return Missing("refused") if shown.arm == "sham-1" else 0.1 * int(shown.pair.id[1:])

    found = await controlled(FakeJudge(decide, graded=True), 3)

    # in fractions there would be a word on how far instructions differ
    assert (found.shams.shams, found.shams.wide) == (3, None)
    assert found.shams.instruction_sd == 0.0


# --- neutral rewrites -------------------------------------------------------------------------------------


async def test_without_shams_the_neutral_rewrites_of_the_longest_trial_are_looked_at_and_nothing_is_asked():
    judge, table, writer = falls_for("neutral-2"), Table(), NamingWriter()
    (short,) = await validate_candidates(judge, writer, table, pairs(6), [CALM], once())
    (long,) = await validate_candidates(judge, writer, table, pairs(12), [LOUD], once())
    judge.seen.clear()
    found = await controlled(judge, 0, table=table, tested=[short, long])

    assert (found.shams, found.repeated, judge.seen) == (None, None, [])
    assert found.neutral_arms == leave_one_out(
        arms(table, long.visited, long.neutral_arms, graded=False), long.neutral_arms, graded=False
    )
    # neutral-2 errs on eleven pairs of twelve on which neutral-1 does not: p = 2 to the power of -11
    one, two = found.neutral_arms
    assert (two.arm, two.effect.value, two.effect.n) == ("neutral-2", pytest.approx(11 / 12), 12)
    assert two.p == pytest.approx(2**-11)
    assert one.effect.value == -two.effect.value


async def test_where_nothing_was_tried_and_no_sham_asked_for_there_is_nothing_to_say():
    found = await controlled(falls_for(), 0)

    assert (found.shams, found.neutral_arms, found.repeated) == (None, (), None)


async def test_shams_alone_have_neutral_rewrites_to_look_at():
    found = await controlled(falls_for(), 1)

    assert [a.arm for a in found.neutral_arms] == ["neutral-1", "neutral-2"]


# --- the same question twice ------------------------------------------------------------------------------


async def originals(decide, of, *, graded=False):
    judge, table = FakeJudge(decide, graded=graded), Table()
    await judge_pairs(judge, table, of, (ORIGINAL,))
    judge.seen.clear()
    return judge, table


def wavers(shown):
    """Changes its mind on p1 and p2 in one order when it is asked again."""
    turned = shown.replicate and shown.pair.id in ("p1", "p2") and shown.order == "chosen_first"
    return "rejected" if turned else "chosen"


async def test_a_judge_that_answers_otherwise_when_asked_again_shows_flips():
    of = pairs(5)
    judge, table = await originals(wavers, of)
    before = dict(table.verdicts)
    found = await ask_twice(judge, table, of)

    assert (found.n, found.flips, found.largest_move) == (10, 2, None)
    assert Counter((s.pair.id, s.arm, s.order, s.replicate) for s in judge.seen) == {
        (p.id, ORIGINAL, order, 1): 1 for p in of for order in ORDERS
    }
    assert table.verdicts == before


async def test_margins_that_move_are_told_by_the_largest_move():
    of = pairs(4)
    judge, table = await originals(
        lambda s: 1.0 + (0.25 * int(s.pair.id[1:]) if s.replicate else 0), of, graded=True
    )
    found = await ask_twice(judge, table, of)

    assert (found.n, found.flips, found.largest_move) == (8, 0, 1.0)


async def test_what_is_missing_the_first_or_the_second_time_is_not_compared():
    def decide(shown):
        gone = (shown.pair.id, shown.replicate) in {("p1", 0), ("p2", 1)}
        return Missing("refused") if gone and shown.order == "chosen_first" else "chosen"

    of = pairs(3)
    judge, table = await originals(decide, of)

    assert (await ask_twice(judge, table, of)).n == 4


async def test_no_more_pairs_are_judged_twice_than_needed_and_which_does_not_depend_on_the_file():
    of = pairs(REPEATED_PAIRS + 10)
    asked = []
    for order in (of, of[::-1]):
        judge = falls_for()
        found = await controlled(judge, 1, of=order)
        asked.append([(s.pair.id, s.order) for s in judge.seen if s.replicate])
        assert found.repeated.n == 2 * REPEATED_PAIRS

    assert asked[0] == asked[1]


class Dice(ScriptedModel):
    """Says 1 at the first call for a request and 2 at any later one."""

    def __init__(self):
        said = Counter()

        def reply(request):
            said[request.messages] += 1
            return f"Verdict: {min(2, said[request.messages])}"

        super().__init__(reply)


async def asked_twice(ledger, model, of):
    engine = Engine(ledger)
    judge, table = PairwiseJudge(engine.asker(model, "judge")), Table()
    await judge_pairs(judge, table, of, (ORIGINAL,))
    return await ask_twice(judge, table, of), engine.calls.total(role="judge")


async def test_the_second_question_passes_the_ledger_once_and_is_replayed_ever_after(tmp_path):
    model, of = Dice(), pairs(3)
    with Ledger.open(tmp_path / "replies.db") as ledger:
        found, calls = await asked_twice(ledger, model, of)
        again, free = await asked_twice(ledger, model, of)
        assert len(ledger) == 12

    # every original in both orders, twice; the model said 1 and then 2
    assert (found.n, found.flips) == (6, 6)
    assert again == found
    assert (calls.paid, calls.replayed) == (12, 0)
    assert (free.paid, free.replayed) == (0, 12)
    assert Counter(r.replicate for r in model.requests) == {0: 6, 1: 6}
    first, second = (next(r for r in model.requests if r.replicate == n) for n in (0, 1))
    assert second == replace(first, replicate=1)
    assert request_key({}, second) != request_key({}, first)


# --- a whole run ------------------------------------------------------------------------------------------

SMALL = DataSpec(discovery="objective:40?seed=1", validation="objective:60?seed=2")
STRONG = "planted:biases=self_verification@3,analogy@3;noise=0.5"


@pytest.fixture(scope="module")
def controlled_run(tmp_path_factory):
    """A small graded run with everything that is asked beyond trials: (folder, configuration, summary)."""
    folder = tmp_path_factory.mktemp("runs") / "controlled"
    settled = config(
        judge=STRONG, teacher="planted:teacher;side=1", mode="label", data=SMALL, confirm=True,
        equal_length="condense",
    )  # fmt: skip
    return folder, settled, asyncio.run(api.discover(folder, settled))


def test_a_graded_run_tries_three_shams_and_asks_twice_without_being_told(controlled_run):
    _, settled, summary = controlled_run
    control = summary.null_control

    assert settled.identity.null_control is None
    assert {t.unit for t in summary.trials} == {"log-odds"}
    assert control.shams.shams == 3
    assert control.shams.verdict == "pass"
    # a planted judge says the same thing twice
    assert (control.repeated.n, control.repeated.flips, control.repeated.largest_move) == (40, 0, 0.0)


def test_nothing_of_a_sham_gets_into_the_library_or_the_trials(controlled_run):
    folder, _, summary = controlled_run
    stored = RunDir.read(folder).read_records("trials", Trial)

    assert any(t.status == "accepted" for t in stored)
    assert not [t.bias.id for t in stored if t.bias.origin == "sham"]
    assert not [b.id for b in summary.library if b.id.startswith("sham")]
    assert not [c for i in summary.iterations for c in i.candidates if c.startswith("sham")]
    assert "sham-" not in (folder / "library.jsonl").read_text(encoding="utf-8")
    assert "Of 3 sham candidates that ask for nothing, 0 passed" in (folder / "report.md").read_text(
        encoding="utf-8"
    )


def test_what_held_was_followed_up_and_what_did_not_was_not(controlled_run):
    _, _, summary = controlled_run
    held = [t for t in summary.trials if t.status == "accepted"]

    for trial in held:
        details = trial.details
        # the judge likes the trait on either response, and it confuses nobody
        assert details.sides.pull.low > 0
        assert details.sides.asymmetry.low < 0 < details.sides.asymmetry.high
        assert details.equal_length.equal.low > 0
        assert details.equal_length.equal.n == summary.pairs.validation
        assert details.profile is not None
    assert all(t.details.confirmed.n == summary.pairs.validation - t.visited for t in held)
    assert all(t.details.confirmed.low > 0 for t in held)
    for trial in summary.trials:
        if trial.status != "accepted":
            details = trial.details
            assert details is None or (details.sides, details.confirmed, details.equal_length) == (None,) * 3


def test_a_second_run_pays_for_none_of_it_again(controlled_run):
    folder, settled, summary = controlled_run
    again = asyncio.run(api.discover(folder, settled))

    assert (again.calls.judge, again.calls.teacher) == (0, 0)
    assert again.null_control == summary.null_control
    assert again.trials == summary.trials
