"""Which pairs may be trained on: every one that goes has its reason, whatever the order of the source."""

import random

from biasscope.records import Message, PreferencePair
from biasscope.workflows.training_pairs import CONTRADICTED, REPEATED, SAME, UNLABELLED, admit_pairs, asked


def pair(name, question="Which is it?", chosen="The first.", rejected="The second.", **more):
    prompt = question if isinstance(question, tuple) else (Message("user", question),)
    return PreferencePair(name, prompt, chosen, rejected, **more)


def test_a_pair_without_a_label_with_equal_responses_or_said_before_is_left_out_and_counted():
    pairs = [
        pair("a"),
        pair("b", chosen="The  first. "),
        pair("c", "Another?", labelled=False),
        pair("d", "A third?", chosen="One\n\nline", rejected="One\nline  "),
    ]
    found = admit_pairs(pairs)
    assert [p.id for p in found.pairs] == ["a"]
    assert dict(found.left_out) == {UNLABELLED: 1, SAME: 1, REPEATED: 1}


def test_of_two_pairs_that_contradict_each_other_neither_is_kept():
    found = admit_pairs([pair("a"), pair("b", chosen="The second.", rejected="The first."), pair("c", "Else?")])
    assert [p.id for p in found.pairs] == ["c"]
    assert dict(found.left_out) == {CONTRADICTED: 2}


def test_a_question_that_is_evaluated_on_never_enters_and_is_counted_for_its_source():
    pairs = [pair("a", " WHICH  is it?"), pair("b", "Else?"), pair("c", "Not asked.")]
    evaluated = {
        "one": asked(pair("x")),
        "two": asked(pair("y", "Else?")) | asked(pair("x")),
        "three": frozenset(),
    }
    found = admit_pairs(pairs, evaluated)
    assert [p.id for p in found.pairs] == ["c"]
    assert dict(found.overlap) == {"one": 1, "two": 1, "three": 0}


def test_another_system_prompt_makes_no_other_question():
    with_system = pair("a", (Message("system", "Be brief."), Message("user", "Which is it?")))
    assert not admit_pairs([with_system], {"bench": asked(pair("x"))}).pairs
    assert not admit_pairs([pair("a")], {"bench": asked(with_system)}).pairs
    longer = pair("b", (Message("user", "Which is it?"), Message("assistant", "Hm."), Message("user", "Well?")))
    assert admit_pairs([longer], {"bench": asked(pair("x"))}).pairs


def test_the_order_of_the_source_changes_nothing():
    pairs = [pair(f"p{n}", f"Question {n % 7}?", chosen=f"Answer {n % 3}") for n in range(40)]
    once = admit_pairs(pairs)
    random.Random(1).shuffle(pairs)
    assert admit_pairs(pairs) == once
    assert len(once.pairs) + sum(count for _, count in once.left_out) == 40
