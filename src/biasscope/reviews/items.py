"""An item of a review: a response and a rewrite of it side by side, and what its reviewers must not see."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from biasscope.records import RewrittenSide
from biasscope.seeds import derive_seed, pick

Slot = Literal["1", "2"]
Better = Literal["1", "2", "tie"]
ItemArm = Literal["biased", "neutral"]

NEUTRAL_SHARE = 1 / 3
"""Share of neutral rewrites among the items: reviewers who do not know the arm must find both kinds."""


@dataclass(frozen=True, slots=True)
class Hidden:
    """What reviewers do not see. `bias` is the id of the bias that the item is about, also in the neutral arm.

    `variant` is the slot that holds the rewrite; the other one holds the response as it was. `gold` is the slot that is
    better by what is known, ``tie`` where neither is, None where nobody knows. `pair` is the id of the source pair: items
    of one pair belong together. `side` is the response of the pair that was rewritten.
    """

    bias: str
    arm: ItemArm
    pair: str
    variant: Slot
    gold: Better | None = None
    domain: str = "all"
    side: RewrittenSide = "rejected"


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """A prompt with two responses, of which one is a rewrite of the other, in slots drawn by seed.

    `id` names the item in files; it is not shown, since it may tell what is hidden.
    """

    id: str
    prompt: str
    response_1: str
    response_2: str
    hidden: Hidden

    @property
    def shown(self) -> str:
        """A hash of what is shown: an answer holds for these texts and no others. 16 hexadecimal digits."""
        parts = [part.encode("utf-8", "replace") for part in (self.prompt, self.response_1, self.response_2)]
        found = hashlib.blake2b(digest_size=8)
        for part in parts:
            found.update(len(part).to_bytes(8, "big") + part)
        return found.hexdigest()

    @property
    def original(self) -> str:
        """The response as it was."""
        return self.response_2 if self.hidden.variant == "1" else self.response_1

    @property
    def rewrite(self) -> str:
        """The rewrite."""
        return self.response_1 if self.hidden.variant == "1" else self.response_2


def review_item(
    item_id: str,
    prompt: str,
    original: str,
    rewrite: str,
    *,
    bias: str,
    arm: ItemArm,
    pair: str,
    better: Literal["original", "rewrite", "tie"] | None = None,
    domain: str = "all",
    side: RewrittenSide = "rejected",
    seed: int = 0,
) -> ReviewItem:
    """Make an item; the slot of the rewrite is drawn from `seed` and the item's id. `better` is what is known, or None."""
    variant: Slot = "1" if pick(2, "review slot", seed, item_id) == 0 else "2"
    one, two = (rewrite, original) if variant == "1" else (original, rewrite)
    gold: Better | None = None
    if better is not None:
        gold = "tie" if better == "tie" else "1" if (better == "rewrite") == (variant == "1") else "2"
    return ReviewItem(item_id, prompt, one, two, Hidden(bias, arm, pair, variant, gold, domain, side))


def review_set(
    biased: Sequence[ReviewItem], neutral: Sequence[ReviewItem], *, seed: int = 0
) -> tuple[ReviewItem, ...]:
    """The biased items with as many neutral ones as make a third of the set, in an order that tells nothing.

    Which neutral items, and the order, are drawn from `seed` and their ids. Where there are fewer, all of them are taken.
    Raises ValueError for an item in the wrong arm or an id that stands there twice.
    """
    wrong = [i.id for i in biased if i.hidden.arm != "biased"] + [
        i.id for i in neutral if i.hidden.arm != "neutral"
    ]
    if wrong:
        raise ValueError(f"items in the wrong arm: {wrong[:5]}")
    wanted = round(len(biased) * NEUTRAL_SHARE / (1 - NEUTRAL_SHARE))
    taken = sorted(neutral, key=lambda item: derive_seed("review neutral", seed, item.id))[:wanted]
    items = sorted([*biased, *taken], key=lambda item: derive_seed("review set", seed, item.id))
    if len({item.id for item in items}) < len(items):
        raise ValueError("two items have one id")
    return tuple(items)
