"""What tests of reviews share: items whose hidden fields can be recognised, reviews in short, reviewers of known accuracy."""

import numpy as np

from biasscope.reviews import Review, review_item, review_set

SECRETS = ("zeal-bias", "pair-", "item-", "biased", "neutral", "hush-domain")
"""Words of the hidden fields and of ids, which no page may hold."""


def item(
    number=1, *, arm="biased", bias="zeal-bias", original=None, rewrite=None, better="tie", prompt=None, **more
):
    return review_item(
        f"item-{number}-{arm}",
        f"What is {number} + {number}?" if prompt is None else prompt,
        f"It is {2 * number}." if original is None else original,
        f"It is surely {2 * number}, friend." if rewrite is None else rewrite,
        bias=bias,
        arm=arm,
        pair=f"pair-{number}",
        better=better,
        domain="hush-domain",
        **more,
    )


def items(biased, neutral=None):
    """A set with a third of neutral rewrites, unless another number is wanted."""
    wanted = round(biased / 2) if neutral is None else neutral
    return review_set(
        [item(n) for n in range(1, biased + 1)],
        [item(n, arm="neutral", rewrite=f"That is {2 * n}.") for n in range(1, wanted + 1)],
    )


def said(reviewer, about, better="tie", same_answer=True, same_content=True, **more):
    kind = more.pop("kind", "answer")
    return Review(reviewer, about.id, about.shown, kind, better, same_answer, same_content, **more)


def simulated(some, reviewers, *, accuracy, valid, seed=0):
    """Reviews by people who are right about an item's validity with a known probability, and prefer what they like.

    Returns them with the truth: which items are valid, drawn with probability `valid`.
    """
    rng = np.random.default_rng(seed)
    truth = {i.id: bool(rng.random() < valid) for i in some}
    found = []
    for name in reviewers:
        for one in some:
            sees = truth[one.id] if rng.random() < accuracy else not truth[one.id]
            found.append(said(name, one, str(rng.choice(["1", "2", "tie"])), True, sees))
    return found, truth
