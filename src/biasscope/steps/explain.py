"""Ask the judge why: the reasoning of its own reply, then its account of that reasoning (DeeperExplain).

The second text exposes more than the first, since it has to defend it. Nothing is read into the texts here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from biasscope import prompts
from biasscope.ask import Answered, Missing, Reply, Request
from biasscope.judges.base import Explaining, Presentation
from biasscope.parsing.replies import readable_text
from biasscope.records import Explanation, Message, Shift
from biasscope.steps.judge import Table

MAX_TOKENS = 512


@dataclass(frozen=True, slots=True)
class FollowUpAsk:
    """One more turn in the conversation that led to a verdict: the prompt `name` about one response.

    `preferred` is what the conversation calls the response; None where it shows no other one.
    """

    transcript: tuple[Message, ...]
    name: str
    preferred: str | None
    max_tokens: int = MAX_TOKENS
    kind: str = "explain"
    attempts: int = 1

    def request(self, attempt: int) -> Request:
        """Continue the conversation."""
        called = self.preferred
        turn = prompts.fill(self.name) if called is None else prompts.fill(self.name, preferred=called)
        return Request((*self.transcript, *turn.messages), max_tokens=self.max_tokens)

    def parse(self, reply: Reply) -> str:
        """Take the text as it is, also where the output limit cut it off: it is evidence to read, not a verdict."""
        return readable_text(reply, allow_truncated=True)


async def explain_shifts(
    judge: Explaining, table: Table, shifts: Sequence[Shift], *, deeper: bool = True
) -> list[Explanation | Missing]:
    """Explain each shift: the reply's own reasoning (or a first question where there is none), then deeper.

    Without `deeper` the second text is empty. Missing where the judge gives no first reasoning.
    """
    shown = [table.presentation(s.verdict) for s in shifts]
    first = await _first(judge, shifts, shown)
    asks, due = [], []
    for i, (shift, presentation, said) in enumerate(zip(shifts, shown, first, strict=True)):
        if deeper and isinstance(said, Answered):
            transcript = judge.transcript(presentation, shift.verdict)
            if not shift.verdict.reasoning:
                question = _question(judge, shift, presentation).request(0).messages[-1]
                transcript = (*transcript, question, Message("assistant", said.value))
            called = judge.name_of_rejected(presentation)
            name = "deepen_score" if called is None else "deepen"
            asks.append(FollowUpAsk(transcript, name, called, _room(judge)))
            due.append(i)
    found: list[Explanation | Missing] = [
        said if isinstance(said, Missing) else Explanation(shift, said.value, "", said.keys)
        for shift, said in zip(shifts, first, strict=True)
    ]
    for i, answer in zip(due, await judge.asker.ask(asks), strict=True):
        explanation = found[i]
        if isinstance(answer, Answered) and isinstance(explanation, Explanation):
            found[i] = replace(explanation, deeper=answer.value, keys=explanation.keys + answer.keys)
    return found


def _question(judge: Explaining, shift: Shift, shown: Presentation) -> FollowUpAsk:
    called = judge.name_of_rejected(shown)
    name = "explain" if shift.verdict.choice == "rejected" else "explain_lean"
    return FollowUpAsk((), "explain_score" if called is None else name, called, _room(judge))


def _room(judge: Explaining) -> int:
    return max(MAX_TOKENS, judge.most_tokens or 0)


async def _first(
    judge: Explaining, shifts: Sequence[Shift], shown: Sequence[Presentation]
) -> list[Answered[str] | Missing]:
    asks = [
        replace(_question(judge, shift, s), transcript=judge.transcript(s, shift.verdict))
        for shift, s in zip(shifts, shown, strict=True)
        if not shift.verdict.reasoning
    ]
    answers = iter(await judge.asker.ask(asks))
    return [
        Answered(shift.verdict.reasoning, shift.verdict.keys) if shift.verdict.reasoning else next(answers)
        for shift in shifts
    ]
