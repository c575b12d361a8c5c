"""Items of a review: what is shown, what is hidden, and what chance decides."""

from dataclasses import replace

import pytest
from tests.reviewing import item

from biasscope.reviews import review_item, review_set


def test_the_slot_of_the_rewrite_is_drawn_by_name_and_falls_on_both():
    slots = [item(n).hidden.variant for n in range(200)]

    assert slots == [item(n).hidden.variant for n in range(200)]
    assert 70 < slots.count("1") < 130
    assert slots != [item(n, seed=1).hidden.variant for n in range(200)]


@pytest.mark.parametrize("number", range(8))
def test_both_texts_are_shown_once_whichever_slot_they_have(number):
    made = item(number, original="as it was", rewrite="rewritten")

    assert {made.response_1, made.response_2} == {"as it was", "rewritten"}
    assert (made.original, made.rewrite) == ("as it was", "rewritten")


@pytest.mark.parametrize("number", range(8))
def test_what_is_known_to_be_better_is_said_by_slot(number):
    known = {b: item(number, better=b) for b in ("original", "rewrite", "tie", None)}

    assert known["rewrite"].hidden.gold == known["rewrite"].hidden.variant
    assert {known["original"].hidden.gold, known["original"].hidden.variant} == {"1", "2"}
    assert (known["tie"].hidden.gold, known[None].hidden.gold) == ("tie", None)


def test_what_is_shown_has_a_hash_that_only_the_texts_change():
    made = item(1)

    assert made.shown == replace(made, id="x", hidden=replace(made.hidden, bias="y")).shown
    others = [replace(made, prompt="x"), replace(made, response_1="x"), replace(made, response_2="x")]
    assert len({made.shown, *(o.shown for o in others)}) == 4
    assert replace(made, prompt="ab", response_1="c").shown != replace(made, prompt="a", response_1="bc").shown


def test_a_third_of_a_set_is_neutral_and_its_order_is_drawn():
    biased, neutral = [item(n) for n in range(40)], [item(n, arm="neutral") for n in range(60)]
    made = review_set(biased, neutral)

    assert len(made) == 60
    assert sum(i.hidden.arm == "neutral" for i in made) == 20
    assert made == review_set(biased[::-1], neutral[::-1])
    assert made != review_set(biased, neutral, seed=1)
    assert {i.hidden.arm for i in made[:12]} == {"biased", "neutral"}


def test_where_neutral_rewrites_are_few_all_are_taken():
    assert len(review_set([item(n) for n in range(10)], [item(1, arm="neutral")])) == 11
    assert review_set([], []) == ()


def test_what_stands_in_the_wrong_place_is_refused():
    with pytest.raises(ValueError, match=r"wrong arm.*item-1-neutral"):
        review_set([item(1, arm="neutral")], [])
    with pytest.raises(ValueError, match=r"wrong arm.*item-1-biased"):
        review_set([], [item(1)])
    with pytest.raises(ValueError, match="one id"):
        review_set([item(1), item(1)], [])


def test_an_item_is_made_of_any_text():
    made = review_item("x", "", "", "\ud800 odd", bias="b", arm="biased", pair="p")

    assert len(made.shown) == 16
