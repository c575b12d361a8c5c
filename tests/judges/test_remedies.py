"""Remedies of a judge: a guard in its prompt, both orders as one verdict, its own answer, corrected margins, a panel."""

from dataclasses import replace

import pytest

from biasscope.ask import Missing, Reply
from biasscope.config import Adjustment, JudgeSpec
from biasscope.errors import ConfigError
from biasscope.judges.adjusted import adjusted_judge
from biasscope.judges.answer_first import OwnAnswerAsk
from biasscope.judges.base import Presentation
from biasscope.judges.guards import FORMS, Contrast, guard
from biasscope.judges.open import check_judge, open_judge
from biasscope.judges.panel import PanelJudge
from biasscope.judges.procedures import SwapAndAverage, SwapAndTie
from biasscope.records import ONE_PRESENTATION, ORDERS

from ..fakes import FakeAsker, FakeJudge, bias, pair

ASKER = FakeAsker(lambda ask, attempt: "Verdict: 1")


def spec(**settings):
    return JudgeSpec(spec="openai:some-model", **settings)


def shown(order="chosen_first", **fields):
    one = pair(**fields)
    return Presentation(one, "original", order, one.chosen, one.rejected)


def slotted(margin, slot):
    """A judge whose margin towards the chosen response gains `slot` where that is shown first."""
    return FakeJudge(lambda s: margin + (slot if s.order == "chosen_first" else -slot), graded=True)


def messages(judge, presentation):
    return judge._ask(presentation).filled().messages


# --- the guard -----------------------------------------------------------------------------------------------


def test_a_guard_extends_the_prompt_and_replaces_nothing():
    plain, guarded = (messages(open_judge(ASKER, spec(guard=text)), shown()) for text in ("", "Mind the bias."))
    assert guarded[0].content == f"{plain[0].content}\n\nMind the bias."
    assert guarded[1:] == plain[1:]


def test_a_prompt_without_a_system_part_gets_the_guard_in_front_and_shares_as_much_as_before():
    template = "--- user ---\nQ {{question}}\nA {{first}}\nB {{second}}\nVerdict: 1 or 2?"
    plain, guarded = (
        open_judge(ASKER, spec(template=template, guard=text))._ask(shown()).request(0)
        for text in ("", "Mind {{it}}.")
    )
    assert guarded.messages[0].content == f"Mind {{{{it}}}}.\n\n{plain.messages[0].content}"
    assert guarded.messages[0].content[: guarded.shared].endswith(plain.messages[0].content[: plain.shared])
    assert guarded.shared - plain.shared == len("Mind {{it}}.\n\n")


def test_a_pointwise_judge_is_guarded_as_well():
    judge = open_judge(ASKER, spec(kind="pointwise", guard="Mind the bias."))
    assert judge._ask(shown(), "text").filled().system.endswith("\n\nMind the bias.")


@pytest.mark.parametrize("form", FORMS)
def test_every_form_names_every_bias_and_says_that_it_counts_neither_way(form):
    calm, bold = bias(), bias("Bold bias", "The text is set in bold {{type}}.")
    text = guard(form, (calm, bold), Contrast(bold, "plain", "**plain**"))
    assert "Calm bias" in text
    assert "Bold bias" in text
    assert "neither for" in text
    assert ("The text is set in bold {{type}}." in text) == (form == "definitions")
    assert ("**plain**" in text) == (form == "example")


def test_a_guard_against_nothing_and_a_contrast_without_texts_are_refused():
    with pytest.raises(ValueError, match="needs a bias"):
        guard("rules", ())
    with pytest.raises(ValueError, match="without and with"):
        guard("example", (bias(),))


# --- both orders ---------------------------------------------------------------------------------------------


async def test_a_slot_habit_becomes_a_tie_and_then_nothing():
    (tied,) = await SwapAndTie(slotted(0.5, 2.0)).judge([shown(None)])
    assert (tied.choice, tied.order, tied.margin, tied.samples) == ("tie", None, None, ("chosen", "rejected"))
    (averaged,) = await SwapAndAverage(slotted(0.5, 2.0)).judge([shown(None)])
    assert (averaged.choice, averaged.margin) == ("chosen", pytest.approx(0.5))
    assert len(averaged.keys) == 2


async def test_what_both_orders_agree_on_stands():
    (verdict,) = await SwapAndTie(slotted(-3.0, 1.0)).judge([shown(None)])
    assert verdict.choice == "rejected"


async def test_one_missing_order_is_a_missing_verdict():
    half = FakeJudge(lambda s: Missing("refused") if s.order == "chosen_first" else 1.0, graded=True)
    for procedure in (SwapAndTie(half), SwapAndAverage(half)):
        assert await procedure.judge([shown(None)]) == [Missing("refused")]
    bare = SwapAndAverage(FakeJudge(lambda s: "chosen", graded=True))
    (missing,) = await bare.judge([shown(None)])
    assert (missing.reason, len(missing.keys)) == ("no_margin", 2)


# --- corrected margins ---------------------------------------------------------------------------------------


async def test_the_slot_and_what_the_text_adds_are_taken_off():
    longer = replace(shown(), chosen="word " * 7, rejected="word")
    judge = adjusted_judge(slotted(1.0, 2.0), Adjustment(unit="log-odds", slot=2.0, slopes={"words": 0.5}))
    (first,) = await judge.judge([longer])
    (second,) = await judge.judge([replace(longer, order="rejected_first")])
    # log(8) - log(2) more words on the chosen side
    assert first.margin == pytest.approx(1.0 - 0.5 * 1.3863, abs=1e-3)
    assert second.margin == pytest.approx(first.margin)


