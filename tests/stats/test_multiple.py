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


def test_few_findings_cost_twice_as_much_by_hand():
    # .01 of four by itself: 2 * .01 * 4; the last rank, .2 of four at twice the price, is cheaper for none of them
    assert multiple.adjusted_for_few([0.01, 1.0, 1.0, 1.0]) == pytest.approx([0.08, 1, 1, 1])
    # five alike are more than a few: .03 * 5 / 5
    assert multiple.adjusted_for_few([0.03] * 5) == pytest.approx([0.03] * 5)
    assert multiple.adjusted_for_few([0.03] * 4) == pytest.approx([0.06] * 4)
    assert multiple.adjusted_for_few([]) == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20), st.sampled_from([0.01, 0.05, 0.2]))
def test_more_than_a_few_findings_are_those_of_the_plain_correction_and_fewer_never_more(ps, q):
    plain = [v <= q for v in multiple.adjusted(ps)]
    strict = [v <= q for v in multiple.adjusted_for_few(ps)]

    if sum(plain) > multiple.FEW:
        assert strict == plain
    else:
        half = [v <= q / 2 for v in multiple.adjusted(ps)]
        assert all(p or not s for s, p in zip(strict, plain, strict=True))
        assert strict == half


def test_fcr_level_needs_a_sensible_count():
    assert multiple.fcr_level(0.05, 2, 10) == pytest.approx(0.99)
    # what was not selected is shown at the level of one that was
    assert multiple.fcr_level(0.05, 0, 10) == pytest.approx(0.995)
    for selected, tested in ((3, 2), (-1, 2), (0, 0)):
        with pytest.raises(ValueError, match="selected"):
            multiple.fcr_level(0.05, selected, tested)
