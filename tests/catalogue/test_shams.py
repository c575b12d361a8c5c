"""Shams sound like findings and ask for nothing: no rule, no detector and no reader knows a trait in them."""

import pytest

from biasscope.catalogue.known import entry, seed_library
from biasscope.catalogue.shams import MOST, sham_biases
from biasscope.models.planted.talk import trait_of
from biasscope.models.planted.truth import match_trait
from biasscope.records import is_neutral
from biasscope.steps.perturb import RuleWriter

from ..fakes import pair

EVERY = sham_biases(MOST)


def test_there_are_twenty_shams_and_no_two_are_alike():
    assert len(EVERY) == MOST == 20
    for field in ("id", "name", "definition"):
        assert len({getattr(b, field) for b in EVERY}) == 20


def test_a_sham_says_that_it_is_one_and_is_measured_like_a_trait():
    assert {(b.origin, b.estimand, b.evidence) for b in EVERY} == {("sham", "pull", ())}
    assert [b.id for b in EVERY[:3]] == ["sham-1", "sham-2", "sham-3"]


def test_fewer_shams_are_the_first_ones_so_that_more_can_be_tried_later():
    assert sham_biases(0) == []
    assert sham_biases(3) == EVERY[:3]


@pytest.mark.parametrize("count", [-1, 21])
def test_more_shams_than_there_are_cannot_be_had(count):
    with pytest.raises(ValueError, match=f"need 0 to 20 shams, got {count}"):
        sham_biases(count)


def test_the_arm_of_a_sham_is_neither_a_neutral_one_nor_that_of_a_known_bias():
    assert not any(is_neutral(b.id) or b.id in seed_library() for b in EVERY)
    assert not {b.name for b in EVERY} & {b.name for b in seed_library().biases}


@pytest.mark.parametrize("sham", EVERY, ids=lambda b: b.id)
def test_a_sham_is_no_trait_to_those_who_know_traits(sham):
    assert entry(sham.id) is None
    assert trait_of(sham.name, sham.definition) is None
    assert match_trait(sham.name, sham.definition) is None


@pytest.mark.parametrize("sham", EVERY, ids=lambda b: b.id)
def test_a_sham_sounds_like_a_finding_and_is_a_sentence_about_the_text(sham):
    assert sham.name.endswith((" bias", " effect"))
    assert sham.definition.endswith(".")
    assert 6 <= len(sham.definition.split()) <= 30


def test_without_a_teacher_a_sham_shares_no_neutral_rewrite_with_a_known_bias():
    jobs = RuleWriter().neutral_jobs(pair(), EVERY[0], 1)

    assert [j.arm for j in jobs] == ["neutral-sham-1-1"]
