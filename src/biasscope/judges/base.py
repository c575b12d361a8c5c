"""What a judge is to steps and statistics: something that gives a verdict on a pair as it is shown.

Steps do not know how a verdict is obtained. A judge that can be asked why (a prompted one) is `Explaining`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from biasscope.ask import Asker, Missing
from biasscope.records import Choice, Message, Order, PreferencePair, Unit, Verdict


@dataclass(frozen=True, slots=True)
class Presentation:
    """A pair as shown: the two texts of one arm in one order.

    `replicate` above 0 asks for another verdict on exactly the same texts.
    """

    pair: PreferencePair
    arm: str
    order: Order | None
    chosen: str
    rejected: str
    replicate: int = 0

    @property
    def shown(self) -> tuple[str, str]:
        """The texts in the order in which the judge sees them; chosen first for a judge that sees them one by one."""
        return (self.rejected, self.chosen) if self.order == "rejected_first" else (self.chosen, self.rejected)

    def choice(self, *, is_first: bool) -> Choice:
        """The choice of whoever prefers the first, or else the second, of the two texts that are shown."""
        return "chosen" if is_first == (self.order == "chosen_first") else "rejected"

    def margin(self, for_first: float) -> float:
        """A margin in favour of the first as one in favour of the chosen response."""
        return for_first if self.order == "chosen_first" else -for_first


class Judge(Protocol):
    """An instrument that gives verdicts, in the order of what it is shown."""

    @property
    def name(self) -> str:
        """The spec as the user wrote it."""
        ...

    @property
    def orders(self) -> tuple[Order | None, ...]:
        """The orders in which it is shown a pair: `ORDERS`, or `ONE_PRESENTATION` where it sees one response at a time."""
        ...

    @property
    def margin_unit(self) -> Unit | None:
        """The unit of the margins that its verdicts are meant to carry: log-odds or score; None without margins."""
        ...

    async def judge(self, shown: Sequence[Presentation]) -> list[Verdict | Missing]:
        """Judge every presentation."""
        ...


@runtime_checkable
class Relabelling(Protocol):
    """A judge whose prompt can call the two responses by other labels."""

    def relabelled(self, labels: tuple[str, str]) -> Judge | None:
        """The same judge with the labels of the first and the second response; None where they cannot be changed."""
        ...


@runtime_checkable
class Reversing(Protocol):
    """A judge whose scale can be turned round."""

    def reversed(self) -> Judge | None:
        """The same judge asked for low scores for what is good, turned back when read; None where that cannot be."""
        ...


@runtime_checkable
class Explaining(Protocol):
    """A judge that can be asked about a verdict of its own."""

    @property
    def asker(self) -> Asker:
        """Where follow-up questions go."""
        ...

    @property
    def most_tokens(self) -> int | None:
        """How many tokens a reply may have where the user says so: a judge that thinks needs room for that."""
        ...

    def transcript(self, shown: Presentation, verdict: Verdict) -> tuple[Message, ...]:
        """The conversation that led to the verdict, to be continued."""
        ...

    def name_of_rejected(self, shown: Presentation) -> str | None:
        """What that conversation calls the rejected response (1, 2, A ...); None where it shows no other one."""
        ...
