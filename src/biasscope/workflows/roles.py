"""Which pair is used for what: discovery, validation, holdout, by hash of the normalised question. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from biasscope import seeds
from biasscope.errors import DataError
from biasscope.records import PreferencePair
from biasscope.seeds import PairRole
from biasscope.stats.rules import FEWEST

DISCOVERY_SHARE = 0.35
"""Share of the pairs that look for candidates when one source serves for everything."""
FEWEST_TO_DISCOVER = 5
"""Fewest pairs that discovery can do with; validation needs as many as its rule."""


@dataclass(frozen=True, slots=True)
class Roles:
    """The pairs of a run by role; `shared` counts discovery pairs left out since validation asks the same."""

    discovery: tuple[PreferencePair, ...]
    validation: tuple[PreferencePair, ...]
    holdout: tuple[PreferencePair, ...]
    shared: int = 0


def split_one(pairs: Sequence[PreferencePair], *, holdout_share: float, seed: int) -> Roles:
    """Split one source: 35 % discovery, `holdout_share` of the rest holdout, the remainder validation."""
    rest = 1 - DISCOVERY_SHARE
    shares: tuple[tuple[PairRole, float], ...] = (
        ("discovery", DISCOVERY_SHARE),
        ("validation", rest * (1 - holdout_share)),
        ("holdout", rest * holdout_share),
    )
    by_role: dict[PairRole, list[PreferencePair]] = {name: [] for name, _ in shares}
    for pair in pairs:
        by_role[seeds.role(pair.question, shares, seed=seed)].append(pair)
    return _enough(Roles(tuple(by_role["discovery"]), tuple(by_role["validation"]), tuple(by_role["holdout"])))


def split_two(
    discovery: Sequence[PreferencePair], validation: Sequence[PreferencePair], *, holdout_share: float, seed: int
) -> Roles:
    """Use one source for discovery and split the other into validation and holdout.

    Questions that both sources ask are removed from discovery and counted. Raises DataError when too few
    pairs remain.
    """
    asked = {seeds.question_hash(p.question) for p in validation}
    fresh = [p for p in discovery if seeds.question_hash(p.question) not in asked]
    shares: tuple[tuple[PairRole, float], ...] = (("validation", 1 - holdout_share), ("holdout", holdout_share))
    roles = [seeds.role(p.question, shares, seed=seed) for p in validation]
    return _enough(
        Roles(
            tuple(fresh),
            tuple(p for p, r in zip(validation, roles, strict=True) if r == "validation"),
            tuple(p for p, r in zip(validation, roles, strict=True) if r == "holdout"),
            len(discovery) - len(fresh),
        )
    )


def _enough(roles: Roles) -> Roles:
    for name, pairs, fewest in (
        ("discovery", roles.discovery, FEWEST_TO_DISCOVER),
        ("validation", roles.validation, FEWEST),
    ):
        if len(pairs) < fewest:
            twins = name == "discovery" and roles.shared > 0
            taken = f"; {roles.shared} were left out because validation asks the same" if twins else ""
            better = "discovery pairs that ask other questions" if twins else "pairs"
            raise DataError(
                f"only {len(pairs)} pairs are left for {name}{taken}",
                hint=f"Give at least {fewest} (better 200 or more) {better}.",
            )
    return roles
