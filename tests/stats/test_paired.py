"""The exact within-item test, its limits, and the sign-flip test."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from biasscope.stats.paired import attainable_p, exact_p, sign_flip_p

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


def test_a_score_off_the_quarter_grid_is_refused():
    with pytest.raises(ValueError, match="must be 0"):
        exact_p([0.3], [[0.0]])


def test_arms_of_different_length_are_refused():
    with pytest.raises(ValueError, match="as long as the candidate"):
        exact_p([1.0, 0.0], [[0.0]])


@given(st.lists(st.tuples(GRID, GRID, GRID), min_size=1, max_size=40))
def test_no_p_value_is_below_the_attainable_one(rows):
    candidate, *neutrals = (list(column) for column in zip(*rows, strict=True))

    assert exact_p(candidate, neutrals) >= attainable_p(candidate, neutrals) - 1e-9


def test_attainable_p_of_verdicts_that_never_change_is_one():
    assert attainable_p([0.5] * 50, [[0.5] * 50] * 3) == 1.0


def test_sign_flip_enumerates_small_samples():
    differences = [0.3, 0.1, 0.2, -0.05]

    # 16 sign patterns; at least .55 is reached by all plus (.65) and by flipping only the .05 back (.55).
    assert sign_flip_p(differences, names=("t",)) == pytest.approx(2 / 16)


def test_sign_flip_is_seeded_by_names_and_near_the_normal_tail():
    differences = [0.02 * ((7 * i) % 11 - 4) for i in range(60)]
    mean = sum(differences) / 60
    z = mean / ((sum(d * d for d in differences) / 60) ** 0.5 / 60**0.5)
    p = sign_flip_p(differences, names=("a", 1))

    assert p == sign_flip_p(differences, names=("a", 1))
    from scipy.stats import norm

    assert p == pytest.approx(norm.sf(z), abs=0.01)


def test_sign_flip_of_nothing_is_one():
    assert sign_flip_p([], names=()) == 1.0
    assert sign_flip_p([0.0, 0.0], names=()) == 1.0
