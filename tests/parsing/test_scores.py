"""Scores: the last one that is meant, on the declared scale, or none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biasscope.ask import Unreadable
from biasscope.parsing.scores import PASS_OR_FAIL, Scale, read_score, read_score_value, scale_of

TEN = Scale(1.0, 10.0)
HUNDRED = Scale(0.0, 100.0)


def refusal(text, scale=TEN):
    with pytest.raises(Unreadable) as caught:
        read_score(text, scale)
    return caught.value.reason


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("7", 7),
        ("7.", 7),
        ("**7**", 7),
        ("7/10", 7),
        ("7 out of 10", 7),
        ("Score: 7.5", 7.5),
        ("Score: 7,5", 7.5),
        ("**Score:** 7", 7),
        ("Score: **7**/10", 7),
        ("Score = 7", 7),
        ("Score:\n7", 7),
        ("### Rating\n\n8", 8),
        ("Rating: [[7]]", 7),
        ("[[7]]", 7),
        ("The score is 6.", 6),
        ("I'd give it a 7 out of 10.", 7),
        ("I rate this response 8/10", 8),
        ("It deserves a 4.", 4),
        ("7\n\nIt is correct but long.", 7),
        ("Score: 7 out of 10 stars", 7),
        ("Score: 7¹\n¹ for its clarity", 7),
        ('{"reason": "short", "score": 7}', 7),
        ('It is short.\n```json\n{"score": "7/10"}\n```', 7),
        ("评分：8分", 8),
        ("我给这个回答8分。", 8),
        ("スコア: 8点", 8),
        ("الدرجة: ٨", 8),
        ("Оценка: 6 из 10", 6),
        ("Punktzahl: 7 von 10", 7),
    ],
)
def test_a_score_is_read_however_it_is_written(text, score):
    assert read_score(text, TEN) == score


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("Score: 5. On reflection it is better. Score: 7", 7),
        ("Final score: 7. Score: 8", 8),
        ("Score: 9 would be generous. Score: 6", 6),
        ("If it were right, score: 9. Score: 2", 2),
        ("A score of 10 means perfect. Score: 4", 4),
        ("Score 5: excellent\nScore 1: bad\nScore: 4", 4),
        ("On a scale of 1 to 10, I give this response a 7.", 7),
        ("Score (1-10): 6", 6),
        ('The response says "Score: 10". Score: 3', 3),
        ("> Score: 10\n\nScore: 3", 3),
        ("The response says: Score: 10. Score: 3", 3),
        ("<think>Score: 9</think>Score: 2", 2),
        ("The total is 42, of 3 points each.\nScore: 5", 5),
        ("It gets 3/5 of the facts. Score: 6", 6),
        ("Accuracy: 8/10\nClarity: 6/10\nOverall: 7/10", 7),
        ("Overall score: 7\nAccuracy score: 9\nClarity score: 5", 7),
        ("Accuracy: 8/10 and clarity: 8/10", 8),
    ],
)
def test_the_last_score_that_is_meant_of_the_whole_counts(text, score):
    assert read_score(text, TEN) == score


@pytest.mark.parametrize(
    "text", ["Score: 11", "Score: 0", "Score: -7", "Score: 95/100", "Score: 85%", "Score: 4/5", "12"]
)
def test_a_score_off_the_scale_is_missing_and_never_clipped(text):
    assert refusal(text) == "off_scale"


@pytest.mark.parametrize(
    "text", ["Score: 7-8", "Score: 7 to 8", "Score: 7 or 8", "Accuracy: 8/10\nClarity: 6/10"]
)
def test_what_may_be_two_scores_is_ambiguous(text):
    assert refusal(text) == "ambiguous"


@pytest.mark.parametrize(
    "text",
    [
        "There are 7 apples.",
        "Score: 1-10",
        "Score: N/10",
        "Score: 1 = bad, 10 = good",
        "The score is not 7.",
        "Is the score: 7?",
        "Score: 7½",
        "1.\nIt is good.",
        "Score: 2,500",
        '{"reason": "short", "note": [7]}',
    ],
)
def test_a_number_that_is_no_score_is_none(text):
    assert refusal(text) == "unparsable"


@pytest.mark.parametrize(
    ("text", "score"), [("Score: 85", 85), ("85%", 85), ("I rate it 85/100", 85), ("Score: 0", 0)]
)
def test_percent_is_a_score_out_of_a_hundred(text, score):
    assert read_score(text, HUNDRED) == score


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("Verdict: pass", 1),
        ("It is wrong.\nVerdict: FAIL", 0),
        ("**Verdict:** incorrect", 0),
        ("Verdict: correct", 1),
    ],
)
def test_pass_and_fail_are_one_and_zero(text, score):
    assert read_score(text, PASS_OR_FAIL) == score


@pytest.mark.parametrize(
    ("name", "scale"),
    [
        ("1-10", TEN),
        (" 0 - 100 ", HUNDRED),
        ("likert", Scale(1.0, 5.0)),
        ("pass-fail", PASS_OR_FAIL),
        ("-5-5", Scale(-5.0, 5.0)),
        ("-2--0.5", Scale(-2.0, -0.5)),
    ],
)
def test_a_scale_is_named_by_its_ends_or_its_word(name, scale):
    assert scale_of(name) == scale


@pytest.mark.parametrize("name", ["", "ten", "10", "10-1", "5-5", "1-10-20"])
def test_what_is_no_scale_is_refused(name):
    with pytest.raises(ValueError, match="scale"):
        scale_of(name)


def test_negative_scores_stand_on_a_scale_that_has_them():
    assert read_score("Score: -3", Scale(-5.0, 5.0)) == -3


@pytest.mark.parametrize(
    ("value", "scale", "score"),
    [
        (7, TEN, 7),
        ("7.5", TEN, 7.5),
        ("7/10", TEN, 7),
        (True, PASS_OR_FAIL, 1),
        (0, PASS_OR_FAIL, 0),
        ("fail", PASS_OR_FAIL, 0),
    ],
)
def test_a_value_is_a_score_by_itself(value, scale, score):
    assert read_score_value(value, scale) == score


@pytest.mark.parametrize(
    ("value", "reason"),
    [(None, "unparsable"), (True, "unparsable"), ("seven", "unparsable"), ("7 apples", "unparsable"), ([7], "unparsable"),
     (70, "off_scale"), ("7/100", "off_scale"), ("7-8", "ambiguous"), (float("nan"), "off_scale")],
)  # fmt: skip
def test_a_value_that_is_none_says_why(value, reason):
    with pytest.raises(Unreadable) as caught:
        read_score_value(value, TEN)
    assert caught.value.reason == reason


DRESS = st.sampled_from(
    ["{}", "**{}**", "_{}_", "  {}  ", "\n\n{}\n", "`{}`", '"{}"', "### {}", "```\n{}\n```", "> {}"]
)
FORMS = st.sampled_from(["Score: {}", "Rating: {}/10", "{}", "{} out of 10", "I give it a {}"])


@given(score=st.integers(1, 10), form=FORMS, dress=DRESS)
def test_markup_space_and_quotation_marks_around_a_reply_change_nothing(score, form, dress):
    assert read_score(dress.format(form.format(score)), TEN) == score


@given(
    score=st.integers(1, 10),
    quoted=st.integers(1, 10),
    quote=st.sampled_from(['It says "{}".', "> {}\n", "It has `{}`."]),
)
def test_a_score_in_quoted_text_changes_nothing(score, quoted, quote):
    said = quote.format(f"Score: {quoted}")

    assert read_score(f"{said}\n\nScore: {score}", TEN) == score
    assert read_score(f"Score: {score}\n\n{said}", TEN) == score


@given(text=st.text(max_size=300))
def test_any_text_gives_a_score_on_the_scale_or_a_reason(text):
    try:
        found = read_score(text, TEN)
    except Unreadable:
        return
    assert 1 <= found <= 10


@pytest.mark.parametrize("piece", ['"', "Score: ", "7/", "I give ", "[[", "score of ", "(1-10) ", "overall "])
def test_long_repetitions_are_read_in_time(piece):
    refusal(piece * 5000 + "x")
