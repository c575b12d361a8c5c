"""Replies that a log records, read by our own reader and compared with the decisions recorded beside them. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from biasscope.ask import Unreadable
from biasscope.datasets.logs import Counted, LoggedVerdict, counted
from biasscope.parsing.placed import Decision, read_placed
from biasscope.records import Effect


@dataclass(frozen=True, slots=True)
class Reread:
    """How our reading of the replies compares with what is recorded.

    `agree` and `differ` count replies; no decision in both is agreement. `differences` says what is recorded and what is
    read, `read` holds our reading by the place of the verdict. `slot` is the preference for a place with our reading
    instead, None where nothing differs. `reason` says why no reply was compared.
    """

    agree: int
    differ: int
    differences: tuple[Counted, ...]
    reason: str = ""
    read: Mapping[str, Decision | None] = field(default_factory=dict)
    slot: Effect | None = None


def reread(verdicts: Sequence[LoggedVerdict]) -> Reread:
    """Read every reply that stands beside a recorded decision."""
    replies = [v for v in verdicts if v.reply is not None]
    beside = [v for v in replies if v.decided]
    if not replies:
        return Reread(0, 0, (), reason="the log holds no replies")
    if not beside:
        return Reread(0, 0, (), reason="the log holds no decision beside its replies: they are our own reading")
    read: dict[str, Decision | None] = {}
    places: dict[str, list[str]] = defaultdict(list)
    for v in beside:
        if v.reply is None or v.form is None:
            continue
        read[v.place] = found = _read(v)
        if found != v.choice:
            places[f"recorded {v.choice or 'nothing'}, read {found or 'nothing'}"].append(v.place)
    if not read:
        return Reread(0, 0, (), reason="the replies are in no format that is known here")
    differ = sum(len(at) for at in places.values())
    return Reread(len(read) - differ, differ, counted(places), read=read)


def _read(verdict: LoggedVerdict) -> Decision | None:
    assert verdict.reply is not None
    assert verdict.form is not None
    try:
        return read_placed(verdict.reply, verdict.form)
    except Unreadable:
        return None
