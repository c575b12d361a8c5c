"""What one person said about one item, and what of it stands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from biasscope.reviews.items import Better

ADJUDICATOR = "adjudicator"
"""The name under which disagreements are decided; no reviewer can have it."""

Kind = Literal["answer", "skip", "undo"]


@dataclass(frozen=True, slots=True)
class Review:
    """One line of ``reviews.jsonl``: what a reviewer said about an item at a time, the whole of it each time.

    `shown` is the hash of the texts that were shown. `kind` is ``answer`` (whole or begun), ``skip`` (for later), or ``undo``,
    which takes back what was said about the item before. `better` is the slot that is better or ``tie``; `same_answer` says
    that both responses give the same final answer, `same_content` that they say the same otherwise; None where it was not
    answered. `flag` asks for a second look, for the reason in `note`. `at` is the time in UTC (ISO 8601).
    """

    reviewer: str
    item: str
    shown: str
    kind: Kind
    better: Better | None = None
    same_answer: bool | None = None
    same_content: bool | None = None
    flag: bool = False
    note: str = ""
    at: str = ""

    @property
    def whole(self) -> bool:
        """Whether all three questions are answered."""
        return self.kind == "answer" and None not in (self.better, self.same_answer, self.same_content)

    @property
    def valid(self) -> bool | None:
        """Whether the rewrite keeps final answer and content; None where that was not answered."""
        if self.same_answer is None or self.same_content is None:
            return None
        return self.same_answer and self.same_content


def standing(reviews: Iterable[Review]) -> dict[tuple[str, str], Review]:
    """What stands, by reviewer and item: of each the last that was said, and nothing where that was taken back."""
    last = {(review.reviewer, review.item): review for review in reviews}
    return {key: review for key, review in last.items() if review.kind != "undo"}
