"""What carries over between judges: by hand, as properties, and on simulated judges whose likeness is known."""

import numpy as np
import pytest
from scipy import special
from scipy import stats as distributions

from biasscope.stats import multiple
from biasscope.stats.normal import upper_quantile
from biasscope.stats.transfer import (
    Screened,
    paired_differences,
    similarity,
    transfer,
    unpicked,
)

LEVEL = 0.05


def screened(values, ses, accepted, level=LEVEL):
    return Screened(
        np.array(values, dtype=float), np.array(ses, dtype=float), np.array(accepted, dtype=bool), level
    )


def corrected(values, ses, q=0.05):
    """What Benjamini-Hochberg accepts of normal effects."""
    ps = distributions.norm.sf(values / ses)
    accepted = np.array(multiple.adjusted(ps.tolist())) <= q
    return Screened(values, ses, accepted, q * max(1, int(accepted.sum())) / len(values))


# --- transfer ---------------------------------------------------------------------------------------------


def test_a_cell_by_hand():
    # far beyond what was needed to be picked, an effect is what it was
    source = screened([0.5, 0.4, 0.0], [0.01] * 3, [True, True, False])
    target = screened([0.25, 0.0, 0.3], [0.2, 0.2, 0.01], [True, False, True])
    found = transfer(source, target)

    assert (found.accepted, found.held, found.share) == (2, 1, 0.5)
    assert found.ratio == pytest.approx(0.25 / 0.9)
    z = upper_quantile(LEVEL)
    assert found.ceiling == pytest.approx(special.ndtr(np.array([2.5, 2.0]) - z).mean(), abs=1e-6)


def test_without_an_accepted_bias_nothing_is_said():
    nothing = screened([0.1], [0.05], [False])
    found = transfer(nothing, screened([0.1], [0.05], [True]))

    assert (found.accepted, found.share, found.ceiling, found.ratio) == (0, None, None, None)


def test_a_bias_that_could_not_be_measured_on_the_target_is_left_out():
    source = screened([0.5, 0.5], [0.01, 0.01], [True, True])
    found = transfer(source, screened([np.nan, 0.5], [np.nan, 0.01], [False, True]))

    assert (found.accepted, found.held) == (1, 1)


def test_where_nothing_moved_on_the_target_equal_effects_would_have_shown():
    source = screened([0.5], [0.01], [True])

    assert transfer(source, screened([0.0], [0.0], [False])).ceiling == pytest.approx(1.0)


def test_biases_of_equal_length_are_needed():
    with pytest.raises(ValueError, match="one of each per bias"):
        screened([0.1], [0.1, 0.2], [True])


@pytest.mark.parametrize("value", [0.021, 0.05, 0.1, 1.0])
def test_a_correction_lies_between_nothing_and_the_value_and_falls_with_what_was_asked_for(value):
    by_least = [unpicked(value, 0.02, least) for least in (-1.0, 0.0, 0.02, 0.04, 0.08)]

    assert all(0 <= c <= value for c in by_least)
    assert by_least == sorted(by_least, reverse=True)
    assert by_least[0] == pytest.approx(value)
    assert unpicked(value, 0.0, 0.04) == value


def test_two_like_judges_hold_what_the_ceiling_says_and_as_much():
    rng = np.random.default_rng(1)
    held, ceiling, picked, there, raw = 0, 0.0, 0, 0.0, 0.0
    total = 0.0
    for _ in range(150):
        true = rng.exponential(0.05, 12) * (rng.random(12) < 0.6)
        se = np.full(12, 0.02)
        one, other = (corrected(true + rng.normal(0, 0.02, 12), se) for _ in range(2))
        cell = transfer(one, other)
        if cell.ratio is None:
            continue
        held, picked = held + cell.held, picked + cell.accepted
        ceiling += cell.ceiling * cell.accepted
        there += other.values[one.accepted].sum()
        total += other.values[one.accepted].sum() / cell.ratio
        raw += one.values[one.accepted].sum()

    assert held / picked == pytest.approx(ceiling / picked, abs=0.05)
    assert there / total == pytest.approx(1.0, abs=0.05)
    # uncorrected, like judges would seem to differ
    assert there / raw < 0.94


