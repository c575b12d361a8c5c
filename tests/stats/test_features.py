"""The sparse model of a judge's choices."""

import numpy as np
import pytest

from biasscope.stats.associations import Choices
from biasscope.stats.features import STABLE, sparse_weights

from .choices import judged


def test_what_a_judge_goes_by_is_stable_and_has_its_sign():
    found = sparse_weights(judged(2, pulls=((1, 1.4), (6, -1.4))), seed=0)

    assert (found[1].weight > 0, found[6].weight < 0) == (True, True)
    assert min(found[1].frequency, found[6].frequency) == 1.0
    others = [f.frequency for n, f in enumerate(found) if n not in (1, 6)]
    assert np.mean(others) < 0.4


def test_what_goes_with_length_alone_gives_way_to_length():
    # the judge goes by feature 0; 5, 10 and so on go with length as it does
    runs = [sparse_weights(judged(seed, pairs=400, features=26, pulls=((0, 0.8),)), seed=0) for seed in range(6)]

    assert all(run[0].frequency == 1.0 for run in runs)
    proxies = [run[n].frequency >= STABLE for run in runs for n in (5, 15, 25)]
    assert sum(proxies) <= len(proxies) / 4


def asymmetric(strength, seed=0):
    """A judge that goes by a feature more where it stands on the better response."""
    rng = np.random.default_rng(seed)
    differences, gold = rng.standard_normal((1500, 3)), rng.choice([-1.0, 1.0], 1500)
    score = differences[:, 0] + strength * np.abs(differences[:, 0]) * gold + gold
    both = np.concatenate([score, -score]) + rng.logistic(size=3000)
    return Choices(
        np.concatenate([differences, -differences]),
        (both > 0).astype(float),
        np.concatenate([gold, -gold]),
        np.tile(np.arange(1500), 2),
    )


@pytest.mark.parametrize("strength", [0.6, -0.6])
def test_a_feature_that_counts_more_on_one_side_has_an_interaction(strength):
    found = sparse_weights(asymmetric(strength), seed=0)

    assert np.sign(found[0].interaction) == np.sign(strength)
    assert found[0].weight > 0.5
    assert abs(found[0].interaction) > 3 * max(abs(f.interaction) for f in found[1:])


def test_a_feature_that_counts_alike_on_both_sides_has_none():
    found = sparse_weights(asymmetric(0.0), seed=0)

    assert abs(found[0].interaction) < 0.05 < 0.5 < found[0].weight


def test_the_order_of_the_rows_says_nothing_and_the_seed_only_how_halves_fall():
    choices = judged(3, pairs=200, features=20, pulls=((1, 2.5), (6, 1.0)))
    rows = np.random.default_rng(0).permutation(400)
    mixed = Choices(
        choices.differences[rows], choices.chose_first[rows], choices.gold[rows], choices.clusters[rows]
    )
    one, same, other = (sparse_weights(c, seed=s) for c, s in ((choices, 0), (mixed, 0), (choices, 1)))

    assert [f.frequency for f in one] == [f.frequency for f in same]
    assert [f.weight for f in one] == pytest.approx([f.weight for f in same], abs=1e-6)
    assert one[1].frequency == other[1].frequency == 1.0
    assert [f.frequency for f in one] != [f.frequency for f in other]


def test_turning_every_pair_round_changes_nothing():
    choices = judged(3, pairs=200, features=20, pulls=((1, 1.4),))
    turned = Choices(-choices.differences, 1 - choices.chose_first, -choices.gold, choices.clusters)
    a, b = sparse_weights(choices, seed=0), sparse_weights(turned, seed=0)

    assert [(f.weight, f.interaction) for f in a] == [
        pytest.approx((f.weight, f.interaction), abs=1e-4) for f in b
    ]


def test_a_frequency_alone_is_no_sign_of_anything():
    """Why a proposal takes a corrected association besides: the noise of fair judges is sometimes stable."""
    most = [max(f.frequency for f in sparse_weights(judged(seed, pairs=300), seed=seed)) for seed in range(20)]

    assert sum(f >= STABLE for f in most) >= 2


def test_few_questions_and_features_that_cannot_be_told_are_refused():
    few = Choices(np.ones((4, 1)), np.array([0.0, 1, 0, 1]), np.ones(4), np.arange(4))
    rare = Choices(np.eye(20)[:, :1], np.arange(20) % 2 * 1.0, np.ones(20), np.arange(20))

    with pytest.raises(ValueError, match="at least 5 questions, got 4"):
        sparse_weights(few, seed=0)
    with pytest.raises(ValueError, match="hardly ever differs"):
        sparse_weights(rare, seed=0)
