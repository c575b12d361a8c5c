"""A scene belongs to one seed and number of a domain, which is what keeps all questions apart."""

from __future__ import annotations

from math import prod

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from biasscope.objective.scene import (
    FIRST_NAMES,
    NUMBERS,
    OPENINGS,
    SEEDS,
    SURNAMES,
    TOWNS,
    TRADES,
    locate,
    set_scene,
    split_scene,
)
from biasscope.seeds import normalise_question

LISTS = (OPENINGS, TRADES, TOWNS, FIRST_NAMES, SURNAMES)


@settings(max_examples=400, deadline=None, derandomize=True)
@given(st.sampled_from(["dates", "code", "anything"]), st.integers(0, SEEDS - 1), st.integers(0, NUMBERS - 1))
@example("dates", 0, 0)
@example("dates", SEEDS - 1, NUMBERS - 1)
def test_a_scene_gives_back_its_seed_and_number_even_from_the_normalised_question(domain, seed, number):
    question = set_scene(domain, seed, number, "What is asked?")
    for text, asked in ((question, "What is asked?"), (normalise_question(question), "what is asked?")):
        found = split_scene(text)
        assert found is not None
        assert found.text == asked
        assert locate(found.code, domain) == (seed, number)


def test_every_opening_is_told_from_all_others():
    seen = set()
    for number in range(400):
        question = set_scene("dates", 1, number, "?")
        fits = [i for i in range(len(OPENINGS)) if _fits(i, question)]
        assert len(fits) == 1
        seen.update(fits)
    assert seen == set(range(len(OPENINGS)))


def _fits(opening: int, question: str) -> bool:
    """Tell by the fixed words of an opening whether a question starts with it."""
    pieces = (
        OPENINGS[opening].replace("{first} {last}", "|").replace("{trade}", "|").replace("{town}", "|").split("|")
    )
    at = [question.find(piece) for piece in pieces]
    return -1 not in at and question.startswith(pieces[0])


def test_the_scenes_are_as_many_as_seeds_and_numbers_together():
    assert prod(len(entries) for entries in LISTS) == SEEDS * NUMBERS
    for entries in LISTS:
        assert len({entry.casefold() for entry in entries}) == len(entries)


def test_neighbouring_numbers_and_domains_have_unlike_scenes():
    neighbours = [set_scene("dates", 0, number, "") for number in range(100)]
    assert len({text.split()[0] for text in neighbours}) > 20
    assert set_scene("dates", 0, 0, "") != set_scene("code", 0, 0, "")


@pytest.mark.parametrize(("seed", "number"), [(-1, 0), (SEEDS, 0), (0, -1), (0, NUMBERS)])
def test_a_seed_or_number_beyond_the_scenes_is_refused(seed, number):
    with pytest.raises(ValueError, match=f"seed={seed}, number={number}"):
        set_scene("dates", seed, number, "What?")


@pytest.mark.parametrize(
    "text", ["What?", "Adele Nobody, an accountant from Aarhus, asks: What?", "Adele Abbott, an accountant from"]
)
def test_a_text_without_a_scene_has_none(text):
    assert split_scene(text) is None
