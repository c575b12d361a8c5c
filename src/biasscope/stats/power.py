"""What a measurement could have seen: the effect that would be shown with a given power, and the pairs it takes.

Normal approximations of a one-sided test on paired differences. `n` counts usable pairs: those whose biased and
neutral rewrites both have verdicts. Knows no rule; the level is that of the single test after multiplicity.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

from scipy import optimize

from biasscope.quantities import Scale
from biasscope.stats import multiple
from biasscope.stats.normal import upper_quantile

BETWEEN_ORDERS = 0.07
"""Correlation of the two orders' differences; measured on two LLM judges, it hardly depends on the judge."""


class Noise(Protocol):
    """How much one pair's difference, biased minus neutral mean, varies under a true effect."""

    @property
    def scale(self) -> Scale:
        """The unit of the effect."""
        ...

    @property
    def largest(self) -> float:
        """The largest effect there can be."""
        ...

    def sd(self, effect: float) -> float:
        """Standard deviation of one pair's difference under this effect."""
        ...


@dataclass(frozen=True, slots=True)
class HardNoise:
    """Verdicts without margins. Effects are fractions.

    `error` in (0, 1) is the error rate on neutral rewrites, `change` in [0, 1] how often two neutral rewrites of
    a pair are judged differently in the same order, `neutrals` >= 1 the neutral rewrites per pair, `orders` 1 or
    2, `between_orders` the correlation of the two orders' differences. Raises ValueError outside these ranges.

    A verdict is wrong with a probability of its own per pair and order; within it, two draws differ with `change`,
    so that one draw has variance change / 2. A bias turns each right verdict wrong with the same probability.
    """

    error: float
    change: float
    neutrals: int
    orders: int = 2
    between_orders: float = BETWEEN_ORDERS

    def __post_init__(self) -> None:
        if not 0 < self.error < 1 or not 0 <= self.change <= 1 or not -1 <= self.between_orders <= 1:
            raise ValueError(f"need an error rate in (0, 1), a change rate and a correlation, got {self}")
        if self.neutrals < 1 or self.orders not in (1, 2):
            raise ValueError(f"need at least one neutral rewrite and one or two orders, got {self}")

    @property
    def scale(self) -> Scale:
        """The unit of the effect: fractions."""
        return "fraction"

    @property
    def largest(self) -> float:
        """No more verdicts can turn wrong than are right."""
        return 1 - self.error

    def sd(self, effect: float) -> float:
        """Standard deviation of one pair's difference: noise of its verdicts, and of who is turned."""
        turned = effect / (1 - self.error)
        within = self.change / 2
        right_squared = max((1 - self.error) ** 2, 1 - self.error - within)
        biased = (1 - turned) * (within + turned * right_squared)
        uneven = turned**2 * (right_squared - (1 - self.error) ** 2)
        one_order = within / self.neutrals + biased + uneven
        return math.sqrt(one_order * (1 + self.between_orders) / 2 if self.orders == 2 else one_order)


@dataclass(frozen=True, slots=True)
class GradedNoise:
    """Verdicts with margins. Effects are log-odds.

    `spread` > 0 is the standard deviation over pairs of the difference of two neutral rewrites' margins (mean of
    the orders that are judged), `neutrals` >= 1 the neutral rewrites per pair. An effect shifts all pairs alike.
    """

    spread: float
    neutrals: int

    def __post_init__(self) -> None:
        if self.spread <= 0 or self.neutrals < 1:
            raise ValueError(f"need a positive spread and at least one neutral rewrite, got {self}")

    @property
    def scale(self) -> Scale:
        """The unit of the effect: log-odds."""
        return "log-odds"

    @property
    def largest(self) -> float:
        """Margins have no largest value."""
        return math.inf

    def sd(self, effect: float) -> float:
        """Standard deviation of one pair's difference, the same under every effect."""
        return self.spread * math.sqrt((1 + 1 / self.neutrals) / 2)


@dataclass(frozen=True, slots=True)
class DiscordantNoise:
    """Two judges on the same pairs, or one before and after a change. Effects are fractions.

    `share` in (0, 1] is the mean squared difference of a pair: the share of pairs on which the two differ, where each is
    right or wrong. Raises ValueError outside that range.
    """

    share: float

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1:
            raise ValueError(f"need a share in (0, 1], got {self.share}")

    @property
    def scale(self) -> Scale:
        """The unit of the effect: fractions."""
        return "fraction"

    @property
    def largest(self) -> float:
        """All pairs on which they differ favour one of the two."""
        return self.share

    def sd(self, effect: float) -> float:
        """Standard deviation of one pair's difference under a mean difference of this size."""
        return math.sqrt(max(0.0, self.share - effect**2))


def detectable(se: float, *, alpha: float = 0.05, power: float = 0.8) -> float:
    """The smallest true effect that a one-sided test at `alpha` shows with probability `power`.

    Normal approximation: (z_alpha + z_power) * se, in the unit of `se`.
    """
    if se < 0:
        raise ValueError(f"need a standard error of at least 0, got {se}")
    return (upper_quantile(alpha) + upper_quantile(1 - power)) * se


def single_level(q: float, *, tried: int, accepted: int = 1) -> float:
    """The one-sided level of a single test in a run at `q`, with `accepted` of `tried` accepted.

    That of Benjamini-Hochberg, less where few are accepted (`multiple.price`). Times the weight of a look, it is
    the level there. Raises ValueError unless 1 <= accepted <= tried.
    """
    if not 1 <= accepted <= tried or not 0 < q < 1:
        raise ValueError(f"need 1 <= accepted <= tried and 0 < q < 1, got {accepted}, {tried}, {q}")
    return q * accepted / tried / multiple.price(accepted)


def pairs_needed(effect: float, noise: Noise, *, alpha: float = 0.05, power: float = 0.8) -> int | None:
    """How many usable pairs show a true effect with probability `power`; None for one that cannot be.

    ((z_alpha sd under no effect + z_power sd under the effect) / effect)^2, rounded up. Raises ValueError for an
    effect that is not positive, or unless 0 < alpha < .5 <= power < 1.
    """
    if effect <= 0:
        raise ValueError(f"need a positive effect, got {effect}")
    if effect > noise.largest:
        return None
    return max(1, math.ceil((_reach(effect, noise, alpha, power) / effect) ** 2 - 1e-9))


def smallest_effect(n: int, noise: Noise, *, alpha: float = 0.05, power: float = 0.8) -> float | None:
    """The smallest true effect that `n` usable pairs show with probability `power`; None where none is.

    The inverse of `pairs_needed`. Raises ValueError for n < 1, or unless 0 < alpha < .5 <= power < 1.
    """
    if n < 1:
        raise ValueError(f"need at least one pair, got {n}")

    def lacking(effect: float) -> float:
        return _reach(effect, noise, alpha, power) / math.sqrt(n) - effect

    # No effect at all may need no pairs where verdicts never change; the smallest one that does is meant.
    low = 1e-12
    # An effect makes the noise at most a few times larger, so that this is beyond what is needed.
    top = min(noise.largest, 10 * lacking(0.0) + 10 / math.sqrt(n))
    if lacking(top) > 0:
        return None
    return float(optimize.brentq(lacking, low, top, xtol=1e-13))


def _reach(effect: float, noise: Noise, alpha: float, power: float) -> float:
    if not 0 < alpha < 0.5 <= power < 1:
        raise ValueError(f"need a level below .5 and a power of at least .5, got {alpha} and {power}")
    null = upper_quantile(alpha) * noise.sd(0.0)
    return null + upper_quantile(1 - power) * noise.sd(effect)
