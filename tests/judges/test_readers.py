"""Declared readers: only what was offered, where it was declared to stand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biasscope.ask import Unreadable
from biasscope.judges.readers import ScoreReader, VerdictReader
from biasscope.parsing.scores import PASS_OR_FAIL, Scale

LETTERS = VerdictReader(("A", "B"), "tie")
WINNER = VerdictReader(("A", "B"), "tie", json="winner")
CLOSER = VerdictReader(("first", "second"), pattern=r"Closer: (\w+)")


def refusal(reader, text):
    with pytest.raises(Unreadable) as caught:
        reader.read(text)
    return caught.value.reason


@pytest.mark.parametrize(
    ("reader", "text", "label"),
    [
        (LETTERS, "Both try. [[B]]", "B"),
        (LETTERS, "Verdict: A would be rash.\nVerdict: B", "B"),
        (LETTERS, "Verdict: tie", "tie"),
        (WINNER, '{"reason": "A is wrong", "winner": "B"}', "B"),
        (WINNER, 'First {"winner": "A"}, then better:\n```json\n{"winner": "tie"}\n```', "tie"),
        (WINNER, '{"winner": "model_a"}', "A"),
        (VerdictReader(json="best"), '{"best": 2}', "2"),
        (VerdictReader(("true", "false"), json="first_wins"), '{"first_wins": true}', "true"),
        (CLOSER, "Closer: first\nOn reflection:\nCloser: second\nThank you.", "second"),
        (CLOSER, "Closer: first, or rather Closer: second", "second"),
        (CLOSER, "**Closer:** FIRST", "first"),
        (VerdictReader(pattern=r"\*\*([12])\*\*"), "It is **2**", "2"),
    ],
)
def test_the_last_label_is_read_where_it_was_declared_to_stand(reader, text, label):
    assert reader.read(text) == label


@pytest.mark.parametrize(
    ("reader", "text", "reason"),
    [
        (LETTERS, "Verdict: C", "unparsable"),
        (VerdictReader(("A", "B")), "Verdict: tie", "unparsable"),
        (WINNER, "Verdict: A", "unparsable"),
        (WINNER, '{"winner": "C"}', "unparsable"),
        (WINNER, '{"winner": null}', "unparsable"),
        (WINNER, '{"winner": "A"} {"winner": "B"}', "ambiguous"),
        (CLOSER, "Closer: third", "unparsable"),
        (CLOSER, "The first is closer.", "unparsable"),
        (VerdictReader(pattern=r"Best(: [12])?"), "Best", "unparsable"),
    ],
)
def test_what_was_not_offered_or_stands_elsewhere_is_no_verdict(reader, text, reason):
    assert refusal(reader, text) == reason


def test_thinking_is_not_read():
    assert WINNER.read('<think>{"winner": "A"}</think>{"winner": "B"}') == "B"
    assert CLOSER.read("<think>Closer: first</think>Closer: second") == "second"


@pytest.mark.parametrize(
    ("reader", "text", "score"),
    [
        (ScoreReader(Scale(1, 5), json="score"), '{"why": "7 errors", "score": 4}', 4),
        (ScoreReader(Scale(1, 5), pattern="<m>(.*)</m>"), "<m>2</m>\n<m> 3/5 </m>", 3),
        (ScoreReader(PASS_OR_FAIL, json="ok"), '{"ok": false}', 0),
        (ScoreReader(PASS_OR_FAIL, pattern=r"^(\w+)$"), "It holds.\nPass", 1),
    ],
)
def test_a_score_is_read_where_it_was_declared_to_stand(reader, text, score):
    assert reader.read(text) == score


def test_a_declared_score_off_the_scale_says_so():
    assert refusal(ScoreReader(Scale(1, 5), json="score"), '{"score": 9}') == "off_scale"
    assert refusal(ScoreReader(Scale(1, 5), pattern="Mark: (.*)"), "Mark: 2-3") == "ambiguous"


BLOCKS = ["{}", "  {}", "\n\n{}\n\n", "**{}**", "```\n{}\n```", "> {}", '"{}"', "## {}"]


@given(label=st.sampled_from(["A", "B", "tie"]), dress=st.sampled_from(BLOCKS))
def test_markup_space_and_quotation_marks_around_a_verdict_change_nothing(label, dress):
    assert LETTERS.read(dress.format(f"Verdict: {label}")) == label


@given(label=st.sampled_from(["A", "B", "tie"]), dress=st.sampled_from(BLOCKS[:3] + BLOCKS[4:6]))
def test_a_json_verdict_may_stand_in_any_block(label, dress):
    assert WINNER.read(dress.format(f'{{"winner": "{label}"}}').removeprefix("> ")) == label


@given(label=st.sampled_from(["first", "second"]), dress=st.sampled_from(BLOCKS))
def test_a_pattern_finds_its_line_in_any_dress(label, dress):
    assert CLOSER.read(f"I compared both.\n{dress.format(f'Closer: {label}')}") == label


@given(
    label=st.sampled_from("AB"), quoted=st.sampled_from("AB"), quote=st.sampled_from(['It says "{}".', "> {}\n"])
)
def test_a_verdict_in_quoted_text_changes_nothing(label, quoted, quote):
    said = quote.format(f"Verdict: {quoted}")

    assert LETTERS.read(f"{said}\n\nVerdict: {label}") == label
    assert LETTERS.read(f"Verdict: {label}\n\n{said}") == label
