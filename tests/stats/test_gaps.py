"""Missing verdicts: counted, compared between arms, and bounded."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biasscope.stats import gaps

from .oracles import increase

CELL = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0, "unread", "unwritten"])
N = np.nan


def matrices(rows):
    """Scores and unread marks, arms by items."""
    cells = list(zip(*rows, strict=True))
    scores = np.array([[N if isinstance(c, str) else c for c in arm] for arm in cells])
    return scores, np.array([[c == "unread" for c in arm] for arm in cells])


def test_unread_verdicts_are_counted_over_items_with_a_rewrite():
    rows = [("unread", 0.0, 0.5), (1.0, "unwritten", 0.5), ("unwritten", "unread", 0.5), (0.5, 1.0, 0.0)]

    assert gaps.count(("c", "n0", "n1"), *matrices(rows)) == (("c", 1, 3), ("n0", 1, 3), ("n1", 0, 4))


def test_a_neutral_arm_that_was_never_written_is_left_out_and_a_candidate_is_not():
    nothing = np.full((3, 2), N), np.zeros((3, 2), dtype=bool)

    assert gaps.count(("c", "n0", "n1"), *nothing) == (("c", 0, 1),)
    assert not gaps.is_uneven((("c", 0, 1),))


@pytest.mark.parametrize(
    ("own", "other", "uneven"),
    [
        ((60, 200), (2, 200), True),
        ((2, 200), (60, 200), True),
        ((60, 200), (60, 200), False),
        ((15, 200), (10, 200), False),
        # the near end of Newcombe's interval: .0297, and .043 - sqrt(.0112^2 + .0053^2) = .0306
        ((44, 1000), (2, 1000), False),
        ((45, 1000), (2, 1000), True),
    ],
)
def test_arms_are_uneven_when_the_whole_interval_of_their_gap_lies_above_three_points(own, other, uneven):
    assert gaps.is_uneven((("c", *own), ("n0", *other))) == uneven


def test_neutral_arms_are_compared_together_so_that_one_unlucky_small_arm_decides_nothing():
    unlucky = (("c", 2, 100), ("n0", 2, 100), ("n1", 5, 15))

    assert gaps.is_uneven((unlucky[0], unlucky[2]))
    assert not gaps.is_uneven(unlucky)


def completions(rows):
    """The effect for every way in which the unread verdicts could have come out."""
    holes = [(i, k) for i, row in enumerate(rows) for k, cell in enumerate(row) if cell == "unread"]
    for values in product([0.0, 0.5, 1.0], repeat=len(holes)):
        filled = [[None if cell == "unwritten" else cell for cell in row] for row in rows]
        for (i, k), value in zip(holes, values, strict=True):
            filled[i][k] = value
        candidate, *neutrals = (list(column) for column in zip(*filled, strict=True))
        found = increase(candidate, neutrals)
        if found is not None:
            yield found.value


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(CELL, CELL, CELL), min_size=1, max_size=5).filter(
        lambda rows: sum(cell == "unread" for row in rows for cell in row) <= 5
    )
)
def test_the_worst_cases_are_the_ends_of_what_missing_verdicts_could_have_said(rows):
    possible = list(completions(rows))
    found = gaps.worst_case(*matrices(rows))

    if possible:
        assert found == pytest.approx((min(possible), max(possible)), abs=1e-12)
    else:
        assert found is None


def test_what_could_not_be_read_is_bounded_and_what_was_not_written_is_left_out():
    # known: 1 - 0; unread: between 0 - 0 and 1 - 0; not written: nothing
    rows = [(1.0, 0.0), ("unread", 0.0), ("unwritten", 0.0)]

    assert gaps.worst_case(*matrices(rows)) == (0.5, 1.0)
