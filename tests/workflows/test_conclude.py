"""One correction over everything tried, then whether accepted traits show in their texts at all."""

from dataclasses import replace

import pytest

from biasscope.ask import Missing
from biasscope.config import DataSpec, Identity, ModelSpec
from biasscope.records import Verdict
from biasscope.stats.rules import RULES
from biasscope.steps.judge import Table
from biasscope.steps.validate import validate_candidates
from biasscope.workflows.conclude import conclude, decide_trials, design_of

from ..fakes import FakeAsker, FakeJudge, NamingWriter, bias, pairs

CALM, LOUD, PLAIN = bias(), bias("Loud bias"), bias("Plain bias")
FALLS = {"calm_bias": 40, "loud_bias": 8, "plain_bias": 0}
"""On how many of the 40 pairs the judge falls for each of them."""


def decide(shown):
    """Pair p1 is judged wrong in all arms."""
    number = int(shown.pair.id[1:])
    return "rejected" if number == 1 or number <= FALLS.get(shown.arm, 0) else "chosen"


def identity(**changes):
    spec = ModelSpec(spec="planted:fair")
    settings = {"rule": "fixed", "neutrals": 1} | changes
    return Identity(judge=spec, teacher=spec, data=DataSpec(data="x"), **settings)


async def concluded(*candidates, teacher=None, provisional=(), judge=decide, of=None, **changes):
    table, design = Table(), design_of(identity(**changes))
    shown = judge if isinstance(judge, FakeJudge) else FakeJudge(judge)
    found = await validate_candidates(
        shown, NamingWriter(), table, of or pairs(40), candidates, design, iteration=1
    )
    return await conclude(teacher, table, found, set(provisional), design.rule)


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
    assert loud.q == pytest.approx(2 * 2**-7 * 3 / 2)  # few findings are held to half the level
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
    assert (loud.look, loud.looks, loud.visited, loud.min_effect) == (1, 1, 40, 0.05)
    assert loud.details.split.specific.value == pytest.approx(7 / 40)
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


async def test_an_invalid_candidate_stays_in_the_count(monkeypatch):
    monkeypatch.setitem(FALLS, "loud_bias", 11)
    teacher = reader(lambda text: by_name(text) and not text.startswith("calm"))
    calm, loud = await concluded(CALM, LOUD, teacher=teacher)

    assert (calm.status, loud.status) == ("invalid", "accepted")
    assert loud.q == pytest.approx(5 * 2 * 2**-10)  # a lone finding is held to a fifth of the level
    assert loud.effect.level == pytest.approx(1 - 0.05 / 2)


async def test_a_candidate_that_no_longer_holds_after_an_invalid_one_is_not_accepted(monkeypatch):
    # by itself 5 * .0078 is below 5 %, beside one that counts with p = 1 it is not
    monkeypatch.setitem(FALLS, "slight_bias", 8)
    teacher = reader(lambda text: by_name(text) and not text.startswith("calm"))
    slight = bias("Slight bias")
    (alone,) = await concluded(slight, teacher=teacher)
    _, beside = await concluded(CALM, slight, teacher=teacher)

    assert (alone.status, alone.q) == ("accepted", pytest.approx(5 * 2**-7))
    assert (beside.status, beside.q) == ("not_shown", pytest.approx(10 * 2**-7))


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
    for rule in ("default", "paper"):
        assert decide_trials(Table(), [], design_of(identity(rule=rule)).rule) == []


async def test_a_trial_that_stopped_early_says_where():
    always = FakeJudge(lambda s: "rejected" if s.arm == "calm_bias" else "chosen")
    (calm,) = await concluded(CALM, of=pairs(100), rule="default", judge=always)

    # at 100 pairs the first look comes at 20
    assert (calm.status, calm.look, calm.looks, calm.visited) == ("accepted", 1, 6, 20)
    assert calm.effect.n == 20


@pytest.mark.parametrize(("objective", "claim"), [(True, "error"), (False, "pull")])
async def test_an_error_is_claimed_where_every_label_rests_on_a_provable_answer(objective, claim):
    of = [replace(p, objective=objective) for p in pairs(40)]
    (calm,) = await concluded(CALM, of=of)
    (mixed,) = await concluded(CALM, of=[*of[1:], replace(of[0], objective=False)])

    assert calm.claim == claim
    assert mixed.claim == "pull"


class Hesitant(FakeJudge):
    """Margins of two rare labels."""

    mass = 0.4

    def _verdict(self, shown):
        margin = (0.5 if shown.arm == "calm_bias" else 1.0) + int(shown.pair.id[1:]) % 7 * 0.01
        margin += 0.001 * len(shown.rejected)
        return Verdict(shown.pair.id, shown.arm, shown.order, "chosen", margin=margin, label_mass=self.mass)


async def test_margins_of_labels_that_the_judge_hardly_considers_are_marked():
    (rare,) = await concluded(CALM, judge=Hesitant(decide, graded=True), neutrals=2)
    judge = Hesitant(decide, graded=True)
    judge.mass = 0.6
    (usual,) = await concluded(CALM, judge=judge, neutrals=2)

    assert rare.unit == "log-odds"
    assert rare.marks[0] == "little label mass"
    assert "little label mass" not in usual.marks


# --- the design of a run ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(RULES))
def test_a_named_rule_is_taken_as_it_is_with_the_level_and_the_seed_of_the_run(name):
    design = design_of(identity(rule=name, neutrals=None, q=0.1, seed=7))

    assert design.rule == replace(RULES[name], q=0.1)
    assert design.seed == 7


def test_a_number_of_neutral_rewrites_is_a_ceiling_for_plans_and_the_number_of_the_fixed_rule():
    assert design_of(identity(rule="default", neutrals=3)).rule.neutral_plan == ((0.15, 3), (0.34, 3), (1.0, 2))
    assert design_of(identity(rule="default", neutrals=1)).rule.neutrals == 1
    assert design_of(identity(rule="fixed", neutrals=5)).rule.neutral_plan == ((1.0, 5),)


def test_a_smallest_effect_of_interest_that_is_given_wins_over_that_of_the_rule():
    assert design_of(identity(rule="fast", min_effect=0.02)).rule.min_effect == 0.02
    assert design_of(identity(rule="fast")).rule.min_effect == 0.07


def test_the_published_rule_looks_once_and_writes_one_neutral_rewrite():
    rule = design_of(identity(rule="paper", neutrals=None)).rule

    assert (rule.name, rule.looks, rule.neutral_plan, rule.futility) == ("paper", (1.0,), ((1.0, 1),), None)
