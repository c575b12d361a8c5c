"""What is shown while a run works: a live view on a terminal, plain lines elsewhere; always on stderr."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self

from rich.console import Group
from rich.live import Live

from biasscope.cli.live import draw
from biasscope.cli.output import console
from biasscope.cli.tally import Prices, Tally
from biasscope.cli.watched import Watched

if TYPE_CHECKING:
    from biasscope.engine import Event
    from biasscope.workflows.stages import Seen, Stage

PLAIN_EVERY_S = 15.0
REDRAWN_PER_S = 4


class Progress:
    """Listens to the engine's events and to what is seen of a run, and shows how far it is.

    `clock` gives seconds and is a parameter so that the plain lines can be tested.
    """

    def __init__(self, *, quiet: bool = False, clock: Callable[[], float] = time.monotonic) -> None:
        self._console = console(stderr=True)
        self._quiet = quiet
        self._clock = clock
        self._live: Live | None = None
        self._tally = Tally(clock)
        self._watched = Watched()
        self._last = clock()

    def __enter__(self) -> Self:
        self._last = self._clock()
        self._tally.restart()
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

    def expect(self, stages: Sequence[Stage], *, iterations: int = 1, prices: Prices | None = None) -> None:
        """Say what the run will go through, the most iterations that it makes, and what tokens cost by role."""
        self._watched.stages, self._watched.iterations = stages, iterations
        self._tally.prices = prices or {}

    def say(self, text: str) -> None:
        """Print one line that stays."""
        self._console.print(text)

    def line(self, text: str) -> None:
        """Print one line that stays, unless nothing shall be shown."""
        if not self._quiet:
            self.say(text)

    def event(self, event: Event) -> None:
        """Take an event of the engine."""
        self._tally.take(event)
        if self._live is None and not self._quiet and self._clock() - self._last >= PLAIN_EVERY_S:
            self._last = self._clock()
            self.say(self._plain())

    def seen(self, seen: Seen) -> None:
        """Take what was seen of the run."""
        lines = self._watched.take(seen)
        if self._live is None:
            for line in lines:
                self.line(line)
        if over := self._watched.over():
            self.line(over)

    def _shown(self) -> Group:
        return draw(self._watched, self._tally, *self._console.size)

    def _plain(self) -> str:
        """The calls in one line, with a budget that is being spent and what was used."""
        tally, watched = self._tally, self._watched
        parts = [
            tally.under_way(),
            watched.budget_line(),
            tally.pace(),
            tally.cost() if any(tally.tokens) else "",
        ]
        return "; ".join(part for part in parts if part)
