"""The fakes at the seams: a model as a function of what it is asked, a judge of what it is shown, a writer of arms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from biasscope.ask import Answered, Ask, Missing, Reply, Unreadable
from biasscope.judges.base import Presentation
from biasscope.records import ORDERS, Bias, Message, PreferencePair, Rewrite, Unit, Verdict
from biasscope.steps.perturb import Job


class FakeAsker:
    """Answers asks as the engine does, with replies from `say(ask, attempt)`: a text, or a whole `Reply`.

    `asked` keeps what was asked, in order; each reply has a key of its own.
    """

    def __init__(self, say: Callable[[Any, int], str | Reply], name: str = "fake:model") -> None:
        self.name = name
        self.say = say
        self.asked: list[Any] = []

    async def ask(self, asks: Sequence[Ask[Any]]) -> list[Answered[Any] | Missing]:
        return [self._answer(ask) for ask in asks]

    def _answer(self, ask: Ask[Any]) -> Answered[Any] | Missing:
        self.asked.append(ask)
        keys: tuple[str, ...] = ()
        last = Missing("empty")
        for attempt in range(ask.attempts):
            ask.request(attempt)
            said = self.say(ask, attempt)
            keys += (f"{ask.kind}-{len(self.asked)}-{attempt}",)
            try:
                return Answered(ask.parse(said if isinstance(said, Reply) else Reply(said)), keys)
            except Unreadable as error:
                last = Missing(error.reason, error.detail, keys)
        return last


class FakeJudge:
    """Decides by `decide(shown)`: a choice, a margin (log-odds for the chosen response), or a `Missing`.

    It cannot be asked why; `seen` keeps every presentation, in order.
    """

    orders = ORDERS

    def __init__(self, decide: Callable[[Presentation], str | float | Missing], *, graded: bool = False) -> None:
        self.name = "fake:judge"
        self.margin_unit: Unit | None = "log-odds" if graded else None
        self.decide = decide
        self.seen: list[Presentation] = []

    async def judge(self, shown: Sequence[Presentation]) -> list[Verdict | Missing]:
        self.seen += shown
        return [self._verdict(s) for s in shown]

    def _verdict(self, shown: Presentation) -> Verdict | Missing:
        found = self.decide(shown)
        if isinstance(found, Missing):
            return found
        cell = (shown.pair.id, shown.arm, shown.order)
        if isinstance(found, str):
            return Verdict(*cell, found, keys=("judged",))
        return Verdict(*cell, "chosen" if found > 0 else "rejected", margin=found, keys=("judged",))


class NamingWriter:
    """Writes the name of the arm and of the pair; `unable` are (pair id, arm) that it cannot write."""

    def __init__(self, *unable: tuple[str, str]) -> None:
        self.unable = set(unable)
        self.jobs: list[Job] = []

    def neutral_jobs(self, pair: PreferencePair, bias: Bias, count: int) -> list[Job]:
        return [Job(pair, f"neutral-{k}", None, k) for k in range(1, count + 1)]

    async def write(self, jobs: Sequence[Job]) -> list[Rewrite | Missing]:
        self.jobs += jobs
        made = [self._rewrite(job.pair.id, job.arm) for job in jobs]
        return [
            replace(m, side=job.side) if isinstance(m, Rewrite) else m for job, m in zip(jobs, made, strict=True)
        ]

    def _rewrite(self, pair_id: str, arm: str) -> Rewrite | Missing:
        if (pair_id, arm) in self.unable:
            return Missing("refused")
        return Rewrite(pair_id, arm, f"{arm} {pair_id}", "plain", 0)


def pair(
    name: str = "p1", *, chosen: str = "Right text.", rejected: str = "Wrong text.", **fields: Any
) -> PreferencePair:
    question = fields.pop("question", f"Question {name}?")
    return PreferencePair(name, (Message("user", question),), chosen, rejected, **fields)


def pairs(count: int) -> list[PreferencePair]:
    return [pair(f"p{n}") for n in range(1, count + 1)]


def bias(name: str = "Calm bias", definition: str = "The text sounds calm.", **fields: Any) -> Bias:
    fields.setdefault("id", name.lower().replace(" ", "_"))
    fields.setdefault("origin", "discovered")
    return Bias(name=name, definition=definition, **fields)
