"""What is drawn by seed when a benchmark is made: the biases of a pair, the slots of responses, the unfiltered sample."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import cast

from biasscope.benchmarks.items import BenchmarkItem, Label
from biasscope.seeds import derive_seed, pick

Stratum = tuple[str, str]
"""(bias, domain)."""


def bias_order(pair_id: str, biases: Iterable[str], *, seed: int) -> tuple[str, ...]:
    """The biases in the order in which they are drawn for a pair, each once.

    Another pair, or a bias more, changes nothing in the order of the others.
    """
    return tuple(sorted(biases, key=lambda bias: (derive_seed("variant", seed, pair_id, bias), bias)))


def with_slots(items: Iterable[BenchmarkItem], *, seed: int) -> tuple[BenchmarkItem, ...]:
    """The items with their slots drawn anew: as many better responses in slot 1 as in slot 2, in every group of rows.

    A group is a subset, a bias and a crossed cell, so that no slot tells a trait or its side; groups of an odd size have one
    more of a drawn slot. The texts and the order of the items stay. The same items get the same slots in any order.
    """
    groups: dict[tuple[str, ...], list[str]] = defaultdict(list)
    kept = tuple(items)
    for item in kept:
        groups[_group(item)].append(item.id)
    labels: dict[str, Label] = {}
    for group, ids in groups.items():
        start = pick(2, "slots", seed, *group)
        drawn = sorted(ids, key=lambda item: (derive_seed("slot", seed, item), item))
        labels |= {item: cast(Label, 1 + (start + k) % 2) for k, item in enumerate(drawn)}
    return tuple(_with_label(item, labels[item.id]) for item in kept)


def _group(item: BenchmarkItem) -> tuple[str, ...]:
    return item.subset, item.injected_bias, item.chosen_form, item.rejected_form


def _with_label(item: BenchmarkItem, label: Label) -> BenchmarkItem:
    if label == item.label:
        return item
    return replace(item, label=label, response_A=item.response_B, response_B=item.response_A)


def matched_sample(
    variants: Mapping[str, Stratum], kept: Iterable[str], *, seed: int, subset: str
) -> frozenset[str]:
    """The variants of a sample that has the kept ones' numbers of each bias and domain, whatever judges said of them.

    `variants` are all there are, by id with their stratum. Each stratum has an order drawn by `seed` from the ids alone, so
    that no verdict enters it; the first ones are taken, as many as were kept there. Given how many were kept, every set of
    that size is equally likely. Raises KeyError for a kept variant that is not among them.
    """
    wanted: dict[Stratum, int] = defaultdict(int)
    for variant in set(kept):
        wanted[variants[variant]] += 1
    members: dict[Stratum, list[str]] = defaultdict(list)
    for variant, stratum in variants.items():
        members[stratum].append(variant)
    return frozenset(
        variant
        for stratum, count in wanted.items()
        for variant in sorted(members[stratum], key=lambda v: (derive_seed("unfiltered", seed, subset, v), v))[
            :count
        ]
    )
