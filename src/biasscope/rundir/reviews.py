"""The review in a run folder: its items, written once, and what was said about them, which grows line by line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from biasscope.errors import DataError, UsageError
from biasscope.reviews import Review, ReviewItem, standing
from biasscope.rundir.appended import read_appended
from biasscope.rundir.files import read_records

ITEMS = "review_items"
"""Name of the records of a review's items: ``RunDir.write_records(ITEMS, items)`` writes ``review_items.jsonl``."""

ANSWERS = "reviews.jsonl"
"""What was said, one `Review` a line, in the order in which it was said."""


@dataclass(frozen=True, slots=True)
class ReviewFiles:
    """What a run folder holds of a review.

    `said` are the reviews of items as they are now, in order; `changed` counts those of items whose texts were changed
    since, `unknown` those of items that are not there, `unreadable` are (number, reason) of lines that are no review, and
    `torn` says that the last line was cut off.
    """

    path: Path
    items: tuple[ReviewItem, ...]
    said: tuple[Review, ...]
    changed: int
    unknown: int
    unreadable: tuple[tuple[int, str], ...]
    torn: bool

    @property
    def stand(self) -> dict[tuple[str, str], Review]:
        """What stands, by reviewer and item."""
        return standing(self.said)

    @property
    def notes(self) -> tuple[str, ...]:
        """What of the files does not count, as sentences."""
        lines = [number for number, _ in self.unreadable]
        numbers = f"{', '.join(map(str, lines[:5]))}{', ...' if len(lines) > 5 else ''}"
        found = []
        if lines:
            cut = " (the last one was cut off)" if self.torn else ""
            what = "line that is no review" if len(lines) == 1 else "lines that are no reviews"
            found.append(f"{ANSWERS} holds {len(lines):,} {what}: {numbers}{cut}. They are passed over.")
        if self.unknown:
            found.append(f"{self.unknown:,} reviews are about items that are not in {ITEMS}.jsonl.")
        if self.changed:
            found.append(f"{self.changed:,} reviews are about texts that were changed since, and do not count.")
        return tuple(found)


def read_review(run: Path | str) -> ReviewFiles:
    """Read the review of a run folder, also while people are at it.

    Raises `UsageError` where there is no set to review and `DataError` where the items cannot be read or one id stands
    there twice. Lines of answers that cannot be read are counted.
    """
    path = Path(run)
    file = path / f"{ITEMS}.jsonl"
    if not file.is_file():
        raise UsageError(
            f"{path} holds nothing to review: it has no {file.name}",
            hint="Name a folder in which a benchmark was built.",
        )
    items = tuple(read_records(file, ReviewItem))
    if not items:
        raise DataError(f"{file} holds no item", hint="Build the benchmark again.")
    texts: dict[str, str] = {}
    for item in items:
        if item.id in texts:
            raise DataError(f"{file}: two items have the id {item.id!r}", hint="Build the benchmark again.")
        texts[item.id] = item.shown
    lines = read_appended(path / ANSWERS, Review)
    return ReviewFiles(
        path=path,
        items=items,
        said=tuple(r for r in lines.records if texts.get(r.item) == r.shown),
        changed=sum(r.item in texts and texts[r.item] != r.shown for r in lines.records),
        unknown=sum(r.item not in texts for r in lines.records),
        unreadable=lines.unreadable,
        torn=lines.torn,
    )
