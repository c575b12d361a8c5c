"""Ranks, and which of them the items tell apart."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biasscope.stats.ranks import Rank, ranks
from biasscope.stats.transfer import Difference, paired_differences


def told(value, q):
    return Difference(value, None, None, q, q, 100)


def test_ranks_count_who_errs_less_and_ranges_who_is_shown_to():
    # 0 and 1 are alike, both are told from 2; 3 has no error
    errors = [0.21, 0.2, 0.4, None]
    differences = {
        (0, 1): told(-0.01, 0.8),
        (0, 2): told(0.19, 0.001),
        (1, 2): told(0.2, 0.001),
        (0, 3): told(None, None),
        (1, 3): told(None, None),
        (2, 3): told(None, None),
    }

    assert ranks(errors, differences) == [Rank(2, 1, 2), Rank(1, 1, 2), Rank(3, 3, 3), Rank(None, None, None)]


def test_equal_errors_share_the_better_rank_and_one_judge_is_first():
    assert ranks([0.3, 0.3, 0.5], {}) == [Rank(1, 1, 3), Rank(1, 1, 3), Rank(3, 1, 3)]
    assert ranks([0.5], {}) == [Rank(1, 1, 1)]


def test_what_common_items_show_counts_more_than_rates_on_items_that_differ():
    assert ranks([0.3, 0.2], {(0, 1): told(0.1, 0.01)}) == [Rank(1, 1, 1), Rank(2, 2, 2)]


@pytest.mark.parametrize("q", [0, 1])
def test_a_level_that_is_none_is_refused(q):
    with pytest.raises(ValueError, match="q between"):
        ranks([0.5], {}, q=q)


@given(st.lists(st.floats(0.05, 0.95), min_size=2, max_size=5), st.integers(0, 1000))
def test_a_rank_lies_in_its_range(rates, seed):
    rng = np.random.default_rng(seed)
    scores = [(rng.random(60) < rate).astype(float) for rate in rates]
    names = [(j, k) for j in range(len(rates)) for k in range(j + 1, len(rates))]
    found = paired_differences([(scores[j], scores[k], np.arange(60)) for j, k in names])
    placed = ranks([float(s.mean()) for s in scores], dict(zip(names, found, strict=True)))

    assert all(p.best <= p.rank <= p.worst for p in placed)
