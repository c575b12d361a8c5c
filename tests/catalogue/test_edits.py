from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biasscope.catalogue.edits import (
    as_sentence,
    gaps,
    insert,
    is_unfinished,
    pattern_detector,
    place,
    sentence_rule,
    statements,
    words,
)

START, AFTER_FIRST, END = 0, 1, 2
S = "Inserted here."


def texts(body: str) -> list[str]:
    return [statement.text for statement in statements(body)]


@pytest.mark.parametrize(
    ("body", "start", "after_first", "end"),
    [
        ("", S, S, S),
        ("One. Two.", f"{S} One. Two.", f"One. {S} Two.", f"One. Two. {S}"),
        ("Yes", f"{S} Yes", f"Yes\n\n{S}", f"Yes\n\n{S}"),
        ("One.\n\nTwo.\n", f"{S} One.\n\nTwo.\n", f"One. {S}\n\nTwo.\n", f"One.\n\nTwo. {S}\n"),
        ("- a\n- b. C", f"{S}\n\n- a\n- b. C", f"- a\n- b. C\n\n{S}", f"- a\n- b. C\n\n{S}"),
        ("```\nx. Y\n```", f"{S}\n\n```\nx. Y\n```", f"```\nx. Y\n```\n\n{S}", f"```\nx. Y\n```\n\n{S}"),
        ("Ah.\r\n\r\n- b", f"{S} Ah.\r\n\r\n- b", f"Ah. {S}\r\n\r\n- b", f"Ah.\r\n\r\n- b\r\n\r\n{S}"),
        ("好。壞。", f"{S} 好。壞。", f"好。 {S} 壞。", f"好。壞。 {S}"),
        (
            "`x` ```a. B``` Go.",
            f"{S}\n\n`x` ```a. B``` Go.",
            f"`x` ```a. B``` Go.\n\n{S}",
            f"`x` ```a. B``` Go.\n\n{S}",
        ),
        ("Run ```\nx. Y\n```", f"{S}\n\nRun ```\nx. Y\n```", *[f"Run ```\nx. Y\n```\n\n{S}"] * 2),
        ("    code", f"{S}\n\n    code", f"    code\n\n{S}", f"    code\n\n{S}"),
    ],
)
def test_a_sentence_goes_to_the_start_behind_the_first_sentence_or_to_the_end(body, start, after_first, end):
    assert [insert(body, S, phrasing) for phrasing in (START, AFTER_FIRST, END)] == [start, after_first, end]


@pytest.mark.parametrize(
    "body",
    ["We need three things:", "One comma,", "So the result is", "The set (", "**Result:**", "X ="],
)
def test_nothing_is_put_behind_a_text_that_breaks_off(body):
    assert is_unfinished(body)
    assert insert(body, S, END) == f"{S} {body}"
    assert insert(f"Known. {body}", S, END) == f"Known. {S} {body}"


@pytest.mark.parametrize(
    "opened", ["```\ncode. More", "~~~~\na\n~~~\nb. C", "$$ x. Y", "\\[ x. Y", "\\begin{cases} x. Y"]
)
def test_nothing_is_put_into_a_block_that_is_never_closed(opened):
    assert insert(opened, S, END).endswith(opened)
    assert insert(f"Before. After.\n{opened}", S, END) == f"Before. After. {S}\n{opened}"


def test_where_two_readings_of_fences_differ_both_are_left_alone():
    body = "Yes ```\na. B\n```\nc. D\n```python\ne. F\n```"
    assert insert(body, S, AFTER_FIRST) == insert(body, S, END) == f"{body}\n\n{S}"


@pytest.mark.parametrize(
    "sentence",
    [
        "It weighs 3.5 kg, i.e. Much more than Dr. Lane said at 9 a.m. Monday",
        "See Fig. 3 and J. Smith et al. Again, or 1. Red 2. Blue",
        'He said "Go. Now." and (I think. Perhaps.) left',
        "The key `a. B` and $x. Y$ and \\(p. Q\\) and [l. M] hold",
        "Wait... maybe. not",
        "Use example.com or v2.Next",
    ],
)
def test_no_boundary_is_seen_where_one_is_not_sure(sentence):
    assert texts(f"{sentence}.") == [f"{sentence}."]


