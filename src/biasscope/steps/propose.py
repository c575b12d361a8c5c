"""Propose candidate biases from verdicts and the texts alone: what a judge seems to go by, without a teacher.

Pure: asks nobody. Everything it finds is an association; whether a trait moves verdicts is for a trial to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from biasscope.catalogue.features import Feature, text_features
from biasscope.quantities import FeatureAssociation, FeatureAssociations, FeatureProposal, FeatureProposals
from biasscope.stats.associations import Choices, associations
from biasscope.stats.features import FEWEST_PAIRS, LEVEL, STABLE, FeatureWeight, sparse_weights
from biasscope.stats.multiple import adjusted
from biasscope.stats.rules import FEWEST


@dataclass(frozen=True, slots=True)
class Observation:
    """One verdict: the two texts in the order in which they were shown, and how far the first was chosen.

    `question` is the key by which verdicts belong together (of twins the same). `chose_first` is 1, 0, .5 for a tie, or
    a probability; `gold` is 1 where the first is better, -1 where the second is, 0 where nobody knows.
    """

    question: str
    first: str
    second: str
    chose_first: float
    gold: Literal[-1, 0, 1]


def associate(
    observations: Sequence[Observation], *, features: Sequence[Feature] | None = None
) -> FeatureAssociations:
    """How the choices go with each feature by itself, beside gold label and slot, adjusted over all features.

    Ours are `text_features`. Without `FEWEST` pairs nothing is told, and `reason` says so.
    """
    return _associated(_numbers(observations, features))


def propose_features(
    observations: Sequence[Observation], *, seed: int, features: Sequence[Feature] | None = None
) -> FeatureProposals:
    """Features that a judge seems to go by, in a model beside all others and by themselves.

    Proposed is what at least `STABLE` of the half-samples select with one sign, and whose own association has q <=
    `LEVEL`. Without `FEWEST_PAIRS` pairs nothing is proposed, and `reason` says so.
    """
    numbers = _numbers(observations, features)
    found = _associated(numbers)
    if found.reason or numbers.pairs < FEWEST_PAIRS:
        return FeatureProposals((), found, found.reason or _too_few(FEWEST_PAIRS, numbers.pairs))
    if not found.associations:
        return FeatureProposals((), found, "no feature differs in enough pairs")
    # What no association holds for cannot be proposed, whatever the model says of it.
    if all(association.q > LEVEL for association in found.associations):
        return FeatureProposals((), found)
    weights = sparse_weights(numbers.choices, seed=seed)
    made = [
        _proposal(association, weight)
        for association, weight in zip(found.associations, weights, strict=True)
        if weight.weight and weight.frequency >= STABLE and association.q <= LEVEL
    ]
    return FeatureProposals(tuple(sorted(made, key=lambda p: (-p.frequency, -abs(p.weight)))), found)


@dataclass(frozen=True, slots=True)
class _Numbers:
    """Observations as numbers, of the features that can be told."""

    choices: Choices
    features: tuple[Feature, ...]
    left_out: tuple[str, ...]
    pairs: int
    questions: int


def _numbers(observations: Sequence[Observation], features: Sequence[Feature] | None) -> _Numbers:
    features = text_features() if features is None else features
    # In an order of its own, so that not even the last digits depend on that of a file.
    rows = sorted(observations, key=lambda o: (o.question, o.first, o.second, o.chose_first, o.gold))
    texts = {text: n for n, text in enumerate(dict.fromkeys(t for o in rows for t in (o.first, o.second)))}
    counted = np.array([[f.count(text) for f in features] for text in texts], dtype=float).reshape(
        -1, len(features)
    )
    first, second = (np.array([texts[t] for t in side], dtype=np.int64) for side in _sides(rows))
    names, clusters = np.unique(np.array([o.question for o in rows], dtype=object), return_inverse=True)
    choices = Choices(
        counted[first] - counted[second],
        np.array([o.chose_first for o in rows], dtype=float),
        np.array([o.gold for o in rows], dtype=float),
        clusters.astype(np.int64),
    )
    told = choices.told() if rows else np.zeros(len(features), dtype=bool)
    pairs = len({(o.question, frozenset((o.first, o.second))) for o in rows})
    return _Numbers(
        Choices(choices.differences[:, told], choices.chose_first, choices.gold, choices.clusters),
        tuple(f for f, kept in zip(features, told, strict=True) if kept),
        tuple(f.name for f, kept in zip(features, told, strict=True) if not kept),
        pairs,
        len(names),
    )


def _sides(rows: Sequence[Observation]) -> tuple[list[str], list[str]]:
    return [o.first for o in rows], [o.second for o in rows]


def _associated(numbers: _Numbers) -> FeatureAssociations:
    size = len(numbers.choices.gold), numbers.pairs, numbers.questions
    if numbers.pairs < FEWEST:
        return FeatureAssociations((), numbers.left_out, *size, _too_few(FEWEST, numbers.pairs))
    found = associations(numbers.choices)
    rows = zip(numbers.features, found, adjusted([a.p for a in found]), strict=True)
    made = tuple(FeatureAssociation(f.name, f.words, a.change, a.p, q, f.bias) for f, a, q in rows)
    return FeatureAssociations(made, numbers.left_out, *size)


def _too_few(needed: int, pairs: int) -> str:
    return f"{needed} pairs are needed, and {pairs} have a verdict"


def _proposal(association: FeatureAssociation, weight: FeatureWeight) -> FeatureProposal:
    sign: Literal["for", "against"] = "for" if weight.weight > 0 else "against"
    return FeatureProposal(association, sign, weight.weight, weight.frequency, weight.interaction)
