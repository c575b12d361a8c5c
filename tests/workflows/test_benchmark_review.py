"""What people are asked about a benchmark, and what stands after they answered."""

from collections import Counter
from dataclasses import replace

import pytest

from biasscope.benchmarks.funnel import funnel
from biasscope.workflows.benchmark_review import after_review, drawn_for_review, items_to_review, review_id

from ..hardened import built, original, variant

pytestmark = pytest.mark.slow

SMALL = [i for k in range(6) for i in [original(f"p{k}"), *variant(f"p{k}"), *variant(f"p{k}", bias="loud")]]


def only(items, **marks):
    """Items with marks by subset: whether they are kept."""
    return [replace(i, kept=marks.get(i.subset)) for i in items]


def test_a_third_of_the_items_are_neutral_and_both_responses_are_asked_about():
    asked = items_to_review(SMALL, 6, seed=0)
    assert Counter((i.hidden.arm, i.hidden.side) for i in asked)["biased", "rejected"] == 6
    assert Counter((i.hidden.arm, i.hidden.side) for i in asked)["biased", "chosen"] == 6
    assert Counter(i.hidden.arm for i in asked) == {"biased": 12, "neutral": 6}
    assert {i.hidden.gold for i in asked if i.hidden.arm == "neutral"} == {"tie"}
    assert {i.hidden.gold for i in asked if i.hidden.arm == "biased"} == {None}


def test_an_item_shows_the_response_as_it_was_beside_its_rewrite():
    for one in items_to_review(SMALL, 12, seed=0):
        side = {"rejected": "wrong", "chosen": "right"}[one.hidden.side]
        assert one.original == f"{side} original {one.hidden.pair}"
        assert one.rewrite == f"{side} {one.hidden.arm} {one.hidden.pair}"
        assert one.prompt == f"What about {one.hidden.pair}?"


def test_biases_are_drawn_in_turn_and_more_variants_begin_with_the_same_ones():
    few, more = drawn_for_review(SMALL, 4, seed=0), drawn_for_review(SMALL, 9, seed=0)
    assert Counter(v.partition("/")[2] for v in few) == {"calm": 2, "loud": 2}
    assert more[:4] == few
    assert drawn_for_review(SMALL, 4, seed=1) != few
    assert drawn_for_review(SMALL, 0, seed=0) == ()


def test_only_what_the_filter_kept_is_asked_about_and_of_a_one_sided_item_its_rewrite_alone():
    assert items_to_review(only(SMALL, pro=False, crossed=False), 9, seed=0) == ()
    one_sided = items_to_review(only(SMALL, pro=True, crossed=False), 9, seed=0)
    assert {i.hidden.side for i in one_sided} == {"rejected"}
    assert len(one_sided) == 9 + 4


def subsets(items):
    return Counter((i.subset, i.reviewed) for i in items if i.variant == "p0/calm")


def test_a_one_sided_item_falls_with_its_rewrite_and_the_cells_with_any_of_theirs():
    rejected, chosen = (review_id("p0/calm", side, "biased") for side in ("rejected", "chosen"))
    assert subsets(after_review(SMALL, {rejected: False}).items) == {}
    standing = after_review(SMALL, {rejected: True, chosen: False})
    assert subsets(standing.items) == {("pro", True): 1}
    assert [(t.bias, t.step, t.reason, t.count) for t in standing.tallies] == [
        ("calm", "reviewed", "not valid (crossed)", 1)
    ]
    neutral = after_review(
        SMALL, {rejected: True, chosen: True, review_id("p0/calm", "chosen", "neutral"): False}
    )
    assert subsets(neutral.items) == {("pro", True): 1}


def test_what_was_not_reviewed_or_not_decided_stays_without_a_mark():
    rejected, chosen = (review_id("p0/calm", side, "biased") for side in ("rejected", "chosen"))
    assert subsets(after_review(SMALL, {}).items) == {("pro", False): 1, ("crossed", False): 4}
    assert subsets(after_review(SMALL, {rejected: None}).items) == {("pro", False): 1, ("crossed", False): 4}
    assert subsets(after_review(SMALL, {rejected: True}).items) == {("pro", True): 1, ("crossed", False): 4}
    assert subsets(after_review(SMALL, {rejected: True, chosen: True}).items) == {
        ("pro", True): 1,
        ("crossed", True): 4,
    }


def test_what_people_took_out_is_a_row_of_the_funnel():
    rows = funnel(after_review(SMALL, {review_id("p0/calm", "rejected", "biased"): False}).tallies)
    assert rows[0].lost == (("reviewed", "not valid (crossed)", 1), ("reviewed", "not valid (pro)", 1))
    assert "reviewed" not in rows[0].passed


def test_a_real_build_can_be_asked_about_whole():
    items = built().items
    asked = items_to_review(items, len(items), seed=0)
    variants = {i.variant for i in items if i.subset == "pro"}
    assert sum(i.hidden.arm == "biased" for i in asked) == 2 * len(variants)
    assert len({i.id for i in asked}) == len(asked)
