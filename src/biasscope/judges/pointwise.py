"""A prompted pointwise judge: one response in one prompt, a score on a declared scale. It knows no slots.

A verdict compares the scores of the two responses of a pair; its margin is their difference in points of the scale,
and equal scores are a tie. Equal responses are the same request, so a response is paid for once however many arms
it stands in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import fmean

from biasscope import prompts
from biasscope.ask import Answered, Ask, Asker, Missing, Reply, Request
from biasscope.judges.asking import PLAIN, Asking, too_few
from biasscope.judges.base import Presentation
from biasscope.judges.readers import ScoreReader
from biasscope.parsing.replies import readable_text
from biasscope.parsing.scores import Scale
from biasscope.records import ONE_PRESENTATION, Choice, Message, Order, Unit, Verdict

MAX_TOKENS = 1024
OURS = ScoreReader(Scale(1.0, 10.0))
SAME = 1e-9
"""Means of the same scores may differ by rounding: what is nearer than this is equal."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A score, and the reply that gives it where it holds reasons."""

    value: float
    reasoning: str


@dataclass(frozen=True, slots=True)
class ScoreAsk:
    """How good is this response?"""

    shown: Presentation
    response: str
    reader: ScoreReader = OURS
    asking: Asking = PLAIN
    sample: int = 0
    low_is_best: bool = False
    kind: str = "judge"
    attempts: int = 1

    def filled(self) -> prompts.Filled:
        """The prompt with the response in its place, under its guard."""
        return self.asking.guarded(self._plain())

    def _plain(self) -> prompts.Filled:
        question, reference = self.shown.pair.question, self.shown.pair.reference or ""
        if (template := self.asking.template) is not None:
            return template.fill(question=question, reference=reference, response=self.response)
        asked = ending(self.reader.scale, low_is_best=self.low_is_best)
        if self.asking.reference:
            name = "judge_pointwise_own" if self.asking.own else "judge_pointwise_reference"
            return prompts.fill(
                name, question=question, reference=reference, response=self.response, ending=asked
            )
        return prompts.fill("judge_pointwise", question=question, response=self.response, ending=asked)

    def request(self, attempt: int) -> Request:
        """Ask once; all responses to one prompt share what comes before them."""
        filled = self.filled()
        return Request(
            filled.messages,
            max_tokens=self.asking.max_tokens or MAX_TOKENS,
            temperature=self.asking.temperature,
            shared=filled.offsets.get("response", 0),
            replicate=self.asking.replicate(self.shown, self.sample),
        )

    def parse(self, reply: Reply) -> Scored:
        """Read the score; raises `Unreadable`."""
        text = readable_text(reply)
        score, scale = self.reader.read(text), self.reader.scale
        return Scored(scale.low + scale.high - score if self.low_is_best else score, self.asking.reasons(text))


def ending(scale: Scale, *, low_is_best: bool = False) -> str:
    """How our prompt asks for a score on a scale."""
    if scale.passes:
        return "Then end with a last line that is exactly one of these two:\nVerdict: pass\nVerdict: fail"
    whole = "whole number" if scale.low % 1 == scale.high % 1 == 0 else "number"
    low, high = ("best", "worst") if low_is_best else ("worst", "best")
    return (
        "Then end with a last line of this form:\nScore: N\n"
        f"where N is a {whole} from {scale.low:g} ({low}) to {scale.high:g} ({high})."
    )


@dataclass(frozen=True, slots=True)
class PointwiseJudge:
    """A model asked to score one response at a time, with our own prompt or a user's."""

    asker: Asker
    reader: ScoreReader = OURS
    asking: Asking = PLAIN
    low_is_best: bool = False

    @property
    def name(self) -> str:
        """The model's spec."""
        return self.asker.name

    @property
    def orders(self) -> tuple[Order | None, ...]:
        """None: it never sees two responses."""
        return ONE_PRESENTATION

    @property
    def margin_unit(self) -> Unit | None:
        """Points of its scale."""
        return "score"

    @property
    def most_tokens(self) -> int | None:
        """The limit that the user sets."""
        return self.asking.max_tokens

    async def judge(self, shown: Sequence[Presentation]) -> list[Verdict | Missing]:
        """Score both responses of every presentation; verdicts carry the keys of their replies."""
        return await judge_apart(self.asker, self.asking, shown, self._ask)

    def reversed(self) -> PointwiseJudge | None:
        """The same judge asked for low scores for what is good; None for pass and fail, and for a user's prompt."""
        if self.asking.template is not None or self.reader.scale.passes:
            return None
        return replace(self, low_is_best=not self.low_is_best)

    def transcript(self, shown: Presentation, verdict: Verdict) -> tuple[Message, ...]:
        """The judge's prompt about the rejected response and its own reply."""
        said = verdict.reasoning or self._spelled(verdict.scores[1])
        return (*self._ask(shown, shown.rejected).filled().messages, Message("assistant", said))

    def name_of_rejected(self, shown: Presentation) -> None:
        """It needs no name: it is the only one there."""
        return

    def _ask(self, shown: Presentation, response: str, sample: int = 0) -> ScoreAsk:
        return ScoreAsk(shown, response, self.reader, self.asking, sample, self.low_is_best)

    def _spelled(self, score: float) -> str:
        if self.reader.scale.passes:
            return "Verdict: pass" if score >= 0.5 else "Verdict: fail"
        scale = self.reader.scale
        return f"Score: {scale.low + scale.high - score if self.low_is_best else score:g}"


async def judge_apart(
    asker: Asker,
    asking: Asking,
    shown: Sequence[Presentation],
    ask: Callable[[Presentation, str, int], Ask[Scored]],
) -> list[Verdict | Missing]:
    """Have both responses of every presentation scored, each by itself, and compare them."""
    asked = [(s, partial(ask, s, text)) for s in shown for text in (s.chosen, s.rejected)]
    scored = await asking.samples_of(asker, asked)
    return [compare(s, good, bad) for s, good, bad in zip(shown, scored[::2], scored[1::2], strict=True)]


def compare(
    shown: Presentation,
    chosen: Sequence[Answered[Scored] | Missing],
    rejected: Sequence[Answered[Scored] | Missing],
) -> Verdict | Missing:
    """Compare the mean scores of the samples that can be read; a verdict's samples pair them as they came."""
    missing = too_few(chosen) or too_few(rejected)
    if missing is not None:
        return missing
    good, bad = ([a.value for a in answers if isinstance(a, Answered)] for answers in (chosen, rejected))
    scores = (fmean(s.value for s in good), fmean(s.value for s in bad))
    margin = scores[0] - scores[1]
    paired = [
        _choice(a.value.value - b.value.value)
        for a, b in zip(chosen, rejected, strict=True)
        if isinstance(a, Answered) and isinstance(b, Answered)
    ]
    return Verdict(
        shown.pair.id,
        shown.arm,
        shown.order,
        _choice(margin),
        margin=margin,
        scores=scores,
        samples=tuple(paired) if len(chosen) > 1 else (),
        reasoning=next((s.reasoning for s in bad if s.reasoning), ""),
        keys=tuple(key for answer in (*chosen, *rejected) for key in answer.keys),
    )


def _choice(margin: float) -> Choice:
    return "tie" if abs(margin) < SAME else "chosen" if margin > 0 else "rejected"
