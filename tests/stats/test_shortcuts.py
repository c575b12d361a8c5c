"""Baselines that tell the better response without reading: found where they are planted, and chance where they are not."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biasscope.stats import shortcuts
from biasscope.stats.estimates import estimate
from biasscope.stats.shortcuts import shortcut, standing


def cells(questions, columns=1, seed=0, each=2):
    """Differences as features of crossed variants have them: what the trait changes cancels out in each variant."""
    rng = np.random.default_rng(seed)
    variants = rng.normal(size=(questions * each, columns))
    names = [q for q in range(questions) for _ in range(each)]
    rows = np.concatenate([0 * variants, -variants, variants, 0 * variants])
    return rows, names * 4


def test_a_feature_that_always_tells_is_a_shortcut_whichever_way_it_points():
    names = list(range(40))
    for sign in (1.0, -1.0):
        rng = np.random.default_rng(1)
        differences = sign * (1 + rng.random((40, 1)))
        found = shortcut(differences, names)
        assert (found.accuracy.value, found.auc.value, found.standing) == (1.0, 1.0, "shortcut")
        assert np.sign(found.weights[0]) == sign
        assert (found.items, found.questions) == (40, 40)


def test_what_cancels_out_in_every_variant_is_exactly_chance():
    rng = np.random.default_rng(2)
    trait = rng.integers(0, 2, size=(120, 1)).astype(float)
    names = [q for q in range(60) for _ in range(2)]
    found = shortcut(np.concatenate([0 * trait, -trait, trait, 0 * trait]), names * 4)
    assert (found.accuracy.value, found.auc.value, found.standing) == (0.5, 0.5, "near_chance")


def test_many_features_of_crossed_variants_are_near_chance_and_of_their_one_sided_half_a_shortcut():
    rows, names = cells(150, columns=30)
    rows[:, 0] = np.sign(rows[:, 0])
    half = slice(300, 600)  # the trait on the worse response
    assert shortcut(rows, names).standing == "near_chance"
    one_sided = rows[half].copy()
    one_sided[:, 0] = -1.0
    found = shortcut(one_sided, names[half])
    assert found.standing == "shortcut"
    assert np.argmax(np.abs(found.weights)) == 0


def test_noise_is_no_shortcut_and_weights_are_not_tried_on_the_questions_they_come_from():
    """As many columns as questions: fitted and tried on the same rows, they would name every better response."""
    standings = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        each = rng.normal(size=(60, 60))
        rows = np.repeat(each, 3, axis=0)  # three items a question, alike
        found = shortcut(rows, np.repeat(np.arange(60), 3).tolist(), seed=seed)
        standings.append(found.standing)
        assert 0.25 < found.accuracy.value < 0.75
    # An interval at 95 % excludes one half from above once in forty; folds that shared a question would do it always.
    assert standings.count("shortcut") <= 2


def test_the_area_is_the_share_of_better_responses_ahead_of_worse_ones():
    rng = np.random.default_rng(3)
    scores = rng.integers(-3, 6, size=50).astype(float)
    both = np.concatenate([scores, -scores])
    better = np.repeat([True, False], 50)
    wins = both[better][:, None] - both[~better][None, :]
    by_hand = float(((wins > 0) + 0.5 * (wins == 0)).mean())
    assert shortcuts._ahead(scores).mean() == pytest.approx(by_hand)


def test_intervals_hold_the_area_of_all_questions_about_as_often_as_they_promise():
    covered = 0
    for seed in range(120):
        rng = np.random.default_rng(seed)
        question = rng.normal(0.6, 1.0, size=(40, 1))
        rows = np.repeat(question, 3, axis=0) + 0.5 * rng.normal(size=(120, 1))
        found = shortcut(rows, np.repeat(np.arange(40), 3).tolist(), seed=seed)
        # differences are normal with mean .6 and variance 1.25; an area compares two of them
        truth = 0.776058  # normal.cdf(1.2 / sqrt(2.5))
        covered += found.auc.low <= truth <= found.auc.high
    assert covered / 120 > 0.88


def test_slots_scale_and_order_of_items_change_nothing_that_matters():
    rng = np.random.default_rng(5)
    rows, names = rng.normal(0.3, 1, size=(90, 4)), [k // 3 for k in range(90)]
    found = shortcut(rows, names)
    scaled = shortcut(rows * np.array([1e-3, 1.0, 50.0, 7.0]), names)
    assert scaled.accuracy.value == pytest.approx(found.accuracy.value)
    assert scaled.auc.value == pytest.approx(found.auc.value)
    again = shortcut(rows, names)
    assert again == found


def test_few_questions_tell_nothing_however_many_items():
    assert shortcut(np.ones((190, 1)), [k % 19 for k in range(190)]) is None
    assert shortcut(np.ones((20, 1)), list(range(20))) is not None


@pytest.mark.parametrize(
    ("differences", "questions", "word"),
    [(np.ones((3, 1)), [1, 2], "one question"), (np.ones(3), [1, 2, 3], "one question"),
     (np.full((2, 1), np.nan), [1, 2], "finite")],
)  # fmt: skip
def test_what_does_not_fit_together_is_refused(differences, questions, word):
    with pytest.raises(ValueError, match=word):
        shortcut(differences, questions)


@pytest.mark.parametrize(
    ("value", "se", "said"),
    [(0.70, 0.05, "shortcut"), (0.54, 0.01, "open"), (0.50, 0.02, "near_chance"), (0.50, 0.05, "open"), (0.60, 0.08, "open"),
     (0.35, 0.03, "near_chance")],
)  # fmt: skip
def test_a_standing_needs_an_interval_that_bears_it(value, se, said):
    assert standing(estimate(value, se, 100)) == said


@given(st.integers(20, 40), st.integers(1, 4), st.integers(0, 9))
def test_an_area_and_an_accuracy_are_shares(questions, columns, seed):
    rng = np.random.default_rng(seed)
    found = shortcut(rng.normal(size=(questions, columns)), list(range(questions)), seed=seed)
    for number in (found.auc, found.accuracy):
        assert 0 <= (number.low or 0) <= number.value <= (number.high or 1) <= 1
