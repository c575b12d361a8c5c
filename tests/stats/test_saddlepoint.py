"""The tail of a sum with random signs, against enumeration, the binomial and the normal law."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, norm

from biasscope.stats.saddlepoint import signed_sum_tail


def enumerated(sizes, reached):
    sums = np.zeros(1)
    for size in sizes:
        sums = np.concatenate([sums + size, sums - size])
    return (sums >= reached - 1e-12 * sum(sizes)).mean()


def drawn_sums(rng, sizes):
    """Observed sums over the whole range, from about the mean to nearly everything positive."""
    return [
        float((sizes * np.where(rng.random(len(sizes)) < share, 1, -1)).sum()) for share in (0.4, 0.55, 0.7, 0.85)
    ]


@given(st.lists(st.sampled_from([0.1, 0.25, 0.5, 1.0, 3.0]), min_size=1, max_size=9), st.integers(-12, 12))
def test_up_to_twelve_sizes_are_enumerated(sizes, twelfths):
    reached = twelfths / 12 * sum(sizes)

    assert signed_sum_tail(np.array(sizes), reached) == pytest.approx(enumerated(sizes, reached), abs=1e-12)


@pytest.mark.parametrize("n", [13, 14, 15, 16, 17, 18])
@pytest.mark.parametrize("kind", ["normal", "heavy", "one giant", "grid", "equal"])
def test_beyond_twelve_the_tail_is_within_four_percent_of_enumeration(kind, n):
    rng = np.random.default_rng(n)
    sizes = {
        "normal": np.abs(rng.normal(size=n)),
        "heavy": np.abs(rng.standard_t(2, size=n)),
        "one giant": np.append(np.abs(rng.normal(size=n - 1)), 30.0),
        "grid": rng.integers(1, 7, n) / 3,
        "equal": np.full(n, 0.25),
    }[kind]

    for reached in drawn_sums(rng, sizes):
        assert signed_sum_tail(sizes, reached) == pytest.approx(enumerated(sizes, reached), rel=0.04)


def test_equal_sizes_with_two_odd_ones_are_the_worst_case():
    rng = np.random.default_rng(7)
    sizes = np.append(np.ones(16), [0.31, 0.31])
    off = [
        abs(math.log(signed_sum_tail(sizes, reached) / enumerated(sizes, reached)))
        for _ in range(10)
        for reached in drawn_sums(rng, sizes)
    ]

    assert 0.04 < max(off) < 0.35


def test_equal_sizes_follow_the_binomial_into_the_far_tail():
    for positive in (110, 130, 150, 165):
        tail = signed_sum_tail(np.ones(200), 2.0 * positive - 200)

        assert tail == pytest.approx(binom.sf(positive - 1, 200, 0.5), rel=1e-3)


def test_the_tail_and_its_mirror_image_make_one():
    sizes = np.random.default_rng(2).gamma(2, 1, 40)

    for reached in (0.0, 1e-7, 0.03, 1.0, 17.0):
        assert signed_sum_tail(sizes, reached) + signed_sum_tail(sizes, -reached) == pytest.approx(1, abs=1e-9)


def test_the_formula_has_no_seam_near_the_mean():
    # around the mean the tail is a smooth curve; where the series takes over it must not jump
    for sizes in (np.random.default_rng(3).gamma(2, 1, 60), np.ones(60)):
        unit = math.sqrt(sizes @ sizes)
        grid = np.linspace(-0.03, 0.03, 121)
        tails = np.array([signed_sum_tail(sizes, z * unit) for z in grid])

        assert np.abs(np.diff(tails, 2)).max() < 1e-7
        assert (np.diff(tails) < 0).all()


def test_many_small_sizes_are_nearly_normal():
    sizes = np.random.default_rng(4).uniform(0.9, 1.1, 3000)
    unit = math.sqrt(sizes @ sizes)

    for z in (0.5, 2.0, 4.0):
        assert signed_sum_tail(sizes, z * unit) == pytest.approx(norm.sf(z), rel=0.02)


def test_the_upper_end_is_exact_however_many_sizes_there_are():
    sizes = np.random.default_rng(5).gamma(2, 1, 300)
    smallest = np.sort(sizes)[:2]

    assert signed_sum_tail(sizes, sizes.sum()) == math.ldexp(1, -300)
    # nothing flipped, the smallest, or the second smallest
    assert signed_sum_tail(sizes, sizes.sum() - 2 * smallest[1]) == math.ldexp(3, -300)
    assert signed_sum_tail(sizes, sizes.sum() * 1.01) == 0.0
    assert signed_sum_tail(sizes, -sizes.sum()) == 1.0


def test_the_middle_of_a_large_sample_agrees_with_drawn_signs():
    rng = np.random.default_rng(6)
    sizes = rng.gamma(1, 1, 200)
    signs = 1 - 2 * rng.integers(0, 2, size=(40_000, 200), dtype=np.int8)
    sums = signs @ sizes

    for z in (0.3, 1.0, 2.0):
        reached = z * math.sqrt(sizes @ sizes)
        tail = signed_sum_tail(sizes, reached)
        assert abs((sums >= reached).mean() - tail) < 4 * math.sqrt(tail * (1 - tail) / 40_000)
