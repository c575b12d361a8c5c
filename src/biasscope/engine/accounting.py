"""What asking did and what it would take, as frozen counts. Nothing here asks."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Count:
    """How asks stand. `paid` are calls made, `written` those of them whose reply is in the ledger, `replayed`
    replies that the ledger or a call in flight gave.

    Tokens are those of paid replies; `unmetered` counts the paid replies that came without token figures.
    What a model retries inside one call is not known here.
    """

    asked: int = 0
    answered: int = 0
    missing: int = 0
    replayed: int = 0
    paid: int = 0
    written: int = 0
    in_flight: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    unmetered: int = 0


@dataclass(frozen=True, slots=True)
class Event:
    """Something happened: the counts so far of one role's asks of one kind."""

    role: str
    kind: str
    count: Count


@dataclass(frozen=True, slots=True)
class Calls:
    """What an engine did, per role and kind."""

    events: tuple[Event, ...] = ()

    def total(self, *, role: str | None = None, kind: str | None = None) -> Count:
        """Sum the counts, of one role or kind where given."""
        total: Counter[str] = Counter()
        for event in self.events:
            if role in (None, event.role) and kind in (None, event.kind):
                total.update(asdict(event.count))
        return Count(**total)


@dataclass(frozen=True, slots=True)
class Plan:
    """What asking would take: `calls` at least, with about `input_tokens` (a token is taken as 4 characters).

    `answered` asks need no call. `output_limit` is the number of tokens that the calls may produce at most.
    """

    asks: int
    answered: int
    calls: int
    input_tokens: int
    output_limit: int
