"""What reviewers together say about an item: their majority, where they disagree, and what the adjudicator decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from biasscope.reviews.answers import ADJUDICATOR, Review
from biasscope.reviews.items import Better, ReviewItem

T = TypeVar("T")

Question = Literal["better", "same_answer", "same_content"]
QUESTIONS: tuple[Question, ...] = ("better", "same_answer", "same_content")

ENOUGH = 2
"""Whole answers that an item needs to be decided."""


@dataclass(frozen=True, slots=True)
class Decision:
    """An item with what was said about it by `answers` reviewers who answered all three questions.

    `better`, `same_answer` and `same_content` are what more than half of them say, or where `adjudicated` what the
    adjudicator decided; None where there is neither. `majority_valid` is what more than half of the reviewers say about
    final answer and content together, whatever was adjudicated, and `valid` the same with the adjudicator's word before
    theirs. `disputed` are the questions on which they differ, `flags` counts the reviewers who ask for a second look.
    """

    item: ReviewItem
    answers: int
    better: Better | None
    same_answer: bool | None
    same_content: bool | None
    majority_valid: bool | None
    valid: bool | None
    disputed: tuple[Question, ...]
    adjudicated: bool
    flags: int


def decide(items: Sequence[ReviewItem], stand: Mapping[tuple[str, str], Review]) -> tuple[Decision, ...]:
    """Decide each item by what `stand` (see `standing`) holds about the texts that it shows now."""
    by_item: dict[str, list[Review]] = {item.id: [] for item in items}
    shown = {item.id: item.shown for item in items}
    for review in stand.values():
        if shown.get(review.item) == review.shown:
            by_item[review.item].append(review)
    return tuple(_decision(item, by_item[item.id]) for item in items)


def _decision(item: ReviewItem, said: Sequence[Review]) -> Decision:
    last_word = next((r for r in said if r.reviewer == ADJUDICATOR and r.whole), None)
    reviews = [r for r in said if r.reviewer != ADJUDICATOR]
    whole = [r for r in reviews if r.whole]
    enough = whole if len(whole) >= ENOUGH else []
    majority_valid = _majority(r.valid for r in enough)

    def decided(question: Question) -> Any:
        return getattr(last_word, question) if last_word else _majority(getattr(r, question) for r in enough)

    return Decision(
        item=item,
        answers=len(whole),
        better=decided("better"),
        same_answer=decided("same_answer"),
        same_content=decided("same_content"),
        majority_valid=majority_valid,
        valid=last_word.valid if last_word else majority_valid,
        disputed=tuple(q for q in QUESTIONS if len({getattr(r, q) for r in whole}) > 1),
        adjudicated=last_word is not None,
        flags=sum(r.flag for r in reviews),
    )


def _majority(said: Iterable[T]) -> T | None:
    """What more than half say; None where no answer has so many."""
    counts = Counter(said)
    found, count = counts.most_common(1)[0] if counts else (None, 0)
    return found if 2 * count > counts.total() else None


def open_disputes(decisions: Iterable[Decision]) -> tuple[Decision, ...]:
    """Items that an adjudicator should look at: reviewers differ on a question, or one of them flagged it."""
    return tuple(d for d in decisions if d.disputed or d.flags)
