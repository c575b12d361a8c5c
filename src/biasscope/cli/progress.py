"""What is shown while a run works: a live table on a terminal, plain lines elsewhere; always on stderr."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Self

from rich.console import Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from biasscope.cli.output import console

if TYPE_CHECKING:
    from biasscope.engine import Event

PLAIN_EVERY_S = 15.0
REDRAWN_PER_S = 4
WORDS = {
    "judge": "judging",
    "rewrite": "rewriting",
    "explain": "explaining",
    "identify": "naming",
    "merge": "merging",
    "check": "checking",
}


class Progress:
    """Listens to the engine's events and shows how far the current asks are, with rate and time left.

    `clock` gives seconds and is a parameter so that the plain lines can be tested.
    """

    def __init__(self, *, quiet: bool = False, clock: Callable[[], float] = time.monotonic) -> None:
        self._console = console(stderr=True)
        self._quiet = quiet
        self._clock = clock
        self._live: Live | None = None
        self._events: dict[tuple[str, str], Event] = {}
        self._start = self._last = clock()

    def __enter__(self) -> Self:
        self._start = self._last = self._clock()
        if not self._quiet and self._console.is_terminal and not self._console.is_dumb_terminal:
            # Results go to stdout, which a live display must not take over.
            self._live = Live(
                console=self._console,
                refresh_per_second=REDRAWN_PER_S,
                transient=True,
                redirect_stdout=False,
                get_renderable=self._shown,
            )
            self._live.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.__exit__(kind, error, trace)

    def say(self, text: str) -> None:
        """Print one line that stays."""
        self._console.print(text)

    def line(self, text: str) -> None:
        """Print one line that stays, unless nothing shall be shown."""
        if not self._quiet:
            self.say(text)

    def event(self, event: Event) -> None:
        """Take an event of the engine."""
        self._events[event.role, event.kind] = event
        if self._live is None and not self._quiet and self._clock() - self._last >= PLAIN_EVERY_S:
            self._last = self._clock()
            self.say(self._plain())

    def _elapsed(self) -> float:
        return self._clock() - self._start

    def _rate(self) -> float:
        """Paid calls a second since the start."""
        paid = sum(e.count.paid for e in self._events.values())
        return paid / max(1e-9, self._elapsed())

    def _pace(self) -> str:
        """Rate, time, and how long what was asked for so far will still take."""
        open_asks = sum(_open(e) for e in list(self._events.values()))
        rate = self._rate()
        left = f", about {_time(open_asks / rate)} left for these" if open_asks and rate > 0 else ""
        return f"{rate:.1f} calls/s, {_time(self._elapsed())} so far{left}"

    def _shown(self) -> Group:
        """The live table: one row for each kind of ask."""
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
        for name in ("", "done", "asked", "replayed", "missing"):
            table.add_column(name, justify="right" if name else "left", no_wrap=True)
        for (role, kind), e in list(self._events.items()):
            c = e.count
            numbers = (c.answered + c.missing, c.asked, c.replayed, c.missing)
            # What is finished steps back, so that the eye finds what is under way.
            style = "" if _open(e) else "dim"
            table.add_row(f"{role} {WORDS.get(kind, kind)}", *(f"{n:,}" for n in numbers), style=style)
        return Group(table, Text(self._pace(), style="dim"))

    def _plain(self) -> str:
        """The same in one line, of the asks that are under way."""
        parts = [
            f"{role} {WORDS.get(kind, kind)} {e.count.answered + e.count.missing:,} of {e.count.asked:,}"
            for (role, kind), e in self._events.items()
            if _open(e)
        ]
        return f"{', '.join(parts) or 'between two steps'}; {self._pace()}"


def _open(event: Event) -> int:
    """How many asks of this role and kind are not answered yet."""
    count = event.count
    return max(0, count.asked - count.answered - count.missing)


def _time(seconds: float) -> str:
    """A duration for people."""
    whole = math.ceil(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes} min {rest:02d} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"
