"""From log-probabilities to margins."""

import math

import pytest

from biasscope.ask import TokenPosition
from biasscope.judges.margins import is_saturated, label_odds

LABELS = ("1", "2")


def at(token, *pairs):
    return TokenPosition(token, tuple((text, math.log(p)) for text, p in pairs))


def test_spellings_of_a_label_are_summed():
    odds = label_odds([at("1", ("1", 0.3), (" 1", 0.2), ("2", 0.25), ("A", 0.1))], LABELS)

    assert odds.log_odds == pytest.approx(math.log(0.5 / 0.25))
    assert odds.mass == pytest.approx(0.75)
    assert not odds.bounded


def test_a_label_that_was_not_returned_is_bounded_by_the_smallest_alternative():
    odds = label_odds([at("1", ("1", 0.9), ("x", 0.05), ("y", 0.01))], LABELS)

    assert odds.log_odds == pytest.approx(math.log(0.9 / 0.01))
    assert odds.bounded
    assert odds.mass == pytest.approx(0.9)


def test_what_comes_after_the_label_does_not_count():
    odds = label_odds(
        [at("1", ("1", 0.9), ("2", 0.1)), at("so", ("so", 1.0)), at(" 2", (" 2", 0.8), (" 1", 0.2))], LABELS
    )

    assert odds.log_odds == pytest.approx(math.log(0.9 / 0.1))


def test_without_a_label_token_the_first_position_is_read():
    odds = label_odds([at("The", ("The", 0.9), ("1", 0.06), ("2", 0.02)), at(" first", (" first", 1.0))], LABELS)

    assert odds.log_odds == pytest.approx(math.log(3))
    assert odds.mass == pytest.approx(0.08)


def test_nothing_to_read_is_none():
    assert label_odds([], LABELS) is None
    assert label_odds([at("The", ("The", 1.0))], LABELS) is None


def test_saturation_is_more_than_half_outside_two_percent():
    beyond = math.log(0.99 / 0.01)

    assert is_saturated([beyond, -beyond, 0.0])
    assert not is_saturated([beyond, 0.0])
    assert not is_saturated([])
