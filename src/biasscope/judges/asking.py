"""How a judge is asked beside its prompt or case, and how several replies to one become one verdict. Knows no model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from statistics import fmean
from typing import TypeVar

from biasscope.ask import Answered, Ask, Asker, Missing
from biasscope.judges.base import Presentation
from biasscope.judges.template import Template
from biasscope.prompts import Filled
from biasscope.records import Verdict

T = TypeVar("T")

FEWEST_CHARACTERS = 40
"""A reply to a user's prompt that is shorter holds a verdict and no reasons: the judge is then asked for them first."""
NO_REFERENCE = Missing("no_reference", "the pair has no reference answer")


@dataclass(frozen=True, slots=True)
class Asking:
    """Settings of a judge; a program has none of a template, a temperature or a limit of tokens.

    `template` is the user's prompt in place of ours; with `reference` a pair's reference answer is shown, with `own` as the
    judge's own. None for `temperature` sends none, None for `max_tokens` is the limit of the kind of prompt. `samples`
    replies are asked for each time. `guard` is text that extends the prompt.
    """

    template: Template | None = None
    reference: bool = False
    samples: int = 1
    temperature: float | None = 0.0
    max_tokens: int | None = None
    guard: str = ""
    own: bool = False

    def guarded(self, filled: Filled) -> Filled:
        """A prompt extended by the guard: at the end of its system part, and where it has none before everything else.

        It comes before what is judged, so that a response that ends like a prompt cannot follow it, and that what
        sibling requests share stays shared. A prompt without a system part gets none: its model may know no such role.
        """
        if not self.guard:
            return filled
        if filled.system:
            return replace(filled, system=f"{filled.system}\n\n{self.guard}")
        before = f"{self.guard}\n\n"
        moved = {name: offset + len(before) for name, offset in filled.offsets.items()}
        return replace(filled, user=before + filled.user, offsets=moved)

    def can_ask(self, shown: Presentation) -> bool:
        """Whether there is everything that the prompt shows."""
        return not self.reference or shown.pair.reference is not None

    def replicate(self, shown: Presentation, sample: int) -> int:
        """The replicate of a request that gives a sample of a verdict; another verdict has others."""
        return shown.replicate * self.samples + sample

    async def samples_of(
        self, asker: Asker, asked: Sequence[tuple[Presentation, Callable[[int], Ask[T]]]]
    ) -> list[list[Answered[T] | Missing]]:
        """Ask for every sample by its number; where the reference is missing nothing is asked, and that is the answer."""
        numbers = range(self.samples)
        asks = [ask(number) for shown, ask in asked if self.can_ask(shown) for number in numbers]
        answers = iter(await asker.ask(asks))
        return [
            list(islice(answers, self.samples)) if self.can_ask(shown) else [NO_REFERENCE] for shown, _ in asked
        ]

    def reasons(self, text: str) -> str:
        """The reasons of a reply: our prompts ask for them, a user's may ask for a verdict alone."""
        bare = self.template is not None and len(text.strip()) < FEWEST_CHARACTERS
        return "" if bare else text


PLAIN = Asking()


def too_few(answers: Sequence[Answered[T] | Missing]) -> Missing | None:
    """What is missing where half of the samples or more cannot be read, with the commonest reason."""
    missing = [a for a in answers if isinstance(a, Missing)]
    if 2 * len(missing) < len(answers):
        return None
    if len(answers) == 1:
        return missing[0]
    reason, _ = Counter(m.reason for m in missing).most_common(1)[0]
    detail = f"{len(missing)} of {len(answers)} samples cannot be read"
    return Missing(reason, detail, _keys(answers))


def majority(answers: Sequence[Answered[Verdict] | Missing]) -> Verdict | Missing:
    """The verdict of the majority of the samples that can be read, with the mean of their margins.

    Equally frequent choices are a tie. Missing where half of the samples or more cannot be read.
    """
    if (missing := too_few(answers)) is not None:
        return missing
    verdicts = [a.value for a in answers if isinstance(a, Answered)]
    keys = _keys(answers)
    if len(answers) == 1:
        return replace(verdicts[0], keys=keys)
    (choice, count), *others = Counter(v.choice for v in verdicts).most_common()
    if any(other == count for _, other in others):
        choice = "tie"
    margins = [v.margin for v in verdicts if v.margin is not None]
    masses = [v.label_mass for v in verdicts if v.label_mass is not None]
    typical = next((v for v in verdicts if v.choice == choice), verdicts[0])
    return replace(
        typical,
        choice=choice,
        margin=fmean(margins) if margins else None,
        label_mass=fmean(masses) if masses else None,
        samples=tuple(v.choice for v in verdicts),
        keys=keys,
    )


def _keys(answers: Sequence[Answered[T] | Missing]) -> tuple[str, ...]:
    return tuple(key for answer in answers for key in answer.keys)
