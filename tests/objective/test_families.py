"""Every kind of question: its texts keep their form, and worked examples come out as by hand."""

from __future__ import annotations

import re

import pytest

from biasscope.objective import arithmetic, code, dates, logic, ordering, units
from biasscope.objective.draw import Draw
from biasscope.objective.family import Kind, Task, question_pattern
from biasscope.objective.pairs import FAMILIES

KINDS = [
    pytest.param(kind, id=f"{domain}-{i}")
    for domain, family in FAMILIES.items()
    for i, kind in enumerate(family.kinds)
]


@pytest.mark.parametrize("kind", KINDS)
def test_workings_have_37_to_53_words_and_no_marks_of_style(kind: Kind):
    for number in range(150):
        task = kind.make(Draw("form", number))
        for working in (task.working_right, task.working_wrong):
            text = " ".join(working)
            assert 37 <= len(text.split()) <= 53, text
            assert not re.search(r"[!?#*{}]|\b(I|my|you|your)\b", text), text
            assert all(re.match(r"[A-Z][a-z]*\b", step) and step.endswith(".") for step in working), text


@pytest.mark.parametrize("kind", KINDS)
def test_questions_and_workings_come_in_several_wordings(kind: Kind):
    assert len(kind.questions) >= 2
    assert len(kind.workings) >= 3
    tasks = [kind.make(Draw("several", number)) for number in range(60)]
    used = [t for t in kind.questions if any(question_pattern(t).fullmatch(task.question) for task in tasks)]
    assert used == list(kind.questions)


@pytest.mark.parametrize("kind", KINDS)
def test_a_slip_goes_in_both_directions_about_equally_often(kind: Kind):
    tasks = [kind.make(Draw("slip", number)) for number in range(300)]
    numeric = all(task.right.lstrip("-").isdigit() for task in tasks)
    above = sum(int(t.right) > int(t.wrong) if numeric else t.right > t.wrong for t in tasks)
    assert 110 <= above <= 190


