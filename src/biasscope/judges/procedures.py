"""Both orders of a pair as one verdict: what a judge says whichever response it was shown first.

A procedure is a judge that asks another one. It has no orders of its own, since what it is shown first changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from biasscope.ask import Missing
from biasscope.judges.base import Judge, Presentation
from biasscope.records import ONE_PRESENTATION, ORDERS, Choice, Order, Unit, Verdict

Join = Callable[[Verdict, Verdict], Verdict | Missing]
NO_MARGIN = Missing("no_margin", "the verdict came without a margin")


@dataclass(frozen=True, slots=True)
class SwapAndTie:
    """The choice that `inner` makes in both orders, and a tie where they differ.

    It takes the slot out of a single verdict. The mean error over both orders stays what it was: half of what was
    inconsistent was wrong before, and a tie counts one half.
    """

    inner: Judge

    @property
    def name(self) -> str:
        """That of the judge that is asked."""
        return self.inner.name

    @property
    def orders(self) -> tuple[Order | None, ...]:
        """None: both are asked each time."""
        return ONE_PRESENTATION

    @property
    def margin_unit(self) -> Unit | None:
        """None: agreement is no matter of degree."""
        return None

    async def judge(self, shown: Sequence[Presentation]) -> list[Verdict | Missing]:
        """Judge every presentation in both orders; missing where one of the two verdicts is."""
        return [_joined(*both, _common) for both in await both_orders(self.inner, shown)]


@dataclass(frozen=True, slots=True)
class SwapAndAverage:
    """The sign of the mean margin of `inner` over both orders: what the slot adds in one order it takes in the other."""

    inner: Judge

    @property
    def name(self) -> str:
        """That of the judge that is asked."""
        return self.inner.name

    @property
    def orders(self) -> tuple[Order | None, ...]:
        """None: both are asked each time."""
        return ONE_PRESENTATION

    @property
    def margin_unit(self) -> Unit | None:
        """That of the margins that are averaged."""
        return self.inner.margin_unit

    async def judge(self, shown: Sequence[Presentation]) -> list[Verdict | Missing]:
        """Judge every presentation in both orders; missing where a verdict is, or has no margin."""
        return [_joined(*both, _averaged) for both in await both_orders(self.inner, shown)]


async def both_orders(
    judge: Judge, shown: Sequence[Presentation]
) -> list[tuple[Verdict | Missing, Verdict | Missing]]:
    """What a judge says of every presentation in either order, chosen first in front."""
    said = await judge.judge([replace(one, order=order) for one in shown for order in ORDERS])
    return list(zip(said[::2], said[1::2], strict=True))


def _joined(one: Verdict | Missing, other: Verdict | Missing, join: Join) -> Verdict | Missing:
    """Two verdicts as one, with the keys of both and no order."""
    if isinstance(one, Missing) or isinstance(other, Missing):
        missing = one if isinstance(one, Missing) else other
        assert isinstance(missing, Missing)
        return missing
    joined = join(one, other)
    if isinstance(joined, Missing):
        return replace(joined, keys=(*one.keys, *other.keys))
    return replace(joined, order=None, samples=(one.choice, other.choice), keys=(*one.keys, *other.keys))


def _common(one: Verdict, other: Verdict) -> Verdict | Missing:
    agreed: Choice = one.choice if one.choice == other.choice else "tie"
    return replace(one, choice=agreed, margin=None, label_mass=None)


def _averaged(one: Verdict, other: Verdict) -> Verdict | Missing:
    if one.margin is None or other.margin is None:
        return NO_MARGIN
    margin = fmean((one.margin, other.margin))
    masses = [v.label_mass for v in (one, other) if v.label_mass is not None]
    return replace(one, choice=by_sign(margin), margin=margin, label_mass=min(masses) if masses else None)


def by_sign(margin: float) -> Choice:
    """The choice of a margin towards the chosen response; a tie at 0."""
    return "tie" if margin == 0 else "chosen" if margin > 0 else "rejected"
