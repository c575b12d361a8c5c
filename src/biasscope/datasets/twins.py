"""The same question more than once: inside a source, and across two. Pure.

Questions are the same when their normalised texts are (see `seeds.normalise_question`); twins share a role.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from biasscope.records import PreferencePair
from biasscope.seeds import question_hash


@dataclass(frozen=True, slots=True)
class Twins:
    """How many questions occur in more than one pair, and how many pairs these are."""

    questions: int
    pairs: int


def twins(pairs: Iterable[PreferencePair]) -> Twins:
    """Count the questions that occur in more than one pair."""
    counts = Counter(question_hash(pair.question) for pair in pairs)
    several = [count for count in counts.values() if count > 1]
    return Twins(len(several), sum(several))


def shared_questions(a: Iterable[PreferencePair], b: Iterable[PreferencePair]) -> set[str]:
    """Give the hashes of the questions that two sets of pairs have in common.

    Pairs for discovery and for validation should share none: a bias would be validated where it was found.
    """
    return {question_hash(pair.question) for pair in a} & {question_hash(pair.question) for pair in b}


def contradictions(pairs: Iterable[PreferencePair]) -> int:
    """Count the pairs of responses to one question that are labelled both ways round."""
    seen = {(question_hash(p.question), p.chosen, p.rejected) for p in pairs if p.labelled}
    return sum((question, rejected, chosen) in seen for question, chosen, rejected in seen) // 2
