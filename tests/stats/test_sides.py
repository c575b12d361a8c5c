"""Pull and asymmetry."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biasscope.stats.sides import sides

NAN = math.nan
GRID = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0, NAN])


def side(rng, n, rate, change, neutrals=3):
    """Errors of biased and neutral rewrites, one side."""
    return rng.binomial(2, rate + change, n) / 2, rng.binomial(2, rate, (neutrals, n)) / 2


def test_pull_and_asymmetry_by_hand():
    rejected = np.array([1.0, 0.5, 0.5, NAN]), np.array([[0.0, 0.5, 0.0, 0.0], [1.0, 0.5, NAN, 0.0]])
    chosen = np.array([0.0, 0.0, 0.5, 0.0]), np.array([[0.5, 0.5, 0.5, 0.0]])
    found = sides(rejected, chosen, baseline_error=0.4)

    # on rejected .5, 0, .5; on chosen -.5, -.5, 0
    assert (found.on_rejected.value, found.on_chosen.value) == pytest.approx((1 / 3, -1 / 3))
    assert found.pull.value == pytest.approx(1 / 3)
    assert found.asymmetry.value == pytest.approx(0)
    # pulls .5, .25, .25; sums 0, -.5, .5
    assert found.pull.se == pytest.approx(np.std([0.5, 0.25, 0.25], ddof=1) / math.sqrt(3))
    assert found.asymmetry.se == pytest.approx(0.5 / math.sqrt(3))
    assert (found.scale, found.pull.n) == ("fraction", 3)


def test_a_trait_that_attracts_has_a_pull_and_one_that_confuses_has_an_asymmetry():
    rng = np.random.default_rng(1)
    attracts = sides(side(rng, 800, 0.4, 0.15), side(rng, 800, 0.4, -0.15), baseline_error=0.4)
    confuses = sides(side(rng, 800, 0.4, 0.15), side(rng, 800, 0.4, 0.15), baseline_error=0.4)

    assert attracts.pull.low > 0.1
    assert attracts.asymmetry.low < 0 < attracts.asymmetry.high
    assert confuses.pull.low < 0 < confuses.pull.high
    assert confuses.asymmetry.low > 0.2


@given(st.lists(st.tuples(*[GRID] * 6), min_size=1, max_size=20))
def test_exchanging_the_roles_of_the_responses_keeps_the_pull_and_turns_the_asymmetry(rows):
    a, b, c, d, e, f = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    rejected, chosen = (a, np.stack([b, c])), (d, np.stack([e, f]))
    here = sides(rejected, chosen, baseline_error=None)
    there = sides(
        (1 - chosen[0], 1 - chosen[1]), (1 - rejected[0], 1 - rejected[1]), baseline_error=None, labelled=True
    )

    if here is None:
        assert there is None
    else:
        assert there.pull.value == pytest.approx(here.pull.value, abs=1e-12)
        assert there.asymmetry.value == pytest.approx(-here.asymmetry.value, abs=1e-12)


def logit(p):
    return math.log(p / (1 - p))


def test_log_odds_and_their_jackknife_by_hand():
    rejected = np.array([1.0, 0.5, 0.0, 1.0, 0.0]), np.array([[0.5, 0.0, 0.0, 1.0, 0.0]])
    chosen = np.array([0.0, 0.5, 0.0, 0.5, 0.0]), np.array([[0.5, 0.5, 0.0, 0.5, 0.0]])
    found = sides(rejected, chosen, baseline_error=0.19)

    assert found.scale == "log-odds"
    change = logit(0.5) - logit(0.3), logit(0.2) - logit(0.3)
    assert (found.on_rejected.value, found.on_chosen.value) == pytest.approx(change)
    assert found.pull.value == pytest.approx((change[0] - change[1]) / 2)
    assert found.asymmetry.value == pytest.approx(sum(change))
    sums = [2.5, 1.5, 1.0, 1.5]
    columns = [rejected[0], rejected[1][0], chosen[0], chosen[1][0]]
    left = [[logit((s - c[i]) / 4) for s, c in zip(sums, columns, strict=True)] for i in range(5)]
    pulls = np.array([(a - b - c + d) / 2 for a, b, c, d in left])
    assert found.pull.se == pytest.approx(math.sqrt(4 / 5 * ((pulls - pulls.mean()) ** 2).sum()))


def test_the_jackknife_agrees_with_the_delta_method_on_many_items():
    rng = np.random.default_rng(2)
    rejected, chosen = side(rng, 3000, 0.12, 0.05), side(rng, 3000, 0.12, -0.04)
    found = sides(rejected, chosen, baseline_error=0.12)
    cells = [rejected[0], rejected[1].mean(axis=0), chosen[0], chosen[1].mean(axis=0)]
    slopes = [(c - c.mean()) / (c.mean() * (1 - c.mean())) for c in cells]
    influence = (slopes[0] - slopes[1] - slopes[2] + slopes[3]) / 2

    assert found.pull.se == pytest.approx(influence.std(ddof=1) / math.sqrt(3000), rel=0.01)


def test_a_good_judge_with_equal_pulls_in_log_odds_looks_lopsided_in_fractions():
    rng = np.random.default_rng(3)
    up, down = 1 / (1 + math.exp(2.2 - 0.8)), 1 / (1 + math.exp(2.2 + 0.8))
    rate = 1 / (1 + math.exp(2.2))
    data = side(rng, 4000, rate, up - rate), side(rng, 4000, rate, down - rate)
    good, as_fractions = (sides(*data, baseline_error=b) for b in (rate, 0.4))

    assert good.asymmetry.low < 0 < good.asymmetry.high
    assert good.pull.low < 0.8 < good.pull.high
    assert as_fractions.scale == "fraction"
    assert as_fractions.asymmetry.low > 0


def test_log_odds_that_cannot_be_known_give_way_to_fractions_with_a_reason():
    never = np.zeros(5), np.zeros((1, 5))
    one = np.array([1.0, 0, 0, 0, 0]), np.array([[0.5, 0.5, 0, 0, 0]])
    for data in ((never, never), (one, one)):
        found = sides(*data, baseline_error=0.1)
        assert found.scale == "fraction"
        assert "always judged alike" in found.reason
    assert sides(never, never, baseline_error=0.3).reason == ""
    single = np.ones(1) / 2, np.ones((1, 1)) / 2
    assert sides(single, single, baseline_error=0.1).scale == "fraction"


def test_without_labels_there_is_a_pull_and_no_asymmetry():
    rng = np.random.default_rng(4)
    found = sides(side(rng, 500, 0.5, 0.1), side(rng, 500, 0.5, -0.1), baseline_error=0.1, labelled=False)

    assert found.asymmetry is None
    assert found.scale == "fraction"
    assert found.pull.low > 0


def test_the_original_is_no_control():
    # rewording alone, on either side, is taken for an effect of the trait when held against the original
    rng = np.random.default_rng(6)
    right, wrong = [], []
    for _ in range(150):
        original = rng.binomial(2, 0.3, (1, 200)) / 2
        rejected, chosen = side(rng, 200, 0.4, 0.0), side(rng, 200, 0.4, 0.0)
        right.append(sides(rejected, chosen, baseline_error=0.3).asymmetry)
        wrong.append(sides((rejected[0], original), (chosen[0], original), baseline_error=0.3).asymmetry)

    assert np.mean([a.low < 0 < a.high for a in right]) == pytest.approx(0.95, abs=0.055)
    assert np.mean([a.low < 0 < a.high for a in wrong]) < 0.2
    assert np.mean([a.value for a in wrong]) == pytest.approx(0.2, abs=0.02)


def test_no_common_item_and_sides_that_do_not_fit():
    assert sides((np.array([NAN]), np.zeros((1, 1))), (np.zeros(1), np.zeros((1, 1))), baseline_error=0.4) is None
    with pytest.raises(ValueError, match="same items"):
        sides((np.zeros(2), np.zeros((1, 2))), (np.zeros(3), np.zeros((1, 3))), baseline_error=0.4)


def test_clusters_widen_what_their_items_share_and_change_no_value():
    rng = np.random.default_rng(8)
    repeated = [np.repeat(part, 5, axis=-1) for part in (*side(rng, 60, 0.4, 0.2), *side(rng, 60, 0.4, -0.2))]
    clusters = np.repeat(np.arange(60), 5)
    for error in (0.4, 0.1):
        plain = sides(tuple(repeated[:2]), tuple(repeated[2:]), baseline_error=error)
        found = sides(tuple(repeated[:2]), tuple(repeated[2:]), baseline_error=error, clusters=clusters)
        once = sides(
            tuple(p[..., ::5] for p in repeated[:2]),
            tuple(p[..., ::5] for p in repeated[2:]),
            baseline_error=error,
        )

        assert found.scale == plain.scale == ("fraction" if error == 0.4 else "log-odds")
        assert found.pull.value == pytest.approx(plain.pull.value) == pytest.approx(once.pull.value)
        # five copies of a pair tell what the pair tells
        assert found.pull.se == pytest.approx(once.pull.se)
        assert found.pull.se > 2 * plain.pull.se


def test_items_of_their_own_clusters_are_items():
    rng = np.random.default_rng(9)
    rejected, chosen = side(rng, 50, 0.3, 0.1), side(rng, 50, 0.3, -0.1)
    for error in (0.3, 0.1):
        plain = sides(rejected, chosen, baseline_error=error)
        found = sides(rejected, chosen, baseline_error=error, clusters=np.arange(50) * 3)
        assert (found.pull.value, found.pull.se) == pytest.approx((plain.pull.value, plain.pull.se))
