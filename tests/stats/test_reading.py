"""One look at one candidate: effect, standard error, p-value, and whether the data can carry them."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biasscope.stats import paired
from biasscope.stats.reading import Wording, clustered_se, read, wording_effect

from .oracles import attainable_p, increase, largest_neutral_effect, live_items, neutral_spread
from .played import noisy

GRID = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])
GAPPY = st.one_of(st.none(), GRID)
MISSING = float("nan")


def hard(candidate, neutrals, **settings):
    settings = {"min_effect": 0.05, "q": 0.05} | settings
    return read(np.array(candidate, dtype=float), np.array(neutrals, dtype=float), **settings)


def graded(candidate, neutrals, wording=None, **settings):
    neutrals = np.array(neutrals, dtype=float)
    return hard(candidate, neutrals, wording=wording or wording_effect(neutrals), **settings)


def as_lists(matrix):
    return [[None if np.isnan(s) else float(s) for s in arm] for arm in matrix]


def test_a_reading_is_the_mean_of_candidate_minus_the_items_neutral_mean():
    # neutral means .5, 0 and 1 (one rewrite is missing); differences .5, 0 and -.5; the last item has no candidate
    found = hard([1, 0, 0.5, MISSING], [[0, 0, MISSING, 1], [1, 0, 1, 1]])

    assert (found.value, found.n, found.unit) == (0.0, 3, "fraction")
    assert found.se == pytest.approx(0.5 / math.sqrt(3))
    assert (found.candidate, found.neutral, found.live) == (0.5, 0.5, 2)
    # the first item gives the candidate 1 with chance 2/3, the third .5 with chance 1/2: 1.5 or more is 1/3 + 1/3
    assert found.p == pytest.approx(2 / 3)


@given(st.lists(st.tuples(GAPPY, GAPPY, GAPPY), min_size=1, max_size=30))
def test_it_says_what_the_tests_and_effects_say_whatever_is_missing(rows):
    candidate, *neutrals = (list(column) for column in zip(*rows, strict=True))
    found = hard([MISSING if s is None else s for s in candidate], [paired.to_array(n) for n in neutrals])
    expected = increase(candidate, neutrals)

    assert (found is None) == (expected is None)
    if found is not None:
        assert found.value == pytest.approx(expected.value, abs=1e-12)
        assert found.se == pytest.approx(expected.se, abs=1e-12)
        assert found.n == expected.n
        assert found.p == pytest.approx(paired.exact_p(candidate, neutrals), abs=1e-12)
        assert found.live == live_items(candidate, neutrals)
        assert found.supports == (attainable_p(candidate, neutrals) <= 0.05)


def test_without_any_item_with_both_scores_there_is_no_reading():
    assert hard([MISSING, 1.0], [[0.0, MISSING]]) is None


@pytest.mark.parametrize(("candidate", "neutral"), [([math.inf, 1], [0, 0]), ([1, 1], [0, -math.inf])])
def test_infinite_scores_are_refused_in_both_units(candidate, neutral):
    for wording in (None, Wording(0.1, 0.1)):
        with pytest.raises(ValueError, match="must be finite"):
            hard(candidate, [neutral], wording=wording)


@pytest.mark.parametrize("off", [0.3, -0.25, 1.25])
def test_errors_off_the_grid_are_refused_and_margins_are_not(off):
    with pytest.raises(ValueError, match="error scores must be 0"):
        hard([off, 1], [[0, 0]])
    assert graded([off, 1], [[0, 0], [0.1, 0]]).value == pytest.approx((off + 1 - 0.05) / 2)


def test_verdicts_that_hardly_ever_change_do_not_move():
    # three of 311 items differ between arms: at most 2.8 % of the items could have moved, by Wilson's interval
    still = [0.5] * 308
    found = hard([*still, 1, 0, 0], [[*still, 0, 1, 1]] * 3)

    assert found.live == 3
    assert not found.moves
    assert not found.signal
    assert hard([*still, 1, 0, 0], [[*still, 0, 1, 1]] * 3, min_effect=0.02).moves


def test_data_support_an_effect_only_where_they_could_have_given_a_small_p():
    # one item that differs between four arms gives the candidate the worst score one time in four
    one = hard([1, 0.5, 0.5], [[0, 0.5, 0.5]] * 3)
    three = hard([1, 1, 1], [[0, 0, 0]] * 3)

    assert (one.p, one.supports) == (pytest.approx(1 / 4), False)
    assert (three.p, three.supports) == (pytest.approx(1 / 64), True)
    assert not hard([1, 1, 1], [[0, 0, 0]] * 3, q=0.01).supports


def test_without_clusters_the_standard_error_is_that_of_a_mean():
    differences = np.array([1.0, 0.0, 0.0, 1.0])

    # sd = sqrt(1 / 3)
    assert clustered_se(differences) == pytest.approx(math.sqrt(1 / 3) / 2)
    assert clustered_se(differences, np.arange(4)) == clustered_se(differences)
    assert clustered_se(np.array([1.0])) == 0.0


def test_items_of_one_question_count_as_one_draw():
    differences = np.array([1.0, 0.0, 0.0, 1.0])

    # deviations .5, -.5, -.5, .5 sum to 0 in pairs; with the middle ones together to .5, -1, .5
    assert clustered_se(differences, np.array([7, 7, 9, 9])) == 0.0
    assert clustered_se(differences, np.array([0, 1, 1, 2])) == pytest.approx(math.sqrt(1.5 * 3 / 2) / 4)
    assert clustered_se(differences, np.zeros(4, dtype=int)) == 0.0


@given(st.lists(st.tuples(GRID, GRID, st.integers(0, 5)), min_size=2, max_size=30))
def test_an_item_that_comes_twice_as_its_own_twin_adds_no_precision(rows):
    candidate, neutral, clusters = (np.array(column) for column in zip(*rows, strict=True))
    once = hard(candidate, [neutral], clusters=clusters)
    twice = hard(np.tile(candidate, 2), [np.tile(neutral, 2)], clusters=np.tile(clusters, 2))

    assert twice.value == pytest.approx(once.value)
    assert twice.se == pytest.approx(once.se, abs=1e-12)


def test_clusters_belong_to_items_and_not_to_places():
    kept = hard([1, 0, 0, 1], [[0, 0, 0, 0]], clusters=np.array([0, 1, 1, 2]))
    with_a_gap = hard([1, MISSING, 0, 0, 1], [[0, 0, 0, 0, 0]], clusters=np.array([0, 2, 1, 1, 2]))

    assert with_a_gap.se == kept.se > 0


# --- margins ----------------------------------------------------------------------------------------------


def test_margins_are_tested_by_flipping_signs():
    # differences .3, .1, .2 and -.05: of 16 sign patterns two reach .55
    neutrals = [[0.0, 0.0, 0.0, 0.02], [0.0, 0.0, 0.0, -0.02]]
    found = graded([0.3, 0.1, 0.2, -0.05], neutrals)

    assert found.unit == "log-odds"
    assert found.p == pytest.approx(2 / 16)
    assert found.value == pytest.approx(0.55 / 4)


def test_twins_flip_their_signs_together():
    neutrals = [[0.0, 0.0, 0.0, 0.02], [0.0, 0.0, 0.0, -0.02]]
    found = graded([0.3, 0.1, 0.2, -0.05], neutrals, clusters=np.array([0, 0, 1, 1]))

    # sums .4 and .15: one of four patterns
    assert found.p == pytest.approx(1 / 4)


def test_the_smallest_effect_of_interest_in_margins_is_a_quarter_of_what_wording_does():
    # neutral-neutral differences .4 and -.4
    neutrals = [[0.2, -0.2], [-0.2, 0.2]]

    assert graded([1.0, 2.0], neutrals).min_effect == pytest.approx(0.1)


def test_margins_that_do_not_move_give_no_signal():
    alike = [[0.5, 1.5, 2.5]] * 2

    assert not graded([0.5, 1.5, 2.5], alike).signal
    # a shift that is the same everywhere has no standard error, and one neutral arm no scale
    assert not graded([0.7, 1.7, 2.7], alike).signal
    assert not graded([0.5, 1.7, 2.9], alike[:1]).signal
    assert graded([0.5, 1.7, 2.9], [[0.5, 1.5, 2.5], [0.5, 1.5, 2.6]]).signal


def test_an_effect_no_larger_than_one_neutral_phrasing_is_not_beyond_wording():
    neutrals = [[0.0] * 4, [0.2] * 4]

    assert wording_effect(np.array(neutrals)).largest == pytest.approx(0.2)
    assert not graded([0.25, 0.26, 0.27, 0.28], neutrals).beyond_wording  # .165 above the neutral mean
    assert graded([0.35, 0.36, 0.37, 0.38], neutrals).beyond_wording  # .265 above it


def test_an_effect_that_one_phrasing_carries_is_weak_evidence_for_the_trait():
    rng = np.random.default_rng(9)
    phrasings = np.arange(90) % 3
    neutrals = rng.normal(0, 0.02, (2, 90))
    one = graded(np.where(phrasings == 0, 0.3, 0.0), neutrals, phrasings=phrasings)
    every = graded(np.full(90, 0.1), neutrals, phrasings=phrasings)

    assert one.value == pytest.approx(every.value, abs=0.01)
    assert one.p > 0.05 > every.p
    assert one.se > 10 * every.se


def test_phrasing_variance_is_added_to_the_squared_standard_error_and_p_follows():
    candidate = [1.0, 1.1, 0.9, 0.0, 0.1, -0.1]
    neutrals = [[0.01, -0.01, 0.0, 0.0, 0.0, 0.0], [-0.01, 0.01, 0.0, 0.0, 0.0, 0.0]]
    alone = graded(candidate, neutrals)
    phrased = graded(candidate, neutrals, phrasings=np.array([0, 0, 0, 1, 1, 1]))

    # between the two phrasings (1.5 - .01) / 3, shared by two of them
    assert phrased.se**2 == pytest.approx(alone.se**2 + (1.5 - 0.01) / 3 / 2)
    assert phrased.p == pytest.approx(0.5 * math.erfc(phrased.value / phrased.se / math.sqrt(2)))
    assert phrased.p > alone.p


def test_what_wording_does_is_over_every_pair_of_neutral_arms_and_what_is_missing_is_left_out():
    rng = np.random.default_rng(4)
    for missing in (0.0, 0.3):
        neutrals = rng.normal(0, 1, (4, 60)) + rng.normal(0, 0.2, (4, 1))
        neutrals[rng.random(neutrals.shape) < missing] = np.nan
        found = wording_effect(neutrals)

        assert found.largest == pytest.approx(largest_neutral_effect(as_lists(neutrals)))
        assert found.spread == pytest.approx(neutral_spread(as_lists(neutrals)))


@pytest.mark.parametrize(
    "neutrals", [[[0.3, 0.1]], [[MISSING, MISSING], [0.1, 0.2]], [[0.1, MISSING], [MISSING, 2]]]
)
def test_without_two_neutral_scores_of_an_item_wording_does_nothing(neutrals):
    assert wording_effect(np.array(neutrals)) == Wording(0.0, 0.0)


def test_the_exact_p_of_a_reading_is_that_of_every_exchange_within_items():
    rng = np.random.default_rng(5)
    candidate, neutrals = noisy(rng, 6, 0.6), np.stack([noisy(rng, 6, 0.4) for _ in range(2)])
    draws = [sum(draw) >= candidate.sum() - 1e-9 for draw in product(*np.vstack([candidate, neutrals]).T)]

    assert hard(candidate, neutrals).p == pytest.approx(sum(draws) / len(draws))
