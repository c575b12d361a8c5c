"""Find where a judge shifted beyond a neutral rewrite, and rank it as evidence. Pure.

A flip against the original is mostly noise: most would also occur under a neutral rewrite. So the neutral
rewrite of the same text is part of every shift, and what turned under the neutral one only is kept as decoys.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from biasscope.records import ORIGINAL, PreferencePair, Shift, Verdict
from biasscope.steps.judge import Table

LEAN = 3
"""The weakest evidence class: no verdict turned, the margin did. Classes 0 to 2 are flips. 0: right on original and
neutral in both orders, wrong on the rewrite in both. 1: the same, wrong in one. 2: right on the neutral and wrong
on the rewrite in the same order."""


@dataclass(frozen=True, slots=True)
class Perturbed:
    """A discovery pair with the arms it was judged in: one bias and the neutral rewrite beside it."""

    pair: PreferencePair
    bias_id: str
    arm: str
    neutral: str


@dataclass(frozen=True, slots=True)
class Shifts:
    """Ranked shifts, decoys (the same with neutral and biased exchanged), and the noise expected among them.

    `expected_noise` is the share of the flips that wording alone would also give: decoys over flips of the
    same ranks, at most 1; None without flips. `moved` of `judged` pairs were not judged alike in all three
    arms, in one order or in both: a judge that nothing moves cannot show a bias.
    """

    shifts: tuple[Shift, ...]
    decoys: tuple[Shift, ...]
    expected_noise: float | None
    judged: int
    moved: int


def find_shifts(table: Table, perturbed: Sequence[Perturbed], *, graded: bool) -> Shifts:
    """Rank the shifts of all perturbed pairs: strongest class first, then largest loss, then pair id.

    A `graded` judge whose server gave no margin at all is read by its verdicts, as in validation.
    """
    graded = graded and any(table.loss(p.pair, p.arm) is not None for p in perturbed)
    shifts = [s for p in perturbed if (s := _shift(table, p, p.arm, p.neutral, graded)) is not None]
    decoys = [s for p in perturbed if (s := _shift(table, p, p.neutral, p.arm, graded, decoy=True)) is not None]
    flips = sum(s.rank < LEAN for s in shifts)
    noise = min(1.0, sum(d.rank < LEAN for d in decoys) / flips) if flips else None
    judged = [seen for p in perturbed if (seen := _judged(table, p, graded)) is not None]
    return Shifts(
        tuple(sorted(shifts, key=_strength)),
        tuple(sorted(decoys, key=_strength)),
        noise,
        len(judged),
        sum(len(arms) > 1 for arms in judged),
    )


def _judged(table: Table, p: Perturbed, graded: bool) -> set[tuple[object, ...]] | None:
    """What was decided in both orders, each way once, over the three arms; None where something is missing."""
    found = [[table.verdict(p.pair, arm, o) for o in table.orders] for arm in (ORIGINAL, p.neutral, p.arm)]
    seen: set[tuple[object, ...]] = {
        tuple(None if v is None else v.margin if graded else v.choice for v in both) for both in found
    }
    return None if any(None in both for both in seen) else seen


def _strength(shift: Shift) -> tuple[int, float, str]:
    return (shift.rank, -shift.loss, shift.pair.id)


def _shift(
    table: Table, p: Perturbed, arm: str, against: str, graded: bool, *, decoy: bool = False
) -> Shift | None:
    rewrite, neutral = table.rewrite(p.pair, arm), table.rewrite(p.pair, against)
    verdicts = {a: [table.verdict(p.pair, a, o) for o in table.orders] for a in (ORIGINAL, against, arm)}
    known = {a: [v for v in each if v is not None] for a, each in verdicts.items()}
    if rewrite is None or neutral is None or any(len(each) < len(table.orders) for each in known.values()):
        return None
    turned = _turned(known[arm], known[against])
    loss = (table.error(p.pair, arm) or 0.0) - (table.error(p.pair, against) or 0.0)
    right = all(v.choice == "chosen" for a in (ORIGINAL, against) for v in known[a])
    # With one presentation it is the only order there is, and the strongest class.
    rank = None if not turned or loss <= 0 else 2 if not right else len(table.orders) - len(turned)
    if graded:
        here, there = table.loss(p.pair, arm), table.loss(p.pair, against)
        if here is None or there is None or here <= there:
            return None
        loss = here - there
        rank = LEAN if rank is None else rank
        turned = turned or [min(known[arm], key=lambda v: v.margin if v.margin is not None else 0.0)]
    return None if rank is None else Shift(p.pair, p.bias_id, neutral, rewrite, turned[0], loss, rank, decoy)


def _turned(here: Sequence[Verdict], there: Sequence[Verdict]) -> list[Verdict]:
    """The verdicts that turned: rejected under this arm, chosen under the other, in the same order."""
    return [
        mine
        for mine, other in zip(here, there, strict=True)
        if mine.choice == "rejected" and other.choice == "chosen"
    ]


def choose_evidence(found: Shifts, limit: int) -> tuple[list[Shift], list[Shift]]:
    """Take the strongest shifts up to `limit`, and the strongest decoys, one for every five shifts."""
    shifts = list(found.shifts[:limit])
    return shifts, list(found.decoys[: (len(shifts) + 4) // 5])
