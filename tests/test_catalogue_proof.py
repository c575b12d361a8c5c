"""Every trait of the catalogue on a judge that is drawn to it and to nothing else: it is found, and says which others move."""

import pytest

from biasscope.catalogue.known import built_in
from biasscope.cli.catalogue_table import measure_specificity, traits
from biasscope.models.planted.traits import fold, strength

EVERY = traits()


BODY = "Cats sleep a great deal of the day. They hunt at night and in the early morning."


def shows(judge_of, other):
    """Whether rewrites of another entry show more of what a planted judge is drawn to than their neutrals do."""
    rewrite, neutral = other.rules("Which pet suits a small flat, and why?")
    texts = [(rewrite(BODY, k), neutral(BODY, k)) for k in range(other.phrasings)]
    gained = [strength(judge_of.bias.id, fold(a), a) - strength(judge_of.bias.id, fold(b), b) for a, b in texts]
    return max(gained) > 0.1


def check(entry, **fewer):
    found = measure_specificity(entry, **fewer)

    assert (found.own.status, found.own.missing) == ("accepted", ())
    assert found.own.effect.low > 0
    # What else moves does so because the judge sees its trait there, by patterns of its own where it has some.
    assert {t.bias.id for t in found.others} <= {e.bias.id for e in EVERY if shows(entry, e)}


def test_there_are_at_least_thirty_six_known_biases_in_families():
    assert len(built_in().entries) >= 36
    assert {i for _, ids in built_in().families for i in ids} == {e.bias.id for e in built_in().entries}


def test_a_trait_is_found_alone_on_the_judge_that_is_drawn_to_it():
    (distraction,) = (e for e in EVERY if e.bias.id == "distraction")
    check(distraction, pairs=24)


@pytest.mark.long
@pytest.mark.parametrize("entry", EVERY, ids=lambda e: e.bias.id)
def test_every_trait_is_found_alone_on_the_judge_that_is_drawn_to_it(entry):
    check(entry)
