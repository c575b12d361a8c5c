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


def test_fcr_level_needs_a_sensible_count():
    assert multiple.fcr_level(0.05, 2, 10) == pytest.approx(0.99)
    # what was not selected is shown at the level of one that was
    assert multiple.fcr_level(0.05, 0, 10) == pytest.approx(0.995)
    for selected, tested in ((3, 2), (-1, 2), (0, 0)):
        with pytest.raises(ValueError, match="selected"):
            multiple.fcr_level(0.05, selected, tested)
