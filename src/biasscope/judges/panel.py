"""Several judges as one: the choice of the majority of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from biasscope.ask import Missing
from biasscope.judges.base import Judge, Presentation
from biasscope.records import ONE_PRESENTATION, ORDERS, Order, Unit, Verdict


@dataclass(frozen=True, slots=True)
class PanelJudge:
    """The majority of the members' verdicts on a presentation; equally frequent choices are a tie.

    A member without orders says the same in both. Members do not see each other's verdicts.
    """

    members: tuple[Judge, ...]

    @property
    def name(self) -> str:
        """That of the first member."""
        return self.members[0].name

    @property
    def orders(self) -> tuple[Order | None, ...]:
        """Both, unless no member has any."""
        return ORDERS if any(m.orders == ORDERS for m in self.members) else ONE_PRESENTATION

    @property
    def margin_unit(self) -> Unit | None:
        """None: votes are counted, and members' margins have units of their own."""
        return None

    async def judge(self, shown: Sequence[Presentation]) -> list[Verdict | Missing]:
        """Ask member after member; missing where half of them or more are, with the commonest reason."""
        said = [await self._of(member, shown) for member in self.members]
        return [_vote(one, votes) for one, votes in zip(shown, zip(*said, strict=True), strict=True)]

    async def _of(self, member: Judge, shown: Sequence[Presentation]) -> list[Verdict | Missing]:
        if member.orders == ONE_PRESENTATION:
            shown = [replace(one, order=None) for one in shown]
        return await member.judge(shown)


def _vote(shown: Presentation, votes: Sequence[Verdict | Missing]) -> Verdict | Missing:
    keys = tuple(dict.fromkeys(key for vote in votes for key in vote.keys))
    missing = [vote.reason for vote in votes if isinstance(vote, Missing)]
    if 2 * len(missing) >= len(votes):
        reason, _ = Counter(missing).most_common(1)[0]
        return Missing(reason, f"{len(missing)} of the {len(votes)} members of the panel gave no verdict", keys)
    verdicts = [vote for vote in votes if isinstance(vote, Verdict)]
    (choice, count), *others = Counter(v.choice for v in verdicts).most_common()
    if any(other == count for _, other in others):
        choice = "tie"
    return Verdict(
        shown.pair.id, shown.arm, shown.order, choice, samples=tuple(v.choice for v in verdicts), keys=keys
    )
