"""A judge that answers the prompt itself before it sees the responses, and is shown its answer beside them.

A response that looks right has then something to be compared with. The answer is asked for once a prompt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from biasscope import prompts
from biasscope.ask import Answered, Asker, Missing, Reply, Request, Unreadable
from biasscope.judges.base import Judge, Presentation
from biasscope.parsing.replies import readable_text
from biasscope.records import Order, Unit, Verdict

MAX_TOKENS = 1024


@dataclass(frozen=True, slots=True)
class OwnAnswerAsk:
    """What is your own answer to this question?"""

    question: str
    max_tokens: int = MAX_TOKENS
    temperature: float | None = 0.0
    replicate: int = 0
    kind: str = "answer"
    attempts: int = 1

    def request(self, attempt: int) -> Request:
        """The question alone: no response is shown."""
        messages = prompts.fill("answer", question=self.question).messages
        return Request(
            messages, max_tokens=self.max_tokens, temperature=self.temperature, replicate=self.replicate
        )

    def parse(self, reply: Reply) -> str:
        """The answer without the thinking before it; raises `Unreadable` where nothing is left."""
        text = readable_text(reply).strip()
        if not text:
            raise Unreadable("empty", "no answer was given")
        return text


@dataclass(frozen=True, slots=True)
class AnswerFirst:
    """`inner`, a judge that shows a pair's reference as its own answer, with the answers that `asker` gives."""

    inner: Judge
    asker: Asker
    max_tokens: int = MAX_TOKENS
    temperature: float | None = 0.0

    @property
    def name(self) -> str:
        """That of the judge that is asked."""
        return self.inner.name

    @property
    def orders(self) -> tuple[Order | None, ...]:
        """Those of the judge that is asked."""
        return self.inner.orders

    @property
    def margin_unit(self) -> Unit | None:
        """That of the judge that is asked."""
        return self.inner.margin_unit

    async def judge(self, shown: Sequence[Presentation]) -> list[Verdict | Missing]:
        """Answer every question once, then judge; where the answer is missing so is the verdict, with its reason.

        Another verdict on the same texts (`replicate`) has an answer of its own.
        """
        wanted = list(dict.fromkeys((one.pair.question, one.replicate) for one in shown))
        asks = [
            OwnAnswerAsk(question, self.max_tokens, self.temperature, replicate) for question, replicate in wanted
        ]
        answers = dict(zip(wanted, await self.asker.ask(asks), strict=True))
        own = [answers[one.pair.question, one.replicate] for one in shown]
        ready = [(one, answer) for one, answer in zip(shown, own, strict=True) if isinstance(answer, Answered)]
        said = iter(
            await self.inner.judge(
                [replace(one, pair=replace(one.pair, reference=answer.value)) for one, answer in ready]
            )
        )
        return [
            replace(answer, detail=f"its own answer: {answer.detail or answer.reason}")
            if isinstance(answer, Missing)
            else _with_keys(next(said), answer.keys)
            for answer in own
        ]


def _with_keys(said: Verdict | Missing, keys: tuple[str, ...]) -> Verdict | Missing:
    return replace(said, keys=(*keys, *said.keys))
