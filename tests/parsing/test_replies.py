from __future__ import annotations

import pytest

from biasscope.ask import Reply, Unreadable
from biasscope.parsing.replies import looks_like_refusal, readable_text


def reason(reply: Reply, **options: bool) -> tuple[str, str]:
    with pytest.raises(Unreadable) as raised:
        readable_text(reply, **options)
    return raised.value.reason, raised.value.detail


def test_the_text_of_a_finished_reply_is_readable_without_its_thinking():
    assert readable_text(Reply("Verdict: 1")) == "Verdict: 1"
    assert readable_text(Reply("<think>Verdict: 2</think>\nVerdict: 1")) == "Verdict: 1"
    assert readable_text(Reply("Verdict: 1", finish="other", reasoning="hm")) == "Verdict: 1"


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (Reply("", over_long=True, finish="length"), "over_long"),
        (Reply("", finish="filtered"), "filtered"),
        (Reply("Verdict: 1", finish="filtered"), "filtered"),
        (Reply("", refusal="No."), "refused"),
        (Reply("Verdict: 1 because", finish="length"), "truncated"),
        (Reply("", finish="length", reasoning="thus [[A]] perhaps"), "truncated"),
        (Reply("<think>thus [[A]] perhaps", finish="length"), "truncated"),
        (Reply(""), "empty"),
        (Reply(" \n\t"), "empty"),
        (Reply("", reasoning="so [[B]]"), "empty"),
        (Reply("<think>so [[B]]</think>"), "empty"),
    ],
)
def test_a_reply_without_readable_text_says_why(reply, expected):
    assert reason(reply)[0] == expected


def test_a_limit_spent_on_thinking_is_named():
    assert "spent on thinking" in reason(Reply("", finish="length", reasoning="hm"))[1]
    assert "spent on thinking" not in reason(Reply("Verd", finish="length"))[1]
    assert reason(Reply("", reasoning="hm"))[1] == "only thinking came"


def test_a_caller_may_read_what_stands_before_the_cut():
    cut = Reply("Verdict: 1\nFor the other one lea", finish="length")
    assert readable_text(cut, allow_truncated=True) == cut.text
    assert reason(Reply("<think>Verdict: 1", finish="length"), allow_truncated=True)[0] == "truncated"


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I can't help with this one.",
        "I’m sorry, but I can’t help with this one.",
        "Sorry, I can't do that.",
        "I cannot rewrite this text.",
        "I won't write that.",
        "I am unable to assist with such a request.",
        "I'm not able to provide this.",
        "I'm not comfortable rewriting that paragraph.",
        "Unfortunately, I can't edit it.",
        "As an AI, I cannot generate such content.",
        "I apologize, but I am not going to produce this.",
        "Apologies. I have to decline.",
        "I must respectfully decline.",
        "I don't have the ability to create it.",
        "We're sorry, but we cannot assist.",
        "It is against my rules to do so.",
        "This request goes against policy.",
        "Thank you for asking, but I'd rather not write it.",
    ],
)
def test_a_refusal_is_recognised(text):
    assert looks_like_refusal(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Sure, here is the text.",
        "I can't believe how well it reads.",
        "I cannot find a larger prime, so it is 7.",
        "We cannot make more than five, so the answer is 5.",
        "We can't divide by zero.",
        "I'm sorry for your loss.",
        "Unfortunately, the series diverges.",
        "I will not lie: step two is hard.",
        "I refuse to believe the sum is odd.",
        "I am writing to offer my help.",
        "I have to create two cases.",
        "The bank said: I'm sorry, but I can't help with that.",
        "Sorry is what he said.",
    ],
)
def test_a_text_that_does_the_work_is_no_refusal(text):
    assert not looks_like_refusal(text)
