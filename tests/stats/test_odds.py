"""The conditional odds ratio."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biasscope.stats.odds import odds_ratio

NAN = math.nan
ERRORS = st.sampled_from([0.0, 0.5, 1.0, NAN])


def by_loops(candidate, neutrals):
    """R and S item by item, written out."""
    r, s = [], []
    for i in range(len(candidate)):
        item_r = item_s = 0.0
        for order in (0, 1):
            rest = [n[i][order] for n in neutrals if not any(math.isnan(v) for v in n[i])]
            if rest and not any(math.isnan(v) for v in candidate[i]):
                size = 1 + len(rest)
                item_r += candidate[i][order] * sum(1 - v for v in rest) / size
                item_s += (1 - candidate[i][order]) * sum(rest) / size
        r.append(item_r)
        s.append(item_s)
    return r, s


def test_one_neutral_and_one_answer_per_order_give_the_ratio_of_discordant_strata():
    # strata: three turned wrong, one turned right, four alike
    candidate = np.array([[1, 1], [1, 0], [1, 0], [0, 0]], float)
    neutral = np.array([[0, 0], [0, 1], [1, 0], [0, 0]], float)
    found = odds_ratio(candidate, neutral[None])

    assert found.value == pytest.approx(3.0)
    assert (found.items, found.strata, found.kind) == (4, 8, "conditional")


def test_ties_and_several_neutrals_by_hand():
    candidate = np.array([[1.0, 0.5], [0.0, 0.0]])
    neutrals = np.array([[[0.0, 0.0], [1.0, 0.0]], [[0.5, 0.0], [0.5, 0.0]]])
    # R = 1 * 1.5/3 + .5 * 2/3 = 5/6;  S = .5 * 0/3 + 1 * 1.5/3 = 1/2
    found = odds_ratio(candidate, neutrals)

    assert found.value == pytest.approx(5 / 3)


@given(st.lists(st.tuples(*[st.tuples(ERRORS, ERRORS)] * 3), min_size=1, max_size=12))
def test_value_and_jackknife_agree_with_loops_over_items(rows):
    candidate, *neutrals = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    found = odds_ratio(candidate, np.stack(neutrals))
    r, s = by_loops(candidate, neutrals)

    if sum(r) == 0 or sum(s) == 0:
        assert found.value is None
        assert found.reason
        return
    assert found.value == pytest.approx(sum(r) / sum(s))
    left = [(sum(r) - a, sum(s) - b) for a, b in zip(r, s, strict=True)]
    if min(min(pair) for pair in left) < 1e-9:
        assert (found.low, found.high) == (None, None)
        assert found.reason
    elif found.log_se is not None:
        used = [
            math.log(a / b)
            for i, (a, b) in enumerate(left)
            if not np.isnan(candidate[i]).any() and any(not np.isnan(n[i]).any() for n in neutrals)
        ]
        mean = sum(used) / len(used)
        assert found.log_se == pytest.approx(
            math.sqrt((len(used) - 1) / len(used) * sum((u - mean) ** 2 for u in used)), abs=1e-9
        )
        assert found.low == pytest.approx(found.value * math.exp(-1.959964 * found.log_se), rel=1e-5)


@given(st.lists(st.tuples(*[st.tuples(ERRORS, ERRORS)] * 2), min_size=2, max_size=12))
def test_exchanging_biased_and_neutral_or_right_and_wrong_inverts_it(rows):
    candidate, neutral = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    here, there = odds_ratio(candidate, neutral[None]), odds_ratio(neutral, candidate[None])
    turned = odds_ratio(1 - candidate, 1 - neutral[None])

    if here.value is None:
        assert there.value is turned.value is None
    else:
        assert here.value == pytest.approx(1 / there.value) == pytest.approx(1 / turned.value)


def draw(rng, n, shift):
    hard = rng.normal(0, 1.5, (n, 1))
    neutrals = rng.random((3, n, 2)) < 1 / (1 + np.exp(-hard))
    return (rng.random((n, 2)) < 1 / (1 + np.exp(-hard - shift))).astype(float), neutrals.astype(float)


def test_it_finds_the_odds_ratio_within_items_which_the_pooled_one_understates():
    candidate, neutrals = draw(np.random.default_rng(1), 4000, 0.8)
    found = odds_ratio(candidate, neutrals)
    p, q = candidate.mean(), neutrals.mean()

    assert found.low < math.exp(0.8) < found.high
    assert p / (1 - p) / (q / (1 - q)) < found.low


def test_the_interval_covers_about_as_often_as_its_level():
    rng = np.random.default_rng(2)
    found = [odds_ratio(*draw(rng, 120, 0.5)) for _ in range(300)]

    assert np.mean([f.low < math.exp(0.5) < f.high for f in found]) == pytest.approx(0.95, abs=0.04)


def test_items_in_another_order_say_the_same_and_mispaired_ones_do_not():
    candidate, neutrals = draw(np.random.default_rng(3), 200, 0.8)
    turned = np.random.default_rng(4).permutation(200)
    right, same, wrong = (
        odds_ratio(candidate, neutrals),
        odds_ratio(candidate[turned], neutrals[::-1, turned]),
        odds_ratio(candidate[turned], neutrals),
    )

    assert (same.value, same.log_se) == pytest.approx((right.value, right.log_se), rel=1e-12)
    # without the pairing, what is left is the smaller marginal ratio
    assert wrong.value < right.value * 0.9


def test_an_item_judged_in_one_order_only_is_left_out():
    candidate = np.array([[1.0, NAN], [1.0, 0.0], [0.0, 1.0]])
    neutrals = np.array([[[0.0, 0.0], [0.0, 1.0], [0.0, 0.0]]])
    found = odds_ratio(candidate, neutrals)

    # with the lone first cell it would be 3
    assert found.value == pytest.approx(2.0)
    assert (found.items, found.strata) == (2, 4)


def test_items_of_one_question_are_left_out_together():
    candidate, neutrals = draw(np.random.default_rng(5), 60, 0.8)
    twice, neutral_twice = np.repeat(candidate, 2, axis=0), np.repeat(neutrals, 2, axis=1)
    single = odds_ratio(candidate, neutrals)
    together = odds_ratio(twice, neutral_twice, clusters=[f"q{i // 2}" for i in range(120)])
    apart = odds_ratio(twice, neutral_twice)

    assert together.log_se == pytest.approx(single.log_se)
    assert apart.log_se < 0.75 * single.log_se


@pytest.mark.parametrize(
    ("candidate", "neutral", "reason"),
    [
        ([[0.0, 1.0]] * 3, [[0.0, 1.0]] * 3, "no verdict differs"),
        ([[1.0, 1.0]] * 3, [[0.0, 1.0]] * 3, "one direction"),
        ([[NAN, 1.0]] * 3, [[0.0, 1.0]] * 3, "no item"),
    ],
)
def test_what_has_no_ratio_says_why(candidate, neutral, reason):
    found = odds_ratio(np.array(candidate), np.array([neutral]))

    assert (found.value, found.log_se, found.low, found.high) == (None, None, None, None)
    assert reason in found.reason


def test_a_ratio_that_hangs_on_one_item_has_no_interval():
    found = odds_ratio(np.array([[1.0, 1.0], [0.0, 0.0]]), np.array([[[0.0, 0.0], [1.0, 0.0]]]))

    assert found.value == pytest.approx(2.0)
    assert found.low is None
    assert "without one of its items" in found.reason


def test_shapes_and_scores_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="neutral arms"):
        odds_ratio(np.zeros((3, 2)), np.zeros((3, 2)))
    with pytest.raises(ValueError, match="two orders"):
        odds_ratio(np.zeros((3, 1)), np.zeros((1, 3, 1)))
    with pytest.raises(ValueError, match=r"0, \.5 or 1"):
        odds_ratio(np.full((3, 2), 0.25), np.zeros((1, 3, 2)))
    with pytest.raises(ValueError, match="one cluster per item"):
        odds_ratio(np.zeros((3, 2)), np.zeros((1, 3, 2)), clusters=[1])
