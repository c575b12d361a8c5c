"""Training data by rules: the trait is balanced, nothing depends on an order, and the share is the declared one."""

import asyncio
import random
from collections import Counter
from dataclasses import replace

import pytest

from biasscope.ask import Missing
from biasscope.benchmarks.duplicates import normalised
from biasscope.catalogue.known import built_in
from biasscope.datasets import load
from biasscope.steps.perturb import RuleWriter
from biasscope.workflows.training_data import SHOWN, Mix, compose_rows, length
from biasscope.workflows.training_pairs import admit_pairs

from ..datasets.conftest import shared_data

__all__ = ["shared_data"]

CATALOGUE = built_in()
BIASES = [CATALOGUE.get(name).bias for name in ("authority", "length", "sentiment")]
PAIRS = load("objective:60?seed=1").pairs


def composed(mix, pairs=PAIRS, *, biases=BIASES, writer=None):
    made = compose_rows(writer or RuleWriter(), pairs, biases, mix, catalogue=CATALOGUE)
    return asyncio.run(made)


@pytest.fixture(scope="module")
def half():
    return composed(Mix(0.5))


@pytest.mark.parametrize(("share", "variants"), [(0.5, 1), (0.8, 2), (0.2, 3), (1.0, 1)])
def test_within_each_bias_the_trait_is_on_either_side_equally_often_and_the_share_is_kept(share, variants):
    found = composed(Mix(share, variants))
    augmented = [row for row in found.rows if row.bias]
    sides = Counter((row.bias, row.side) for row in augmented)
    for bias in {row.bias for row in augmented}:
        assert abs(sides[bias, "chosen"] - sides[bias, "rejected"]) <= 1
    on = Counter(row.side for row in augmented)
    assert abs(on["chosen"] - on["rejected"]) <= 1
    assert abs(len(augmented) - share * len(found.rows)) <= 1
    assert max(Counter(row.pair.id for row in augmented).values()) <= variants


def test_one_response_carries_the_trait_and_the_other_is_the_neutral_rewrite_of_the_same_writer(half):
    for row in (row for row in half.rows if row.bias):
        detects = CATALOGUE.get(row.bias).detector
        own, other = (row.chosen, row.rejected) if row.side == "chosen" else (row.rejected, row.chosen)
        assert detects(own)
        assert not detects(other)
        assert row.writer == "rule"
        assert normalised(row.chosen) != normalised(row.pair.chosen)
        assert normalised(row.rejected) != normalised(row.pair.rejected)


def test_a_plain_row_is_its_pair_as_it_was_and_no_pair_stands_in_both_parts(half):
    plain = [row for row in half.rows if not row.bias]
    assert all((row.chosen, row.rejected) == (row.pair.chosen, row.pair.rejected) for row in plain)
    assert not {row.pair.id for row in plain} & {row.pair.id for row in half.rows if row.bias}
    assert len({row.id for row in half.rows}) == len(half.rows)


def test_every_pair_is_a_row_or_counted_as_left_out(half):
    assert len(half.rows) + sum(one.count for one in half.spare) == len(PAIRS)


def test_the_trait_makes_neither_side_longer(half):
    assert abs(half.sides.kept) <= 0.5
    rows = [row for row in half.rows if row.bias]
    neutral = {name: v.cells["neutral", "neutral"] for name, v in half.variants.items()}
    gap = sum(length(row.chosen) - length(row.rejected) for row in rows)
    without = sum(length(neutral[row.id].chosen) - length(neutral[row.id].rejected) for row in rows)
    assert (gap - without) / len(rows) == pytest.approx(half.sides.kept)


def test_neither_the_order_of_the_pairs_nor_another_start_changes_a_row(half):
    pairs = list(PAIRS)
    random.Random(3).shuffle(pairs)
    assert composed(Mix(0.5), pairs).rows == half.rows
    assert composed(Mix(0.5, seed=1)).rows != half.rows


class Failing(RuleWriter):
    """Writes nothing for two pairs of three."""

    async def write(self, jobs):
        made = await super().write(jobs)
        return [Missing("refused") if int(j.pair.id[-1], 16) % 3 else m for j, m in zip(jobs, made, strict=True)]


def test_where_no_rewrite_comes_through_the_pair_stays_as_it_was_and_another_is_augmented():
    pairs = [replace(p, id=f"pair-{n:03x}") for n, p in enumerate(PAIRS)]
    found = composed(Mix(0.25), pairs, writer=Failing())
    augmented = [row for row in found.rows if row.bias]
    assert len(augmented) == 15
    assert len(found.rows) == 60
    assert all(int(row.pair.id[-1], 16) % 3 == 0 for row in augmented)
    assert sum(one.count for one in found.lost if one.reason.startswith("refused")) > 0


def test_where_too_little_can_be_written_plain_pairs_are_left_out_to_keep_the_share():
    pairs = [replace(p, id=f"pair-{n:03x}") for n, p in enumerate(PAIRS)]
    found = composed(Mix(0.9), pairs, writer=Failing())
    augmented = sum(bool(row.bias) for row in found.rows)
    assert 0 < augmented < 30
    assert abs(augmented - 0.9 * len(found.rows)) <= 1
    assert {one.reason for one in found.spare} >= {"more plain pairs than the declared share takes"}


def test_a_pair_that_shows_every_bias_as_it_is_is_counted_and_stays_plain():
    shown = replace(PAIRS[0], chosen=f"{PAIRS[0].chosen} Experts agree on this. 🎉 It is so much fun!")
    marked = [replace(shown, id=f"s{n}") for n in range(5)]
    only = [b for b in BIASES if CATALOGUE.get(b.id).detector(shown.chosen)]
    assert only
    found = composed(Mix(1.0), marked, biases=only)
    assert found.rows == ()
    assert [(one.reason, one.count) for one in found.lost] == [(SHOWN, 5)]


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_all_or_nothing_may_be_augmented(share):
    found = composed(Mix(share))
    assert {bool(row.bias) for row in found.rows} == {bool(share)}
    assert len(found.rows) >= 55


@pytest.mark.shared
def test_real_pairs_whose_better_responses_are_far_longer_are_balanced_too(shared_data):
    loaded = load(str(shared_data / "rewardbench/rewardbench_filtered.parquet"), limit=200)
    pairs = admit_pairs(loaded.pairs).pairs
    found = composed(Mix(0.5), pairs)
    sides = Counter((row.bias, row.side) for row in found.rows if row.bias)
    assert all(abs(sides[b.id, "chosen"] - sides[b.id, "rejected"]) <= 1 for b in BIASES)
    assert abs(found.sides.kept) <= 0.5 < abs(found.sides.drawn)
    assert len(found.rows) >= 160
