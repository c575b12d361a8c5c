"""The views of a benchmark, what counts as one draw, and which original an item has."""

from collections import Counter
from itertools import pairwise

import pytest

from biasscope.errors import DataError
from biasscope.records import PreferencePair
from biasscope.workflows.judged_items import arm_of, pair_of
from biasscope.workflows.ranked_set import rank_set

from ..fakes import pair
from ..ranking import benchmark, item


def sizes(found):
    return {view: len(items) for view, items in found.views.items()}


def test_items_are_sorted_into_views_and_what_was_dropped_is_counted():
    found = rank_set(benchmark(6, 4, kept=lambda v: v in (1, 2)))

    # of four variants two were kept, and every other one is in the sample
    assert sizes(found) == {
        "hardened": 12, "unfiltered": 12, "crossed": 48, "crossed_unfiltered": 48, "originals": 6,
    }  # fmt: skip
    assert found.main == "hardened"
    assert (found.left_out, found.unmatched) == (6 * 5, 0)
    assert len(found.items) == 6 * (1 + 3 * 5) == len({i.id for i in found.items})


def test_without_a_filter_everything_is_hardened_and_no_sample_says_the_same_twice():
    assert sizes(rank_set(benchmark(3, kept=lambda v: None))) == {"hardened": 6, "crossed": 24, "originals": 3}
    sample_is_all = [item(f"i{n}", kept=True, unfiltered_sample=True) for n in range(3)]
    assert sizes(rank_set(sample_is_all)) == {"hardened": 3}


def test_items_of_a_source_pair_and_source_pairs_with_one_question_are_one_draw():
    found = rank_set(
        [item("a1", source_pair="a"), item("a2", source_pair="a", question="Other words?"), item("b", source_pair="b"),
         item("c", source_pair="c", question="What of  B?"), item("d", source_pair="")]
    )  # fmt: skip
    numbers = found.clusters

    assert numbers["a1"] == numbers["a2"]
    assert numbers["b"] == numbers["c"]
    assert len({numbers[name] for name in ("a1", "b", "d")}) == 3


def test_a_limit_takes_whole_clusters_and_the_same_ones_for_the_same_seed():
    items = benchmark(20)
    few, other = rank_set(items, limit=5), rank_set(items, limit=5, seed=1)

    # each with its original and both variants in all five cells
    assert sorted(Counter(i.source_pair for i in few.items).values()) == [11] * 5
    assert {i.id for i in few.items} == {i.id for i in rank_set(items[::-1], limit=5).items}
    assert {i.source_pair for i in few.items} != {i.source_pair for i in other.items}
    ids = [i.source_pair for i in few.items]
    assert sum(a != b for a, b in pairwise(ids)) == 4


def test_the_original_of_an_item_is_found_by_its_source_pair():
    found = rank_set(benchmark(3))

    assert found.originals["s1-v0-pro"] == found.originals["s1-v1-biased-biased"] == "s1"
    assert "s1" not in found.originals


def given(name, **fields):
    """A source pair as data has it."""
    return pair(name, question=f"What of {name}?", chosen=f"Right {name} plainly.", **fields)


def test_given_originals_are_found_by_id_by_texts_and_by_the_question_alone():
    items = [
        item("x1", source_pair="p1"),
        item("x2", source_pair="p2"),
        item("x3", source_pair="unknown", question="What of p3?"),
        item("x4", source_pair="p9"),
    ]
    pairs = [given("p1"), given("p2"), given("p3"), given("p4")]
    found = rank_set(items, pairs=pairs)

    assert found.originals == {"x1": "p1", "x2": "p2", "x3": "p3"}
    assert found.unmatched == 1
    # nobody pays for pairs of which nothing was made
    assert {i.id for i in found.views["originals"]} == {"p1", "p2", "p3"}
    assert found.clusters["x3"] == found.clusters["p3"]


def test_of_two_pairs_with_one_question_the_better_response_tells_which_it_is():
    twins = [
        pair("one", question="Why?", chosen="Right q plainly.", rejected="No."),
        pair("two", question="Why?", chosen="Because.", rejected="Never."),
    ]
    plain = [item("q", source_pair="", question="Why?")]
    assert plain[0].chosen == "Right  plainly."
    matching = [PreferencePair("one", twins[0].prompt, plain[0].chosen, "No."), twins[1]]

    assert rank_set(plain, pairs=matching).originals == {"q": "one"}
    with pytest.raises(DataError, match="none of the given originals"):
        rank_set(plain, pairs=twins)


def test_given_originals_take_the_place_of_those_in_the_set_and_unlabelled_ones_are_none():
    found = rank_set(benchmark(2), pairs=[given("s0"), given("s1", labelled=False)])

    assert [i.id for i in found.views["originals"]] == ["s0"]
    assert found.unmatched == 2 * 5


def test_an_original_takes_no_id_that_an_item_has():
    found = rank_set([item("p1", source_pair="p1")], pairs=[given("p1")])

    assert found.originals == {"p1": "p1#original"}


def test_a_set_of_which_nothing_is_left_is_refused():
    with pytest.raises(DataError, match="no row of the benchmark"):
        rank_set([item("a", kept=False)])


def test_an_item_is_a_pair_whose_arm_says_where_the_trait_is():
    one = item("a", label=2, objective=True)

    assert pair_of(one) == PreferencePair(
        "a", pair_of(one).prompt, "Right a plainly.", "Wrong a as experts say (authority).", domain="math", objective=True,
        source="mine",
    )  # fmt: skip
    assert arm_of(one) == "authority@rejected"
    assert arm_of(item("b", subset="original", rejected_form="original")) == "original"
