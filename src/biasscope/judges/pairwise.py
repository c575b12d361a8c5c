"""A prompted pairwise judge: two responses in one prompt, a forced choice. Slots 1 and 2 exist only here.

Mode `reason` asks for reasoning and then a choice (the paper's); mode `label` for the label alone, with
margins from its log-probabilities where the server gives them. Which mode was used is part of a finding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from biasscope import prompts
from biasscope.ask import Answered, Asker, Missing, Reply, Request, Unreadable
from biasscope.judges.base import Presentation
from biasscope.judges.margins import LEAST_MASS, LabelOdds, label_odds
from biasscope.parsing.formats import HEADS, VerdictFormat
from biasscope.parsing.replies import readable_text
from biasscope.parsing.verdicts import read_as, read_verdict
from biasscope.records import ORDERS, Choice, Message, Order, Unit, Verdict

Mode = Literal["reason", "label"]
LABELS = ("1", "2")
MAX_TOKENS: dict[Mode, int] = {"reason": 1024, "label": 4}
LABEL_ALONE = VerdictFormat(LABELS, heads=("answer", *HEADS), brackets=())
"""A label without log-probabilities: the prompt asks for an *answer*, so that word announces the verdict here."""


@dataclass(frozen=True, slots=True)
class PairwiseAsk:
    """Which of the two responses, as they are shown, is better?"""

    shown: Presentation
    mode: Mode
    kind: str = "judge"
    attempts: int = 1

    def filled(self) -> prompts.Filled:
        """The prompt with both responses in their slots."""
        first, second = self.shown.shown
        return prompts.fill(f"judge_{self.mode}", question=self.shown.pair.question, first=first, second=second)

    def request(self, attempt: int) -> Request:
        """Ask at temperature 0; what sibling presentations share (up to the varied response) comes first."""
        filled = self.filled()
        on_chosen = self.shown.chosen != self.shown.pair.chosen
        varied = "first" if on_chosen == (self.shown.order == "chosen_first") else "second"
        return Request(
            filled.messages,
            max_tokens=MAX_TOKENS[self.mode],
            labels=LABELS if self.mode == "label" else (),
            shared=filled.offsets[varied],
            replicate=self.shown.replicate,
        )

    def parse(self, reply: Reply) -> Verdict:
        """Read the verdict: the last explicit one in the text; in label mode the more probable label where known."""
        if self.mode == "reason":
            text = readable_text(reply)
            return self._verdict(read_verdict(text, LABELS), None, text)
        declined = reply.refusal or reply.finish == "filtered"
        odds = None if declined else label_odds(reply.positions, LABELS)
        if odds is not None and odds.mass < LEAST_MASS:
            raise Unreadable("no_label_mass", f"{odds.mass:.3f} of the probability on the labels")
        if odds is not None and odds.log_odds != 0:
            return self._verdict("1" if odds.log_odds > 0 else "2", odds, "")
        # A model that goes on after the label is cut off by the limit, which takes nothing away.
        return self._verdict(read_as(readable_text(reply, allow_truncated=True), LABEL_ALONE), odds, "")

    def _verdict(self, label: str, odds: LabelOdds | None, reasoning: str) -> Verdict:
        chosen_first = self.shown.order == "chosen_first"
        choice: Choice = "chosen" if (label == "1") == chosen_first else "rejected"
        margin = None if odds is None else (odds.log_odds if chosen_first else -odds.log_odds)
        return Verdict(
            self.shown.pair.id,
            self.shown.arm,
            self.shown.order,
            choice,
            margin=margin,
            label_mass=None if odds is None else odds.mass,
            reasoning=reasoning,
        )


@dataclass(frozen=True, slots=True)
class PairwiseJudge:
    """A model asked with our own prompt in one of the two modes."""

    asker: Asker
    mode: Mode = "reason"

    @property
    def name(self) -> str:
        """The model's spec."""
        return self.asker.name

    @property
    def orders(self) -> tuple[Order | None, ...]:
        """Both."""
        return ORDERS

    @property
    def margin_unit(self) -> Unit | None:
        """Label mode is meant to give log-odds."""
        return "log-odds" if self.mode == "label" else None

    async def judge(self, shown: Sequence[Presentation]) -> list[Verdict | Missing]:
        """Judge every presentation; verdicts carry the keys of their replies."""
        answers = await self.asker.ask([PairwiseAsk(s, self.mode) for s in shown])
        return [_with_keys(answer) for answer in answers]

    def transcript(self, shown: Presentation, verdict: Verdict) -> tuple[Message, ...]:
        """The judge's prompt and its own reply."""
        slot = "1" if (verdict.choice == "chosen") == (shown.order == "chosen_first") else "2"
        said = Message("assistant", verdict.reasoning or slot)
        return (*PairwiseAsk(shown, self.mode).filled().messages, said)


def _with_keys(answer: Answered[Verdict] | Missing) -> Verdict | Missing:
    return answer if isinstance(answer, Missing) else replace(answer.value, keys=answer.keys)
