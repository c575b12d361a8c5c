"""What one text has beyond another, word by word."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biasscope.report.html import diff
from biasscope.report.html.diff import Piece, compare


def kinds(text, other):
    return [(p.kind, p.text) for p in compare(text, other)]


def test_equal_texts_are_one_piece():
    assert kinds("One two.\n\nThree.", "One two.\n\nThree.") == [("same", "One two.\n\nThree.")]
    assert kinds("", "") == []


def test_what_was_put_in_and_what_was_left_out_are_told_apart():
    assert kinds("It is, experts say, 12.", "It is 12.") == [
        ("same", "It is"),
        ("added", ", experts say,"),
        ("same", " 12."),
    ]
    assert kinds("It is 12.", "It is surely 12.") == [("same", "It is"), ("removed", " surely"), ("same", " 12.")]


def test_a_word_that_was_replaced_stands_beside_the_new_one():
    assert kinds("A large house.", "A small house.") == [
        ("same", "A"),
        ("removed", " small"),
        ("same", " "),
        ("added", "large"),
        ("same", " house."),
    ]


def test_a_sentence_that_was_put_in_begins_with_its_first_word():
    assert kinds("It is so. I checked it.\n\nAnswer: 5", "It is so.\n\nAnswer: 5") == [
        ("same", "It is so. "),
        ("added", "I checked it."),
        ("same", "\n\nAnswer: 5"),
    ]


def test_a_sentence_that_was_left_out_ends_with_its_full_stop():
    assert kinds("It is so.\n\nAnswer: 5", "It is so. I checked it.\n\nAnswer: 5") == [
        ("same", "It is so."),
        ("removed", " I checked it."),
        ("same", "\n\nAnswer: 5"),
    ]


def test_line_breaks_are_compared_and_blanks_are_not():
    assert kinds("one   two", "one two") == [("same", "one   two")]
    assert kinds("one\n\ntwo", "one two") == [("same", "one"), ("added", "\n\n"), ("same", "two")]
    assert kinds("one\n  two", "one\ntwo") == [("same", "one\n  two")]


def test_words_of_any_script_are_words():
    assert kinds("Она очень права", "Она права") == [("same", "Она "), ("added", "очень"), ("same", " права")]
    assert kinds("ok 🎉!", "ok!") == [("same", "ok "), ("added", "🎉"), ("same", "!")]


def test_texts_too_long_to_compare_are_exchanged_whole_between_their_equal_ends(monkeypatch):
    monkeypatch.setattr(diff, "MOST_COMPARISONS", 3)

    assert kinds("start a b end", "start c d end") == [
        ("same", "start"),
        ("removed", " c d"),
        ("same", " "),
        ("added", "a b"),
        ("same", " end"),
    ]


def test_a_long_text_is_compared_in_time():
    words = [f"word{n % 97}" for n in range(1900)]
    changed = [*words[:900], "new", *words[900:]]

    assert [p for p in compare(" ".join(changed), " ".join(words)) if p.kind != "same"] == [Piece("added", "new")]


TEXTS = st.text(alphabet="ab .,\n\t<&", max_size=40)


@given(TEXTS, TEXTS)
def test_the_pieces_that_are_not_removed_are_the_text(text, other):
    pieces = compare(text, other)

    assert "".join(p.text for p in pieces if p.kind != "removed") == text
    assert all(p.text for p in pieces)
    assert all(one.kind != two.kind for one, two in itertools.pairwise(pieces))


@given(TEXTS, TEXTS)
def test_the_pieces_that_are_not_added_are_the_other_text_but_for_blanks(text, other):
    def unspaced(value):
        return "".join(value.split(" ")).replace("\t", "").replace("\n", "|")

    back = "".join(p.text for p in compare(text, other) if p.kind != "added")
    assert unspaced(back).replace("|", "") == unspaced(other).replace("|", "")


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "a & b", '" onload="x'])
def test_markup_in_a_text_is_passed_on_as_it_is(text):
    assert compare(text, text) == (Piece("same", text),)
