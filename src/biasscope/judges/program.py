"""A judge that is a program: it is shown each case as data, and the user's own code says what it thinks of it.

Knows how a presentation becomes a case and an answer a verdict. How the program is run is the model's: a function,
a process, a reward model, a file of recorded verdicts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from biasscope.ask import Answered, Asker, Missing, Reply, Request, Unreadable
from biasscope.config import JudgeSpec
from biasscope.judges.base import Presentation
from biasscope.parsing.program import Comparison, Score, read_comparison, read_score, write_case
from biasscope.parsing.scores import Scale, scale_of
from biasscope.records import ONE_PRESENTATION, ORDERS, Choice, Message, Order, Unit, Verdict

PROGRAMS = frozenset({"python", "command", "recorded", "reward", "inspect-scorer"})
"""Kinds of model that are sent a case instead of a prompt."""

MOST_TOKENS = 1024
"""Part of every request, and without a meaning for a program."""


def is_program(spec: JudgeSpec) -> bool:
    """Tell whether a judge is a program, by the kind that its spec names."""
    return spec.spec.partition(":")[0] in PROGRAMS


@dataclass(frozen=True, slots=True)
class _CaseAsk:
    """One case, sent as it is; there is no second attempt, which would be another judge."""

    case: str
    replicate: int = 0
    kind: str = "judge"
    attempts: int = 1

    def request(self, attempt: int) -> Request:
        """The case as the one message; sampling is the program's own business."""
        message = Message("user", self.case)
        return Request((message,), MOST_TOKENS, temperature=None, replicate=self.replicate)


class ComparisonAsk(_CaseAsk):
    """Which of the two responses of a case is better?"""

    def parse(self, reply: Reply) -> Comparison:
        """Read the choice; raises `Unreadable`."""
        return read_comparison(_text(reply))


@dataclass(frozen=True, slots=True)
class ScoreAsk(_CaseAsk):
    """How good is the response of a case, on a scale where one is declared?"""

    scale: Scale | None = None

    def parse(self, reply: Reply) -> Score:
        """Read the score; raises `Unreadable`."""
        score = read_score(_text(reply))
        if self.scale is not None:
            self.scale.on(score.value)
        return score


def _text(reply: Reply) -> str:
    if reply.over_long:
        raise Unreadable("over_long", "the case does not fit into the context window")
    return reply.text


@dataclass(frozen=True, slots=True)
class ProgramJudge:
    """A program that compares two responses, or scores one at a time, as `spec` says."""

    asker: Asker
    spec: JudgeSpec

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
        unready = Missing("no_reference", "the pair has no reference answer")
        return [unready if self.spec.reference and s.pair.reference is None else next(judged) for s in shown]

    async def _compare(self, shown: Sequence[Presentation]) -> list[Verdict | Missing]:
        asks = [ComparisonAsk(self._case(s, *s.shown), s.replicate) for s in shown]
        answers = await self.asker.ask(asks)
        return [
            answer if isinstance(answer, Missing) else self._compared(s, answer)
            for s, answer in zip(shown, answers, strict=True)
        ]

    async def _score(self, shown: Sequence[Presentation]) -> list[Verdict | Missing]:
        scale = None if self.spec.scale is None else scale_of(self.spec.scale)
        asks = [
            ScoreAsk(self._case(s, text), s.replicate, scale=scale)
            for s in shown
            for text in (s.chosen, s.rejected)
        ]
        answers = await self.asker.ask(asks)
        return [
            _scored(s, *both)
            for s, both in zip(shown, zip(answers[::2], answers[1::2], strict=True), strict=True)
        ]

    def _case(self, shown: Presentation, *texts: str) -> str:
        names = ("first", "second") if len(texts) == 2 else ("response",)
        fields = dict(zip(names, texts, strict=True))
        if self.spec.spec.startswith("recorded:"):
            fields |= {"pair_id": shown.pair.id, "arm": shown.arm, "order": shown.order or ""}
        reference = shown.pair.reference if self.spec.reference else None
        return write_case(shown.pair.question, shown.pair.prompt, reference, fields)

    def _compared(self, shown: Presentation, answer: Answered[Comparison]) -> Verdict:
        said = answer.value
        chosen_first = shown.order == "chosen_first"
        choice: Choice = (
            "tie"
            if said.choice == "tie"
            else "chosen"
            if (said.choice == "first") == chosen_first
            else "rejected"
        )
        margin = said.margin if self.spec.margins is not None else None
        return Verdict(
            shown.pair.id,
            shown.arm,
            shown.order,
            choice,
            margin=margin if margin is None or chosen_first else -margin,
            reasoning=said.reason,
            keys=answer.keys,
        )


def _scored(
    shown: Presentation, chosen: Answered[Score] | Missing, rejected: Answered[Score] | Missing
) -> Verdict | Missing:
    if isinstance(chosen, Missing):
        return chosen
    if isinstance(rejected, Missing):
        return rejected
    margin = chosen.value.value - rejected.value.value
    reasons = (chosen.value.reason, rejected.value.reason)
    return Verdict(
        shown.pair.id,
        shown.arm,
        shown.order,
        "chosen" if margin > 0 else "rejected" if margin < 0 else "tie",
        margin=margin,
        scores=(chosen.value.value, rejected.value.value),
        reasoning="\n\n".join(filter(None, reasons)),
        keys=chosen.keys + rejected.keys,
    )
