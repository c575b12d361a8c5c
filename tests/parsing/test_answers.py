from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biasscope.parsing.answers import SplitAnswer, mentions_answer, reattach, same_answer, split_answer

FOUND = [
    # text, the part that is cut out
    ("Seven and five make twelve. Final answer: 12", "Final answer: 12"),
    ("Seven and five make twelve.\n\n**Final Answer:** 12\n", "**Final Answer:** 12"),
    ("Seven and five make twelve. The answer is 12.", "The answer is 12."),
    ("Seven and five.\n\n**Answer:** 12", "**Answer:** 12"),
    ("Seven and five.\n# Answer\n\n12", "# Answer\n\n12"),
    ("Seven and five.\nAnswer is: **12**", "Answer is: **12**"),
    ("Only the third holds. Therefore, the answer is (C).", "Therefore, the answer is (C)."),
    ("Only the third holds. So the correct option is **(C)**.", "So the correct option is **(C)**."),
    ("Only the third holds. My best guess would be (C).", "My best guess would be (C)."),
    ("Only the third holds.\n\nCCCCC", "CCCCC"),
    ("Only the third holds.\n\nCCCCCCC\n", "CCCCCCC"),
    ("We add. Hence $7+5=\\boxed{12}$.", "Hence $7+5=\\boxed{12}$."),
    ("We add.\n\nThe sum is:\n\\[\n\\boxed{\\frac{1}{2}}\n\\]", "The sum is:\n\\[\n\\boxed{\\frac{1}{2}}\n\\]"),
    ("We add.\n#### 12", "#### 12"),
    ("He lies.\n\nThe answer in bold is:\n\n**no, yes, no**", "The answer in bold is:\n\n**no, yes, no**"),
    ("He lies.\n\n***no***", "***no***"),
    ("He lies. Thus there are **3** pieces after the cut.", "Thus there are **3** pieces after the cut."),
    ("He lies. So the total is 15.", "So the total is 15."),
    ("Sort the list first.\n\n```python\nprint(sorted(x))\n```", "```python\nprint(sorted(x))\n```"),
    ("Sort it:\n```python\nprint(sorted(x))\n```\n", "Sort it:\n```python\nprint(sorted(x))\n```"),
    # stated twice in a row: both go
    ("It holds. The answer is C, so I repeat it:\n\nCCCCC", "The answer is C, so I repeat it:\n\nCCCCC"),
    ("It holds. The answer is C.\n\nAs asked:\n\nCCCCC", "The answer is C.\n\nAs asked:\n\nCCCCC"),
    # the last one wins
    ("At first \\boxed{3}. A slip was found. So it is \\boxed{4}.", "So it is \\boxed{4}."),
    ("The answer is A? Not yet. More steps follow here. The answer is B.", "The answer is B."),
    ("AAAAA was a slip. The rest is fine, though.\nBBBBB", "BBBBB"),
]


@pytest.mark.parametrize(("text", "answer"), FOUND)
def test_the_final_answer_is_found_in_every_dress(text, answer):
    assert split_answer(text).answer == answer


@pytest.mark.parametrize(("text", "answer"), FOUND)
def test_the_parts_join_to_the_text(text, answer):
    split = split_answer(text)
    assert split.before + split.answer + split.after == text
    assert reattach(split.before, split) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A stroll in the park is pleasant.",
        "The answer is that it depends on the weather.",
        "The answer is not clear.",
        "The best option is to call them.",
        "My choice is a walk.",
        "#### Ingredients:\n\n- salt",
        "def f(x):\n    return x",
        "Use this:\n```sh\nls\n```\nIt lists the files of the folder.",
        "In \\boxed{3 the brace is open.",
        "The answer is 4. " + "But this is a long tale that goes on. " * 20,
        "**Tips**\n\nDrink water.",
    ],
)
def test_prose_without_a_final_answer_is_left_whole(text):
    assert split_answer(text) == SplitAnswer(text, "", "")


def test_what_follows_the_answer_is_kept_behind_it():
    split = split_answer("We add. The answer is 12.\n\nI hope this helps.")
    assert split == SplitAnswer("We add. ", "The answer is 12.", "\n\nI hope this helps.")


