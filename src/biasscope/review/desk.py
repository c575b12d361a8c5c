"""Taking answers: each is checked against what stands, put on the disk, and only then counted. Knows no page or link."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Literal, Protocol

from biasscope.review.board import Board
from biasscope.reviews import Review, ReviewItem
from biasscope.reviews.answers import Kind
from biasscope.reviews.items import Better

MOST_NOTE = 2_000
"""Characters of a note; what is longer is cut, and said so beside it."""

Outcome = Literal["saved", "stale"]


class Journal(Protocol):
    """Where reviews are written down; returns when the line is on the disk."""

    def append(self, record: object) -> None:
        """Write one record; raises RunError where that fails."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a form holds: the answers of the three questions (None where open), the flag and its note."""

    better: Better | None = None
    same_answer: bool | None = None
    same_content: bool | None = None
    flag: bool = False
    note: str = ""

    @classmethod
    def of(cls, review: Review | None) -> Said:
        """What a review holds, or nothing yet."""
        if review is None:
            return cls()
        return cls(review.better, review.same_answer, review.same_content, review.flag, review.note)

    @property
    def open(self) -> int:
        """How many of the three questions are not answered."""
        return [self.better, self.same_answer, self.same_content].count(None)


class Desk:
    """The board and the journal. The board is used in the thread of the event loop alone; lines are written in another."""

    def __init__(self, board: Board, journal: Journal) -> None:
        self.board = board
        self._journal = journal
        self._one_at_a_time = asyncio.Lock()

    async def put(
        self, person: str, item: ReviewItem, said: Said, *, kind: Kind, version: int, shown: str
    ) -> Outcome:
        """Store what a person says about an item, from a page that knew `version` words of theirs about the texts `shown`.

        What stands already is not stored twice, so that a page may send it again when it heard no reply. ``stale``: the
        person said something else since, or the texts are others now; nothing is stored. Raises RunError where it cannot
        be put on the disk; then nothing is counted either.
        """
        said = replace(said, note=said.note[:MOST_NOTE])
        async with self._one_at_a_time:
            stands = self.board.standing(person, item.id)
            if shown == item.shown and stands and stands.kind == kind and Said.of(stands) == said:
                return "saved"
            if shown != item.shown or version != self.board.version(person, item.id):
                return "stale"
            if kind == "answer" and stands is None and said == Said():
                return "saved"  # there is nothing to say yet
            await self._store(
                Review(
                    person,
                    item.id,
                    item.shown,
                    kind,
                    said.better,
                    said.same_answer,
                    said.same_content,
                    said.flag,
                    said.note,
                    _now(),
                )
            )
            return "saved"

    async def undo(self, person: str) -> ReviewItem | None:
        """Take back the person's latest word and return its item; None where nothing stands."""
        async with self._one_at_a_time:
            item = self.board.last(person)
            if item is not None:
                await self._store(Review(person, item.id, item.shown, "undo", at=_now()))
            return item

    async def _store(self, review: Review) -> None:
        await asyncio.to_thread(self._journal.append, review)
        self.board.record(review)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
