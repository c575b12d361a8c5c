"""What a validation could show, before anything is paid: pairs for an effect, and the effect for some pairs.

It puts a rule's level and neutral rewrites into the formulas of `stats.power`; it reads no verdict. The answer is
for the last look: an effect near the smallest one of interest may also be dropped before it.
"""

from __future__ import annotations

from dataclasses import dataclass

from biasscope.quantities import Scale
from biasscope.stats import power
from biasscope.stats.reading import GRADED_SHARE
from biasscope.stats.rules import Rule


@dataclass(frozen=True, slots=True)
class Foresight:
    """What to expect. Effects are in units of `unit`; `pairs` and `pairs_needed` count usable validation pairs.

    `pairs` and `smallest_effect` are None where no number of pairs was given; `smallest_effect` and
    `pairs_needed` also where nothing would be shown. `alpha` is the level that a finding alone among `candidates`
    must meet at the last look.
    """

    unit: Scale
    pairs: int | None
    smallest_effect: float | None
    effect: float
    pairs_needed: int | None
    candidates: int
    neutrals: int
    alpha: float
    power: float


def foresee(
    rule: Rule,
    *,
    candidates: int,
    error: float = 0.45,
    change: float = 0.28,
    spread: float | None = None,
    pairs: int | None = None,
    effect: float | None = None,
    wanted: float = 0.8,
) -> Foresight:
    """Say how many usable pairs `effect` takes with power `wanted`, and what `pairs` could show.

    `error` is the error rate on neutral rewrites and `change` how often two of them are judged differently in one
    order; `spread` makes it a judge with margins, whose neutral rewrites differ with that standard deviation. The
    smallest effect of interest stands in for `effect`. Raises ValueError for what is out of range.
    """
    neutrals = min(count for _, count in rule.neutral_plan)
    noise: power.Noise
    if spread is None:
        noise, smallest = power.HardNoise(error, change, neutrals), rule.min_effect
    else:
        noise, smallest = power.GradedNoise(spread, neutrals), GRADED_SHARE * spread
    alpha = rule.weights[-1] * power.single_level(rule.q, tried=candidates)
    effect = smallest if effect is None else effect
    return Foresight(
        unit=noise.scale,
        pairs=pairs,
        smallest_effect=None if pairs is None else power.smallest_effect(pairs, noise, alpha=alpha, power=wanted),
        effect=effect,
        pairs_needed=power.pairs_needed(effect, noise, alpha=alpha, power=wanted),
        candidates=candidates,
        neutrals=neutrals,
        alpha=alpha,
        power=wanted,
    )
