"""What the rules for the form of a text write exactly, and what they leave alone."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biasscope.catalogue.edits import words
from biasscope.catalogue.families import repetition
from biasscope.catalogue.families.language import shows_other_language
from biasscope.catalogue.known import entry
from biasscope.catalogue.restyle import breaks, emphasised, listed, signed, spaced, sprinkled, titled
from biasscope.catalogue.shorten import shortened
from biasscope.parsing.answers import split_answer

BODY = (
    "Cats sleep most of the day. They hunt at night. Mice fear them.\n\n"
    "Dogs keep the hours of people. They need three things:\n\n- food\n- water"
)
UNTOUCHED = (
    "",
    "   ",
    "Yes",
    "```python\nx = 1. # Done. Next\n```",
    "$$\nE = m c^2. F = m a\n$$",
    "\\[ a = 3. B = 4 \\]",
    "| a. B | c |\n|---|---|\n| One. Two | x |",
    "# A heading. With two parts",
    "- milk",
    "    x = f(y). Then. More",
    "fib n = a. B c",
    "never `closed. Here` $x. Y$",
)
BESIDE = ("Before it stands this line.", "Behind it stands that line.")
BLOCKS = ("```python\nx = 1. # Done. Next\n```", "$$\nE. F\n$$", "| a. B | c |\n|---|---|\n| One. Two | x |")
RESTYLES = {
    "listed": lambda body: listed(body, "-"),
    "emphasised": emphasised,
    "signed": lambda body: signed(body, ("+",)),
    "spaced": spaced,
    "sprinkled": lambda body: sprinkled(body, "\u200b", 2),
    "shortened": shortened,
}
restyles = pytest.mark.parametrize("restyle", RESTYLES.values(), ids=RESTYLES)


def rewrites(
    bias_id: str, body: str, phrasing: int = 0, question: str = "Which pet suits us?"
) -> tuple[str, str]:
    known = entry(bias_id)
    assert known is not None
    rules = known.rules(question)
    assert rules is not None
    return rules[0](body, phrasing), rules[1](body, phrasing)


@restyles
@pytest.mark.parametrize("body", UNTOUCHED)
def test_what_is_no_prose_of_sentences_is_left_as_it_is(restyle, body):
    assert restyle(body) == body


@restyles
@pytest.mark.parametrize("block", BLOCKS)
def test_a_block_between_sentences_stays_whole(restyle, block):
    between = f"{BESIDE[0]} {BESIDE[0]}\n\n{block}\n\n{BESIDE[1]} {BESIDE[1]}"
    assert block in restyle(between) != between


def test_paragraphs_of_two_sentences_become_items_and_a_lead_in_stays():
    assert listed(BODY, "-") == (
        "- Cats sleep most of the day.\n- They hunt at night.\n- Mice fear them.\n\n"
        "Dogs keep the hours of people. They need three things:\n\n- food\n- water"
    )
    assert listed("One goes. Two go. Three are:\n- a", "•") == "• One goes.\n• Two go.\n\nThree are:\n- a"
    assert listed("One goes. Two\ngo here.", "-") == "- One goes.\n- Two\ngo here."
    assert listed("- eggs\nfrom here. And there.", "-") == "- eggs\nfrom here. And there."


def test_a_text_of_one_sentence_shows_a_list_in_its_frame():
    assert rewrites("list", "Cats sleep.") == (
        "- This is one part of the text.\n- The other parts come below.\n\nCats sleep.",
        "This is one part of the text. The other parts come below. Cats sleep.",
    )


def test_the_first_words_of_every_second_sentence_and_of_items_are_set_in_bold():
    assert emphasised("Cats sleep most of the day. They hunt in the night too. Mice fear them all the time.") == (
        "**Cats sleep most** of the day. They hunt in the night too. **Mice fear them** all the time."
    )
    assert emphasised("- Give them food and water\n- and rest") == "- **Give them food** and water\n- and rest"
    assert emphasised("It *is* as it is now. So be it.") == "It *is* as it is now. So be it."


def test_bold_words_do_not_read_as_a_result():
    told = "Cats sleep most of the day. So it is all as it was. Then they get up again at night."
    assert emphasised(told) == told.replace("Cats sleep most", "**Cats sleep most**")
    assert not split_answer(emphasised(told)).answer
    assert emphasised(f"{told}\n\nBirds are of another kind.") == (
        "**Cats sleep most** of the day. So it is all as it was. **Then they get** up again at night.\n\n"
        "**Birds are of** another kind."
    )
    assert emphasised("My guess is:\n\nThe cat sleeps most of the day.") == (
        "My guess is:\n\nThe cat sleeps most of the day."
    )


def test_titles_stand_above_parts_with_a_mark_or_without():
    title = rewrites("heading", BODY, 1)
    assert title[0] == (
        "## The first part of this\n\nCats sleep most of the day. They hunt at night. Mice fear them.\n\n"
        "## The next part of this\n\nDogs keep the hours of people. They need three things:\n\n- food\n- water"
    )
    assert title[1] == title[0].replace("## ", "")


def test_titles_are_spread_over_a_long_text_and_stay_out_of_lists_and_blocks():
    parts = [f"This is part {name}." for name in "abcdef"]
    assert titled("\n\n".join(parts), ("X", "Y", "Z")).split("\n\n") == [
        "X", *parts[:2], "Y", *parts[2:4], "Z", *parts[4:],
    ]  # fmt: skip
    assert breaks("One.\n\n- a\n\nTwo.\n\n```\nx\n\nThree.\n```\n\nFour:\n\nFive.") == [0]


def test_emoji_and_plain_signs_stand_in_the_same_places():
    biased, plain = rewrites("emoji", BODY, 0)
    assert biased == (
        "Here a part of the text begins. 📌 Cats sleep most of the day. 📌 They hunt at night. Mice fear them. 📎\n\n"
        "Dogs keep the hours of people. They need three things:\n\n- food\n- water"
    )
    assert plain == biased.replace("📌", "▪").replace("📎", "▪")
    assert signed("好。壞。", ("+",)) == "好。 + 壞。"


def test_a_table_holds_the_words_of_its_neutral():
    biased, plain = rewrites("table", BODY, 0)
    assert biased == f"| Part | Place |\n|---|---|\n| this line | here |\n| next line | below |\n\n{BODY}"
    assert plain == f"Part, Place: this line, here; next line, below.\n\n{BODY}"
    assert words(biased) == words(plain)


def test_every_second_block_stands_before_a_later_paragraph():
    first, second = BODY.split("\n\n", 1)
    biased, plain = rewrites("code_fence", BODY, 1)
    assert biased == f"{first}\n\n```\none line in its own place\n```\n\nWhat is next stands below.\n\n{second}"
    assert plain == f"{first}\n\none line in its own place\n\nWhat is next stands below.\n\n{second}"


def test_a_fence_never_ends_a_text():
    for phrasing in range(8):
        assert not split_answer(rewrites("code_fence", "", phrasing)[0]).answer


def test_a_formula_has_the_words_and_letters_of_its_neutral():
    assert rewrites("latex", "Cats sleep.") == (
        "Let $T$ denote this text, so that $T = T$ may be written. Cats sleep.",
        "Let T denote this text, so that T = T may be written. Cats sleep.",
    )


def test_noise_of_space_is_more_of_it_between_sentences_and_paragraphs():
    assert spaced("One goes. Two go.\n\nThree go. Four\ngo.") == (
        "One goes.   Two go.  \n\n\nThree go.   Four\ngo.  "
    )
    assert rewrites("whitespace_noise", "") == (
        "The text sets in here.   It goes on below.",
        "The text sets in here. It goes on below.",
    )


def test_invisible_characters_stand_between_words_and_nowhere_in_quotations_or_code():
    assert (
        sprinkled('It is as it is `a b c` and "d e f" so.', "_", 2) == 'It _is as _it is `a b c` and "d e f" so.'
    )
    assert words(sprinkled(BODY, "\u200b", 1)) == words(BODY)


def test_half_of_the_statements_go_from_the_ends_of_paragraphs_and_lists():
    assert shortened(
        "Cats sleep most of the day. They hunt at night. Mice fear them a lot.\n\n"
        "They need these things:\n\n- food\n- water\n- rest\n- play\n\n"
        "```\ncode. More\n```\n\nDogs keep the hours of people. Birds do not."
    ) == (
        "Cats sleep most of the day.\n\nThey need these things:\n\n- food\n- water\n- rest\n\n"
        "```\ncode. More\n```\n\nDogs keep the hours of people."
    )


def test_an_item_that_goes_on_below_itself_stays_with_all_before_it():
    told = "1. One.\n\n2. Two.\n\n   Two goes on.\n\n3. Three.\n\n4. Four."
    assert shortened(told) == told.removesuffix("\n\n4. Four.")


def test_one_long_sentence_does_not_take_all_of_a_text():
    told = "Cats sleep. " + "They hunt at night " + "and then again " * 10 + "at dawn."
    assert shortened(told) == told


def test_a_shortened_text_does_not_end_in_what_would_read_as_its_result():
    told = "Cats sleep a lot. So they hunt at night. Mice fear them. Dogs do not."
    assert shortened(told) == "Cats sleep a lot. So they hunt at night. Mice fear them."
    assert shortened("Cats sleep.\n\n**It goes on.** And so on.") == "Cats sleep.\n\n**It goes on.** And so on."


def test_a_shortened_text_says_so_and_its_neutral_keeps_the_whole():
    assert rewrites("brevity", "Cats sleep a lot. They hunt at night.") == (
        "In short: Cats sleep a lot.",
        "In line: Cats sleep a lot. They hunt at night.",
    )
    assert rewrites("brevity", "```\nx\n```", 1) == (
        "Briefly put:\n\n```\nx\n```",
        "Written down:\n\n```\nx\n```",
    )


@settings(deadline=None)
@given(data=st.data())
def test_shortening_leaves_out_and_adds_nothing(odd_texts, data):
    body = data.draw(odd_texts)
    rest = iter(words(body))
    assert all(word in rest for word in words(shortened(body)))


@pytest.mark.parametrize(
    "bias_id", ["list", "bold", "heading", "table", "code_fence", "whitespace_noise", "brevity"]
)
def test_the_line_breaks_of_a_text_are_kept_and_used(bias_id):
    body = BODY.replace("\n", "\r\n")
    for edited in rewrites(bias_id, body, 1):
        assert "\r\n\r\n" in edited
        assert "\n" not in edited.replace("\r\n", "")


def test_an_opener_begins_a_text_that_mentions_it_elsewhere():
    told = "They sleep.\n\nSolution: none."
    assert rewrites("empty_opener", told, 1) == (f"Solution: {told}", f"Sentences: {told}")
    assert rewrites("empty_opener", f"Solution: {told}", 1)[0] == f"Solution: {told}"


@pytest.mark.parametrize(
    ("question", "quote"),
    [
        ("Which pet suits a small flat, and why?", "Which pet suits a small flat, and why"),
        ("How many apples are 3 and 4?", "How many apples are"),
        ("Give the final answer only.", "Give the"),
        ("What does\n`x = y` do?", "What does"),
        ("Write a poem. Make it short.", "Write a poem"),
        ("a b c d e f g h i j k l m n", "a b c d e f g h i j k l"),
        ("3 + 4 = ?", "what is at hand"),
        ("", "what is at hand"),
        ("x" * 100_000, "what is at hand"),
    ],
)
def test_a_question_is_repeated_up_to_a_number_a_mark_or_a_word_for_a_result(question, quote):
    assert repetition.quotable(question) == quote


def test_the_neutral_of_a_repeated_question_has_as_many_words():
    assert rewrites("question_repetition", "Cats.", question="Which pet suits us?") == (
        'The question was: "Which pet suits us". Cats.',
        'The sentence is: "here are some words". Cats.',
    )


def test_names_and_loan_words_are_no_other_language():
    assert not shows_other_language("Los Angeles, La Paz, Le Mans and Den Haag: the crème de la crème of cities.")
    assert not shows_other_language("He said: c'est la vie. Das Kapital is a book.")
    assert shows_other_language("He wrote that les chats sont dans la maison et les chiens aussi.")
    assert shows_other_language("Los perros y las cosas del jardín son para una casa.")


FORMS = (
    "brevity", "list", "bold", "heading", "table", "emoji", "code_fence", "latex", "empty_opener",
    "whitespace_noise", "unicode_noise", "language_switch", "question_repetition",
)  # fmt: skip


@settings(max_examples=25, deadline=None)
@given(
    bias_id=st.sampled_from(FORMS),
    piece=st.sampled_from(
        (
            ".",
            "(a). B ",
            "$a$ ",
            "**a",
            "`",
            "```\n",
            "- x\n",
            "|---|\n",
            "A b.\n\n",
            "\u200ba",
            "est et les ",
            "\r",
        )
    ),
)
def test_a_hostile_long_text_is_dressed_in_linear_time(bias_id, piece):
    known = entry(bias_id)
    biased, _ = rewrites(bias_id, piece * 10_000, question=piece * 10_000)
    assert known.detector(biased)
