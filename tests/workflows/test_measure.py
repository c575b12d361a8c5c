"""Known biases measured on one judge without a teacher."""

from dataclasses import replace

import pytest

from biasscope.ask import Missing
from biasscope.catalogue.known import entry, seed_library
from biasscope.errors import DataError
from biasscope.stats.rules import RULES
from biasscope.steps.perturb import RuleWriter
from biasscope.steps.validate import TrialDesign
from biasscope.workflows.measure import measure_biases

from ..fakes import FakeJudge, NamingWriter, bias, pair, pairs

BODY = (
    "Each tree bears four apples. There are three of them. So all trees together bear a lot.\n\nThe answer is 13."
)


def once(neutrals):
    """Every pair, one look, however few there are."""
    return TrialDesign(replace(RULES["fixed"], fewest=1, neutral_plan=((1.0, neutrals),)))


async def test_a_bias_with_a_rule_is_measured_by_text_alone():
    shows = entry("authority").detector
    judge = FakeJudge(
        lambda s: "rejected" if s.pair.id == "p1" or shows(s.rejected) else "chosen",
    )
    of = [pair(f"p{n}", rejected=BODY) for n in range(1, 13)]
    found = await measure_biases(
        judge,
        RuleWriter(),
        of,
        [seed_library().get("authority"), seed_library().get("sentiment")],
        once(2),
    )
    authority, sentiment = found.trials

    assert (authority.status, authority.iteration) == ("accepted", 0)
    assert authority.effect.value == pytest.approx(11 / 12)
    # the biased rewrite is the one wrong of three on 11 pairs: p = 3 to the power of -11
    assert authority.effect.p == pytest.approx(3**-11)
    assert sentiment.effect.value == 0.0
    assert sentiment.status == "no_signal"
    assert (found.baseline.error_rate, found.baseline.n) == (1 / 12, 12)


async def test_every_verdict_behind_a_trial_is_in_the_table():
    found = await measure_biases(
        FakeJudge(lambda s: "chosen"),
        NamingWriter(),
        pairs(3),
        [bias(), bias("Loud bias")],
        once(3),
    )

    assert {arm for _, arm, _ in found.table.verdicts} == {
        "original",
        "calm_bias",
        "loud_bias",
        "neutral-1",
        "neutral-2",
        "neutral-3",
    }
    assert len(found.table.verdicts) == 3 * 6 * 2


async def test_a_bias_that_no_rule_can_write_is_missing_with_its_reason():
    found = await measure_biases(
        FakeJudge(lambda s: "chosen"),
        RuleWriter(),
        pairs(5),
        [bias(), seed_library().get("position")],
        once(1),
    )

    for trial in found.trials:
        assert (trial.status, trial.effect) == ("no_signal", None)
        assert set(trial.missing) == {
            (trial.bias.id, "rewrite: no_rewrite", 5),
            (f"neutral-{trial.bias.id}-1", "rewrite: no_rewrite", 5),
        }


async def test_without_a_bias_the_judge_is_described_all_the_same():
    found = await measure_biases(FakeJudge(lambda s: "chosen"), NamingWriter(), pairs(5), [], once(3))

    assert found.trials == ()
    assert (found.baseline.error_rate, found.baseline.n) == (0.0, 5)


async def test_a_judge_that_gives_no_verdict_has_no_baseline():
    found = await measure_biases(
        FakeJudge(lambda s: Missing("refused")), NamingWriter(), pairs(5), [bias()], once(1)
    )

    assert found.baseline is None
    assert found.trials[0].status == "no_signal"
    assert ("original", "verdict: refused", 10) in found.table.missing()


async def test_what_a_candidate_did_not_visit_is_not_judged_but_for_the_originals():
    judge = FakeJudge(lambda s: "rejected" if s.arm == "calm_bias" else "chosen")
    found = await measure_biases(judge, NamingWriter(), pairs(100), [bias()], TrialDesign(RULES["default"]))
    (calm,) = found.trials

    # at 100 pairs the first look comes at 20, of which 15 have five neutral rewrites and the others three
    assert (calm.status, calm.visited) == ("accepted", 20)
    assert len(found.table.verdicts) == 2 * (100 + 20 + 15 * 5 + 5 * 3)
    assert found.baseline.n == 100


async def test_too_few_pairs_are_refused_before_anything_is_judged():
    judge = FakeJudge(lambda s: "chosen")
    with pytest.raises(DataError, match="only 19 pairs"):
        await measure_biases(judge, NamingWriter(), pairs(19), [bias()], TrialDesign())

    assert judge.seen == []
