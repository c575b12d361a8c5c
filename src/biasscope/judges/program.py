"""A judge that is a program: it is shown each case as data, and the user's own code says what it thinks of it.

Knows how a presentation becomes a case and an answer a verdict. How the program is run is the model's: a function,
a process, a reward model, a file of recorded verdicts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from biasscope.ask import Asker, Missing, Reply, Request, Unreadable
from biasscope.config import JudgeSpec
from biasscope.errors import ConfigError
from biasscope.judges.asking import NO_REFERENCE, Asking, majority
from biasscope.judges.base import Presentation
from biasscope.judges.pointwise import Scored, compare
from biasscope.judges.template import read_scale
from biasscope.parsing.program import read_comparison, read_score, write_case
from biasscope.parsing.scores import Scale
from biasscope.records import ONE_PRESENTATION, ORDERS, Choice, Message, Order, Unit, Verdict

PROGRAMS = frozenset({"python", "command", "recorded", "reward", "inspect-scorer"})
"""Kinds of model that are sent a case instead of a prompt."""

MOST_TOKENS = 1024
"""Part of every request, and without a meaning for a program."""


def is_program(spec: JudgeSpec) -> bool:
    """Tell whether a judge is a program, by the kind that its spec names."""
    return spec.spec.partition(":")[0] in PROGRAMS


def program_judge(asker: Asker, spec: JudgeSpec) -> ProgramJudge:
    """A program that judges as `spec` says; raises ConfigError for settings that a program has no use for."""
    unused = {"template": spec.template, "max_tokens": spec.max_tokens, "temperature": spec.temperature or None}
    for name, value in unused.items():
        if value is not None:
            raise ConfigError(
                f"{name} is for a judge that is asked with a prompt, and {spec.spec} is a program",
                hint=f"Leave out {name.replace('_', '-')}.",
            )
    if spec.kind == "pairwise" and spec.scale is not None:
        raise ConfigError("a pairwise judge has no scale", hint="Give --judge-kind pointwise, or no --scale.")
    if spec.kind == "pointwise" and spec.margins is not None:
        raise ConfigError(
            "the margins of a pointwise judge are differences of its scores", hint="Leave out margins."
        )
    return ProgramJudge(asker, spec, None if spec.scale is None else read_scale(spec.scale))


@dataclass(frozen=True, slots=True)
class ComparisonAsk:
    """Which of the two responses is better, as a program is asked? There is one attempt: it has its own rules."""

    shown: Presentation
    spec: JudgeSpec
    sample: int = 0
    kind: str = "judge"
    attempts: int = 1

    def request(self, attempt: int) -> Request:
        """The case as the one message."""
        first, second = self.shown.shown
        return _request(self.shown, self.spec, self.sample, first=first, second=second)

    def parse(self, reply: Reply) -> Verdict:
        """Read the choice, and the margin where the spec says what it is counted in; raises `Unreadable`."""
        said = read_comparison(_text(reply))
        chosen_first = self.shown.order == "chosen_first"
        choice: Choice = (
            "tie"
            if said.choice == "tie"
            else "chosen"
            if (said.choice == "first") == chosen_first
            else "rejected"
        )
        margin = said.margin if self.spec.margins is not None else None
        return Verdict(
            self.shown.pair.id,
            self.shown.arm,
            self.shown.order,
            choice,
            margin=margin if margin is None or chosen_first else -margin,
            reasoning=said.reason,
        )


@dataclass(frozen=True, slots=True)
class ScoreAsk:
    """How good is this response, as a program is asked?"""

    shown: Presentation
    response: str
    spec: JudgeSpec
    scale: Scale | None
    sample: int = 0
    kind: str = "judge"
    attempts: int = 1

    def request(self, attempt: int) -> Request:
        """The case as the one message."""
        return _request(self.shown, self.spec, self.sample, response=self.response, scale=self.spec.scale)

    def parse(self, reply: Reply) -> Scored:
        """Read the score; raises `Unreadable`."""
        score = read_score(_text(reply), self.scale)
        return Scored(score.value, score.reason)


def _request(shown: Presentation, spec: JudgeSpec, sample: int, **texts: str | None) -> Request:
    if spec.spec.startswith("recorded:"):
        texts |= {"pair_id": shown.pair.id, "arm": shown.arm, "order": shown.order or ""}
    reference = shown.pair.reference if spec.reference else None
    case = write_case(shown.pair.question, shown.pair.prompt, reference, texts)
    replicate = Asking(samples=spec.samples).replicate(shown, sample)
    return Request((Message("user", case),), MOST_TOKENS, temperature=None, replicate=replicate)


def _text(reply: Reply) -> str:
    if reply.over_long:
        raise Unreadable("over_long", "the case does not fit into the context window")
    return reply.text


@dataclass(frozen=True, slots=True)
class ProgramJudge:
    """A program that compares two responses, or scores one at a time, as `spec` says."""

    asker: Asker
    spec: JudgeSpec
    scale: Scale | None = None

    @property
    def name(self) -> str:
        """The program's spec."""
        return self.asker.name

    @property
    def orders(self) -> tuple[Order | None, ...]:
        """Both where it compares; it sees one response at a time where it scores."""
        return ORDERS if self.spec.kind == "pairwise" else ONE_PRESENTATION

    @property
    def margin_unit(self) -> Unit | None:
        """What the spec declares of a program that compares; differences of scores are margins by themselves."""
        return self.spec.margins if self.spec.kind == "pairwise" else "score"

    async def judge(self, shown: Sequence[Presentation]) -> list[Verdict | Missing]:
        """Judge every presentation; without the reference answer that the spec asks for, a pair is not asked."""
        ready = [s for s in shown if not self.spec.reference or s.pair.reference is not None]
        judged = iter(await (self._compare(ready) if self.spec.kind == "pairwise" else self._score(ready)))
        return [
            next(judged) if not self.spec.reference or s.pair.reference is not None else NO_REFERENCE
            for s in shown
        ]

    async def _compare(self, shown: Sequence[Presentation]) -> list[Verdict | Missing]:
        samples = self.spec.samples
        asks = [ComparisonAsk(s, self.spec, n) for s in shown for n in range(samples)]
        answers = iter(await self.asker.ask(asks))
        return [majority(list(islice(answers, samples))) for _ in shown]

    async def _score(self, shown: Sequence[Presentation]) -> list[Verdict | Missing]:
        samples = self.spec.samples
        asks = [
            ScoreAsk(s, text, self.spec, self.scale, n)
            for s in shown
            for text in (s.chosen, s.rejected)
            for n in range(samples)
        ]
        answers = iter(await self.asker.ask(asks))
        return [compare(s, list(islice(answers, samples)), list(islice(answers, samples))) for s in shown]
