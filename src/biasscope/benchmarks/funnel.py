"""What became of every pair and bias on the way to an item: how many came through each step, and why the others did not."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

Step = Literal["pairs", "drawn", "written", "checked", "deduplicated", "pro_kept", "crossed_kept", "reviewed"]
"""``pairs``: source pairs; ``drawn``: variants, a pair with a bias (lost there: what a response shows as it is);
``written``: all four rewrites came; ``checked``: they keep the answer, change something, stay in their length band, and show
the trait where they should alone; ``deduplicated``: no other variant of the question is the same; ``pro_kept``, ``crossed_kept``:
what the filter kept of each subset; ``reviewed``: only what people found not valid is counted."""

STEPS: tuple[Step, ...] = get_args(Step)


@dataclass(frozen=True, slots=True)
class Tally:
    """One count: `count` variants of a bias and a domain came through `step`, or were lost there where `reason` is given.

    Under ``pairs`` they are pairs, and `bias` is empty.
    """

    bias: str
    domain: str
    step: Step
    count: int
    reason: str = ""


@dataclass
class Counting:
    """Counts as they are made."""

    _counts: Counter[tuple[str, str, Step, str]] = field(default_factory=Counter)

    def add(self, bias: str, domain: str, step: Step, reason: str = "", count: int = 1) -> None:
        """Count what came through a step, or with a reason what was lost there."""
        self._counts[bias, domain, step, reason] += count

    def tallies(self) -> tuple[Tally, ...]:
        """The counts, sorted by bias, domain, step and reason."""
        order = sorted(self._counts, key=lambda k: (k[0], k[1], STEPS.index(k[2]), k[3]))
        return tuple(Tally(b, d, s, self._counts[b, d, s, r], r) for b, d, s, r in order)


@dataclass(frozen=True, slots=True)
class FunnelRow:
    """The funnel of one bias, one domain or one of both together; an empty name means all.

    `passed` counts by step what came through; `pairs` there are those of the domain. A step that was not made (no filter)
    has no entry. `lost` are (step, reason, count), largest first.
    """

    bias: str
    domain: str
    passed: Mapping[Step, int]
    lost: tuple[tuple[Step, str, int], ...]


def funnel(tallies: Sequence[Tally]) -> tuple[FunnelRow, ...]:
    """All rows: in total, by bias, by domain, and by both. Nothing is lost: what was drawn is kept or has a reason."""
    made = {t.step for t in tallies}
    pairs = {t.domain: t.count for t in tallies if t.step == "pairs"}
    of_variants = [t for t in tallies if t.step != "pairs"]
    biases = sorted({t.bias for t in of_variants})
    domains = sorted(pairs)
    places = [
        ("", ""),
        *((b, "") for b in biases),
        *(("", d) for d in domains),
        *((b, d) for b in biases for d in domains),
    ]
    return tuple(
        _row(
            bias,
            domain,
            [t for t in of_variants if bias in ("", t.bias) and domain in ("", t.domain)],
            made,
            pairs,
        )
        for bias, domain in places
    )


def _row(
    bias: str, domain: str, tallies: Iterable[Tally], made: set[Step], pairs: Mapping[str, int]
) -> FunnelRow:
    passed: dict[Step, int] = {step: 0 for step in STEPS if step in made and step != "reviewed"}
    passed["pairs"] = pairs.get(domain, 0) if domain else sum(pairs.values())
    lost: dict[tuple[Step, str], int] = defaultdict(int)
    for tally in tallies:
        if tally.reason:
            lost[tally.step, tally.reason] += tally.count
        else:
            passed[tally.step] += tally.count
    order = sorted(lost, key=lambda k: (STEPS.index(k[0]), -lost[k], k[1]))
    return FunnelRow(bias, domain, passed, tuple((step, reason, lost[step, reason]) for step, reason in order))
