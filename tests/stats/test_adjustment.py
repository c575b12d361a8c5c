"""Coefficients of margins: planted ones are found on few questions, and none where nothing is."""

import numpy as np
import pytest

from biasscope.stats.adjustment import fit_slopes, slot_of


def world(seed, slopes, *, questions=40, noise=0.3):
    """Margins of variants in four cells: a quality of the variant, slopes on two features, noise."""
    rng = np.random.default_rng(seed)
    count = 2 * questions
    variants = np.repeat(np.arange(count), 4)
    trait = np.tile([0, -1, 1, 0], count).astype(float)
    longer = trait * rng.uniform(0.1, 0.5, 4 * count)
    constant = np.zeros(4 * count)
    differences = np.stack([trait, longer, constant], axis=1)
    quality = np.repeat(rng.normal(0.5, 1.5, count), 4)
    margins = quality + differences @ np.array([*slopes, 5.0]) + rng.normal(0, noise, 4 * count)
    return margins, differences, variants, variants // 2


def test_what_the_writing_adds_is_found_whatever_the_contents_are_worth():
    found = fit_slopes(*world(1, (0.6, 1.0)))
    assert found.values[0] == pytest.approx(0.6, abs=0.15)
    assert found.values[1] == pytest.approx(1.0, abs=0.4)
    assert found.explained > 0.5


def test_a_feature_that_never_varies_has_no_slope():
    assert fit_slopes(*world(1, (0.6, 1.0))).values[2] == 0.0


def test_noise_has_hardly_any_slopes():
    found = fit_slopes(*world(2, (0.0, 0.0)))
    assert abs(found.values[0]) < 0.05
    assert found.explained < 0.05


def test_few_questions_and_missing_margins_give_no_slope_and_no_error():
    margins, differences, variants, questions = world(3, (0.6, 1.0), questions=9)
    assert not fit_slopes(margins, differences, variants, questions).values.any()
    margins, differences, variants, questions = world(3, (0.6, 1.0))
    margins[::7] = np.nan
    assert fit_slopes(margins, differences, variants, questions).values[0] == pytest.approx(0.6, abs=0.15)
    nothing = fit_slopes(np.full_like(margins, np.nan), differences, variants, questions)
    assert not nothing.values.any()


def test_the_same_rows_in_another_order_give_the_same_slopes():
    margins, differences, variants, questions = world(4, (0.6, 1.0))
    order = np.random.default_rng(0).permutation(len(margins))
    one = fit_slopes(margins, differences, variants, questions)
    other = fit_slopes(margins[order], differences[order], variants[order], questions[order])
    assert other.values == pytest.approx(one.values, abs=1e-9)


def test_the_slot_is_half_of_what_changing_the_order_does():
    first, second = np.array([2.0, 1.0, np.nan]), np.array([-1.0, -2.0, 3.0])
    assert slot_of(first, second) == pytest.approx(1.5)
    assert slot_of(np.array([]), np.array([])) == 0.0


def test_arrays_of_different_length_are_refused():
    with pytest.raises(ValueError, match="one margin"):
        fit_slopes(np.zeros(3), np.zeros((2, 1)), np.zeros(3, dtype=int), np.zeros(3, dtype=int))
