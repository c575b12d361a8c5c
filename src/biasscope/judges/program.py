"""A judge that is a program: it is shown each case as data, and the user's own code says what it thinks of it.

Knows how a presentation becomes a case and an answer a verdict. How the program is run is the model's: a function,
a process, a reward model, a file of recorded verdicts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from biasscope.ask import Asker, Missing, Reply, Request, Unreadable
from biasscope.config import JudgeSpec
from biasscope.errors import ConfigError
from biasscope.judges.asking import Asking, majority
from biasscope.judges.base import Presentation
from biasscope.judges.pointwise import Scored, judge_apart
from biasscope.judges.template import read_scale
from biasscope.parsing.program import read_comparison, read_score, write_case
from biasscope.parsing.scores import Scale
from biasscope.records import ONE_PRESENTATION, ORDERS, Message, Order, Unit, Verdict

MOST_TOKENS = 1024
"""Part of every request, and without a meaning for a program."""


def program_judge(asker: Asker, spec: JudgeSpec) -> ProgramJudge:
    """A program that judges as `spec` says; raises ConfigError as `check_program` does."""
    check_program(spec)
    asking = Asking(reference=spec.reference, samples=spec.samples, temperature=None)
    return ProgramJudge(asker, spec, asking, None if spec.scale is None else read_scale(spec.scale))


def check_program(spec: JudgeSpec) -> None:
    """Raise ConfigError for settings that a program has no use for, and for a scale that there is not."""
    unused = {
        "template": ("--judge-prompt", spec.template),
        "max_tokens": ("--judge-tokens", spec.max_tokens),
        "temperature": ("--judge-temperature", spec.temperature or None),
    }
    for name, (option, value) in unused.items():
        if value is not None:
            raise ConfigError(
                f"{name} is for a judge that is asked with a prompt, and {spec.spec} is a program",
                hint=f"Leave out {option}.",
            )
    if spec.kind == "pointwise" and spec.margins is not None:
        raise ConfigError(
            "the margins of a pointwise judge are differences of its scores", hint="Leave out margins."
        )
    if spec.scale is not None:
        read_scale(spec.scale)


@dataclass(frozen=True, slots=True)
class ComparisonAsk:
    """Which of the two responses is better, as a program is asked? There is one attempt: it has its own rules."""

    shown: Presentation
    spec: JudgeSpec
    asking: Asking
    sample: int = 0
    kind: str = "judge"
    attempts: int = 1

    def request(self, attempt: int) -> Request:
        """The case as the one message."""
        first, second = self.shown.shown
        return _request(self, first=first, second=second)

    def parse(self, reply: Reply) -> Verdict:
        """Read the choice, and the margin where the spec says what it is counted in; raises `Unreadable`."""
        said = read_comparison(_text(reply))
        counts = None if self.spec.margins is None else said.margin
        return Verdict(
            self.shown.pair.id,
            self.shown.arm,
            self.shown.order,
            "tie" if said.choice == "tie" else self.shown.choice(is_first=said.choice == "first"),
            margin=None if counts is None else self.shown.margin(counts),
            reasoning=said.reason,
        )


@dataclass(frozen=True, slots=True)
class ScoreAsk:
    """How good is this response, as a program is asked?"""

    shown: Presentation
    response: str
    spec: JudgeSpec
    asking: Asking
    scale: Scale | None
    sample: int = 0
    kind: str = "judge"
    attempts: int = 1

    def request(self, attempt: int) -> Request:
        """The case as the one message."""
        return _request(self, response=self.response, scale=self.spec.scale)

    def parse(self, reply: Reply) -> Scored:
        """Read the score; raises `Unreadable`."""
        score = read_score(_text(reply), self.scale)
        return Scored(score.value, score.reason)


def _request(ask: ComparisonAsk | ScoreAsk, **texts: str | None) -> Request:
    shown, asking = ask.shown, ask.asking
    if ask.spec.spec.startswith("recorded:"):
        texts |= {"pair_id": shown.pair.id, "arm": shown.arm, "order": shown.order or ""}
    reference = shown.pair.reference if asking.reference else None
    case = write_case(shown.pair.question, shown.pair.prompt, reference, texts)
    replicate = asking.replicate(shown, ask.sample)
    return Request((Message("user", case),), MOST_TOKENS, temperature=asking.temperature, replicate=replicate)


def _text(reply: Reply) -> str:
    if reply.over_long:
        raise Unreadable("over_long", "the case does not fit into the context window")
    return reply.text


@dataclass(frozen=True, slots=True)
class ProgramJudge:
    """A program that compares two responses, or scores one at a time, as `spec` says."""

    asker: Asker
    spec: JudgeSpec
    asking: Asking
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
        if self.spec.kind == "pointwise":
            return await judge_apart(self.asker, self.asking, shown, self._ask_score)
        asked = [(s, partial(ComparisonAsk, s, self.spec, self.asking)) for s in shown]
        return [majority(answers) for answers in await self.asking.samples_of(self.asker, asked)]

    def _ask_score(self, shown: Presentation, response: str, sample: int) -> ScoreAsk:
        return ScoreAsk(shown, response, self.spec, self.asking, self.scale, sample)
