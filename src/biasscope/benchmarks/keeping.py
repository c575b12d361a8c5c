"""What an adversarial filter keeps: variants on which enough judges are wrong in both orders. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from biasscope.errors import UsageError
from biasscope.records import Choice, Order

Outcome = Literal["wrong", "not_wrong", "missing"]
"""What a judge made of an item: ``wrong`` where every order was answered with the rejected response. A tie is not wrong, and
an item of which an order is missing is neither wrong nor right."""

_RULE = re.compile(r"\s*(\d{1,3})\s*/\s*(\d{1,3})\s*")


@dataclass(frozen=True, slots=True)
class KeepRule:
    """Keep what at least `least` of `judges` judges are wrong on; written ``2/3``."""

    least: int
    judges: int

    def __str__(self) -> str:
        return f"{self.least}/{self.judges}"

    def keeps(self, outcomes: Iterable[Outcome]) -> bool:
        """Whether so many judges are wrong; an outcome that is missing counts as none."""
        return sum(outcome == "wrong" for outcome in outcomes) >= self.least


def parse_rule(text: str | None, judges: int) -> KeepRule:
    """Read a rule such as ``2/3`` for so many judges; more than half of them where none is given.

    Raises UsageError for anything else, for 0, and for another number of judges than there are.
    """
    if text is None:
        return KeepRule(judges // 2 + 1, judges)
    found = _RULE.fullmatch(text)
    if found is None:
        raise UsageError(
            f"--keep {text!r} is no rule",
            hint=f"Write how many of how many judges must be wrong, as in {judges}/{judges}.",
        )
    least, of = int(found[1]), int(found[2])
    if of != judges:
        raise UsageError(
            f"--keep {text} is about {of} judges, and {judges} {'is' if judges == 1 else 'are'} named",
            hint=f"Write --keep {min(max(least, 1), judges)}/{judges}, or name {of} judges.",
        )
    if not 1 <= least <= of:
        raise UsageError(
            f"--keep {text} would keep {'everything' if least < 1 else 'nothing'}",
            hint=f"Between 1/{of} and {of}/{of}.",
        )
    return KeepRule(least, of)


def outcome(choices: Mapping[Order | None, Choice | None], orders: Sequence[Order | None]) -> Outcome:
    """What a judge made of one item, from its choice in each of its orders; None or no entry where there is no verdict."""
    found = [choices.get(order) for order in orders]
    if not found or None in found:
        return "missing"
    return "wrong" if all(choice == "rejected" for choice in found) else "not_wrong"


def of_cells(outcomes: Sequence[Outcome]) -> Outcome:
    """What a judge made of a crossed variant, from the two cells whose trait is on one response only.

    It is wrong on the variant where it is wrong on either of them. The rule is the same for the trait on the wrong and on the
    right response, so that among what is kept neither is the harder side, and traits that judges punish are kept as well as
    those they fall for. Missing only where no cell is wrong and one has no outcome.
    """
    if "wrong" in outcomes:
        return "wrong"
    return "missing" if "missing" in outcomes else "not_wrong"
