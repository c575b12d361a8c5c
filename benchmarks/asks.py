"""Asks as runs put them: a judge that gives its reasons on generated pairs, so many as are wanted, no two alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count, islice

from biasscope.judges.base import Presentation
from biasscope.judges.pairwise import Mode, PairwiseAsk
from biasscope.objective import generate
from biasscope.records import ORDERS, ORIGINAL

PAIRS = 500


def judge_asks(number: int, *, mode: Mode = "reason", seed: int = 5) -> Iterator[PairwiseAsk]:
    """Give `number` asks; beyond both orders of all pairs a response says which time this is."""
    return islice(_endless(mode, seed), number)


def _endless(mode: Mode, seed: int) -> Iterator[PairwiseAsk]:
    pairs = list(generate(PAIRS, seed=seed))
    for turn in count():
        for pair in pairs:
            changed = (
                pair
                if turn == 0
                else replace(
                    pair, id=f"{pair.id}-{turn}", rejected=f"{pair.rejected}\n(As said for the {turn}. time.)"
                )
            )
            for order in ORDERS:
                yield PairwiseAsk(Presentation(changed, ORIGINAL, order, changed.chosen, changed.rejected), mode)
