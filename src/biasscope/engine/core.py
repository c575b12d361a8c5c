"""Engine and line: how asks become calls (order, gates, sharing, cap, cancellation). Knows no key's contents."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from biasscope.ask import Answered, Ask, Asker, Missing, Reply, Request, Unreadable
from biasscope.engine.accounting import Calls, Count, Event, Plan
from biasscope.engine.known import Known
from biasscope.errors import CapReached, ModelChanged
from biasscope.ledger import Ledger
from biasscope.models.base import Model

T = TypeVar("T")

_CHUNK = 100  # asks looked up between two turns of the event loop: some milliseconds
_CHARACTERS_PER_TOKEN = 4


class Engine:
    """Executes asks against models with one ledger.

    `max_calls` caps the calls of this engine plus `already_paid`; a cap of 0 replays only. `on_event` is told
    of progress, in the event loop. Models that name the same endpoint share one gate, sized by the first. An
    engine belongs to one event loop.
    """

    def __init__(
        self,
        ledger: Ledger,
        *,
        max_calls: int | None = None,
        already_paid: int = 0,
        on_event: Callable[[Event], None] | None = None,
    ) -> None:
        self.ledger = ledger
        self._max_calls = max_calls
        self._made = already_paid
        self._calling = 0
        self._on_event = on_event
        self._counts: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        self._gates: dict[str, asyncio.Semaphore] = {}
        self._known: dict[str, Known] = {}
        self._flights: dict[tuple[str, Request, int], asyncio.Task[tuple[str, Reply]]] = {}

    @property
    def calls(self) -> Calls:
        """What was done so far."""
        return Calls(tuple(Event(*key, Count(**count)) for key, count in sorted(self._counts.items())))

    def asker(self, model: Model, role: str) -> Asker:
        """Give an `Asker` for a model; `role` (judge, teacher, writer ...) is for accounting only."""
        return self._line(model, role)

    def plan(self, model: Model, asks: Sequence[Ask[Any]]) -> Plan:
        """Look what the ledger already answers and estimate the rest; makes no call."""
        line = self._line(model, "")
        opened = [_Open(index, ask) for index, ask in enumerate(asks)]
        answers, _ = line.replay(opened)
        rest = (o for o in opened if o.index not in answers)
        needed = {(o.request, o.attempt) for o in rest}
        characters = sum(len(m.content) for request, _ in needed for m in request.messages)
        limit = sum(request.max_tokens for request, _ in needed)
        return Plan(len(asks), len(answers), len(needed), characters // _CHARACTERS_PER_TOKEN, limit)

    def _line(self, model: Model, role: str) -> _Line:
        known = Known(model, self.ledger)
        known = self._known.setdefault(known.id, known)
        gate = self._gates.setdefault(model.endpoint, asyncio.Semaphore(model.max_in_flight))
        return _Line(self, model, role, known, gate)

    def _charge(self) -> None:
        """Count a call that is about to be made; raises `CapReached` where the cap leaves no room for it."""
        if self._max_calls is not None and self._made >= self._max_calls:
            raise CapReached(
                f"the cap of {self._max_calls} calls is reached ({self._made} made)",
                hint="Raise --max-calls and run the same command to continue; finished replies are kept.",
            )
        self._made += 1
        self._calling += 1

    def _count(self, role: str, kind: str, **counts: int) -> None:
        """Add to the counts of a role and kind."""
        found = self._counts[role, kind]
        for name, number in counts.items():  # several times a call, and `update` takes ten times as long
            found[name] += number

    def _meter(self, role: str, kind: str, reply: Reply) -> None:
        """Count the tokens of a paid reply."""
        metered = reply.input_tokens is not None and reply.output_tokens is not None
        read, written = reply.input_tokens or 0, reply.output_tokens or 0
        self._count(role, kind, input_tokens=read, output_tokens=written, unmetered=not metered)

    def _tell(self, role: str, kind: str) -> None:
        """Tell the listener how a role and kind stand."""
        if self._on_event is not None:
            self._on_event(Event(role, kind, Count(**self._counts[role, kind])))


@dataclass(slots=True)
class _Open(Generic[T]):
    """An ask on its way: which attempt is due, and the keys of the replies there were."""

    index: int
    ask: Ask[T]
    attempt: int = 0
    keys: tuple[str, ...] = ()

    @property
    def request(self) -> Request:
        """The request of the attempt that is due; built anew each time, since 100,000 texts would fill memory."""
        return self.ask.request(self.attempt)

    def read(self, key: str, reply: Reply) -> Answered[T] | Missing | None:
        """Parse a reply; None when another attempt is due."""
        self.keys += (key,)
        try:
            return Answered(self.ask.parse(reply), self.keys)
        except Unreadable as error:
            self.attempt += 1
            if self.attempt < self.ask.attempts:
                return None
            return Missing(error.reason, error.detail, self.keys)


@dataclass(slots=True)
class _Batch(Generic[T]):
    """What the workers of one `ask` share: the asks that need a call, the answers, and who works on which."""

    queue: Iterator[_Open[T]]
    answers: dict[int, Answered[T] | Missing]
    order: dict[asyncio.Task[Any], int] = field(default_factory=dict)
    stopped: bool = False


@dataclass(frozen=True, slots=True)
class _Line:
    """A model in a role, on this engine: the `Asker` that steps are handed."""

    engine: Engine
    model: Model
    role: str
    known: Known
    gate: asyncio.Semaphore

    @property
    def name(self) -> str:
        return self.model.spec

    async def ask(self, asks: Sequence[Ask[T]]) -> list[Answered[T] | Missing]:
        """Answer every ask in order: from the ledger what it holds, then the rest by calls."""
        for kind, asked in Counter(ask.kind for ask in asks).items():
            self._tally(kind, asked=asked)
        answers: dict[int, Answered[T] | Missing] = {}
        todo: list[_Open[T]] = []
        for start in range(0, len(asks), _CHUNK):
            opened = [_Open(start + i, ask) for i, ask in enumerate(asks[start : start + _CHUNK])]
            found, hits = self.replay(opened)
            answers |= found
            todo += (o for o in opened if o.index not in found)
            for kind in hits:
                mine = [found[o.index] for o in opened if o.index in found and o.ask.kind == kind]
                missing = sum(isinstance(a, Missing) for a in mine)
                self._tally(kind, replayed=hits[kind], answered=len(mine) - missing, missing=missing)
            await asyncio.sleep(0)
        if todo:
            await self._pay(todo, answers)
        return [answers[index] for index in range(len(asks))]

    def _tally(self, kind: str, **counts: int) -> None:
        self.engine._count(self.role, kind, **counts)
        self.engine._tell(self.role, kind)

    def replay(self, opened: Sequence[_Open[T]]) -> tuple[dict[int, Answered[T] | Missing], Counter[str]]:
        """Answer from the ledger what it can; also count the replies read per kind. Moves `opened` along."""
        answers: dict[int, Answered[T] | Missing] = {}
        hits: Counter[str] = Counter()
        waiting = list(opened)
        while waiting:
            again = []
            due = [(one.request, one.attempt) for one in waiting]
            for one, hit in zip(waiting, self._find(due), strict=True):
                if hit is not None:
                    hits[one.ask.kind] += 1
                    answer = one.read(*hit)
                    if answer is None:
                        again.append(one)
                    else:
                        answers[one.index] = answer
            waiting = again
        return answers, hits

    def _find(self, due: Sequence[tuple[Request, int]]) -> list[tuple[str, Reply] | None]:
        """Look up the replies to requests of an attempt, trying each one's next likeliest key while there is one."""
        found: list[tuple[str, Reply] | None] = [None] * len(due)
        tries = {i: self.known.keys(request, attempt) for i, (request, attempt) in enumerate(due)}
        while tries:
            keys = {i: key for i, keys in tries.items() if (key := next(keys, None)) is not None}
            replies = self.engine.ledger.get_many(list(keys.values()))
            found_now = {i: (key, replies[key]) for i, key in keys.items() if key in replies}
            for i, hit in found_now.items():
                found[i] = hit
            tries = {i: tries[i] for i in keys if i not in found_now}
        return found

    def _find_one(self, request: Request, attempt: int) -> tuple[str, Reply] | None:
        """Look up the reply that is about to be paid for, which is rarely there: under all its keys at once."""
        keys = list(self.known.keys(request, attempt))
        replies = self.engine.ledger.get_many(keys)
        return next(((key, replies[key]) for key in keys if key in replies), None)

    async def _pay(self, todo: Sequence[_Open[T]], answers: dict[int, Answered[T] | Missing]) -> None:
        """Answer asks by calls that start in order, with a bounded number of workers.

        An error or a cancellation stops new calls; those in flight are waited for and written, then the error
        of the first ask (in order) is raised. A second cancellation stops the waiting.
        """
        batch = _Batch(iter(todo), answers)
        # Twice the gate: while one worker waits for a commit, another one calls.
        count = min(len(todo), 2 * self.model.max_in_flight)
        workers = [asyncio.create_task(self._work(batch)) for _ in range(count)]
        try:
            await asyncio.wait(workers, return_when=asyncio.FIRST_EXCEPTION)
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.wait({*workers, *batch.order})
            ended = (task for task in sorted(batch.order, key=batch.order.__getitem__) if not task.cancelled())
            errors = [error for task in ended if (error := task.exception()) is not None]
        if errors:
            raise errors[0]

    async def _work(self, batch: _Batch[T]) -> None:
        """Take asks from the queue, one after the other, until it is empty."""
        this = asyncio.current_task()
        assert this is not None
        for one in batch.queue:
            batch.order[this] = one.index
            answer = None
            while answer is None:
                answer = one.read(*await self._obtain(one, batch))
            batch.answers[one.index] = answer
            missing = isinstance(answer, Missing)
            self._tally(one.ask.kind, answered=not missing, missing=missing)

    async def _obtain(self, one: _Open[T], batch: _Batch[T]) -> tuple[str, Reply]:
        """Wait for a turn, then get the reply that is due: from an equal call in flight, the ledger or a call."""
        flights, request = self.engine._flights, one.request
        name = (self.known.id, request, one.attempt)
        with ExitStack() as turn:
            await self._take_turn(turn)
            if batch.stopped:
                raise asyncio.CancelledError  # a call failed, and this worker is about to be told
            flight, paying = flights.get(name), False
            if flight is None:
                hit = self._find_one(request, one.attempt)
                if hit is not None:
                    self._tally(one.ask.kind, replayed=1)
                    await asyncio.sleep(0)
                    return hit
                self.engine._charge()
                flight, paying = asyncio.create_task(self._call(one, request, batch, turn.pop_all())), True
                flights[name] = flight
                flight.add_done_callback(lambda _: flights.pop(name))
        batch.order[flight] = one.index
        self._tally(one.ask.kind, paid=paying, in_flight=paying, replayed=not paying)
        got = await asyncio.shield(flight)  # a paid call outlives whoever waits for it
        batch.order.pop(flight, None)
        return got

    async def _take_turn(self, turn: ExitStack) -> None:
        """Wait, in the order of arrival, until a call may start; `turn` gives the place back.

        Everyone passes the pilot's lock, so that nobody overtakes those who waited for the pilot.
        """
        await self.known.pilot.acquire()
        turn.callback(self.known.pilot.release)
        if not self.known.settled():
            self.known.refresh()
        if self.known.settled():
            turn.close()
        await self.gate.acquire()
        turn.callback(self.gate.release)

    async def _call(
        self, one: _Open[T], request: Request, batch: _Batch[T], turn: ExitStack
    ) -> tuple[str, Reply]:
        """Call the model, learn from its reply, write it; the turn ends before the commit."""
        kind, attempt = one.ask.kind, one.attempt
        with turn:
            try:
                reply = await self.model.complete(request)
            except BaseException:
                batch.stopped = True  # before the gate lets the next one in
                raise
            finally:
                self.engine._calling -= 1
                self.engine._count(self.role, kind, in_flight=-1)
            self.engine._meter(self.role, kind, reply)
            resolved, changed = await self.known.learn(reply)
            batch.stopped |= changed
        key = self.known.key(request, attempt, resolved, frozenset(reply.dropped))
        fingerprint = self.known.fingerprint | {"resolved": resolved}
        # While others are on their way a reply may wait for them; nobody waits longer when it was the last one.
        more = self.engine._calling > 0
        stored = await self.engine.ledger.put(key, reply, kind=kind, fingerprint=fingerprint, more=more)
        self._tally(kind, written=1)
        if changed:
            raise ModelChanged(
                f"{self.model.spec} now reports the model {reply.model!r}, the ledger holds another one's replies",
                hint="Use a new ledger (a new run folder or --ledger), or declare a revision for the new model.",
            )
        return key, stored
