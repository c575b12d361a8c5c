"""From token log-probabilities to a margin. Pure; knows no model.

The log-odds between two labels and the probability mass on them are read at the position of the label token;
a label that is not among the returned alternatives is bounded from above, never taken as 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from biasscope.ask import TokenPosition

LEAST_MASS = 0.05
"""Below this share of probability on the offered labels there is no verdict."""
LEAST_LOG = -30.0
"""Log-probabilities are read as no lower: servers write -9999 or minus infinity for *practically never*."""
LEAST_REST = 1e-6
"""Probability that may be left for what was not returned: below it log-probabilities are rounding."""
SATURATED = 0.02
"""A probability outside [.02, .98] is saturated: its margin measures decoding, not preference."""


@dataclass(frozen=True, slots=True)
class LabelOdds:
    """Log-odds of the first label over the second, and the probability on all labels together.

    `bounded` is True where one of the two was not returned and its probability is an upper bound. `tied` where a
    label of a tie is offered and more probable than both.
    """

    log_odds: float
    mass: float
    bounded: bool
    tied: bool = False


def _clean(token: str) -> str:
    return token.strip(" \t\n\r\u2581\u0120*\"'`.:()[]")


def _add(values: Sequence[float]) -> float:
    top = max(values)
    return top + math.log(sum(math.exp(v - top) for v in values))


def label_odds(
    positions: Sequence[TokenPosition], labels: tuple[str, str], *, tie: str | None = None
) -> LabelOdds | None:
    """Read the log-odds at the first generated position whose token is a label: a model that goes on after its
    label says something else there.

    Where no generated token is a label (the model said something else), the first position is read: that is
    where the label was asked for. Spellings of a label that differ in white space or markup are summed. A label
    that was not returned is bounded by the least probable alternative and by what all of them leave over.
    Returns None without positions or when neither label was returned.
    """
    usable = [p for p in positions if p.top]
    if not usable:
        return None
    offered = labels if tie is None else (*labels, tie)
    at_label = [p for p in usable if _clean(p.token) in offered]
    position = at_label[0] if at_label else usable[0]
    found: dict[str, list[float]] = {label: [] for label in offered}
    top = [(_clean(token), max(logprob, LEAST_LOG)) for token, logprob in position.top]
    for token, logprob in top:
        if token in found:
            found[token].append(logprob)
    if not any(found[label] for label in labels):
        return None
    rest = 1 - sum(math.exp(logprob) for _, logprob in top)
    floor = min(math.log(max(rest, LEAST_REST)), *(logprob for _, logprob in top))
    first, second = (_add(found[label]) if found[label] else floor for label in labels)
    mass = sum(math.exp(_add(v)) for v in found.values() if v)
    tied = tie is not None and bool(found[tie]) and _add(found[tie]) > max(first, second)
    return LabelOdds(first - second, min(1.0, mass), not all(found[label] for label in labels), tied)


def after_thinking(positions: Sequence[TokenPosition], answer: str) -> tuple[TokenPosition, ...]:
    """The positions of the answer that ends a reply, without those of the thinking before it; none where unsure."""
    wanted, written = answer.strip(), ""
    for at in range(len(positions) - 1, -1, -1):
        written = positions[at].token + written
        if wanted in written:
            return tuple(positions[at:])
    return ()


def is_saturated(margins: Sequence[float]) -> bool:
    """Whether more than half of the verdict probabilities lie outside [.02, .98]."""
    if not margins:
        return False
    limit = math.log((1 - SATURATED) / SATURATED)
    return sum(abs(m) > limit for m in margins) > len(margins) / 2
