"""A judge whose margins are corrected before they are read: what the slot, length and style add is taken off.

The coefficients were fitted elsewhere (`config.Adjustment`) and are applied as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from biasscope.ask import Missing
from biasscope.catalogue.features import Feature, text_features
from biasscope.config import Adjustment
from biasscope.errors import ConfigError
from biasscope.judges.base import Judge, Presentation
from biasscope.judges.procedures import NO_MARGIN, by_sign
from biasscope.records import Order, Unit, Verdict


@dataclass(frozen=True, slots=True)
class AdjustedJudge:
    """`inner`, with `slot` and the sum of `slopes` x (feature of the chosen - of the rejected response) off its margins."""

    inner: Judge
    slot: float
    slopes: tuple[tuple[Feature, float], ...]

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
        """The unit stays what it was."""
        return self.inner.margin_unit

    async def judge(self, shown: Sequence[Presentation]) -> list[Verdict | Missing]:
        """Judge every presentation; a verdict without a margin is missing, since nothing of it can be corrected."""
        said = await self.inner.judge(shown)
        return [
            verdict if isinstance(verdict, Missing) else self._corrected(one, verdict)
            for one, verdict in zip(shown, said, strict=True)
        ]

    def _corrected(self, shown: Presentation, verdict: Verdict) -> Verdict | Missing:
        if verdict.margin is None:
            return replace(NO_MARGIN, keys=verdict.keys)
        slot = 0.0 if verdict.order is None else shown.margin(self.slot)
        margin = verdict.margin - slot - self._by_text(shown)
        return replace(verdict, margin=margin, choice=by_sign(margin))

    def _by_text(self, shown: Presentation) -> float:
        return sum(
            slope * (_counted(feature, shown.chosen) - _counted(feature, shown.rejected))
            for feature, slope in self.slopes
        )


@lru_cache(maxsize=16_384)  # a text stands in many arms and in two orders
def _counted(feature: Feature, text: str) -> float:
    return feature.count(text)


def adjusted_judge(inner: Judge, adjustment: Adjustment) -> AdjustedJudge:
    """`inner` with its margins corrected; raises ConfigError as `check_adjustment` does."""
    check_adjustment(adjustment, inner.margin_unit)
    slopes = tuple((_features()[name], slope) for name, slope in sorted(adjustment.slopes.items()))
    return AdjustedJudge(inner, adjustment.slot, slopes)


def check_adjustment(adjustment: Adjustment, unit: Unit | None) -> None:
    """Raise ConfigError for margins of another unit than the coefficients, and for a feature that is not known."""
    if unit != adjustment.unit:
        raise ConfigError(
            f"the margins of the judge are {unit or 'not known'}, and the adjustment is in {adjustment.unit}",
            hint="Ask the judge as it was asked when the adjustment was fitted, or fit it again.",
        )
    unknown = sorted(adjustment.slopes.keys() - _features().keys())
    if unknown:
        raise ConfigError(
            f"the adjustment knows a feature {unknown[0]!r} that is not there",
            hint=f"There are: {', '.join(sorted(_features()))}.",
        )


@cache
def _features() -> dict[str, Feature]:
    return {feature.name: feature for feature in text_features()}