async def test_a_correction_can_turn_a_verdict():
    (verdict,) = await adjusted_judge(slotted(-1.0, 2.0), Adjustment(unit="log-odds", slot=2.0)).judge([shown()])
    assert verdict.choice == "rejected"


async def test_a_verdict_without_a_margin_cannot_be_corrected_and_is_missing():
    bare = FakeJudge(lambda s: "chosen", graded=True)
    (found,) = await adjusted_judge(bare, Adjustment(unit="log-odds")).judge([shown()])
    assert found == Missing("no_margin", "the verdict came without a margin", ("judged",))


# --- answering first -----------------------------------------------------------------------------------------


async def test_the_judge_answers_each_question_once_and_is_shown_its_answer():
    def say(ask, attempt):
        return "Because.\nIt is 42." if isinstance(ask, OwnAnswerAsk) else "Fine.\n\nVerdict: 1"

    asker = FakeAsker(say)
    judge = open_judge(asker, spec(answer_first=True))
    said = await judge.judge([shown(), shown("rejected_first"), shown(name="p2")])
    assert [v.choice for v in said] == ["chosen", "rejected", "chosen"]
    assert [isinstance(a, OwnAnswerAsk) for a in asker.asked] == [True, True, False, False, False]
    assert "It is 42." in asker.asked[-1].filled().user
    assert "you answered the prompt yourself" in asker.asked[-1].filled().system
    assert all(len(v.keys) == 2 for v in said)


async def test_without_an_answer_of_its_own_a_verdict_is_missing_with_the_reason():
    asker = FakeAsker(lambda ask, attempt: Reply("", finish="filtered"))
    (found,) = await open_judge(asker, spec(answer_first=True)).judge([shown()])
    assert isinstance(found, Missing)
    assert found.detail.startswith("its own answer")


# --- a panel -------------------------------------------------------------------------------------------------


async def test_a_panel_goes_by_its_majority_and_an_even_split_is_a_tie():
    judges = [FakeJudge(lambda s, said=said: said) for said in ("chosen", "rejected", "rejected")]
    (verdict,) = await PanelJudge(tuple(judges)).judge([shown()])
    assert (verdict.choice, verdict.samples) == ("rejected", ("chosen", "rejected", "rejected"))
    (split,) = await PanelJudge(tuple(judges[:2])).judge([shown()])
    assert split.choice == "tie"


async def test_a_panel_that_lost_half_of_its_members_says_nothing():
    judges = (FakeJudge(lambda s: "chosen"), FakeJudge(lambda s: Missing("refused")))
    (found,) = await PanelJudge(judges).judge([shown()])
    assert (found.reason, found.detail) == ("refused", "1 of the 2 members of the panel gave no verdict")


async def test_members_without_orders_are_asked_without_one():
    alone = FakeJudge(lambda s: "rejected")
    alone.orders = ONE_PRESENTATION
    panel = PanelJudge((FakeJudge(lambda s: "rejected"), alone))
    assert panel.orders == ORDERS
    await panel.judge([shown()])
    assert alone.seen[0].order is None


# --- from a specification ------------------------------------------------------------------------------------


def test_a_specification_opens_what_it_says_from_the_inside_out():
    averaged = open_judge(
        ASKER, spec(mode="label", adjustment=Adjustment(unit="log-odds", slot=1.0), procedure="swap_and_average")
    )
    assert isinstance(averaged, SwapAndAverage)
    assert averaged.inner.slot == 1.0
    panel = open_judge(ASKER, spec(panel=(spec(procedure="swap_and_tie"),)), panel=[ASKER])
    assert [type(m).__name__ for m in panel.members] == ["PairwiseJudge", "SwapAndTie"]


def test_every_remedy_is_named_in_the_instrument():
    told = spec(
        mode="label", guard="x", answer_first=True, procedure="swap_and_average",
        adjustment=Adjustment(unit="log-odds"), panel=(spec(),),
    ).instrument  # fmt: skip
    assert told == (
        "pairwise, mode label, with a guard, answers first, swap and average, adjusted margins, panel with openai:some-model"
    )


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"procedure": "swap_and_average"}, "this judge gives none"),
        ({"procedure": "swap_and_tie", "kind": "pointwise"}, "no order that could be swapped"),
        ({"answer_first": True, "reference": True}, "not both"),
        ({"adjustment": Adjustment(unit="log-odds")}, "the adjustment is in log-odds"),
        ({"mode": "label", "adjustment": Adjustment(unit="log-odds", slopes={"wrds": 1.0})}, "'wrds'"),
        ({"spec": "python:judge.py:judge", "guard": "x"}, "has no prompt"),
        ({"panel": (JudgeSpec(spec="openai:other", scale="1-5"),)}, "has no scale"),
    ],
)
def test_remedies_that_do_not_fit_are_refused_before_anything_is_paid(settings, said):
    wanted = JudgeSpec(**({"spec": "openai:some-model"} | settings))
    for refuse in (check_judge, lambda s: open_judge(ASKER, s, panel=[ASKER] * len(s.panel))):
        with pytest.raises(ConfigError, match=said) as caught:
            refuse(wanted)
        assert caught.value.hint
