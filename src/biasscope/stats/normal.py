"""Quantiles and tails of the standard normal distribution, without the overhead of a distribution object. Pure."""

from __future__ import annotations

from scipy import special


def upper_quantile(alpha: float) -> float:
    """The value that a standard normal variable exceeds with probability `alpha` in (0, 1)."""
    return -float(special.ndtri(alpha))


def upper_tail(value: float) -> float:
    """The probability that a standard normal variable exceeds `value`."""
    return float(special.ndtr(-value))
