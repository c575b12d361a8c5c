"""Where everybody stands: what was said, what comes next, how far it is. Knows no page, link or file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from biasscope.reviews import ADJUDICATOR, Review, ReviewItem, decide, open_disputes
from biasscope.seeds import derive_seed


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a person is, of the `total` items that are theirs; what is neither answered nor skipped is open."""

    total: int
    answered: int
    skipped: int
    flagged: int


class Board:
    """The reviews of a set, as they stand. Every person has the items in an order of their own, drawn from their name.

    An adjudicator's items are those on which reviewers differ, or which one of them flagged.
    """

    def __init__(self, items: Sequence[ReviewItem], said: Iterable[Review]) -> None:
        self.items = {item.id: item for item in items}
        self._stand: dict[tuple[str, str], Review] = {}
        self._versions: dict[tuple[str, str], int] = {}
        self._orders: dict[str, list[ReviewItem]] = {}
        self._numbers: dict[str, dict[str, int]] = {}
        for review in said:
            self.record(review)

    def record(self, review: Review) -> None:
        """Take in what was said; the last word of a person on an item stands."""
        key = (review.reviewer, review.item)
        self._versions[key] = self._versions.get(key, 0) + 1
        # Taken out and put back, so that the last key is what was said last.
        self._stand.pop(key, None)
        if review.kind != "undo":
            self._stand[key] = review

    def standing(self, person: str, item_id: str) -> Review | None:
        """What stands of a person on an item."""
        return self._stand.get((person, item_id))

    def version(self, person: str, item_id: str) -> int:
        """How often the person has said something about the item; a page that counts less is out of date."""
        return self._versions.get((person, item_id), 0)

    def last(self, person: str) -> ReviewItem | None:
        """The item on which the person's latest word stands: what an undo takes back."""
        found = next((item for who, item in reversed(self._stand) if who == person), None)
        return None if found is None else self.items[found]

    def queue(self, person: str) -> list[ReviewItem]:
        """The person's items in order."""
        order = self._ordered(person)
        if person != ADJUDICATOR:
            return order
        disputed = {d.item.id for d in open_disputes(decide(tuple(self.items.values()), self._stand))}
        return [item for item in order if item.id in disputed]

    def following(self, person: str) -> ReviewItem | None:
        """The first of the person's items that is neither answered nor skipped."""
        return next((item for item in self.queue(person) if not self._dealt_with(person, item)), None)

    def skipped(self, person: str) -> list[ReviewItem]:
        """What the person left for later, in order."""
        return [item for item in self.queue(person) if self._is(person, item, "skip")]

    def flagged(self, person: str) -> list[ReviewItem]:
        """What the person flagged, in order."""
        return [item for item in self.queue(person) if (r := self.standing(person, item.id)) and r.flag]

    def progress(self, person: str) -> Progress:
        """How far the person is."""
        queue = self.queue(person)
        whole = [item for item in queue if (r := self.standing(person, item.id)) and r.whole]
        return Progress(len(queue), len(whole), len(self.skipped(person)), len(self.flagged(person)))

    def of_reviewers(self, item_id: str) -> list[Review]:
        """What reviewers said about an item, for the adjudicator: in an order that does not tell who they are."""
        said = [
            r
            for (who, item), r in self._stand.items()
            if item == item_id and who != ADJUDICATOR and (r.whole or r.flag)
        ]
        return sorted(said, key=lambda r: derive_seed("review heard", r.reviewer, item_id))

    def number(self, person: str, item_id: str) -> int:
        """The place of an item in the person's order of all items, from 1; it does not change when others come or go."""
        return self._numbered(person)[item_id]

    def _numbered(self, person: str) -> dict[str, int]:
        if person not in self._numbers:
            self._numbers[person] = {item.id: n for n, item in enumerate(self._ordered(person), 1)}
        return self._numbers[person]

    def _ordered(self, person: str) -> list[ReviewItem]:
        if person not in self._orders:
            drawn = {item.id: derive_seed("review order", person, item.id) for item in self.items.values()}
            self._orders[person] = sorted(self.items.values(), key=lambda item: drawn[item.id])
        return self._orders[person]

    def _dealt_with(self, person: str, item: ReviewItem) -> bool:
        review = self.standing(person, item.id)
        return review is not None and (review.whole or review.kind == "skip")

    def _is(self, person: str, item: ReviewItem, kind: str) -> bool:
        review = self.standing(person, item.id)
        return review is not None and review.kind == kind
