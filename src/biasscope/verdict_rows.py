"""One verdict of a run as a flat row: what is stored, counted again by others, and compared between runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from biasscope.records import Choice, Order

VerdictRole = Literal[
    "trial", "fresh", "follow_up", "control", "discovery", "holdout", "rank", "filter", "mitigate"
]
"""What a verdict was for.

``trial``: the arms that a trial compares on the pairs it visited, and originals. ``fresh``: the same arms on pairs that the
trial had not visited when it stopped. ``follow_up``: the trait on the other side or at another length. ``control``: shams.
``discovery``: pairs on which candidates were looked for. ``holdout``: pairs of the library effect. ``rank``: items of a
benchmark on which judges are ranked. ``filter``: items that decide what a benchmark keeps. ``mitigate``: items on which a judge
is compared with itself after a fix.
"""


@dataclass(frozen=True, slots=True)
class VerdictRow:
    """One verdict that was asked for: by whom, on what, and what came of it.

    `judge` is the spec, with how it is asked where a run has the same model in several ways. `question` is the hash of the normalised question: rows that share it are one cluster. `pair` ends
    in ``@chosen`` where the roles of a pair are exchanged. `order` is None for a judge that sees one response at a time.
    `choice` and `margin` (towards the chosen response, None where the judge exposes none) are None where the verdict is
    missing, and `missing` has the reason then. `keys` are the ledger keys of the replies behind it.
    """

    judge: str
    role: VerdictRole
    pair: str
    question: str
    domain: str
    arm: str
    order: Order | None
    choice: Choice | None
    margin: float | None
    missing: str | None
    keys: tuple[str, ...] = ()
