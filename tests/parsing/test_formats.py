from __future__ import annotations

import pytest

from biasscope.ask import Unreadable
from biasscope.parsing.formats import (
    ANSWER_LETTER,
    BOXED,
    FEEDBACK_RESULT,
    FIRST_LINE,
    GRADE,
    OUTPUTS,
    PASS_FAIL,
    VerdictFormat,
    compared,
)
from biasscope.parsing.verdicts import read_as, read_comparison


def test_the_tie_is_offered_beside_the_labels():
    assert VerdictFormat(("1", "2"), tie="tie").offered == ("1", "2", "tie")
    assert VerdictFormat(("A", "B", "C"), tie="C").offered == ("A", "B", "C")


@pytest.mark.parametrize("labels", [("A",), ("A", "a"), ("A", " "), ()])
def test_a_format_needs_labels_that_can_be_told_apart(labels):
    with pytest.raises(ValueError, match="two or more different labels"):
        VerdictFormat(labels)


def test_an_alias_must_name_an_offered_label():
    with pytest.raises(ValueError, match="not offered: \\['C'\\]"):
        VerdictFormat(("A", "B"), aliases=(("third", "C"),))


def test_a_pattern_must_have_a_group_for_the_label():
    with pytest.raises(ValueError, match="needs a group"):
        VerdictFormat(("A", "B"), pattern="RATING: [AB]")


def test_a_pattern_for_the_last_line_is_a_reader():
    form = VerdictFormat(("left", "right"), where="last_line", pattern=r"score>>\s*(\w+)\s*<<")
    assert read_as("The left one is longer.\nscore>> RIGHT <<\n", form) == "right"
    with pytest.raises(Unreadable):
        read_as("score>> left <<\nThat was it.", form)
    with pytest.raises(Unreadable):
        read_as("score>> middle <<", form)


def test_a_field_of_a_json_object_is_a_reader():
    form = VerdictFormat(("A", "B"), tie="tie", field="better")
    assert read_as('{"winner": "A", "better": "Response B"}', form) == "B"
    assert read_as('Both hold.\n```json\n{"better": "TIE"}\n```', form) == "tie"
    for text in ('{"winner": "A"}', '{"better": null}', '{"better": "C"}', '{"better": ["A"]}', "Decision: A"):
        with pytest.raises(Unreadable):
            read_as(text, form)


def test_words_that_announce_and_words_that_are_labelled_can_be_declared():
    form = VerdictFormat(("1", "2"), heads=("bilan",), nouns=("texte",))
    assert read_as("Bilan : texte 2", form) == "2"
    with pytest.raises(Unreadable):
        read_as("Verdict: 2, dit-il", form)


def test_aliases_are_given_back_as_the_offered_label():
    assert read_as("Verdict: not successful", PASS_FAIL) == "fail"


def test_a_scale_of_five_can_be_made_for_other_labels():
    assert read_comparison("[[1<<2]]", compared("1", "2")).label == "2"


def read(text: str, form: VerdictFormat) -> str | None:
    try:
        return read_as(text, form)
    except Unreadable:
        return None


