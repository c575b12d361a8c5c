"""Final answers are found on their line and compared for what they say."""

from __future__ import annotations

import pytest

from biasscope.objective import final_answer, same_answer


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("Some working.\n\nFinal answer: 42", "42"),
        ("Some working.\nFinal answer: 14 March 2031\n", "14 March 2031"),
        ("Final answer: 1\nOn second thought:\nFinal answer: 2", "2"),
        ("**Final answer:** 42", "42"),
        ("**Final answer: 42**", "42"),
        ("### Final Answer : `Yes`  ", "Yes"),
        ("> FINAL ANSWER: No.", "No."),
        ("Final answer: 9:05", "9:05"),
        ("Final answer: -7", "-7"),
        ("The final answer: 42 is hidden in a sentence", None),
        ("Final answer:", None),
        ("Final answer:\n42", None),
        ("Final answer: 3\nFinal answer: **", None),
        ("No such line", None),
        ("", None),
    ],
)
def test_the_answer_on_the_last_answer_line_is_read(response, expected):
    assert final_answer(response) == expected


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Yes", "yes."),
        ("**1,204**", "1204"),
        ("1 204 567", "1,204,567"),
        ("1'204", "1204"),
        ("`Tom`", '"tom"'),
        ("14  March 2031", "14 march 2031."),
        ("−7", "-7"),
        ("7.0", "7"),
        ("$12$", "12"),
        ("１２", "12"),
    ],
)
def test_answers_that_say_the_same_are_the_same(a, b):
    assert same_answer(a, b)
    assert same_answer(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Yes", "No"),
        ("1204", "1205"),
        ("14 March 2031", "15 March 2031"),
        ("7", "-7"),
        ("1,20", "120"),
        ("", "0"),
    ],
)
def test_answers_that_say_something_else_are_not_the_same(a, b):
    assert not same_answer(a, b)
    assert not same_answer(b, a)
