"""The gate of a human review."""

import pytest

from biasscope.stats.effects import wilson
from biasscope.stats.review_gate import review_gate


def test_enough_agreement_and_enough_that_is_valid_passes():
    found = review_gate(0.7, 95, 100)

    assert found.passes
    assert (found.share, found.low, found.failures) == (0.95, wilson(95, 100)[0], ())


@pytest.mark.parametrize(
    ("ac1", "valid", "items", "said"),
    [
        (0.699, 95, 100, ["agree too little: AC1 0.70"]),
        (0.9, 899, 1000, ["too few rewrites are valid: 89.9%"]),
        (0.9, 20, 22, ["too few rewrites were reviewed"]),  # 91 % of few: Wilson's bound is .72
        (0.9, 92, 100, []),  # 92 of 100: Wilson's bound is .850
        (0.9, 91, 100, ["too few rewrites were reviewed"]),
        (None, 95, 100, ["no rewrite has two reviews"]),
        (0.2, 40, 100, ["agree too little", "too few rewrites are valid", "too few rewrites were reviewed"]),
        (None, 0, 0, ["no rewrite has two reviews", "no rewrite has been decided"]),
    ],
)
def test_each_condition_is_needed_and_named(ac1, valid, items, said):
    found = review_gate(ac1, valid, items)

    assert found.passes == (not said)
    assert len(found.failures) == len(said)
    assert all(words in failure for words, failure in zip(said, found.failures, strict=True))


def test_more_valid_than_there_are_is_refused():
    with pytest.raises(ValueError, match="0 <= valid <= items"):
        review_gate(0.9, 5, 4)
