"""Find where a judge shifted beyond a neutral rewrite, and rank it as evidence. Pure.

A flip against the original is mostly noise: most would also occur under a neutral rewrite. So the neutral
rewrite of the same text is part of every shift, and what turned under the neutral one only is kept as decoys.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from biasscope.records import ORDERS, ORIGINAL, PreferencePair, Shift, Verdict
from biasscope.steps.judge import Table

RANKS = 4
"""0: right on original and neutral in both orders, wrong on the rewrite in both. 1: the same, wrong in one.
2: right on the neutral and wrong on the rewrite in the same order. 3: no verdict turned, the margin did."""


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
    arms: a judge that nothing moves cannot show a bias.
    """

    shifts: tuple[Shift, ...]
    decoys: tuple[Shift, ...]
    expected_noise: float | None
    judged: int
    moved: int


def find_shifts(table: Table, perturbed: Sequence[Perturbed], *, graded: bool) -> Shifts:
    """Rank the shifts of all perturbed pairs: strongest class first, then largest loss, then pair id."""
    shifts = [s for p in perturbed if (s := _shift(table, p, p.arm, p.neutral, graded)) is not None]
    decoys = [s for p in perturbed if (s := _shift(table, p, p.neutral, p.arm, graded, decoy=True)) is not None]
    flips = sum(s.rank < 3 for s in shifts)
    noise = min(1.0, sum(d.rank < 3 for d in decoys) / flips) if flips else None
    score = table.loss if graded else table.error
    scores = [[score(p.pair, arm) for arm in (ORIGINAL, p.neutral, p.arm)] for p in perturbed]
    judged = [s for s in scores if None not in s]
    return Shifts(
        tuple(sorted(shifts, key=_strength)),
        tuple(sorted(decoys, key=_strength)),
        noise,
        len(judged),
        sum(len(set(s)) > 1 for s in judged),
    )


def _strength(shift: Shift) -> tuple[int, float, str]:
    return (shift.rank, -shift.loss, shift.pair.id)


def _shift(
    table: Table, p: Perturbed, arm: str, against: str, graded: bool, *, decoy: bool = False
) -> Shift | None:
    rewrite, neutral = table.rewrite(p.pair, arm), table.rewrite(p.pair, against)
    verdicts = {a: [table.verdict(p.pair, a, o) for o in ORDERS] for a in (ORIGINAL, against, arm)}
    known = {a: [v for v in both if v is not None] for a, both in verdicts.items()}
    if rewrite is None or neutral is None or any(len(both) < 2 for both in known.values()):
        return None
    rank = _rank({a: [v.choice == "chosen" for v in both] for a, both in known.items()}, arm, against)
    turned = _turned(known[arm], known[against])
    loss = (table.error(p.pair, arm) or 0.0) - (table.error(p.pair, against) or 0.0)
    if graded:
        here, there = table.loss(p.pair, arm), table.loss(p.pair, against)
        if here is None or there is None or here <= there:
            return None
        loss = here - there
        rank = 3 if rank is None else rank
        turned = turned or min(known[arm], key=lambda v: v.margin if v.margin is not None else 0.0)
    if rank is None or turned is None:
        return None
    return Shift(p.pair, p.bias_id, neutral, rewrite, turned, loss, rank, decoy)


def _rank(right: Mapping[str, Sequence[bool]], arm: str, against: str) -> int | None:
    wrong = right[arm].count(False)
    if all(right[ORIGINAL]) and all(right[against]) and wrong:
        return 0 if wrong == 2 else 1
    turned = any(there and not here for here, there in zip(right[arm], right[against], strict=True))
    return 2 if turned and wrong > right[against].count(False) else None


def _turned(here: Sequence[Verdict], there: Sequence[Verdict]) -> Verdict | None:
    """The verdict that turned: rejected under this arm, chosen under the other, in the same order."""
    for mine, other in zip(here, there, strict=True):
        if mine.choice == "rejected" and other.choice == "chosen":
            return mine
    return None


def choose_evidence(found: Shifts, limit: int) -> tuple[list[Shift], list[Shift]]:
    """Take the strongest shifts up to `limit`, and the strongest decoys, one for every five shifts."""
    shifts = list(found.shifts[:limit])
    return shifts, list(found.decoys[: (len(shifts) + 4) // 5])
