"""What a program may answer: the plain words, and what could mean two things."""

import json

import pytest

from biasscope.ask import Unreadable
from biasscope.parsing.program import (
    Comparison,
    Score,
    read_case,
    read_comparison,
    read_score,
    write_case,
    write_failure,
)
from biasscope.parsing.scores import scale_of
from biasscope.records import Message

ASKED = (Message("system", "Be brief."), Message("user", "Why?"))


def refused(read, text, *more):
    with pytest.raises(Unreadable) as error:
        read(text, *more)
    return error.value


def test_a_case_holds_the_question_the_turns_the_texts_and_the_reference():
    case = read_case(write_case("Why?", ASKED, "So.", {"first": "A\u2028b", "second": "ü"}))
    assert case == {
        "kind": "pairwise",
        "question": "Why?",
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Why?"}],
        "first": "A\u2028b",
        "second": "ü",
        "reference": "So.",
    }
    scored = read_case(write_case("Why?", ASKED[1:], None, {"response": "A"}))
    assert (scored["kind"], scored["response"], scored["reference"]) == ("pointwise", "A", None)


@pytest.mark.parametrize("text", ["Which response is better?", "[1]", '{"kind": "chat"}', "{", ""])
def test_a_prompt_is_no_case(text):
    assert read_case(text) is None


@pytest.mark.parametrize(
    ("said", "choice"),
    [
        ("first", "first"), ("SECOND ", "second"), (1, "first"), (2, "second"), ("1", "first"), ("b", "second"),
        ("A", "first"), ("tie", "tie"), ({"choice": "B"}, "second"), ('{"choice": "second"}', "second"),
    ],
)  # fmt: skip
def test_a_choice_is_a_word_a_place_or_a_letter(said, choice):
    assert read_comparison(json.dumps(said)) == Comparison(choice)


def test_an_answer_may_hold_a_margin_and_a_reason():
    text = '{"choice": "second", "margin": -1.5, "reason": " Shorter. ", "seconds": 3}'
    assert read_comparison(text) == Comparison("second", -1.5, "Shorter.")
    assert read_comparison('{"choice": "tie", "margin": 0.1}') == Comparison("tie", 0.1)
    assert read_comparison('{"choice": "first", "margin": 0}') == Comparison("first", 0.0)


@pytest.mark.parametrize("said", [True, False, 0, "0", 1.0, 0.7, {"choice": True}, {"choice": 0}])
def test_what_could_mean_either_response_is_ambiguous_and_named(said):
    error = refused(read_comparison, json.dumps(said))
    assert error.reason == "ambiguous"
    assert json.dumps(said["choice"] if isinstance(said, dict) else said) in error.detail


def test_a_margin_against_the_choice_is_ambiguous():
    assert refused(read_comparison, '{"choice": "first", "margin": -0.5}').reason == "ambiguous"


@pytest.mark.parametrize(
    ("text", "reason", "detail"),
    [
        ("null", "empty", "null"),
        ('""', "empty", '""'),
        ('{"choice": null}', "empty", "null"),
        ('"maybe"', "unparsable", '"maybe"'),
        ("3", "unparsable", "3 is no choice"),
        ("[1]", "unparsable", "[1]"),
        ('{"winner": "first"}', "unparsable", "'choice'"),
        ("Loading ...", "unparsable", "Loading ..."),
        ("", "unparsable", "not JSON"),
        ('{"choice": "first", "margin": NaN}', "unparsable", "finite"),
        ('{"choice": "first", "margin": "much"}', "unparsable", '"much"'),
        ('{"choice": "first", "margin": true}', "unparsable", "true"),
        ('{"error": "ValueError: no", "reason": "failed"}', "failed", "ValueError: no"),
        ('{"error": "busy", "reason": "because"}', "failed", "busy"),
    ],
)
def test_an_answer_without_a_choice_has_a_reason_and_is_shown(text, reason, detail):
    error = refused(read_comparison, text)
    assert error.reason == reason
    assert detail in error.detail
    assert "\n" not in error.detail


def test_a_score_is_a_number_alone_or_in_an_object():
    assert read_score("7") == Score(7.0)
    assert read_score('{"score": -0.25, "reason": "Dull."}') == Score(-0.25, "Dull.")


@pytest.mark.parametrize("text", ["NaN", "Infinity", "true", '"7"', '{"score": [1]}', "1" + "0" * 400])
def test_a_score_that_is_no_finite_number_is_unparsable(text):
    assert refused(read_score, text).reason == "unparsable"


def test_a_score_that_is_absent_is_empty_or_unparsable():
    assert refused(read_score, "null").reason == "empty"
    assert refused(read_score, '{"score": null}').reason == "empty"
    assert refused(read_score, '{"choice": "first"}').reason == "unparsable"


def test_a_declared_scale_has_bounds_and_words_of_its_own():
    ten, words = scale_of("1-10"), scale_of("pass-fail")
    assert read_score("10", ten).value == 10
    assert read_score('"7/10"', ten).value == 7
    assert refused(read_score, "11", ten).reason == "off_scale"
    assert refused(read_score, "NaN", ten).reason == "off_scale"
    assert read_score("true", words).value == 1
    assert read_score('{"score": "fail"}', words).value == 0


def test_a_failure_is_an_answer_with_its_reason():
    assert refused(read_score, write_failure("no answer within 5 s", "timed_out")).reason == "timed_out"
    assert refused(read_comparison, write_failure("a" * 500)).reason == "failed"