def test_the_rest_stays_readable_since_whole_sentences_are_cut():
    split = split_answer("1. Add 7.\n2. Add 5, e.g. by hand.\n\nThus the total is \\boxed{12} apples.")
    assert split.before == "1. Add 7.\n2. Add 5, e.g. by hand.\n\n"


def test_a_displayed_formula_is_never_cut_in_half():
    text = "We get\n\\begin{align*}\nx &= 1. \\\\\ny &= \\boxed{2}.\n\\end{align*}"
    assert split_answer(text).answer == "\\begin{align*}\nx &= 1. \\\\\ny &= \\boxed{2}.\n\\end{align*}"


def test_an_answer_inside_code_is_code():
    assert split_answer('```python\n# the answer is 3\nprint("BBBBB")\n```\nThis prints it.').answer == ""


def test_the_answer_goes_behind_another_text_with_the_same_space():
    split = split_answer("We add.\n\nThe answer is 12.")
    assert reattach("One sums them up. ", split) == "One sums them up.\n\nThe answer is 12."
    assert reattach("", split) == "The answer is 12."
    assert reattach("Another text.", split_answer("No answer here")) == "Another text."


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The answer is F.\n\nFFFFF", "Therefore, the answer is **(F)**."),
        ("FFFFF", "F"),
        ("(B) 1.4", "BBBBB"),
        ("Final answer: 1,204", "\\boxed{1204}"),
        ("**12.**", "12"),
        ("$\\dfrac{1}{2}$", "\\(\\frac{1}{2}\\)"),
        ("The answer is **yes, no,  yes**.", "***Yes, no, yes***"),
        ("#### 7", "Answer: 7"),
        ("```python\nx = 1\n```", "```python\nx  =  1\n```"),
    ],
)
def test_dress_does_not_make_another_answer(a, b):
    assert same_answer(a, b)
    assert same_answer(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The answer is F.", "The answer is E."),
        ("FFFFF", "EEEEE"),
        ("12", "12.5"),
        ("12", "21"),
        ("yes, no", "no, yes"),
        ("(B) 1.4", "(C) 1.4"),
        ("A dog", "A"),
        ("12", "1.2"),
    ],
)
def test_another_answer_is_told_apart(a, b):
    assert not same_answer(a, b)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("So the answer is F, as was shown.", "FFFFF"),
        ("The right option is (F).", "The answer is F.\n\nFFFFF"),
        ("It comes out as \\boxed{12}.", "The answer is 12."),
        ("One gets 1225 in the end, but not as asked.", "\\boxed{1,225}"),
        ("They differ, but in the end one gets 1225.", "\\boxed{1,225}"),
        ("They are no, yes, no in order.", "**no, yes, no**"),
        ("A poodle is meant.", "The answer is poodle."),
    ],
)
def test_a_text_that_gives_the_answer_away_is_found(text, answer):
    assert mentions_answer(text, answer)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Option F speaks of motor paths, option E of touch.", "FFFFF"),
        ("There are 12 eggs in the box.", "The answer is 12."),
        ("One gets 12255 or 1225.7 in the end.", "\\boxed{1225}"),
        ("Yes, he told it.", "**yes**"),
        ("The answer is E.", "FFFFF"),
        ("", "FFFFF"),
        ("Any text.", ""),
    ],
)
def test_words_that_any_text_has_give_nothing_away(text, answer):
    assert not mentions_answer(text, answer)


_PIECES = "The answer is F.|FFFFF|\\boxed{3}|\\boxed{|}|\n|\n\n| |```\n|$$|\\[|\\]|**4**|#### 3|Thus 3 is 4.|1. |e.g. |Answer:|x|.|é|。"
_pieces = st.lists(st.sampled_from(_PIECES.split("|")), max_size=14).map("".join)


@settings(deadline=None)
@given(_pieces | st.text(max_size=80))
def test_a_split_is_lossless_for_any_text(text):
    split = split_answer(text)
    assert split.before + split.answer + split.after == text
    assert reattach(split.before, split) == text


@settings(deadline=None)
@given(_pieces | st.text(max_size=40), _pieces | st.text(max_size=40))
def test_comparing_answers_never_fails_and_is_symmetric(a, b):
    assert same_answer(a, a)
    assert same_answer(a, b) == same_answer(b, a)
    assert isinstance(mentions_answer(a, b), bool)
