"""Replies as decisions by place, and telling the format that they are written in."""

import pytest

from biasscope.ask import Unreadable
from biasscope.parsing.judgebench import output_verdicts
from biasscope.parsing.placed import FORMS, read_placed, recognise_form

WRITTEN = {
    "[[A>>B]]": ["So: [[B>>A]]", "I say [[A=B]]", "[[A>B]]"],
    "[[A]]": ["Fine. [[B]]", "Neither. [[C]]", "[[A]]"],
    "[RESULT] A": ["Feedback: good. [RESULT] B", "Feedback: so. [RESULT] B", "Feedback: no. [RESULT] A"],
    '{"winner": "A"}': ['{"winner": "B"}', '{"winner": "tie"}', '{"winner": "A"}'],
    "Decision: 1": ["Decision: 2", "Decision: tie", "Decision: 1"],
}


@pytest.mark.parametrize("form", WRITTEN)
def test_a_format_is_told_from_replies_and_read_by_place(form):
    replies = WRITTEN[form] * 5
    told = recognise_form(replies)
    middle = "second" if form == "[RESULT] A" else "tie"
    assert [read_placed(text, FORMS[told]) for text in WRITTEN[form]] == ["second", middle, "first"]


def test_replies_of_which_most_say_nothing_are_in_no_format():
    assert recognise_form(["[[A]]", "It rains.", "It rains."]) is None
    assert recognise_form([]) is None
    assert recognise_form(["[[A]]", "It rains."]) == "[[A]]"


def test_what_cannot_be_read_is_refused():
    with pytest.raises(Unreadable):
        read_placed("It rains.", FORMS["[[A>>B]]"])


def test_an_output_of_judgebench_without_a_list_is_refused_and_an_empty_entry_is_none():
    with pytest.raises(ValueError, match="judgments is no list"):
        output_verdicts({"judgments": None})
    one, other = output_verdicts({"judgments": [None, {"decision": "A>B"}]})
    assert one is None
    assert (other.swapped, other.choice, other.reply, other.scores, other.model) == (True, "first", "", (), "")