# --- similarity -------------------------------------------------------------------------------------------


def test_effects_without_noise_correlate_as_they_do():
    one, other = np.array([0.1, 0.2, 0.3, 0.1, 0.0, 0.2]), np.array([0.2, 0.1, 0.3, 0.0, 0.1, 0.2])
    found = similarity((one, one), (other, other))

    assert found.value == pytest.approx(np.corrcoef(one, other)[0, 1])
    assert found.low <= found.value <= found.high
    assert "fewer than 15" in found.reason


def test_a_handful_of_biases_is_needed_and_it_says_so():
    few = np.array([0.1, 0.2, 0.3, np.nan, 0.1])
    found = similarity((few, few), (few, few))

    assert (found.value, found.low, found.biases) == (None, None, 4)
    assert found.reason == "needs at least 5 biases measured on both judges, better 15; there are 4"


def test_biases_that_do_not_differ_in_size_tell_nothing():
    flat, other = np.full(6, 0.1), np.array([0.1, 0.2, 0.3, 0.1, 0.0, 0.2])

    assert similarity((flat, flat), (other, other)).value is None


def test_it_does_not_depend_on_the_order_of_judges_or_biases():
    rng = np.random.default_rng(2)
    a, b, c, d = (rng.normal(size=8) + np.arange(8) for _ in range(4))
    turned = similarity((c[::-1], d[::-1]), (a[::-1], b[::-1])).value

    assert turned == pytest.approx(similarity((a, b), (c, d)).value)


def test_noise_that_judges_share_through_items_does_not_make_them_alike_or_different():
    rng = np.random.default_rng(3)
    root = np.linalg.cholesky([[1, 0.8], [0.8, 1]])
    found, plain, covered = [], [], 0
    for seed in range(40):
        true = 0.05 * (root @ rng.normal(size=(2, 40)))
        shared = rng.normal(0, 0.02, (2, 40))
        halves = [[t + shared[i] + rng.normal(0, 0.02, 40) for i in range(2)] for t in true]
        s = similarity(tuple(halves[0]), tuple(halves[1]), seed=seed)
        found.append(s.value)
        covered += s.low <= 0.8 <= s.high
        plain.append(np.corrcoef(np.mean(halves[0], 0), np.mean(halves[1], 0))[0, 1])

    assert np.mean(found) == pytest.approx(0.8, abs=0.04)
    assert np.mean(plain) < 0.78
    assert covered >= 33


# --- differences ------------------------------------------------------------------------------------------


def test_a_paired_difference_by_hand():
    one, other = np.array([0.0, 0.5, 0.0, np.nan]), np.array([1.0, 0.5, 0.5, 1.0])
    (found,) = paired_differences([(one, other, np.arange(4))])

    assert (found.value, found.n) == (0.5, 3)
    # of eight patterns of signs, two (of four that differ) are as far from 0 on either side
    assert found.p == found.q == 0.5
    se = np.std([1.0, 0.0, 0.5], ddof=1) / np.sqrt(3)
    assert found.high - found.value == pytest.approx(1.959964 * se)


def test_differences_are_corrected_together_and_the_empty_ones_stay_out():
    rng = np.random.default_rng(4)
    base = rng.normal(size=50)
    none = np.full(50, np.nan)
    clusters = np.arange(50)
    found = paired_differences(
        [(base, base + 1 + 0.1 * rng.normal(size=50), clusters), (base, none, clusters), (base, base, clusters)]
    )

    assert found[0].q == pytest.approx(2 * found[0].p)
    assert (found[1].value, found[1].q, found[1].n) == (None, None, 0)
    assert (found[2].value, found[2].p, found[2].low) == (0.0, 1.0, None)


def test_a_question_asked_twice_counts_once():
    one, other = np.zeros(8), np.tile([1.0, 0.6, 0.8, 0.9], 2)
    (twice,) = paired_differences([(one, other, np.tile(np.arange(4), 2))])
    (once,) = paired_differences([(one[:4], other[:4], np.arange(4))])

    assert twice.p == once.p
    assert twice.high == pytest.approx(once.high)
