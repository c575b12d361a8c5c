"""When a planted server fails, and how: drawn from (seed, body, attempt), so a run with faults can be repeated. Pure."""

from __future__ import annotations

from dataclasses import dataclass, fields

from biasscope.seeds import uniform


@dataclass(frozen=True, slots=True)
class Faults:
    """Rates, each the share of attempts that end so; together at most 1.

    `attempts` bounds them: an equal body fails at most that many times, None for no bound.
    """

    server_error: float = 0.0
    rate_limit: float = 0.0
    truncated: float = 0.0
    malformed: float = 0.0
    hang: float = 0.0
    attempts: int | None = None

    def __post_init__(self) -> None:
        rates = [getattr(self, name) for name in FAULTS]
        if min(rates) < 0 or sum(rates) > 1:
            raise ValueError(f"fault rates must be shares that sum to at most 1, got {rates}")

    def draw(self, seed: int, body: str, attempt: int) -> str | None:
        """Draw the fault of the `attempt`-th try (from 0) of a body, given by its hash; None for none."""
        if self.attempts is not None and attempt >= self.attempts:
            return None
        draw = uniform("fault", seed, body, attempt)
        for name in FAULTS:
            rate = float(getattr(self, name))
            if draw < rate:
                return name
            draw -= rate
        return None


FAULTS: tuple[str, ...] = tuple(f.name for f in fields(Faults) if f.name != "attempts")
"""Names of the kinds of fault."""
