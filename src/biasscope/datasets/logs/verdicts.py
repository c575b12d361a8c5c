"""Verdicts as a log records them: what was shown where, what was decided, and who judged.

A log speaks of places (shown first, shown second); whether that is the better response is told by its label. Nothing
here reads a file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from biasscope.datasets.rows import Row
from biasscope.parsing.formats import VerdictFormat
from biasscope.parsing.placed import Decision
from biasscope.records import Order

PLACES = 3
"""How many places are named for each reason."""


@dataclass(frozen=True, slots=True)
class LoggedVerdict:
    """One verdict of one judge on one pair in one order.

    `pair_id` is the same in both orders. `question` and the texts shown `first` and `second` are None where the log has
    none. `order` says which response was shown first: of a pair that is not `labelled` the roles are drawn, and it is
    None where the log does not say. `choice` goes by place and is None where there is no verdict, for the `reason` given.
    `scores` are those of what was shown first and second, None without two numbers. `decided` says that the choice is
    recorded; otherwise it is still to be read from the `reply` (None where none is recorded), in the format `form` where
    that is known. `place` says where in the log this stands. An evaluator that asks again has several rounds, and what it
    decides is its `last`.
    """

    pair_id: str
    judge: str
    place: str
    question: str | None = None
    first: str | None = None
    second: str | None = None
    order: Order | None = None
    labelled: bool = False
    choice: Decision | None = None
    reason: str = ""
    scores: tuple[float, float] | None = None
    decided: bool = True
    reply: str | None = None
    form: VerdictFormat | None = None
    round: int = 1
    last: bool = True


@dataclass(frozen=True, slots=True)
class Counted:
    """Something that was found in a log, how often, and its first places."""

    reason: str
    """What was found."""
    count: int
    """How often, at least 1."""
    places: tuple[str, ...] = ()
    """The first places at which it stands, at most three."""


@dataclass(slots=True)
class Tally:
    """Counts what a log holds besides verdicts, by reason with the first places, in the order in which it came up."""

    _skipped: dict[str, list[str]] = field(default_factory=dict)
    _noted: dict[str, list[str]] = field(default_factory=dict)

    def skip(self, reason: str, place: str) -> None:
        """Count something that holds no verdict that could be read."""
        self._skipped.setdefault(reason, []).append(place)

    def note(self, reason: str, place: str) -> None:
        """Count something that should be known about what is kept."""
        self._noted.setdefault(reason, []).append(place)

    @property
    def skipped(self) -> tuple[Counted, ...]:
        """Everything that was skipped."""
        return counted(self._skipped)

    @property
    def noted(self) -> tuple[Counted, ...]:
        """Everything that was noted."""
        return counted(self._noted)


def counted(places: Mapping[str, Sequence[str]]) -> tuple[Counted, ...]:
    """Reasons with how often they came up and their first places."""
    return tuple(Counted(reason, len(at), tuple(dict.fromkeys(at))[:PLACES]) for reason, at in places.items())


@dataclass(frozen=True, slots=True)
class LoadedLog:
    """A log as it was read: its verdicts, of `read` rows, and an account of everything else.

    `skipped` counts what holds no verdict of anybody, `notes` say what should be known about what was read, and
    `columns` which column was taken for what. `pairs` is the spec under which the same file can be read as pairs, empty
    where it cannot. `sha256` is of the file's bytes.
    """

    path: str
    format: str
    verdicts: tuple[LoggedVerdict, ...]
    read: int
    skipped: tuple[Counted, ...]
    notes: tuple[Counted, ...]
    columns: Mapping[str, str]
    pairs: str
    sha256: str

    @property
    def judges(self) -> tuple[str, ...]:
        """Who judged, in the order of the log."""
        return tuple(dict.fromkeys(v.judge for v in self.verdicts))


@dataclass(frozen=True, slots=True)
class Bound:
    """A format bound to a log: how a row is read, what is counted meanwhile, and what it then has to say."""

    name: str
    read: Callable[[Row, Tally], list[LoggedVerdict]]
    columns: Mapping[str, str] = field(default_factory=dict)
    pairs: str = ""
