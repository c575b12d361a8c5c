"""What is shown while a run works: a live line on a terminal, plain lines elsewhere; always on stderr."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.live import Live
from rich.table import Table

from biasscope.engine import Event

PLAIN_EVERY_S = 15.0
WORDS = {
    "judge": "judging",
    "rewrite": "rewriting",
    "explain": "explaining",
    "identify": "naming",
    "merge": "merging",
    "check": "checking",
}


class Progress:
    """Listens to the engine's events and shows how far the current asks are, with rate and time left."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._console = Console(stderr=True, highlight=False)
        self._quiet = quiet
        self._live: Live | None = None
        self._events: dict[tuple[str, str], Event] = {}
        self._start = self._last = time.monotonic()
        self._paid_before = 0

    def __enter__(self) -> Self:
        if not self._quiet and self._console.is_terminal:
            self._live = Live(console=self._console, refresh_per_second=4, transient=True)
            self._live.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.__exit__(kind, error, trace)

    def line(self, text: str) -> None:
        """Print one line that stays."""
        if not self._quiet:
            self._console.print(text, markup=False)

    def event(self, event: Event) -> None:
        """Take an event of the engine."""
        self._events[event.role, event.kind] = event
        now = time.monotonic()
        if self._live is not None:
            self._live.update(self._table(now))
        elif not self._quiet and now - self._last >= PLAIN_EVERY_S:
            self._last = now
            sys.stderr.write(self._plain(now) + "\n")
            sys.stderr.flush()

    def _rate(self, now: float) -> float:
        paid = sum(e.count.paid for e in self._events.values())
        return paid / max(1e-9, now - self._start)

    def _table(self, now: float) -> Table:
        rate = self._rate(now)
        table = Table(box=None, pad_edge=False)
        for name in ("what", "answered", "of", "replayed", "missing", "left"):
            table.add_column(
                name, justify="left" if name == "what" else "right", style="dim" if name != "what" else ""
            )
        for (role, kind), e in self._events.items():
            c = e.count
            left = max(0, c.asked - c.answered - c.missing)
            eta = f"{left / rate:.0f} s" if left and rate > 0 else ""
            done = c.answered + c.missing
            table.add_row(
                f"{role} {WORDS.get(kind, kind)}",
                f"{done:,}",
                f"{c.asked:,}",
                f"{c.replayed:,}",
                f"{c.missing:,}",
                eta,
            )
        table.caption = f"{rate:.1f} calls/s, {now - self._start:.0f} s"
        return table

    def _plain(self, now: float) -> str:
        parts = [
            f"{role} {WORDS.get(kind, kind)} {e.count.answered + e.count.missing}/{e.count.asked}"
            for (role, kind), e in self._events.items()
        ]
        return f"[{now - self._start:.0f} s] " + ", ".join(parts) + f" ({self._rate(now):.1f} calls/s)"