def test_equal_right_and_wrong_answers_are_refused():
    with pytest.raises(ValueError, match="both '7'"):
        Task("What?", "7", "7.0", (), ())


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("What is 347 + 586?", "933"),
        ("Subtract 268 from 731. What is left?", "463"),
        ("What is 47 × 86?", "4042"),
        ("What is the remainder when 300 is divided by 17?", "11"),
        ("What is the remainder when 300 is divided by 0?", None),
        ("Start with 25, multiply it by 7, add 77 and then subtract 22. What is the result?", "230"),
    ],
)
def test_arithmetic_by_hand(text, answer):
    assert arithmetic.FAMILY.solve(text) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Which date is 30 days after 25 October 1973?", "24 November 1973"),
        ("Which date is 1 days after 28 February 2000?", "29 February 2000"),
        ("Which date is 1 days after 28 February 2100?", "1 March 2100"),
        ("Which date is 40 days after 1 December 2023?", "10 January 2024"),
        ("Which date is 4 days after 30 February 2023?", None),
        ("Which date is 4 days after 3 Brumaire 2023?", None),
        ("Which date is 9999 days after 3 March 2023?", None),
        ("If 1 August 2019 is a Thursday, which weekday is the date 185 days after it?", "Sunday"),
        ("If 1 August 2019 is a Doomsday, which weekday is the date 185 days after it?", None),
        ("How many days after 19 March 2028 is 5 May 2028?", "47"),
        ("How many days after 5 May 2028 is 19 March 2028?", None),
        ("How many days after 31 April 2028 is 5 May 2028?", None),
        ("What time is it 7 hours and 43 minutes after 11:52?", "19:35"),
        ("What time is it 7 hours and 43 minutes after noon?", None),
    ],
)
def test_dates_by_hand(text, answer):
    assert dates.FAMILY.solve(text) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("How many days are 16 weeks and 2 days?", "114"),
        ("How many yards are 120 feet?", "40"),
        ("How many miles are 3520 yards?", "2"),
        ("How many days are 16 weeks and 2 hours?", None),
        ("How many parsecs are 3 weeks and 2 parsecs?", None),
        ("Convert 5 parsecs into weeks. How many weeks is that?", None),
        ("Add 3 feet and 4 inches to 5 feet and 9 inches. What is the sum in inches?", "109"),
        ("Add 3 feet and 4 grams to 5 feet and 9 grams. What is the sum in grams?", None),
        ("A machine makes 14 parts every second. How many parts does it make in 4 minutes?", "3360"),
        ("A machine makes 14 parts every second. How many parts does it make in 4 litres?", None),
    ],
)
def test_units_by_hand(text, answer):
    assert units.FAMILY.solve(text) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Bea is older than Cal. Abe is older than Bea. Who is the second oldest of them?", "Bea"),
        ("Bea is younger than Cal. Abe is younger than Bea. Who is the first oldest of them?", "Cal"),
        ("Bea is younger than Cal. Abe is younger than Bea. Who is the first youngest of them?", "Abe"),
        ("Bea is older than Cal. Abe is older than Cal. Who is the second oldest of them?", None),
        ("Bea is older than Cal. Abe is older than Bea. Who is the fourth oldest of them?", None),
        ("Bea is older than Cal. Abe is taller than Bea. Who is the second oldest of them?", None),
        ("Bea is older than Cal. Abe is older than Bea. Who is the second kindest of them?", None),
        ("Nothing is said. Who is the second oldest of them?", None),
        ("Which is the third largest of the numbers 5, 19, 7, 12?", "7"),
        ("Which is the third largest of the numbers 5, 5, 5, 12?", None),
        ("Which is the third nicest of the numbers 5, 19, 7, 12?", None),
        ("Which is the third largest of the numbers five, 19, 7, 12?", None),
        ("Which is the ninth largest of the numbers 5, 19, 7, 12?", None),
        (
            "Five runners are in the order Abe, Bea, Cal, Dot, Eve, the leader named first. "
            "Then Cal passes the runner directly ahead. Then Cal passes the runner directly ahead. Who is second now?",
            "Abe",
        ),
        (
            "Five runners are in the order Abe, Bea, Cal, Dot, Eve, the leader named first. "
            "Then Abe passes the runner directly ahead. Who is second now?",
            None,
        ),
        (
            "Five runners are in the order Abe, Bea, Cal, Dot, Eve, the leader named first. "
            "Then Eve passes the runner directly ahead. Who is last now?",
            None,
        ),
        (
            "Seats are numbered from left to right. Hal is 4 seats right of Gil, Ira is 12 seats left of Hal, "
            "and Gil is in seat 49. What is the number of the seat of Ira?",
            "41",
        ),
    ],
)
def test_ordering_by_hand(text, answer):
    assert ordering.FAMILY.solve(text) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("All dogs are pets. Some dogs are black. Does it follow that some pets are black?", "Yes"),
        ("All dogs are pets. All cats are pets. Does it follow that all dogs are cats?", "No"),
        ("All dogs are pets. All dogs are loud. Does it follow that some pets are loud?", None),
        ("All dogs are pets. Dogs bark. Does it follow that some pets are loud?", None),
        ("All dogs are pets. All pets are dogs. Does it follow that all dogs are pets?", None),
        (
            "If the lamp is lit, then the fan is on. It is found that the fan is not on. "
            "Does it follow that the lamp is not lit?",
            "Yes",
        ),
        (
            "If the lamp is lit, then the fan is on. It is found that the fan is on. "
            "Does it follow that the lamp is lit?",
            "No",
        ),
        ("If it rains, then it pours. It is found that it rains. Does it follow that it pours?", None),
        ("Consider the numbers 4, 9, 12. Is it true that exactly two of them are even?", "Yes"),
        ("Consider the numbers 4, 9, 12. Is it true that at least three of them are even?", "No"),
        ("Consider the numbers 4, 9, 12. Is it true that at most one of them are odd?", "Yes"),
        ("Consider the numbers 4, 9, 12. Is it true that about one of them are odd?", None),
        ("Consider the numbers 4, 9, 12. Is it true that at most one of them are prime?", None),
        ("Consider the numbers 4, nine, 12. Is it true that at most one of them are odd?", None),
        ("What is (p or not q) and r when p is false, q is true and r is true?", "False"),
        ("What is (not p or q) and not r when p is false, q is false and r is false?", "True"),
        ("What is (p xor q) and r when p is false, q is true and r is true?", None),
        ("What is (p or q) and r when p is maybe, q is true and r is true?", None),
    ],
)
def test_logic_by_hand(text, answer):
    assert logic.FAMILY.solve(text) == answer


@pytest.mark.parametrize(
    ("program", "answer"),
    [
        ("total = 0\nfor i in range(13, 18):\n    total += 7 * i\nprint(total)", "525"),
        ("n = 90\ncount = 0\nwhile n > 5:\n    n = n - 22\n    count += 1\nprint(count)", "4"),
        ("values = [13, 81, 53, 42]\npart = values[1:3]\nprint(sum(part))", "134"),
        ("import os\nprint(1)", None),
    ],
)
def test_code_by_hand(program, answer):
    assert code.FAMILY.solve(f"What does this Python program print?\n\n```python\n{program}\n```") == answer
