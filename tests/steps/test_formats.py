"""How a judge is asked, as a treatment: labels and the direction of a scale, on judges whose habits are known."""

import pytest

from biasscope.catalogue.families.asking import LABEL_SCHEME, SCALE_DIRECTION
from biasscope.engine.direct import Direct
from biasscope.judges.asking import Asking
from biasscope.judges.base import Presentation
from biasscope.judges.labels import SCHEMES, relabelled
from biasscope.judges.pairwise import PairwiseJudge
from biasscope.judges.pointwise import PointwiseJudge
from biasscope.judges.template import Template
from biasscope.models.planted import open_planted
from biasscope.objective import generate
from biasscope.prompts import variants
from biasscope.records import ORIGINAL
from biasscope.stats.rules import RULES
from biasscope.steps.formats import measure_format
from biasscope.steps.judge import Table, judge_pairs

from ..fakes import FakeAsker, FakeJudge, pairs

RULE = RULES["fixed"]
PAIRS = list(generate(60, seed=11))


async def measured(known, judge, of=PAIRS):
    table = Table(orders=judge.orders)
    await judge_pairs(judge, table, of, (ORIGINAL,))
    return await measure_format(known.bias, judge, table, of, RULE, beside=1)


@pytest.mark.parametrize("mode", ["reason", "label"])
@pytest.mark.parametrize(("label", "low", "high"), [("4", 0.25, 0.5), ("-4", -0.5, -0.25)])
async def test_a_liking_for_a_label_is_found_whatever_the_slot(mode, label, low, high):
    judge = PairwiseJudge(Direct(open_planted(f"fair;label={label};habit=1")), mode)
    found = await measured(LABEL_SCHEME, judge)

    assert (found.status, found.estimand, found.missing) == ("accepted", "format", ())
    assert low < found.effect.value < high
    assert found.effect.n == len(PAIRS)


async def test_a_judge_with_a_slot_habit_alone_likes_no_label():
    found = await measured(LABEL_SCHEME, PairwiseJudge(Direct(open_planted("first-slot"))))

    assert found.status != "accepted"
    assert found.effect.low < 0 < found.effect.high


async def test_every_scheme_is_used_and_each_label_stands_for_each_response_in_each_slot_once():
    asker = FakeAsker(lambda ask, attempt: f"Verdict: {ask.reader.labels[0]}")
    of = pairs(60)
    found = await measure_format(LABEL_SCHEME.bias, PairwiseJudge(asker), Table(), of, RULE, beside=0)

    assert {ask.reader.labels for ask in asker.asked} == {way for s in SCHEMES for way in (s, s[::-1])}
    assert {(a.shown.pair.id, a.shown.order, a.reader.labels) for a in asker.asked}.__len__() == 4 * len(of)
    assert found.effect.value == 0.0  # it always takes the first slot


async def test_what_cannot_be_read_with_other_labels_is_counted():
    def say(ask, attempt):
        return "Neither." if ask.shown.pair.id == "p1" else f"Verdict: {ask.reader.labels[0]}"

    found = await measure_format(
        LABEL_SCHEME.bias, PairwiseJudge(FakeAsker(say)), Table(), pairs(30), RULE, beside=0
    )

    assert found.effect.n == 29
    assert sum(count for _, _, count in found.missing) == 4


class Turned:
    """A judge that errs on every third pair when asked the usual way, on every other one with the scale turned."""

    orders = (None,)
    name = "fake:scores"
    margin_unit = "score"

    def __init__(self, every):
        self.every = every

    def reversed(self):
        return Turned(2)

    async def judge(self, shown):
        decide = FakeJudge(lambda s: "rejected" if int(s.pair.id[1:]) % self.every == 0 else "chosen")
        return await decide.judge(shown)


async def test_the_direction_of_a_scale_changes_the_error_by_the_pairs_that_turn():
    found = await measured(SCALE_DIRECTION, Turned(3), pairs(60))

    # 30 of 60 wrong against 20 of 60
    assert found.effect.value == pytest.approx(1 / 6)
    assert found.effect.n == 60


async def test_a_planted_judge_reads_a_turned_scale_and_scores_alike():
    judge = PointwiseJudge(Direct(open_planted("fair")))
    found = await measured(SCALE_DIRECTION, judge)
    shown = [Presentation(PAIRS[0], ORIGINAL, None, PAIRS[0].chosen, PAIRS[0].rejected)]
    usual, turned = await judge.judge(shown), await judge.reversed().judge(shown)

    assert found.effect.value == pytest.approx(0, abs=0.06)
    assert usual[0].scores == turned[0].scores


@pytest.mark.parametrize(
    ("known", "judge", "why"),
    [
        (LABEL_SCHEME, FakeJudge(lambda s: "chosen"), "other labels"),
        (LABEL_SCHEME, PairwiseJudge(FakeAsker(lambda ask, attempt: "Verdict: 1"), asking=Asking(template=Template("", "{{first}}"))), "other labels"),
        (SCALE_DIRECTION, PairwiseJudge(FakeAsker(lambda ask, attempt: "Verdict: 1")), "has a direction"),
    ],
)  # fmt: skip
async def test_a_judge_that_cannot_be_asked_otherwise_says_so(known, judge, why):
    found = await measure_format(known.bias, judge, Table(), pairs(30), RULE, beside=0)

    assert (found.status, found.effect) == ("no_signal", None)
    assert why in found.reason


@pytest.mark.parametrize(
    "name", ["judge_reason", "judge_label", "judge_reason_reference", "judge_label_reference"]
)
def test_with_the_usual_labels_a_prompt_is_as_its_file_has_it_and_with_others_it_has_none_of_them(name):
    assert relabelled(name, ("1", "2")) == variants(name)[0]
    system, user = relabelled(name, ("Y", "X"))
    assert not any(sign.isdigit() for sign in system + user)
    assert user.index("<response_Y>") < user.index("<response_X>")
