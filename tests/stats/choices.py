"""Choices of simulated judges as numbers: what they are drawn by is known."""

import numpy as np
from scipy.special import expit

from biasscope.stats.associations import Choices


def judged(
    seed, *, pairs=600, features=50, pulls=(), skill=1.05, spread=1.6, habit=0.3, noise=1.4, with_gold=0.3
):
    """A judge's choices on `pairs` pairs in both orders; `pulls` are (feature, log-odds per unit of difference).

    Features are of five kinds, in turn: those that go with length, common and rare traits, frequent and rare counts.
    Every tenth goes with the gold label. Questions differ in how easy they are.
    """
    rng = np.random.default_rng(seed)
    length = rng.normal(0, 0.4, (2, pairs))
    kinds = [
        lambda: 0.7 * length / 0.4 + rng.normal(0, 0.7, (2, pairs)),
        lambda: (rng.random((2, pairs)) < 0.17).astype(float),
        lambda: (rng.random((2, pairs)) < 0.03).astype(float),
        lambda: np.log1p(rng.poisson(1.2 * np.exp(length))),
        lambda: np.log1p(rng.poisson(0.3 * np.exp(length))),
    ]
    texts = np.stack([kinds[n % 5]() for n in range(features)], axis=2)
    gold = rng.choice([-1.0, 1.0], pairs)
    differences = texts[0] - texts[1]
    differences[:, ::10] += with_gold * gold[:, None] * differences[:, ::10].std(axis=0)
    leaning = rng.normal(skill, spread, pairs) * gold + sum(by * differences[:, of] for of, by in pulls)
    score = np.concatenate([leaning, -leaning]) + habit + rng.normal(0, noise, 2 * pairs)
    return told(
        Choices(
            np.concatenate([differences, -differences]),
            (rng.random(2 * pairs) < expit(score)).astype(float),
            np.concatenate([gold, -gold]),
            np.tile(np.arange(pairs), 2),
        )
    )


def told(choices):
    """The same choices with only those features that can be told."""
    kept = choices.told()
    return Choices(choices.differences[:, kept], choices.chose_first, choices.gold, choices.clusters)
