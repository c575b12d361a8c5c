from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biasscope.parsing.thinking import split_thinking


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("<think>maybe one</think>\nTwo.", "Two."),
        ("<THINK>maybe one</THINK>Two.", "Two."),
        ("<thinking>maybe one</thinking>Two.", "Two."),
        ("<reasoning>maybe one</reasoning>\n\nTwo.", "Two."),
        ("[THINK]maybe one[/THINK]Two.", "Two."),
        ("◁think▷maybe one◁/think▷Two.", "Two."),
        ("<|begin_of_thought|>maybe one<|end_of_thought|>Two.", "Two."),
        ("<think></think>Two.", "Two."),
        ("<think>a</think>Two <think>b</think>and a half.", "Two and a half."),
    ],
)
def test_thinking_is_told_from_the_answer_in_every_dialect(text, rest):
    assert split_thinking(text)[1] == rest


def test_a_closing_tag_alone_ends_thinking_that_the_template_began():
    assert split_thinking("One looks fine.\n</think>\n\nTwo.") == ("One looks fine.", "Two.")


def test_a_closing_tag_with_nothing_behind_it_leaves_no_answer():
    assert split_thinking("One wins.\n</think>\n") == ("One wins.", "")


def test_thinking_that_was_cut_off_leaves_no_answer():
    assert split_thinking("<think>Leaning to one, since") == ("Leaning to one, since", "")


def test_nested_blocks_belong_to_the_outer_one():
    assert split_thinking("<think>a<think>b</think>c</think>Two.") == ("abc", "Two.")


def test_an_opening_tag_too_many_does_not_swallow_the_answer():
    assert split_thinking("<think>I open <think> again</think>Two.")[1] == "Two."


def test_quotation_marks_inside_thinking_do_not_hide_its_end():
    assert split_thinking('<think>he wrote "one and more</think>Two.')[1] == "Two."


@pytest.mark.parametrize(
    "text", ["The reply prints a <think> tag. Two.", "It ends with `</think>`. Two.", "Two."]
)
def test_a_tag_that_is_spoken_about_is_part_of_the_answer(text):
    assert split_thinking(text) == ("", text)


def test_the_final_channel_is_the_answer_and_other_channels_are_thinking():
    text = "<|channel|>analysis<|message|>one?<|end|><|start|>assistant<|channel|>final<|message|>Two.<|return|>"
    assert split_thinking(text) == ("one?", "Two.")


def test_a_reply_that_never_reaches_the_final_channel_has_no_answer():
    assert split_thinking("<|channel|>analysis<|message|>one? two?") == ("one? two?", "")


@settings(deadline=None)
@given(st.text(alphabet="a <>/think\n`", max_size=60) | st.text(max_size=60))
def test_splitting_never_fails_and_a_text_without_tags_comes_back_unchanged(text):
    thinking, rest = split_thinking(text)
    assert thinking or rest == text or "think" in text.lower()
