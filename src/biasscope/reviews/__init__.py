"""What people are asked about rewrites, what they answer, and what follows: frozen values and pure functions.

An *item* shows a response and a rewrite of it; a *review* is what one person said about one item; a *decision* is what
reviewers together say. Nothing here reads or writes: files are `rundir.reviews`, the pages that people see `review`.
"""

from biasscope.reviews.answers import ADJUDICATOR, Review, standing
from biasscope.reviews.decisions import QUESTIONS, Decision, decide, open_disputes
from biasscope.reviews.items import Better, Hidden, ItemArm, ReviewItem, Slot, review_item, review_set

__all__ = [
    "ADJUDICATOR",
    "QUESTIONS",
    "Better",
    "Decision",
    "Hidden",
    "ItemArm",
    "Review",
    "ReviewItem",
    "Slot",
    "decide",
    "open_disputes",
    "review_item",
    "review_set",
    "standing",
]
