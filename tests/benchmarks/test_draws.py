"""What is drawn by seed: biases of a pair, slots, and a sample that knows no verdict."""

from collections import Counter

import pytest

from biasscope.benchmarks.draws import bias_order, matched_sample, with_slots

from ..hardened import item, original, variant

TEN = tuple(f"bias-{k}" for k in range(10))


def test_a_pair_has_every_bias_once_in_an_order_of_its_own():
    drawn = bias_order("p1", TEN, seed=0)
    assert sorted(drawn) == sorted(TEN)
    assert bias_order("p1", reversed(TEN), seed=0) == drawn
    assert bias_order("p1", TEN, seed=1) != drawn
    assert bias_order("p2", TEN, seed=0) != drawn


def test_a_bias_more_changes_nothing_in_the_order_of_the_others():
    for k in range(50):
        more = bias_order(f"p{k}", (*TEN, "new"), seed=0)
        assert tuple(b for b in more if b != "new") == bias_order(f"p{k}", TEN, seed=0)


def test_biases_come_first_about_equally_often():
    counts = Counter(bias for k in range(1000) for bias in bias_order(f"p{k}", TEN, seed=0)[:3])
    # 300 each; the standard deviation is 14.5
    assert all(240 < counts[bias] < 360 for bias in TEN)


def test_slots_are_balanced_in_every_group_and_the_texts_stay():
    items = [i for k in range(31) for i in [original(f"p{k}"), *variant(f"p{k}")]]
    slotted = with_slots(items, seed=3)

    assert [(i.id, i.chosen, i.rejected) for i in slotted] == [(i.id, i.chosen, i.rejected) for i in items]
    groups = Counter((i.subset, i.chosen_form, i.rejected_form, i.label) for i in slotted)
    for subset, chosen, rejected, _ in list(groups):
        assert {groups[subset, chosen, rejected, 1], groups[subset, chosen, rejected, 2]} == {15, 16}


def test_slots_depend_on_seed_and_ids_and_not_on_order_or_earlier_slots():
    items = [i for k in range(20) for i in variant(f"p{k}")]
    slotted = {i.id: i.label for i in with_slots(items, seed=3)}
    again = with_slots(with_slots(reversed(items), seed=8), seed=3)
    assert {i.id: i.label for i in again} == slotted
    assert {i.id: i.label for i in with_slots(items, seed=4)} != slotted


def test_the_sample_has_the_numbers_of_the_kept_in_every_stratum():
    variants = {f"{bias}-{domain}-{k}": (bias, domain) for bias in "ab" for domain in "xy" for k in range(30)}
    kept = [v for v, where in variants.items() if where in (("a", "x"), ("b", "y")) and int(v[4:]) < 9]
    sample = matched_sample(variants, kept, seed=0, subset="pro")

    assert Counter(variants[v] for v in sample) == {("a", "x"): 9, ("b", "y"): 9}
    assert sample != set(kept)


def test_the_sample_is_the_beginning_of_an_order_that_no_verdict_enters():
    variants = {f"v{k}": ("a", "x") for k in range(40)}
    few = matched_sample(variants, ["v0", "v1", "v2"], seed=0, subset="pro")
    others = matched_sample(variants, ["v37", "v38", "v39"], seed=0, subset="pro")
    more = matched_sample(variants, [f"v{k}" for k in range(20)], seed=0, subset="pro")
    assert few == others < more
    assert matched_sample(variants, ["v0", "v1", "v2"], seed=1, subset="pro") != few
    assert matched_sample(variants, ["v0", "v1", "v2"], seed=0, subset="crossed") != few


def test_a_kept_variant_that_is_not_there_is_a_fault():
    with pytest.raises(KeyError):
        matched_sample({"v0": ("a", "x")}, ["v1"], seed=0, subset="pro")


def test_an_item_knows_where_its_trait_is():
    sides = {(i.chosen_form, i.rejected_form): (i.trait_side, i.one_sided) for i in [original(), *variant()]}
    assert sides == {
        ("original", "original"): ("neither", False),
        ("original", "biased"): ("rejected", True),
        ("neutral", "neutral"): ("neither", False),
        ("neutral", "biased"): ("rejected", True),
        ("biased", "neutral"): ("chosen", False),
        ("biased", "biased"): ("both", False),
    }
    assert (item(label=2).chosen, item(label=2).rejected) == (item().rejected, item().chosen)
