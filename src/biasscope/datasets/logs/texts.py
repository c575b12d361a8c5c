"""Which pair a verdict is about, and in which order it was shown: told from the texts where the log does not say."""

from __future__ import annotations

from biasscope.datasets.base import draw_roles
from biasscope.datasets.fields import content_id
from biasscope.parsing.placed import Decision
from biasscope.records import Message, Order


def pair_of(question: str | None, first: str, second: str) -> str:
    """An id of the pair from its texts, the same in both orders."""
    return content_id(question, *sorted((first, second)))


def order_of(
    better: Decision | None, question: str | None, first: str | None, second: str | None
) -> Order | None:
    """Which response was shown first: the better one where that place is known, else roles are drawn from the texts.

    None where neither is known. A tie says nothing about which is better.
    """
    if better in ("first", "second"):
        return "chosen_first" if better == "first" else "rejected_first"
    if first is None or second is None:
        return None
    chosen, _ = draw_roles((Message("user", question or ""),), first, second)
    return "chosen_first" if first == chosen else "rejected_first"


def choice_of(scores: tuple[float, float]) -> Decision:
    """What two scores decide: the higher one, or a tie."""
    first, second = scores
    return "tie" if first == second else "first" if first > second else "second"
