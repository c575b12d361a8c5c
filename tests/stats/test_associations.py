"""How choices go with differences of texts, beside the gold label and the slot."""

import numpy as np
import pytest

from biasscope.stats.associations import Choices, associations

from .choices import judged


def simple(rows=200, seed=0, *, gold=None, pull=0.0, clusters=None):
    rng = np.random.default_rng(seed)
    differences = rng.standard_normal((rows, 2))
    gold = rng.choice([-1.0, 1.0], rows) if gold is None else gold
    chance = np.clip(0.5 + 0.2 * gold + pull * differences[:, 0], 0, 1)
    chosen = (rng.random(rows) < chance).astype(float)
    return Choices(differences, chosen, gold, np.arange(rows) if clusters is None else clusters)


def test_a_change_is_that_of_least_squares_beside_slot_and_gold():
    choices = simple(pull=0.1)
    for number, found in enumerate(associations(choices)):
        column = choices.differences[:, number]
        design = np.column_stack([choices.base, column / column.std()])
        expected = np.linalg.lstsq(design, choices.chose_first, rcond=None)[0][2]
        assert found.change.value == pytest.approx(expected)
        assert found.change.n == 200


def test_the_standard_error_is_the_sandwich_over_questions():
    clusters = np.repeat(np.arange(50), 4)
    choices = simple(clusters=clusters)
    column = choices.differences[:, 0]
    design = np.column_stack([choices.base, column / column.std()])
    bread = np.linalg.inv(design.T @ design)
    left = choices.chose_first - design @ (bread @ design.T @ choices.chose_first)
    sums = np.stack([(design * left[:, None])[clusters == c].sum(axis=0) for c in range(50)])
    variance = bread @ sums.T @ sums @ bread * 50 / 49

    assert associations(choices)[0].change.se == pytest.approx(np.sqrt(variance[2, 2]))


def test_the_same_verdict_four_times_is_no_more_evidence_than_once():
    once = simple(pull=0.1)
    four = Choices(
        *(np.repeat(a, 4, axis=0) for a in (once.differences, once.chose_first, once.gold, once.clusters))
    )
    for a, b in zip(associations(once), associations(four), strict=True):
        assert (b.change.value, b.change.se) == pytest.approx((a.change.value, a.change.se))
        assert b.p == pytest.approx(a.p)


def test_turning_every_pair_round_changes_nothing():
    choices = simple(pull=0.1)
    turned = Choices(-choices.differences, 1 - choices.chose_first, -choices.gold, choices.clusters)
    for a, b in zip(associations(choices), associations(turned), strict=True):
        assert (b.change.value, b.change.se, b.p) == pytest.approx((a.change.value, a.change.se, a.p))


def test_what_only_goes_with_the_better_response_is_no_association():
    rng = np.random.default_rng(4)
    gold = rng.choice([-1.0, 1.0], 4000)
    differences = (gold + rng.normal(0, 1, 4000))[:, None]
    chosen = (rng.random(4000) < 0.5 + 0.3 * gold).astype(float)
    blind = Choices(differences, chosen, np.zeros(4000), np.arange(4000))
    seen = Choices(differences, chosen, gold, np.arange(4000))

    assert associations(blind)[0].change.value > 0.1
    assert abs(associations(seen)[0].change.value) < 0.02
    assert associations(seen)[0].p > 0.001
    assert associations(blind)[0].p < 1e-12


def test_a_pull_is_found_with_its_sign_and_a_change_per_standard_deviation():
    for_it, against = (associations(simple(4000, pull=pull))[0] for pull in (0.1, -0.1))

    assert for_it.change.low < 0.1 < for_it.change.high
    assert against.change.low < -0.1 < against.change.high
    assert max(for_it.p, against.p) < 1e-6
    assert associations(simple(4000, pull=0.1))[1].p > 0.01


def test_p_values_of_what_a_judge_does_not_go_by_are_even():
    p = np.array([a.p for seed in range(40) for a in associations(judged(seed, pairs=300, features=25))])

    assert len(p) > 800
    for level in (0.01, 0.05, 0.2):
        assert (p <= level).mean() < 1.35 * level
    assert (p <= 0.2).mean() > 0.15


def test_a_judge_that_always_picks_the_first_goes_by_nothing():
    choices = judged(1, habit=1000.0)

    assert {a.p for a in associations(choices)} == {1.0}
    assert {a.change.value for a in associations(choices)} == {0.0}


def test_what_hardly_ever_differs_or_differs_as_the_label_cannot_be_told():
    rng = np.random.default_rng(0)
    gold = rng.choice([-1.0, 1.0], 100)
    rare, rather = np.zeros(100), np.zeros(100)
    rare[:9], rather[:10] = 1, rng.choice([-1.0, 1.0], 10)
    columns = np.column_stack([rare, rather, 3 * gold, np.ones(100), rng.standard_normal(100)])
    choices = Choices(columns, rng.random(100).round(), gold, np.arange(100))

    assert choices.told().tolist() == [False, True, False, False, True]
    with pytest.raises(ValueError, match="hardly ever differs"):
        associations(choices)


def test_it_counts_in_how_many_questions_a_feature_differs():
    column = np.zeros((100, 1))
    column[:10] = 1
    by_row, by_five = (
        Choices(column, np.arange(100) % 2 * 1.0, np.ones(100), clusters)
        for clusters in (np.arange(100), np.arange(100) // 5)
    )

    assert by_row.told().tolist() == [True]
    assert by_five.told().tolist() == [False]


@pytest.mark.parametrize(
    "changes",
    [
        {"chose_first": np.array([0.0, 1.2])},
        {"chose_first": np.array([0.0, np.nan])},
        {"gold": np.array([1.0, 0.5])},
        {"differences": np.array([[np.inf], [0.0]])},
        {"differences": np.zeros((3, 1))},
        {"clusters": np.arange(3)},
    ],
)
def test_numbers_out_of_range_and_of_other_lengths_are_refused(changes):
    good = {
        "differences": np.zeros((2, 1)),
        "chose_first": np.array([0.0, 1.0]),
        "gold": np.array([1.0, -1.0]),
        "clusters": np.arange(2),
    }
    with pytest.raises(ValueError, match=r"need 2 rows|must be finite|lie in"):
        Choices(**good | changes)
