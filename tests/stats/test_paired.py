"""The exact within-item test, its limits, and the sign-flip test."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from biasscope.stats.paired import SMALLEST_P, exact_p, exact_p_of, sign_flip_p, sign_flip_p_of

from .oracles import attainable_p

GRID = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])


def brute_force(candidate, neutrals):
    """Every choice of which arm is the candidate, each as likely as the others, item by item."""
    items = list(zip(candidate, *neutrals, strict=True))
    observed = sum(candidate)
    hits = total = 0
    for draw in product(*items):
        total += 1
        hits += sum(draw) >= observed - 1e-9
    return hits / total


@given(st.lists(st.tuples(GRID, GRID, GRID), min_size=1, max_size=6))
def test_exact_p_is_what_enumerating_every_exchange_gives(rows):
    candidate, *neutrals = (list(column) for column in zip(*rows, strict=True))

    assert exact_p(candidate, neutrals) == pytest.approx(brute_force(candidate, neutrals), abs=1e-9)


def test_with_one_neutral_and_hard_scores_it_is_mcnemars_exact_test():
    candidate = [1.0] * 9 + [0.0] * 3 + [1.0] * 20
    neutral = [0.0] * 9 + [1.0] * 3 + [1.0] * 20

    assert exact_p(candidate, [neutral]) == pytest.approx(binomtest(9, 12, alternative="greater").pvalue)


def test_items_without_a_candidate_or_any_neutral_score_say_nothing():
    with_gaps = exact_p([1.0, None, 1.0, 1.0], [[0.0, 1.0, None, 0.0]])

    assert with_gaps == exact_p([1.0, 1.0], [[0.0, 0.0]]) == pytest.approx(0.25)


def test_no_difference_anywhere_gives_one():
    assert exact_p([0.5, 0.5], [[0.5, 0.5], [0.5, 0.5]]) == 1.0


@pytest.mark.parametrize("off", [0.3, -0.25, 1.25])
def test_a_score_off_the_quarter_grid_is_refused(off):
    with pytest.raises(ValueError, match="must be 0"):
        exact_p([off], [[0.0]])
    with pytest.raises(ValueError, match="must be 0"):
        exact_p([0.0], [[off], [None]])


def test_arms_of_different_length_are_refused():
    with pytest.raises(ValueError, match="as long as the candidate"):
        exact_p([1.0, 0.0], [[0.0]])


@given(st.lists(st.tuples(GRID, GRID, GRID), min_size=1, max_size=40))
def test_no_p_value_is_below_the_attainable_one(rows):
    candidate, *neutrals = (list(column) for column in zip(*rows, strict=True))

    assert exact_p(candidate, neutrals) >= attainable_p(candidate, neutrals) - 1e-9


def test_attainable_p_of_verdicts_that_never_change_is_one():
    assert attainable_p([0.5] * 50, [[0.5] * 50] * 3) == 1.0


@given(st.lists(st.tuples(GRID, GRID, GRID), min_size=1, max_size=20), st.randoms(use_true_random=False))
def test_the_order_of_items_and_of_neutral_arms_does_not_matter(rows, random):
    candidate, *neutrals = (list(column) for column in zip(*rows, strict=True))
    random.shuffle(rows)
    shuffled, *others = (list(column) for column in zip(*rows, strict=True))

    assert exact_p(shuffled, others[::-1]) == pytest.approx(exact_p(candidate, neutrals), abs=1e-12)


def test_a_matrix_with_gaps_says_the_same_as_lists_with_gaps():
    rng = np.random.default_rng(1)
    arms = rng.integers(0, 5, (4, 120)) / 4
    arms[rng.random(arms.shape) < 0.1] = np.nan
    lists = [[None if np.isnan(s) else float(s) for s in arm] for arm in arms]

    assert exact_p_of(arms) == exact_p(lists[0], lists[1:])


def test_large_samples_agree_with_convolving_item_by_item():
    rng = np.random.default_rng(2)
    arms = rng.integers(0, 5, (4, 300)) / 4
    arms[0] = np.minimum(1, arms[0] + 0.25 * (rng.random(300) < 0.3))
    law = np.ones(1)
    for item in (4 * arms).astype(int).T:
        law = np.convolve(law, np.bincount(item, minlength=5) / 4)
    expected = law[int((4 * arms[0]).sum()) :].sum()

    assert exact_p_of(arms) == pytest.approx(expected, rel=1e-9)


def test_mispaired_items_give_another_p_value():
    candidate, neutral = [1.0, 1.0, 1.0, 0.0], [1.0, 1.0, 0.0, 0.0]

    assert exact_p(candidate, [neutral]) == 0.5
    assert exact_p(candidate, [neutral[::-1]]) != 0.5


def test_sign_flip_enumerates_small_samples():
    differences = [0.3, 0.1, 0.2, -0.05]

    # 16 sign patterns; at least .55 is reached by all plus (.65) and by flipping only the .05 back (.55).
    assert sign_flip_p(differences) == pytest.approx(2 / 16)


def test_sign_flip_with_equal_sizes_is_the_sign_test_however_many_there_are():
    for positive, n in ((9, 12), (40, 60), (160, 300)):
        differences = [0.2] * positive + [-0.2] * (n - positive)

        expected = binomtest(positive, n, alternative="greater").pvalue
        assert sign_flip_p(differences) == pytest.approx(expected, rel=1e-3)


def test_sign_flip_keeps_its_relative_accuracy_where_drawn_patterns_say_nothing():
    # against the exact law of a sum on the grid of tenths: a p of about one in a billion
    rng = np.random.default_rng(3)
    tenths = rng.integers(1, 8, 200) * np.where(rng.random(200) < 0.74, 1, -1)
    law = np.ones(1)
    for size in np.abs(tenths):
        law = np.convolve(law, np.bincount([0, 2 * size]) / 2)
    expected = law[(np.abs(tenths).sum() + tenths.sum()) :].sum()

    assert 1e-11 < expected < 1e-7
    assert sign_flip_p(list(tenths / 10)) == pytest.approx(expected, rel=1e-3)


def test_sign_flip_is_never_below_the_floor_and_the_same_every_time():
    assert sign_flip_p([0.3] * 400) == SMALLEST_P
    assert sign_flip_p([0.3 + i / 100 for i in range(20)]) == pytest.approx(2.0**-20)
    assert sign_flip_p([-0.3 - i / 100 for i in range(20)]) == 1.0


@given(st.lists(st.floats(-5, 5, allow_nan=False, width=16), min_size=1, max_size=40))
def test_sign_flip_does_not_depend_on_order_or_unit(differences):
    p = sign_flip_p(differences)

    assert 0 < p <= 1
    assert sign_flip_p(sorted(differences)) == p
    assert sign_flip_p([4 * d for d in differences]) == pytest.approx(p, rel=1e-9)


def test_sign_flip_leaves_out_what_is_missing_and_refuses_what_is_infinite():
    assert sign_flip_p_of(np.array([0.3, np.nan, 0.1, 0.0])) == sign_flip_p([0.3, 0.1]) == 0.25
    with pytest.raises(ValueError, match="finite"):
        sign_flip_p([np.inf, 0.1])


def test_sign_flip_of_nothing_is_one():
    assert sign_flip_p([]) == 1.0
    assert sign_flip_p([0.0, 0.0]) == 1.0
