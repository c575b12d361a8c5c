"""What people are asked about a benchmark, and what of it stands after they answered. Pure.

An item of a review shows a response and its rewrite. The rewrites of a variant are asked about one by one, since a variant may
fail on one side alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from biasscope.benchmarks import BenchmarkItem, Form
from biasscope.benchmarks.funnel import Counting, Tally
from biasscope.records import RewrittenSide
from biasscope.reviews import ItemArm, ReviewItem, review_item, review_set
from biasscope.seeds import derive_seed

SIDES: tuple[RewrittenSide, ...] = ("rejected", "chosen")
ARMS: Mapping[ItemArm, Form] = {"biased": "biased", "neutral": "neutral"}


def review_id(variant: str, side: RewrittenSide, arm: ItemArm) -> str:
    """The id of the review item about one rewrite of a variant."""
    return f"{variant}/{side}/{arm}"


def drawn_for_review(items: Sequence[BenchmarkItem], count: int, *, seed: int) -> tuple[str, ...]:
    """Variants to be reviewed: of those in the benchmark `count`, drawn by seed, biases in turn so that each has some."""
    biases = {i.variant: i.injected_bias for i in items if i.subset != "original" and i.kept is not False}
    by_bias: dict[str, list[str]] = defaultdict(list)
    for variant, bias in biases.items():
        by_bias[bias].append(variant)
    turns = {
        variant: (turn, derive_seed("review", seed, variant))
        for members in by_bias.values()
        for turn, variant in enumerate(sorted(members, key=lambda v: (derive_seed("review", seed, v), v)))
    }
    return tuple(sorted(turns, key=turns.__getitem__)[:count])


def items_to_review(items: Sequence[BenchmarkItem], count: int, *, seed: int) -> tuple[ReviewItem, ...]:
    """The review items of `count` variants: each biased rewrite that is in the benchmark, and neutral ones, a third of all.

    A variant that is in the benchmark as a one-sided item alone has no rewrite of its better response there. What is known to be
    better is ``tie`` for neutral rewrites; of biased ones nobody knows whether the trait makes them worse.
    """
    drawn = set(drawn_for_review(items, count, seed=seed))
    originals = {i.source_pair: i for i in items if i.subset == "original"}
    crossed = {i.variant for i in items if i.subset == "crossed" and i.kept is not False}
    cells = {(i.variant, i.chosen_form, i.rejected_form): i for i in items if i.subset == "crossed"}
    found: dict[ItemArm, list[ReviewItem]] = {"biased": [], "neutral": []}
    for variant in sorted(drawn):
        for arm, form in ARMS.items():
            whole = cells[variant, form, form]
            plain = originals[whole.source_pair]
            for side in SIDES if variant in crossed else SIDES[:1]:
                found[arm].append(
                    review_item(
                        review_id(variant, side, arm),
                        whole.question,
                        getattr(plain, side),
                        getattr(whole, side),
                        bias=whole.injected_bias,
                        arm=arm,
                        pair=whole.source_pair,
                        better="tie" if arm == "neutral" else None,
                        domain=whole.domain,
                        side=side,
                        seed=seed,
                    )
                )
    return review_set(found["biased"], found["neutral"], seed=seed)


@dataclass(frozen=True, slots=True)
class Standing:
    """The items that stand after a review, with what was taken out counted by bias and domain."""

    items: tuple[BenchmarkItem, ...]
    tallies: tuple[Tally, ...]


def after_review(items: Sequence[BenchmarkItem], valid: Mapping[str, bool | None]) -> Standing:
    """Take out what reviewers found not valid, and mark what they found valid; `valid` is by id of the review item.

    A one-sided item falls with its biased rewrite. The cells of a variant stand or fall together, with any of its rewrites: a
    variant that lost a cell would bring back what crossing keeps out. What was not reviewed, or not decided, stays unmarked.
    """
    found = {(i.subset, i.variant): _verdict(i.variant, i.subset == "crossed", valid) for i in items}
    counting = Counting()
    for (subset, variant), said in found.items():
        if said is False:
            item = next(i for i in items if (i.subset, i.variant) == (subset, variant))
            counting.add(item.injected_bias, item.domain, "reviewed", f"not valid ({subset})")
    left = (i for i in items if found[i.subset, i.variant] is not False)
    marked = tuple(replace(i, reviewed=True) if found[i.subset, i.variant] else i for i in left)
    return Standing(marked, counting.tallies())


def _verdict(variant: str, whole: bool, valid: Mapping[str, bool | None]) -> bool | None:
    """Whether the rewrites of a variant are valid: those that were reviewed all are, and every biased one was."""
    sides: Iterable[RewrittenSide] = SIDES if whole else SIDES[:1]
    arms: Sequence[ItemArm] = ("biased", "neutral") if whole else ("biased",)
    said = {(side, arm): valid.get(review_id(variant, side, arm)) for side in sides for arm in arms}
    if False in said.values():
        return False
    return True if all(said[side, "biased"] for side in sides) else None
