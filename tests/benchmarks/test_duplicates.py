"""Which rewrites are the same thing twice."""

import pytest

from biasscope.benchmarks.duplicates import Variation, edit, find_duplicates, jaccard, normalised, shingles

LONG = " ".join(
    f"Step {k} takes {k * k} apples from the left basket and puts them into the right one." for k in range(20)
)
CITED = "According to a study by leading experts, this is how baskets are filled."
CALM = "Let us stay calm, dear reader, for baskets are patient and so are we."


def variation(name, rewritten, *, original=LONG, beside="The answer is 4.", question="q1"):
    return Variation(name, question, original, rewritten, beside)


def test_two_sentences_put_into_a_long_text_are_different_although_the_texts_are_nearly_equal():
    cited, calm = f"{CITED} {LONG}", f"{LONG} {CALM}"
    assert jaccard(shingles(cited), shingles(calm)) > 0.8
    assert find_duplicates([variation("a", cited), variation("b", calm)]) == {}


def test_the_same_sentence_at_the_same_place_is_a_near_duplicate_also_with_a_word_changed():
    first, second = f"{LONG} {CITED}", f"{LONG} {CITED} Really."
    assert find_duplicates([variation("a", first), variation("b", second)]) == {"b": "near_duplicate"}


def test_texts_that_differ_by_spaces_and_line_ends_are_the_same_text():
    first, second = f"{CITED}\n\n{LONG}", f"{CITED}  \n{LONG} \n"
    assert normalised(first) == normalised(second)
    assert find_duplicates([variation("a", first), variation("b", second)]) == {"b": "same_text"}


def test_case_and_signs_are_no_spaces():
    loud, bold = LONG.upper(), LONG.replace("apples", "**apples**")
    assert find_duplicates([variation("a", loud), variation("b", bold)]) == {}
    assert edit(LONG, loud)


def test_the_earlier_one_stays_and_what_was_left_out_blocks_nobody():
    texts = [f"{LONG} {CITED}", f"{LONG} {CITED} Really.", f"{LONG} {CALM}"]
    found = find_duplicates([variation(name, text) for name, text in zip("abc", texts, strict=True)])
    assert found == {"b": "near_duplicate"}


@pytest.mark.parametrize("other", [{"beside": "The answer is 5."}, {"question": "q2"}])
def test_the_same_rewrite_in_another_item_is_no_duplicate(other):
    assert find_duplicates([variation("a", f"{LONG} {CITED}"), variation("b", f"{LONG} {CITED}", **other)]) == {}


def test_rewrites_of_different_originals_are_compared_whole():
    twin = LONG.replace("Step 3", "Step three")
    near = [variation("a", f"{LONG} {CITED}"), variation("b", f"{twin} {CITED}", original=twin)]
    far = [variation("a", f"{LONG} {CITED}"), variation("b", f"{CALM} {CITED}", original=CALM)]
    assert find_duplicates(near) == {"b": "near_duplicate"}
    assert find_duplicates(far) == {}


def test_an_edit_holds_what_was_added_and_what_was_taken_away():
    assert edit("a b c d e", "a b c d e") == frozenset()
    assert edit("a b c d", "a b c x") == {("a", "b", "c", "x"), ("-", "a", "b", "c", "d")}
    assert jaccard(frozenset(), frozenset()) == 1.0
