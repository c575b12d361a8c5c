"""Judges beside each other, on the same pairs and rewrites."""

from dataclasses import replace

import pytest

from biasscope.stats.rules import RULES
from biasscope.steps.judge import Table
from biasscope.steps.validate import TrialDesign
from biasscope.workflows.compare import compare_judges
from biasscope.workflows.measure import Controls, measure_biases

from ..fakes import FakeJudge, NamingWriter, bias, pairs

DESIGN = TrialDesign(replace(RULES["fixed"], neutral_plan=((1.0, 2),)))
BIASES = [bias("Calm bias"), bias("Loud bias")]


def falls_for(*arms, every=1, slot=False, graded=False):
    """A judge that prefers the worse response in these arms, on every so many-th pair; or one slot."""

    def decide(shown):
        if slot:
            return "chosen" if shown.order == "chosen_first" else "rejected"
        fallen = shown.arm in arms and int(shown.pair.id[1:]) % every == 0
        # some pairs are lost anyway, or no neutral verdict would ever move
        lost = fallen or (int(shown.pair.id[1:]) % 7 == 0 and shown.arm != "neutral-2")
        return (-1.0 if lost else 1.0) if graded else ("rejected" if lost else "chosen")

    return FakeJudge(decide, graded=graded)


async def compared(*judges):
    of, table, writer = pairs(40), Table(), NamingWriter()
    found = [
        await measure_biases(
            j, writer, of, BIASES, DESIGN, table=Table(rewrites=table.rewrites), controls=Controls(shams=0)
        )
        for j in judges
    ]
    # the second judge's rewrites are those of the first
    assert len(writer.jobs) == 40 * 4
    return found, compare_judges(found, of, q=0.05)


async def test_what_holds_on_one_judge_is_looked_for_on_the_other():
    _, found = await compared(falls_for("calm_bias"), falls_for("calm_bias", "loud_bias"))

    assert (found.transfer[0, 1].accepted, found.transfer[0, 1].share) == (1, 1.0)
    assert (found.transfer[1, 0].accepted, found.transfer[1, 0].share) == (2, 0.5)
    assert found.transfer[1, 0].ceiling == pytest.approx(1.0, abs=0.01)
    assert found.similarity[0, 1].value is None
    assert found.similarity[0, 1].biases == 2


async def test_a_difference_is_paired_by_item_and_corrected_over_all():
    (one, other), found = await compared(falls_for("calm_bias", every=2), falls_for("calm_bias", "loud_bias"))
    calm, loud = (found.differences[name, 0, 1] for name in ("calm_bias", "loud_bias"))

    assert set(found.differences) == {("position", 0, 1), ("calm_bias", 0, 1), ("loud_bias", 0, 1)}
    assert calm.value == pytest.approx(other.trials[0].effect.value - one.trials[0].effect.value)
    assert (calm.n, loud.n) == (40, 40)
    assert loud.q < 0.001
    assert found.differences["position", 0, 1].p == 1.0


async def test_a_slot_habit_is_compared_too_and_carries_no_trait_over():
    _, found = await compared(falls_for("calm_bias"), falls_for(slot=True))

    assert found.differences["position", 0, 1].value == 0.5
    assert found.transfer[0, 1].held == 0
    assert found.transfer[1, 0].share is None


async def test_margins_and_verdicts_are_compared_as_changes_of_preference():
    (hard, graded), found = await compared(falls_for("calm_bias"), falls_for("calm_bias", graded=True))

    assert (hard.trials[0].unit, graded.trials[0].unit) == ("fraction", "log-odds")
    assert hard.changes[0].value == hard.trials[0].effect.value
    # from a margin of +1 to one of -1: by the logistic .73 to .27, and not from right to wrong
    assert graded.changes[0].value == pytest.approx(0.462 * hard.changes[0].value, abs=0.001)
    assert found.differences["calm_bias", 0, 1].value == pytest.approx(
        graded.changes[0].value - hard.changes[0].value
    )
