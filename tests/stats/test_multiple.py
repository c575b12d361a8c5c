"""Many candidates at once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biasscope.stats import multiple


def test_adjusted_p_values_by_hand():
    assert multiple.adjusted([0.01, 0.04, 0.03, 1.0]) == pytest.approx([0.04, 0.16 / 3, 0.16 / 3, 1.0])
    assert multiple.adjusted([]) == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20), st.sampled_from([0.01, 0.05, 0.2]))
def test_rejecting_what_is_at_most_q_is_the_step_up_procedure(ps, q):
    ranked = sorted(ps)
    passed = [p for k, p in enumerate(ranked, 1) if p * len(ps) / k <= q]
    cut = max(passed, default=-1.0)

    assert [v <= q for v in multiple.adjusted(ps)] == [p <= cut for p in ps]


def test_few_findings_cost_more_by_hand():
    # a lone one of four costs five times as much, a pair and up to four twice, then less, eight nothing more
    assert multiple.adjusted_for_few([0.01, 1.0, 1.0, 1.0]) == pytest.approx([0.2, 1, 1, 1])
    assert multiple.adjusted_for_few([0.01, 0.02, 1.0, 1.0]) == pytest.approx([0.08, 0.08, 1, 1])
    assert multiple.adjusted_for_few([0.03] * 5) == pytest.approx([0.048] * 5)
    assert multiple.adjusted_for_few([0.03] * 8) == pytest.approx([0.03] * 8)
    assert multiple.adjusted_for_few([0.03] * 4) == pytest.approx([0.06] * 4)
    assert multiple.adjusted_for_few([]) == []
    assert [multiple.price(n) for n in (0, 1, 2, 4, 5, 8, 9)] == [5, 5, 2, 2, 1.6, 1, 1]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20), st.sampled_from([0.01, 0.05, 0.2]))
def test_few_findings_are_a_step_up_too_and_never_more_than_the_plain_ones(ps, q):
    plain = [v <= q for v in multiple.adjusted(ps)]
    strict = [v <= q for v in multiple.adjusted_for_few(ps)]
    ranked = sorted(ps)
    passed = [p for k, p in enumerate(ranked, 1) if p * multiple.price(k) * len(ps) / k <= q]

    assert strict == [p <= max(passed, default=-1.0) for p in ps]
    assert all(p or not s for s, p in zip(strict, plain, strict=True))
    assert strict == plain or sum(plain) <= multiple.FEW


def test_fcr_level_needs_a_sensible_count():
    assert multiple.fcr_level(0.05, 2, 10) == pytest.approx(0.99)
    # what was not selected is shown at the level of one that was
    assert multiple.fcr_level(0.05, 0, 10) == pytest.approx(0.995)
    for selected, tested in ((3, 2), (-1, 2), (0, 0)):
        with pytest.raises(ValueError, match="selected"):
            multiple.fcr_level(0.05, selected, tested)
