"""What the engine told so far: asks by role and kind, how fast calls come, and what they used. Prints nothing."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from biasscope.engine import Event

WINDOW_S = 60.0
"""The rate is that of the latest minute: a teacher and a judge that take turns have different ones."""
SAMPLED_S = 1.0

Prices = Mapping[str, tuple[float, float] | None]
"""By role: what a million input and a million output tokens cost, None where that is not declared."""

KINDS = {
    "judge": "judging",
    "rewrite": "rewriting",
    "explain": "explaining",
    "identify": "naming",
    "merge": "merging",
    "check": "checking",
}
"""What asks of a kind do."""


class Tally:
    """Counts of a start; `clock` gives seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._events: dict[tuple[str, str], Event] = {}
        self._samples: deque[tuple[float, int]] = deque()
        self._start = clock()
        self.prices: Prices = {}
        self.restart()

    def restart(self) -> None:
        """Let the time begin now."""
        self._start = self._clock()
        self._samples = deque([(self._start, 0)])

    def take(self, event: Event) -> None:
        """Take an event of the engine."""
        self._events[event.role, event.kind] = event
        now = self._clock()
        if now - self._samples[-1][0] >= SAMPLED_S:
            self._samples.append((now, self.paid))
        while len(self._samples) > 1 and now - self._samples[1][0] >= WINDOW_S:
            self._samples.popleft()

    @property
    def events(self) -> list[Event]:
        """The latest event of each role and kind, in the order in which they first came."""
        return list(self._events.values())

    @property
    def paid(self) -> int:
        """Calls made in this start."""
        return sum(e.count.paid for e in self.events)

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return self._clock() - self._start

    @property
    def tokens(self) -> tuple[int, int]:
        """Tokens in and out of the replies that came with figures."""
        counts = [e.count for e in self.events]
        return sum(c.input_tokens for c in counts), sum(c.output_tokens for c in counts)

    def rate(self) -> float:
        """Paid calls a second in the latest minute."""
        since, paid = self._samples[0]
        return (self.paid - paid) / max(1e-9, self._clock() - since)

    def pace(self) -> str:
        """Rate, time, and how long what was asked for so far will still take."""
        open_asks = sum(unanswered(e) for e in self.events)
        rate = self.rate()
        left = f", about {duration(open_asks / rate)} left for these" if open_asks and rate > 0 else ""
        return f"{rate:.1f} calls/s, {duration(self.elapsed)} so far{left}"

    def cost(self) -> str:
        """Calls, tokens and, where it is declared, the price of this start; empty while nothing was paid for."""
        if not self.paid:
            return ""
        read, written = self.tokens
        # Replies that came without token figures cost something too.
        least = "at least " if any(e.count.unmetered for e in self.events) else ""
        tokens = f", {least}{read:,} tokens in and {written:,} out" if read + written else ""
        return f"{self.paid:,} calls{tokens}{self._price(least)}"

    def _price(self, least: str) -> str:
        of = [(self.prices.get(e.role), e) for e in self.events if e.count.paid]
        priced = [(p, e) for p, e in of if p is not None]
        if not priced:
            return ""
        price = sum(p[0] * e.count.input_tokens + p[1] * e.count.output_tokens for p, e in priced) / 1e6
        roles = dict.fromkeys(e.role for p, e in of if p is None)
        without = f" without that of the {' and the '.join(roles)}" if roles else ""
        return f", price {least}{price:,.2f}{without}"

    def under_way(self) -> str:
        """The asks that are under way, in one line."""
        parts = [
            f"{e.role} {KINDS.get(e.kind, e.kind)} {e.count.answered + e.count.missing:,} of {e.count.asked:,}"
            for e in self.events
            if unanswered(e)
        ]
        return ", ".join(parts) or "between two steps"


def unanswered(event: Event) -> int:
    """How many asks of this role and kind are not answered yet."""
    count = event.count
    return max(0, count.asked - count.answered - count.missing)


def duration(seconds: float) -> str:
    """A duration for people."""
    whole = math.ceil(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes} min {rest:02d} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"
