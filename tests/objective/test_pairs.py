"""The promises of generated pairs: proved labels, no question twice, the same pairs for the same seed."""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biasscope.objective import DOMAINS, final_answer, generate, same_answer, solve
from biasscope.objective.pairs import FAMILIES
from biasscope.objective.scene import NUMBERS, locate, split_scene
from biasscope.records import PreferencePair
from biasscope.seeds import normalise_question


def body(response: str) -> str:
    return response.rpartition("\n\n")[0]


def answers(pair: PreferencePair) -> tuple[str, str]:
    chosen, rejected = final_answer(pair.chosen), final_answer(pair.rejected)
    assert chosen is not None
    assert rejected is not None
    return chosen, rejected


@pytest.fixture(scope="module")
def many() -> list[PreferencePair]:
    return list(chain.from_iterable(generate(1200, seed=seed) for seed in (0, 1, 42, 9999)))


def test_the_chosen_answer_is_what_solving_the_question_gives_and_the_rejected_one_is_not(many):
    for pair in many:
        truth = solve(pair.question)
        chosen, rejected = answers(pair)
        assert truth is not None, pair.question
        assert same_answer(truth, chosen), (pair.question, truth, chosen)
        assert not same_answer(truth, rejected), (pair.question, truth, rejected)


def test_a_question_is_solved_by_the_family_of_its_domain_alone(many):
    for pair in many[:1200]:
        asked = split_scene(pair.question)
        assert asked is not None
        assert [d for d, family in FAMILIES.items() if family.solve(asked.text) is not None] == [pair.domain]


def test_pairs_say_what_they_are():
    pair = next(generate(1, seed=17))
    assert (pair.id, pair.source, pair.domain) == ("objective-17-0", "objective:seed=17", "arithmetic")
    assert (pair.labelled, pair.objective) == (True, True)
    assert [message.role for message in pair.prompt] == ["user"]
    assert pair.reference == final_answer(pair.chosen)


def test_equal_normalised_questions_would_have_equal_seed_and_position(many):
    for pair in many:
        asked = split_scene(normalise_question(pair.question))
        assert asked is not None
        seed, number = locate(asked.code, pair.domain)
        assert pair.id == f"objective-{seed}-{number * len(DOMAINS) + DOMAINS.index(pair.domain)}"


def test_no_question_occurs_twice_within_a_seed_or_across_seeds(many):
    assert len({normalise_question(pair.question) for pair in many}) == len(many)


def test_the_same_seed_gives_the_same_pairs_and_a_longer_run_begins_with_the_shorter_one():
    longer = list(generate(300, seed=5))
    assert list(generate(300, seed=5)) == longer
    assert list(generate(77, seed=5)) == longer[:77]
    assert [pair.question for pair in generate(300, seed=6)] != [pair.question for pair in longer]


def test_a_generated_pair_stays_the_same_between_releases():
    pair = next(generate(1, seed=0, domains=["dates"]))
    assert pair.question == (
        "A letter from Athens reached us. Its writer, Milan Osei, is a pharmacist and asks: "
        "From 11 October 2064, how many days does one have to go forward to reach 17 December 2064?"
    )
    assert pair.chosen == (
        "* Three counts are needed, one for each month that is touched.\n"
        "* In October there remain 20 days after 11 October 2064.\n"
        "* In November there are 30 days.\n"
        "* **In December there are 17 days up to 17 December 2064, and the sum of the counts is the distance.**\n\n"
        "Well worth a try on paper.\n\nFinal answer: 67"
    )
    assert pair.rejected == (
        "### Working\n\nSuch a lovely question deserves attention. The task is to find one definite result. "
        "From 11 October 2064 to the end of October there are 20 days. The month of November adds 29 days. "
        "Up to 17 December 2064 another 17 days follow in December. "
        "Adding the three counts together gives the distance between the dates in days.\n\nFinal answer: 66"
    )


def test_domains_are_balanced_at_every_length():
    for count in (6, 7, 100, 1001):
        sizes = Counter(pair.domain for pair in generate(count, seed=2))
        assert max(sizes.values()) - min(sizes.values()) <= 1
        assert set(sizes) == set(DOMAINS)


def test_choosing_domains_keeps_their_pairs_and_ids():
    by_id = {pair.id: pair for pair in generate(120, seed=8)}
    some = list(generate(40, seed=8, domains=["logic", "dates"]))
    assert {pair.domain for pair in some} == {"logic", "dates"}
    assert all(by_id[pair.id] == pair for pair in some)
    assert some == list(generate(40, seed=8, domains=["dates", "logic", "dates"]))


