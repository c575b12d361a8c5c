"""What a measurement could have seen: the effect that would be shown with a given power."""

from __future__ import annotations

from scipy import stats as distributions


def detectable(se: float, *, alpha: float = 0.05, power: float = 0.8) -> float:
    """The smallest true effect that a one-sided test at `alpha` shows with probability `power`.

    Normal approximation: (z_alpha + z_power) * se, in the unit of `se`.
    """
    if se < 0:
        raise ValueError(f"need a standard error of at least 0, got {se}")
    return float((distributions.norm.isf(alpha) + distributions.norm.ppf(power)) * se)
