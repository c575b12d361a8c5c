"""One correction over everything tried, then whether accepted traits show in their texts at all."""

import pytest

from biasscope.ask import Missing
from biasscope.config import DataSpec, Identity, ModelSpec
from biasscope.steps.judge import Table
from biasscope.steps.validate import TrialDesign, validate_candidates
from biasscope.workflows.conclude import conclude, decide_trials, trials_of

from ..fakes import FakeAsker, FakeJudge, NamingWriter, bias, pairs

CALM, LOUD, PLAIN = bias(), bias("Loud bias"), bias("Plain bias")
FALLS = {"calm_bias": 40, "loud_bias": 8, "plain_bias": 0}
"""On how many of the 40 pairs the judge falls for each of them."""


def decide(shown):
    """Pair p1 is judged wrong in all arms."""
    number = int(shown.pair.id[1:])
    return "rejected" if number == 1 or number <= FALLS.get(shown.arm, 0) else "chosen"


async def measured(*candidates, judge=decide):
    table, of = Table(), pairs(40)
    found = await validate_candidates(
        FakeJudge(judge), NamingWriter(), table, of, candidates, TrialDesign(neutrals=1), iteration=1
    )
    return table, of, found


def identity(**changes):
    spec = ModelSpec(spec="planted:fair")
    return Identity(judge=spec, teacher=spec, data=DataSpec(data="x"), **changes)


async def concluded(*candidates, teacher=None, provisional=(), judge=decide, **changes):
    table, of, found = await measured(*candidates, judge=judge)
    return await conclude(teacher, table, NamingWriter(), of, found, set(provisional), identity(**changes))


def reader(shows):
    """A teacher that says whether a trait shows by `shows(text)`."""
    return FakeAsker(lambda ask, attempt: f"Verdict: {'yes' if shows(ask.text) else 'no'}")


def by_name(text):
    return not text.startswith("neutral")


async def test_one_correction_runs_over_all_that_were_tried():
    calm, loud, plain = await concluded(CALM, LOUD, PLAIN)

    assert [t.status for t in (calm, loud, plain)] == ["accepted", "accepted", "no_signal"]
    # 7 pairs turned: p = 2 to the power of -7, third of three by size before the one that never moved
    assert loud.effect.p == pytest.approx(2**-7)
    assert loud.q == pytest.approx(2**-7 * 3 / 2)
    assert plain.q == 1.0


async def test_the_interval_of_what_holds_allows_for_having_been_picked():
    calm, loud, _ = await concluded(CALM, LOUD, PLAIN)

    assert calm.effect.level == loud.effect.level == pytest.approx(1 - 0.05 * 2 / 3)


async def test_a_trial_carries_what_was_measured():
    _, loud = await concluded(CALM, LOUD)

    assert loud.effect.value == pytest.approx(7 / 40)
    assert (loud.error_biased, loud.error_original, loud.error_neutral) == (8 / 40, 1 / 40, 1 / 40)
    assert (loud.harm, loud.rescue, loud.noise_floor) == (7 / 40, 0.0, None)
    assert (loud.unit, loud.estimand, loud.iteration) == ("fraction", "pull", 1)
    assert loud.detectable > 0
    assert loud.missing == ()


async def test_a_trait_that_shows_where_it_should_is_confirmed():
    teacher = reader(by_name)
    (calm,) = await concluded(CALM, teacher=teacher)

    assert (calm.status, calm.trait_shown, calm.trait_in_neutral, calm.reason) == ("accepted", 1.0, 0.0, "")
    assert len(teacher.asked) == 80


@pytest.mark.parametrize(
    ("shows", "reason"),
    [
        (lambda text: False, "the trait shows in 0% of its rewrites and 0% of the neutral ones"),
        (lambda text: True, "the trait shows in 100% of its rewrites and 100% of the neutral ones"),
    ],
)
async def test_a_trait_that_does_not_show_or_shows_everywhere_makes_the_comparison_invalid(shows, reason):
    (calm,) = await concluded(CALM, teacher=reader(shows))

    assert (calm.status, calm.reason, calm.q) == ("invalid", reason, 1.0)
    assert calm.effect is not None


