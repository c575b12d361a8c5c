"""A rewrite of the chosen response in the prompt: it stands in the chosen slot, and margins keep their sign."""

import math

import pytest

from biasscope.ask import Reply, TokenPosition
from biasscope.judges.base import Presentation
from biasscope.judges.pairwise import PairwiseAsk
from biasscope.records import ORDERS

from ..fakes import pair

REWRITTEN = "Right text, and calm at that."
SLOTS = {"chosen_first": ("response_1", "response_2"), "rejected_first": ("response_2", "response_1")}


def ask(order, chosen=REWRITTEN, rejected="Wrong text.", arm="calm_bias@chosen"):
    return PairwiseAsk(Presentation(pair(), arm, order, chosen, rejected), "label")


def prompt_of(asked):
    return asked.request(0).messages[-1].content


@pytest.mark.parametrize("order", ORDERS)
def test_the_rewrite_stands_where_the_chosen_response_stood(order):
    better, worse = SLOTS[order]
    asked = prompt_of(ask(order))

    assert f"<{better}>\n{REWRITTEN}\n</{better}>" in asked
    assert f"<{worse}>\nWrong text.\n</{worse}>" in asked
    assert "Right text.\n" not in asked


@pytest.mark.parametrize("order", ORDERS)
def test_siblings_share_the_prompt_up_to_the_chosen_response(order):
    one, other = (ask(order, chosen=text).request(0) for text in (REWRITTEN, "Right text in other words."))
    text = one.messages[-1].content

    assert one.shared == other.shared
    assert text[: one.shared] == other.messages[-1].content[: one.shared]
    assert text[one.shared :].startswith(REWRITTEN)


@pytest.mark.parametrize("order", ORDERS)
def test_more_is_shared_where_the_response_that_varies_comes_second(order):
    on_chosen = ask(order).request(0)
    on_rejected = ask(order, chosen="Right text.", rejected="Calm text.", arm="calm_bias").request(0)

    assert (on_chosen.shared > on_rejected.shared) == (order == "rejected_first")


@pytest.mark.parametrize(("order", "sign"), [("chosen_first", 1), ("rejected_first", -1)])
def test_a_margin_stays_in_favour_of_the_chosen_response(order, sign):
    reply = Reply("1", positions=(TokenPosition("1", (("1", math.log(0.75)), ("2", math.log(0.25)))),))
    verdict = ask(order).parse(reply)

    assert verdict.margin == pytest.approx(sign * math.log(3))
    assert verdict.choice == ("chosen" if sign > 0 else "rejected")
    assert (verdict.arm, verdict.order) == ("calm_bias@chosen", order)
