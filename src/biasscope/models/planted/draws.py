"""Draws from names for planted models: chances, choices, normal and gamma values. Pure, nothing is remembered."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import TypeVar

from biasscope.seeds import derive_seed, pick, uniform

T = TypeVar("T")
_QUANTILE = NormalDist().inv_cdf


def normal(*names: object) -> float:
    """Draw a standard normal value from names."""
    return _QUANTILE((derive_seed(*names) + 0.5) / (2.0**64 + 1.0))


def gamma(shape: int, *names: object) -> float:
    """Draw a gamma value of mean 1 and standard deviation 1 / sqrt(shape), as a sum of exponentials."""
    return sum(-math.log(1.0 - uniform(k, *names)) for k in range(shape)) / shape


def chance(share: float, *names: object) -> bool:
    """Draw True with probability `share`."""
    return uniform(*names) < share


def choose(options: Sequence[T], *names: object) -> T:
    """Draw one of the options, equally likely."""
    return options[pick(len(options), *names)]