async def test_an_invalid_candidate_stays_in_the_count():
    teacher = reader(lambda text: by_name(text) and not text.startswith("calm"))
    calm, loud = await concluded(CALM, LOUD, teacher=teacher)

    assert (calm.status, loud.status) == ("invalid", "accepted")
    assert loud.q == pytest.approx(2 * 2**-7)
    assert loud.effect.level == pytest.approx(1 - 0.05 / 2)


async def test_a_candidate_that_no_longer_holds_after_an_invalid_one_is_not_accepted(monkeypatch):
    # by itself .03125 is below 5 %, beside one that counts with p = 1 it is not
    monkeypatch.setitem(FALLS, "slight_bias", 6)
    teacher = reader(lambda text: by_name(text) and not text.startswith("calm"))
    slight = bias("Slight bias")
    (alone,) = await concluded(slight, teacher=teacher)
    _, beside = await concluded(CALM, slight, teacher=teacher)

    assert (alone.status, alone.q) == ("accepted", pytest.approx(2**-5))
    assert (beside.status, beside.q) == ("not_shown", pytest.approx(2**-4))


async def test_only_accepted_candidates_are_read():
    teacher = reader(by_name)
    await concluded(PLAIN, teacher=teacher)

    assert teacher.asked == []


async def test_what_held_only_inside_its_iteration_is_marked():
    calm, plain = await concluded(CALM, PLAIN, provisional=("calm_bias", "plain_bias"))

    assert (calm.provisional, calm.marks) == (True, ("trait not checked",))
    assert (plain.provisional, plain.marks) == (True, ("provisional only",))


async def test_missing_verdicts_in_one_arm_alone_make_the_comparison_invalid():
    def partly(shown):
        gone = shown.arm == "calm_bias" and int(shown.pair.id[1:]) > 20
        return Missing("refused") if gone else decide(shown)

    (calm,) = await concluded(CALM, judge=partly)

    assert (calm.status, calm.q) == ("invalid", 1.0)
    assert "missing more often" in calm.reason
    assert calm.missing == (("calm_bias", "verdict: refused", 40),)


async def test_a_finding_that_missing_verdicts_could_undo_is_fragile():
    def partly(shown):
        gone = int(shown.pair.id[1:]) > 20  # in both arms alike
        return Missing("refused") if gone else decide(shown)

    (loud,) = await concluded(LOUD, judge=partly)

    assert (loud.status, loud.marks) == ("accepted", ("fragile", "trait not checked"))
    # 7 of 40 if all that is missing speaks against it would be 7 - 20
    assert loud.worst_case == (pytest.approx(-13 / 40), pytest.approx(27 / 40))


async def test_the_published_rule_asks_nothing_but_whether_the_error_is_higher():
    teacher = reader(lambda text: False)
    calm, loud, plain = await concluded(CALM, LOUD, PLAIN, teacher=teacher, rule="paper")

    assert [t.status for t in (calm, loud, plain)] == ["accepted", "accepted", "dropped"]
    assert {t.marks for t in (calm, loud, plain)} == {("rule: paper",)}
    assert teacher.asked == []


async def test_without_a_verdict_no_rule_decides():
    for rule in ("fixed", "paper"):
        (calm,) = await concluded(CALM, judge=lambda s: Missing("refused"), rule=rule)

        assert (calm.status, calm.effect, calm.error_biased) == ("no_signal", None, None)
        assert sum(n for _, _, n in calm.missing) == 160


async def test_nothing_tried_is_nothing_decided():
    assert await concluded() == []
    assert decide_trials([], identity()) == trials_of([], 0.05) == []
