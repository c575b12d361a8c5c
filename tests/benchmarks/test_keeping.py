"""What a filter keeps, by a rule that is written down."""

import pytest

from biasscope.benchmarks.keeping import KeepRule, of_cells, outcome, parse_rule
from biasscope.errors import UsageError
from biasscope.records import ONE_PRESENTATION, ORDERS


@pytest.mark.parametrize(
    ("text", "judges", "least"), [("2/3", 3, 2), (" 1 / 1 ", 1, 1), (None, 3, 2), (None, 2, 2), (None, 1, 1)]
)
def test_a_rule_is_read_and_more_than_half_is_the_usual_one(text, judges, least):
    rule = parse_rule(text, judges)
    assert rule == KeepRule(least, judges)
    assert parse_rule(str(rule), judges) == rule


@pytest.mark.parametrize(
    ("text", "judges", "word"),
    [("2of3", 3, "is no rule"), ("", 1, "is no rule"), ("2/3", 2, "about 3 judges, and 2 are named"),
     ("2/3", 1, "and 1 is named"), ("0/2", 2, "keep everything"), ("3/2", 2, "keep nothing")],
)  # fmt: skip
def test_a_rule_that_does_not_fit_is_refused_with_one_that_does(text, judges, word):
    with pytest.raises(UsageError, match=word) as refused:
        parse_rule(text, judges)
    assert refused.value.hint


def test_wrong_is_wrong_in_every_order_and_a_tie_or_nothing_is_not():
    both = dict.fromkeys(ORDERS, "rejected")
    assert outcome(both, ORDERS) == "wrong"
    assert outcome(both | {"chosen_first": "chosen"}, ORDERS) == "not_wrong"
    assert outcome(both | {"chosen_first": "tie"}, ORDERS) == "not_wrong"
    assert outcome(both | {"chosen_first": None}, ORDERS) == "missing"
    assert outcome({"chosen_first": "rejected"}, ORDERS) == "missing"
    assert outcome({}, ()) == "missing"
    assert outcome({None: "rejected"}, ONE_PRESENTATION) == "wrong"


def test_what_is_missing_counts_as_not_wrong():
    rule = KeepRule(2, 3)
    assert rule.keeps(["wrong", "wrong", "missing"])
    assert not rule.keeps(["wrong", "missing", "missing"])
    assert not rule.keeps([])


@pytest.mark.parametrize(
    ("cells", "whole"),
    [(("wrong", "not_wrong"), "wrong"), (("not_wrong", "wrong"), "wrong"), (("wrong", "missing"), "wrong"),
     (("missing", "not_wrong"), "missing"), (("not_wrong", "not_wrong"), "not_wrong")],
)  # fmt: skip
def test_a_crossed_variant_is_wrong_where_either_side_of_the_trait_is(cells, whole):
    assert of_cells(cells) == of_cells(tuple(reversed(cells))) == whole