def test_sentences_end_at_marks_of_several_scripts():
    assert texts("Go! Why? \"Yes.\" 好。是！نعم؟ لا۔ हाँ। Fine… Done.") == [
        "Go!", "Why?", "\"Yes.\"", "好。", "是！", "نعم؟", "لا۔", "हाँ।", "Fine…", "Done.",
    ]  # fmt: skip


def test_statements_are_sentences_and_list_items_with_the_offset_where_they_start():
    body = "# Head\nOne runs\nover lines. Two:\n\n1. Get up\n- Sit. Down\n\n```\ncode\n```\n| t |\nThree"
    assert texts(body) == ["One runs over lines.", "Two:", "Get up", "Sit. Down", "Three"]
    assert [body[s.start :].split()[0] for s in statements(body)] == ["One", "Two:", "1.", "-", "Three"]


@pytest.mark.parametrize(
    "line",
    [
        "    x = 1. Real",
        "def f(x):",
        "import os",
        "from a import b",
        "int x = 1.;",
        "@wraps. Now",
        "return f(x)",
        "total = sum(a) # All. Done",
        "a[i] += 1. Half",
        "run(x, y. Z)",
        "} else {",
    ],
)
def test_bare_code_is_no_prose(line):
    assert texts(line) == []


@pytest.mark.parametrize(
    ("statement", "closed"),
    [
        ("Get up", "Get up."),
        ("Done.", "Done."),
        ("Why?", "Why?"),
        ("Two:", "Two:"),
        ("He said “go.”", "He said “go.”"),
        ("**Half bold", "Half bold."),
        ("bold half**", "bold half."),
        ("10**6 is a lot", "10**6 is a lot."),
    ],
)
def test_a_statement_is_closed_once(statement, closed):
    assert as_sentence(statement) == closed


def test_words_fold_case_and_count_chinese_by_characters():
    assert words("The cat’s 2 eyes, 天晴!") == ["the", "cat", "s", "2", "eyes", "天", "晴"]


def test_a_rule_takes_its_phrasing_modulo_their_number_and_inserts_once():
    rule = sentence_rule(("First one.", "Second one."))
    assert [rule("Body.", k) for k in range(4)] == ["First one. Body.", "Body. Second one."] * 2
    assert rule(rule("Body.", 1), 1) == rule("Body.", 1)


def test_a_pattern_detector_fires_on_any_pattern_in_any_case():
    shows = pattern_detector("good", r"\bbad\b")
    assert [shows(t) for t in ("So GOOD", "Bad luck", "badly", "")] == [True, True, False, False]


@settings(deadline=None)
@given(data=st.data(), phrasing=st.integers(-4, 9))
def test_an_insertion_keeps_every_character_of_the_body(odd_texts, data, phrasing):
    body = data.draw(odd_texts)
    gap = place(body, phrasing)
    edited = insert(body, S, phrasing)
    assert edited.startswith(body[: gap.offset])
    assert edited.endswith(body[gap.offset :])
    assert edited[gap.offset : len(edited) - len(body) + gap.offset].strip() == S


@settings(deadline=None)
@given(data=st.data(), phrasing=st.integers(0, 2))
def test_an_insertion_leaves_blocks_lists_and_tables_whole(odd_texts, data, phrasing):
    body = data.draw(odd_texts)
    edited = insert(body, S, phrasing)
    blocks = re.findall(r"```.*?```|~~~.*?~~~", body, re.DOTALL) + re.findall(r"\$\$.*?\$\$", body, re.DOTALL)
    lines = re.findall(r"^[ \t]*(?:[-|>#]|\d\.)[^\r\n]*", body, re.MULTILINE)
    assert all(whole.rstrip() in edited for whole in blocks + lines)


@settings(deadline=None)
@given(data=st.data())
def test_gaps_are_in_order_and_the_first_is_in_front_of_everything(odd_texts, data):
    body = data.draw(odd_texts)
    offsets = [gap.offset for gap in gaps(body)]
    assert offsets == sorted(set(offsets))
    assert not body[: offsets[0]].strip()


@settings(max_examples=20, deadline=None)
@given(
    piece=st.sampled_from(
        (".", "(", '"', "`", "$", "```\n", "\\(", "a. B ", "- x\n", "\\begin{a}", "* ", "= ", "\r")
    )
)
def test_a_hostile_long_text_takes_linear_time(piece):
    assert S in insert(piece * 20_000, S, END)
