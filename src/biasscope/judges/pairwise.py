"""A prompted pairwise judge: two responses in one prompt, a forced choice. Slots and labels exist only here.

Mode `reason` asks for reasoning and then a choice (the paper's); mode `label` for the label alone, with
margins from its log-probabilities where the server gives them. Which mode was used is part of a finding. A user's
template takes the place of our prompt, with labels of its own; a tie is a choice where its labels offer one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from biasscope import prompts
from biasscope.ask import Asker, Missing, Reply, Request, Unreadable
from biasscope.judges.asking import PLAIN, Asking, majority
from biasscope.judges.base import Presentation
from biasscope.judges.labels import relabelled
from biasscope.judges.margins import LEAST_MASS, LabelOdds, after_thinking, label_odds
from biasscope.judges.readers import VerdictReader
from biasscope.parsing.replies import readable_text
from biasscope.parsing.thinking import split_thinking
from biasscope.records import ORDERS, Choice, Message, Order, Unit, Verdict

Mode = Literal["reason", "label"]
MAX_TOKENS: dict[Mode, int] = {"reason": 1024, "label": 4}
OURS = VerdictReader()


@dataclass(frozen=True, slots=True)
class PairwiseAsk:
    """Which of the two responses, as they are shown, is better?"""

    shown: Presentation
    mode: Mode = "reason"
    reader: VerdictReader = OURS
    asking: Asking = PLAIN
    sample: int = 0
    kind: str = "judge"
    attempts: int = 1

    def filled(self) -> prompts.Filled:
        """The prompt with both responses in their slots, under its guard."""
        return self.asking.guarded(self._plain())

    def _plain(self) -> prompts.Filled:
        pair, (first, second) = self.shown.pair, self.shown.shown
        question, reference = pair.question, pair.reference or ""
        if (template := self.asking.template) is not None:
            return template.fill(question=question, reference=reference, first=first, second=second)
        name, fields = f"judge_{self.mode}", {"question": question, "first": first, "second": second}
        if self.asking.reference:
            shown = "own" if self.asking.own else "reference"
            name, fields = f"{name}_{shown}", {**fields, "reference": reference}
        return prompts.fill_template(name, *relabelled(name, self.reader.labels), fields)

    def request(self, attempt: int) -> Request:
        """Ask once; what sibling presentations share (up to the varied response) comes first."""
        filled = self.filled()
        on_chosen = self.shown.chosen != self.shown.pair.chosen
        varied = "first" if on_chosen == (self.shown.order == "chosen_first") else "second"
        return Request(
            filled.messages,
            max_tokens=self.asking.max_tokens or MAX_TOKENS[self.mode],
            temperature=self.asking.temperature,
            labels=self.reader.offered if self.mode == "label" else (),
            shared=filled.offsets.get(varied, 0),
            replicate=self.asking.replicate(self.shown, self.sample),
        )

    def parse(self, reply: Reply) -> Verdict:
        """Read the verdict: the last explicit one in the text; in label mode the most probable label where known."""
        if self.mode == "reason":
            text = readable_text(reply)
            return self._verdict(self.reader.read(text), None, self.asking.reasons(text))
        odds = self._odds(reply)
        if odds is not None and odds.mass < LEAST_MASS:
            raise Unreadable("no_label_mass", f"{odds.mass:.3f} of the probability on the labels")
        first, second = self.reader.labels
        if odds is not None and odds.tied:
            return self._verdict(self.reader.tie or "", odds, "")
        if odds is not None and odds.log_odds != 0:
            return self._verdict(first if odds.log_odds > 0 else second, odds, "")
        # A model that goes on after the label is cut off by the limit, which takes nothing away.
        text = readable_text(reply, allow_truncated=True)
        return self._verdict(self.reader.read(text, alone=True), odds, "")

    def _odds(self, reply: Reply) -> LabelOdds | None:
        """The odds of the labels where the answer gives one; raises `Unreadable` where thinking left no answer."""
        if reply.refusal or reply.finish == "filtered":
            return None
        positions = reply.positions
        if reply.reasoning or split_thinking(reply.text)[0]:
            positions = after_thinking(positions, readable_text(reply, allow_truncated=True))
        return label_odds(positions, self.reader.labels, tie=self.reader.tie)

    def _verdict(self, label: str, odds: LabelOdds | None, reasoning: str) -> Verdict:
        is_tie, is_first = label == self.reader.tie, label == self.reader.labels[0]
        return Verdict(
            self.shown.pair.id,
            self.shown.arm,
            self.shown.order,
            "tie" if is_tie else self.shown.choice(is_first=is_first),
            margin=None if odds is None else self.shown.margin(odds.log_odds),
            label_mass=None if odds is None else odds.mass,
            reasoning=reasoning,
        )


@dataclass(frozen=True, slots=True)
class PairwiseJudge:
    """A model asked to compare, with our own prompt in one of the two modes or with a user's."""

    asker: Asker
    mode: Mode = "reason"
    reader: VerdictReader = OURS
    asking: Asking = PLAIN

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

    @property
    def most_tokens(self) -> int | None:
        """The limit that the user sets."""
        return self.asking.max_tokens

    async def judge(self, shown: Sequence[Presentation]) -> list[Verdict | Missing]:
        """Judge every presentation; verdicts carry the keys of their replies."""
        asked = [(s, partial(self._ask, s)) for s in shown]
        return [majority(answers) for answers in await self.asking.samples_of(self.asker, asked)]

    def relabelled(self, labels: tuple[str, str]) -> PairwiseJudge | None:
        """The same judge asked with other labels; None where the prompt is the user's."""
        if self.asking.template is not None:
            return None
        return replace(self, reader=replace(self.reader, labels=labels))

    def transcript(self, shown: Presentation, verdict: Verdict) -> tuple[Message, ...]:
        """The judge's prompt and its own reply."""
        said = (
            self.reader.tie if verdict.choice == "tie" and self.reader.tie else self._label(shown, verdict.choice)
        )
        turn = Message("assistant", verdict.reasoning or said)
        return (*self._ask(shown).filled().messages, turn)

    def name_of_rejected(self, shown: Presentation) -> str:
        """The label that the prompt gives to the rejected response."""
        return self._label(shown, "rejected")

    def _label(self, shown: Presentation, choice: Choice) -> str:
        return self.reader.labels[0 if choice == shown.choice(is_first=True) else 1]

    def _ask(self, shown: Presentation, sample: int = 0) -> PairwiseAsk:
        return PairwiseAsk(shown, self.mode, self.reader, self.asking, sample)