def test_there_is_one_pair_of_a_domain_for_every_number_of_a_seed():
    assert NUMBERS * len(DOMAINS) >= 100_000
    assert sum(1 for _ in zip(range(3), generate(NUMBERS, seed=3, domains=["units"]), strict=False)) == 3


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"count": -1, "seed": 0}, "got -1"),
        (
            {"count": NUMBERS + 1, "seed": 0, "domains": ["code"]},
            f"<= {NUMBERS} for 1 domains, got {NUMBERS + 1}",
        ),
        ({"count": 1, "seed": 10_000}, "0 <= seed < 10000, got 10000"),
        ({"count": 1, "seed": -3}, "got -3"),
        ({"count": 1, "seed": 0, "domains": ["dates", "cooking"]}, r"got \['dates', 'cooking'\]"),
        ({"count": 1, "seed": 0, "domains": []}, r"got \[\]"),
    ],
)
def test_arguments_that_make_no_sense_are_refused_at_once_with_their_values(arguments, said):
    count = arguments.pop("count")
    with pytest.raises(ValueError, match=said):
        generate(count, **arguments)


def test_no_pairs_are_an_empty_sequence():
    assert list(generate(0, seed=0)) == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "What is 2 + 2?",
        "Why is the sky blue?",
        "Mira Okonkwo, a carpenter from Tartu, asks: What is 12 + 30?",
        "Adele Abbott, an accountant from Aarhus, asks: Why is the sky blue?",
        "Adele Abbott, an accountant from Aarhus, asks: What is twelve + 30?",
        "Adele Abbott, an accountant from Aarhus, asks:",
    ],
)
def test_a_foreign_text_is_not_solved(text):
    assert solve(text) is None


def test_a_question_with_white_space_around_it_is_still_solved():
    pair = next(generate(1, seed=4, domains=["code"]))
    assert solve(f"\n  {pair.question} \n") == final_answer(pair.chosen)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.integers(0, 239), st.integers(0, 400), st.integers(0, 12), st.text(max_size=6))
def test_a_damaged_question_gives_an_answer_or_none_but_never_an_error(position, at, cut, put):
    question = DAMAGED[position].question
    damaged = question[: at % len(question)] + put + question[at % len(question) + cut :]
    assert isinstance(solve(damaged), str | None)


DAMAGED = list(generate(240, seed=21))


def test_the_answer_is_on_the_last_line_and_in_no_other_answer_line(many):
    for pair in many:
        for response in (pair.chosen, pair.rejected):
            assert re.match(r"Final answer: \S", response.splitlines()[-1])
            assert response.count("Final answer") == 1


def test_the_working_leaves_its_result_to_the_last_line_where_the_result_is_a_number_of_its_own(many):
    for domain in ("arithmetic", "dates", "units"):
        pairs = [pair for pair in many if pair.domain == domain]
        told = [p for p in pairs if re.search(rf"(?<![\w:]){re.escape(answers(p)[0])}(?![\w:])", body(p.chosen))]
        assert len(told) <= 0.02 * len(pairs)


def test_responses_have_40_to_120_words_and_no_side_is_longer(many):
    lengths = np.array([[len(pair.chosen.split()), len(pair.rejected.split())] for pair in many])
    assert lengths.min() >= 40
    assert lengths.max() <= 120
    difference = lengths[:, 0] - lengths[:, 1]
    assert abs(difference.mean()) < 3.5 * difference.std() / len(difference) ** 0.5
    assert abs(difference.mean()) < 0.7


def test_neither_the_larger_number_nor_the_earlier_word_nor_yes_is_right_more_often(many):
    """A judge without any reasoning should be right in half of the cases, in every domain."""
    for domain in DOMAINS:
        both = [answers(pair) for pair in many if pair.domain == domain]
        numbers = [(int(a), int(b)) for a, b in both if a.lstrip("-").isdigit()]
        for tricks in (
            [a > b for a, b in numbers],
            [a < b for a, b in both],
            [a in ("Yes", "True") for a, _ in both] if domain == "logic" else [],
        ):
            if tricks:
                assert abs(np.mean(tricks) - 0.5) < 4 * 0.5 / len(tricks) ** 0.5, domain


def test_the_words_of_a_response_do_not_tell_whether_it_is_right(many):
    """A linear reader of word and mark counts, fitted to three quarters of the pairs, guesses on the rest."""

    def count(text: str) -> Counter[str]:
        return Counter(re.findall(r"[a-z]+|[!?*#•.,;]", text.lower()))

    vocabulary = sorted(set().union(*(count(pair.chosen) for pair in many)))
    column = {word: i for i, word in enumerate(vocabulary)}
    difference = np.zeros((len(many), len(vocabulary)))
    for row, pair in enumerate(many):
        for text, sign in ((pair.chosen, 1), (pair.rejected, -1)):
            for word, times in count(text).items():
                if word in column:
                    difference[row, column[word]] += sign * times
    fitted, rest = difference[np.arange(len(many)) % 4 != 3], difference[3::4]
    weights = np.linalg.solve(fitted.T @ fitted + 50 * np.eye(len(vocabulary)), fitted.sum(axis=0))
    assert abs(np.mean(rest @ weights > 0) - 0.5) < 4 * 0.5 / len(rest) ** 0.5
