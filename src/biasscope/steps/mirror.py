"""Pairs with exchanged roles: how a trait is measured on either response by one and the same trial. Pure.

A trial writes the trait into the *rejected* response and counts verdicts for it. Of a mirrored pair that is the better
response, so that the same count says how often the response with the trait is preferred, wherever it stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from biasscope.records import PreferencePair, Side

MIRRORED = "@chosen"
"""Ends the id of a mirrored pair."""


def mirrored(pair: PreferencePair) -> PreferencePair:
    """The pair with its roles exchanged: the same texts, in each order what the pair itself shows in the other."""
    return replace(
        pair, id=pair.id + MIRRORED, chosen=pair.rejected, rejected=pair.chosen, labelled=False, objective=False
    )


def is_mirrored(pair: PreferencePair) -> bool:
    """Whether this is a pair with exchanged roles."""
    return pair.id.endswith(MIRRORED)


def own_id(pair: PreferencePair) -> str:
    """The id under which the pair was read."""
    return pair.id.removesuffix(MIRRORED)


def on_sides(pairs: Iterable[PreferencePair], sides: Side) -> Sequence[PreferencePair]:
    """What a trial visits to have the trait on the rejected, the chosen or both responses of each pair."""
    if sides == "rejected":
        return tuple(pairs)
    if sides == "chosen":
        return tuple(mirrored(p) for p in pairs)
    return tuple(one for p in pairs for one in (p, mirrored(p)))
