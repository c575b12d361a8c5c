"""How long a planted server works on a call: drawn from (seed, body, attempt), so a run can be repeated. Pure."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

from biasscope.models.planted.draws import chance, normal
from biasscope.seeds import uniform


class Latency(Protocol):
    """Something that says how long an attempt of a body takes."""

    def seconds(self, seed: int, body: str, attempt: int) -> float:
        """Seconds of the `attempt`-th try (from 0) of a body, given by its hash."""
        ...


@dataclass(frozen=True, slots=True)
class Uniform:
    """Between half and one and a half of a mean in milliseconds."""

    mean_ms: float

    def seconds(self, seed: int, body: str, attempt: int) -> float:
        """Draw the seconds of one attempt; 0 for a mean of 0."""
        if not self.mean_ms:
            return 0.0
        return self.mean_ms * (0.5 + uniform("latency", seed, body, attempt)) / 1000.0


@dataclass(frozen=True, slots=True)
class LogNormal:
    """Log-normal about a median in milliseconds, as served models are; a share of the calls takes some times longer.

    `spread` is the standard deviation of the logarithm; `slow_share` is in [0, 1].
    """

    median_ms: float
    spread: float = 0.4
    slow_share: float = 0.1
    slow_factor: float = 4.0

    def seconds(self, seed: int, body: str, attempt: int) -> float:
        """Draw the seconds of one attempt."""
        slow = chance(self.slow_share, "slow", seed, body, attempt)
        drawn = math.exp(self.spread * normal("latency", seed, body, attempt))
        return self.median_ms * drawn * (self.slow_factor if slow else 1.0) / 1000.0
