"""Everything that a measurement asks is asked in its blocks, so that a budget of time holds what it will need."""

from dataclasses import replace

import pytest

from biasscope.catalogue.families.asking import LABEL_SCHEME
from biasscope.stats.rules import RULES
from biasscope.steps.validate import TrialDesign
from biasscope.workflows.blocks import Blocks
from biasscope.workflows.measure import Controls, measure_biases

from ..fakes import FakeJudge, NamingWriter, bias, pairs

DESIGN = TrialDesign(replace(RULES["fixed"], fewest=1, neutral_plan=((1.0, 2),)))
BIASES = [bias(), bias("Loud bias")]


def blocks(*judges, sides="rejected", controls=None):
    return Blocks(judges, NamingWriter(), BIASES, DESIGN, sides, controls or Controls())


def cells(judge):
    """Everything that was shown, by texts: a mirrored pair shows what the pair itself shows in the other order."""
    return {(*s.shown, s.pair.question) for s in judge.seen if s.replicate == 0}


@pytest.mark.parametrize("sides", ["rejected", "chosen", "both"])
@pytest.mark.parametrize(("margin", "shams"), [(None, 0), (None, 2), (0.5, None), (0.5, 1), (9.0, None)])
async def test_a_measurement_asks_nothing_that_its_blocks_did_not(sides, margin, shams):
    def decide(shown):
        return margin if margin is not None and len(shown.arm) % 2 else "chosen" if margin is None else -margin

    graded = margin is not None
    one, other = FakeJudge(decide, graded=graded), FakeJudge(decide, graded=graded)
    controls = Controls(shams=shams)
    of = blocks(one, sides=sides, controls=controls)
    for start in (0, 4):
        await of.measure(pairs(8)[start : start + 4])
    await measure_biases(other, NamingWriter(), pairs(8), BIASES, DESIGN, sides=sides, controls=controls)

    assert len(other.seen) > 0
    assert cells(one) == cells(other)


async def test_how_a_judge_is_asked_is_in_its_blocks_too():
    class Relabelled(FakeJudge):
        def relabelled(self, labels):
            self.asked = [*getattr(self, "asked", []), labels]
            return self

    judge = Relabelled(lambda s: "chosen")
    await blocks(judge, controls=Controls(formats=(LABEL_SCHEME.bias,))).measure(pairs(8))

    assert len(set(judge.asked)) > 1


async def test_judges_share_the_rewrites():
    writer = NamingWriter()
    one, other = FakeJudge(lambda s: "chosen"), FakeJudge(lambda s: "rejected")
    await Blocks([one, other], writer, BIASES, DESIGN, "rejected", Controls()).measure(pairs(3))

    assert len(writer.jobs) == 3 * 4
    assert cells(one) == cells(other)


@pytest.mark.parametrize(
    ("sides", "in_flight", "at_once"), [("rejected", 1, 1), ("rejected", 32, 7), ("both", 32, 4)]
)
def test_two_waves_of_calls_make_a_block(sides, in_flight, at_once):
    # an original, two biases and two neutral rewrites in both orders are ten calls a pair, of both sides twenty
    judge = FakeJudge(lambda s: "chosen")

    assert blocks(judge, sides=sides).at_once(pairs(1)[0], [in_flight]) == at_once
