"""Whether a fix works, by cells: every outcome is recognised where it is planted, and none where nothing is."""

import numpy as np
import pytest

from biasscope.stats.mitigation import Judged, fix_effects, pull_of

N = 300
CLUSTERS = np.arange(N)


def cells(seed, *, error=0.3, pull=0.0, both=0.0, n=N):
    """Scores [4, n] of a judge whose error moves by `pull` with the trait on one response, and by `both` on both."""
    rng = np.random.default_rng(seed)
    rates = np.array([error, error + pull, error - pull, error + both])
    # Half of the orders of an item are the same draw, so that scores lie on the grid of two orders.
    return (rng.random((2, 4, n)) < rates[None, :, None]).mean(axis=0)


def judged(before, after, **given):
    return Judged(before, after, before, after, given.pop("clusters", CLUSTERS), **given)


def one(before, after, **given):
    return fix_effects([judged(before, after, **given)])[0]


def test_a_guard_that_takes_the_pull_away_works():
    found = one(cells(1, pull=0.2), cells(2, pull=0.0))
    assert found.status == "works"
    assert found.shrink.low > 0
    assert found.before.value == pytest.approx(0.2, abs=0.06)
    assert abs(found.after.value) < 0.06


def test_what_the_trait_gave_to_the_better_response_is_no_error_that_a_fix_adds():
    found = one(cells(1, pull=0.2), cells(2, pull=0.0))
    chosen = found.cells[2]
    assert chosen.cell == "chosen"
    assert chosen.after.value - chosen.before.value > 0.1
    assert abs(chosen.rise.value) < 0.08


def test_a_guard_that_does_nothing_is_not_shown_to_work():
    found = one(cells(1, pull=0.2), cells(2, pull=0.2))
    assert found.status == "not_shown"
    assert 0 < found.detectable < 0.2


def test_a_judge_that_is_not_pulled_has_nothing_to_mend():
    assert one(cells(1), cells(2)).status == "no_pull"


@pytest.mark.parametrize(("cell", "where"), [(0, "neither"), (1, "the worse"), (2, "the better"), (3, "both")])
def test_a_fix_that_adds_errors_in_any_cell_is_harmful(cell, where):
    after = cells(2)
    after[cell] = cells(3, error=0.8)[0]
    found = one(cells(1, pull=0.15), after)
    assert found.status in ("raises_error", "turned_round")
    assert found.cells[cell].q <= 0.05
    if found.status == "raises_error":
        assert where in found.reason


def test_a_fix_that_turns_the_bias_round_is_harmful():
    found = one(cells(1, pull=0.15), cells(2, pull=-0.15))
    assert found.status == "turned_round"
    assert found.after.high < 0


def test_a_pull_in_log_odds_is_counted_apart_from_the_errors():
    rng = np.random.default_rng(4)
    stuck = np.full((4, N), 0.5)
    before = rng.normal(0, 0.5, (4, N)) + np.array([0, 0.4, -0.4, 0])[:, None]
    after = rng.normal(0, 0.5, (4, N))
    found = fix_effects([Judged(stuck, stuck, before, after, CLUSTERS, "log-odds")])[0]
    assert (found.status, found.unit) == ("works", "log-odds")
    assert found.before.value == pytest.approx(0.4, abs=0.1)
    assert all(cell.rise.value == 0 for cell in found.cells)


def test_variants_of_one_question_count_as_one_draw():
    before, after = cells(1, pull=0.2, n=20), cells(2, n=20)
    alone = one(before, after, clusters=np.arange(20))
    copies = one(*(np.repeat(a, 15, axis=1) for a in (before, after)), clusters=np.repeat(np.arange(20), 15))
    assert copies.p == pytest.approx(alone.p)
    assert copies.shrink.se == pytest.approx(alone.shrink.se)


def test_what_is_missing_is_left_out_of_what_needs_it_and_of_nothing_else():
    before, after = cells(1, pull=0.2), cells(2)
    before[1, :10] = np.nan
    after[0, 10:20] = np.nan
    found = one(before, after)
    assert found.shrink.n == N - 10
    assert [cell.rise.n for cell in found.cells] == [N - 10, N - 10, N, N]


def test_without_a_variant_that_was_judged_there_is_no_signal():
    nothing = np.full((4, N), np.nan)
    found = one(nothing, cells(2))
    assert found.status == "no_signal"
    assert found.shrink is None
    assert found.detectable is None
    assert fix_effects([]) == []


def test_all_fixes_and_biases_share_one_correction():
    weak = [judged(cells(s, pull=0.05, n=N), cells(s + 100, n=N)) for s in range(12)]
    alone = [fix_effects([one])[0].q for one in weak]
    together = [found.q for found in fix_effects(weak)]
    assert all(t >= a - 1e-12 for a, t in zip(alone, together, strict=True))
    assert max(t - a for a, t in zip(alone, together, strict=True)) > 0


def test_fixes_that_do_nothing_are_seldom_called_anything_else():
    called = [
        one(cells(s, pull=0.15, n=80), cells(s + 5000, pull=0.15, n=80), clusters=np.arange(80)).status
        for s in range(200)
    ]
    # A single run errs at 5 % for each of three kinds of claim, of which four cells share one.
    assert sum(status in ("works", "raises_error", "turned_round") for status in called) <= 24


def test_shapes_and_levels_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="four arrays"):
        Judged(cells(1), cells(1)[:, :5], cells(1), cells(1), CLUSTERS)
    with pytest.raises(ValueError, match="between 0 and 1"):
        fix_effects([], q=0.0)


def test_the_pull_is_half_of_what_moving_the_trait_does():
    assert pull_of(np.array([[0.0], [1.0], [0.5], [0.0]])).tolist() == [0.25]