NAMED = [
    (BOXED, "BOXED[A] was a draft. BOXED[B]", "B"),
    (BOXED, "I could have said BOXED[A], yet its test fails: BOXED[B]", "B"),
    (BOXED, "**boxed[ b ]**", "B"),
    (BOXED, "$\\boxed{\\text{B}}$", "B"),
    (BOXED, "BOXED[TIE]", "tie"),
    (BOXED, "BOXED[C]", None),
    (BOXED, "BOXED[A or B]", None),
    (BOXED, "no box", None),
    (FEEDBACK_RESULT, "Feedback: neat, but the date is off. [RESULT] B", "B"),
    (FEEDBACK_RESULT, "[Result: B]", "B"),
    (FEEDBACK_RESULT, "[RESULT]\nB", "B"),
    (FEEDBACK_RESULT, 'It ends with "[RESULT] A". [RESULT] (B)', "B"),
    (FEEDBACK_RESULT, "[RESULT] A or B", None),
    (FEEDBACK_RESULT, "[RESULT] Both", None),
    (OUTPUTS, "Output (b)", "b"),
    (OUTPUTS, "output(B) is better.", "b"),
    (OUTPUTS, "Assistant (a) argues that Output (a) is better. Therefore, Output (b) is better.", "b"),
    (OUTPUTS, 'The first text ends in "Output (a)". On the facts: Output (b)', "b"),
    (OUTPUTS, 'The first text ends in "Output (a)".', None),
    (OUTPUTS, "Output (a) or Output (b)", None),
    (OUTPUTS, "Output (c)", None),
    (FIRST_LINE, "2\n\n### Reason: Answer 1 is shorter", "2"),
    (FIRST_LINE, "\nTie\n\nNo difference.", "tie"),
    (FIRST_LINE, "Response 2 is better\nsince it runs", "2"),
    (FIRST_LINE, "It was hard to pick one\n2", None),
    (FIRST_LINE, "12\n", None),
    (ANSWER_LETTER, "**ANSWER:** D", "D"),
    (ANSWER_LETTER, "ANSWER: $D$", "D"),
    (ANSWER_LETTER, "ANSWER：Ｄ", "D"),
    (ANSWER_LETTER, "The answer is (D).", "D"),
    (ANSWER_LETTER, "ANSWER: D) Rome", "D"),
    (ANSWER_LETTER, "ANSWER: A\n\nThe sign was off, so once more.\n\nANSWER: D", "D"),
    (ANSWER_LETTER, "ANSWER: CD", None),
    (ANSWER_LETTER, "ANSWER: A dog", None),
    (ANSWER_LETTER, "ANSWER: E", None),
    (GRADE, "GRADE: I", "I"),
    (GRADE, "GRADE: Correct", "C"),
    (GRADE, "GRADE: partially correct", "P"),
    (GRADE, "It is Correct in spirit. GRADE: incorrect", "I"),
    (GRADE, "GRADE: PI", None),
    (GRADE, "GRADE: Complete", None),
    (GRADE, "GRADE: not correct", None),
    (PASS_FAIL, "CORRECT", "pass"),
    (PASS_FAIL, "Incorrect.", "fail"),
    (PASS_FAIL, "not correct", "fail"),
    (PASS_FAIL, "It did not pass.", "fail"),
    (PASS_FAIL, "It speaks of SUCCESS, yet nothing was done.\nVerdict: NOT SUCCESS", "fail"),
    (PASS_FAIL, "Worded in another way, not incorrect. The response is correct.", "pass"),
    (PASS_FAIL, "Yes, it tries, but the total is off. Verdict: No", "fail"),
    (PASS_FAIL, "No, the unit is missing.", "fail"),
    (PASS_FAIL, "Yes, but the unit is missing.", None),
    (PASS_FAIL, "Verdict: Yes\nVerdict: No", None),
    (PASS_FAIL, "Yes\nNo", None),
    (PASS_FAIL, "Yes\nYes", "pass"),
    (PASS_FAIL, "mismatched", None),
    (PASS_FAIL, "bypassed", None),
    (PASS_FAIL, "I am not able to judge this.", None),
    (PASS_FAIL, "It is correct that the task was hard.", None),
    (PASS_FAIL, "The answer isn't correct.", None),
]


@pytest.mark.parametrize(("form", "text", "label"), NAMED)
def test_the_formats_in_common_use_are_read(form, text, label):
    assert read(text, form) == label


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Yes.", "yes"),
        ("**no**", "no"),
        ("Verdict: no", "no"),
        ("Yes, it quotes a study.", "yes"),
        ("It quotes a study.\n\nVerdict: Yes.", "yes"),
        ("Does it show? No.\nVerdict: yes", "yes"),
        ("Yes and no.", None),
        ("Yes. Then again: no.", None),
        ("Yes, although only once.", None),
        ("Verdict: yes or no", None),
        ("Verdict: no trace", None),
        ("No one is quoted.", None),
        ("It says yes to life.", None),
    ],
)
def test_yes_or_no_is_read_as_a_verdict_and_not_as_a_word(text, label):
    assert read(text, VerdictFormat(("yes", "no"))) == label
