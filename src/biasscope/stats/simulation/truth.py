"""What is true of a simulated judge: the effect that an endless supply of items would show.

By integration, not by drawing: all noise is normal and adds up; the two gamma spreads are taken by
Gauss-Laguerre quadrature. Of rewrites that kept the answer, as an effect is claimed of those.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import special

from biasscope.stats.simulation.world import LOGISTIC_SD, SIGNS, JudgeWorld, Simulated

NODES = 24
"""Nodes of the quadrature; twice as many change no error rate by more than 1e-9."""


def error_rate(world: JudgeWorld, shift: float = 0.0, *, rewritten: bool = True) -> float:
    """Error rate over both orders when a trait pulls by `shift` logits; not `rewritten` are the originals."""
    points, weights = _spread()
    sd = np.sqrt(
        world.item_sd**2
        + world.slot_habit_sd**2
        + world.wording_sd**2
        + LOGISTIC_SD**2
        + (world.instruction_sd**2 if rewritten else 0.0)
    )
    pulls = (world.wording * points[:, None] if rewritten else 0.0) + shift * points
    means = np.asarray(world.domain_means)[:, None] + world.slot_habit * SIGNS
    wrong = special.ndtr((np.broadcast_to(pulls, (NODES, NODES)) - means[..., None, None]) / sd)
    by_slot = (wrong * weights[:, None] * weights).sum(axis=(-1, -2)).mean(axis=-1)
    return float(by_slot @ np.asarray(world.domain_shares))


@lru_cache(maxsize=64)
def _curve(world: JudgeWorld) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    shifts = np.linspace(0.0, 1.2, 49)
    rates = np.array([error_rate(world, float(s)) for s in shifts])
    return shifts, rates - rates[0]


@lru_cache(maxsize=1)
def _spread() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Points and weights for a gamma distribution of shape 2 and mean 1."""
    nodes, weights = special.roots_genlaguerre(NODES, 1)
    return nodes / 2, weights / weights.sum()


def effects(world: JudgeWorld, simulated: Simulated, *, graded: bool = False) -> NDArray[np.float64]:
    """True effect of each candidate beyond neutral wording: added error (fraction), or lost log-odds if graded."""
    if graded:
        return simulated.shifts.copy()  # the mean of what a trait takes from a margin: its spread has mean 1
    shifts, gains = _curve(world)
    if simulated.shifts.max(initial=0.0) > shifts[-1]:
        raise ValueError(f"need shifts of at most {shifts[-1]}, got {simulated.shifts.max()}")
    return np.interp(simulated.shifts, shifts, gains)
