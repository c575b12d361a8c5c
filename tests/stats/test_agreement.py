"""How far raters agree: hand-worked and published examples, and what must hold whatever is rated."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biasscope.stats.agreement import agreement, agreement_of

YES_NO = ("yes", "no")

# Fleiss (1971): 14 raters put 10 subjects into 5 categories; kappa .210.
FLEISS = "0 0 0 0 14|0 2 6 4 2|0 0 3 5 6|0 3 9 2 0|2 2 8 1 1|7 7 0 0 0|3 2 6 3 0|2 5 3 2 2|6 5 2 1 0|0 2 2 3 7"
# Gwet (2014), the ratings of Krippendorff (2011): 4 raters, 12 units, 5 categories, 0 where nothing was rated.
GWET = "1101 2232 3333 3333 2222 1234 4444 1121 2222 0555 0011 0030"


def fleiss():
    counts = [[int(n) for n in row.split()] for row in FLEISS.split("|")]
    return [[c for c, n in zip("abcde", row, strict=True) for _ in range(n)] for row in counts]


def gwet():
    return [[None if c == "0" else c for c in row] for row in GWET.split()]


def two_by_two(both_yes, first_only, second_only, both_no):
    return (
        [["yes", "yes"]] * both_yes
        + [["yes", "no"]] * first_only
        + [["no", "yes"]] * second_only
        + [["no", "no"]] * both_no
    )


def values(found):
    return tuple(None if e is None else e.value for e in (found.raw, found.kappa, found.ac1))


# --- known numbers ----------------------------------------------------------------------------------------


def test_the_example_of_fleiss():
    found = agreement(fleiss(), categories="abcde", draws=2)

    assert found.raw.value == pytest.approx(0.378, abs=5e-4)
    assert found.kappa.value == pytest.approx(0.210, abs=5e-4)
    assert (found.items, found.single, found.ratings) == (10, 0, 140)
    assert dict(found.shares)["c"] == pytest.approx(39 / 140)


def test_the_example_of_gwet_with_missing_ratings():
    found = agreement(gwet(), categories="12345", draws=2)

    assert values(found) == pytest.approx((0.81818, 0.76117, 0.77544), abs=5e-6)
    assert (found.items, found.single, found.ratings) == (11, 1, 41)


def test_two_raters_where_kappa_breaks_down_by_hand():
    # 118 both yes, 5 and 2 split, none both no: they agree on 118 of 125
    found = agreement(two_by_two(118, 5, 2, 0), categories=YES_NO, draws=2)
    yes = (123 + 120) / 250

    assert found.raw.value == pytest.approx(118 / 125)
    assert found.kappa.value == pytest.approx((118 / 125 - yes**2 - (1 - yes) ** 2) / (2 * yes * (1 - yes)))
    assert found.kappa.value < 0
    assert found.ac1.value == pytest.approx((118 / 125 - 2 * yes * (1 - yes)) / (1 - 2 * yes * (1 - yes)))
    assert found.ac1.value == pytest.approx(0.9408, abs=5e-5)


def test_three_raters_on_two_items_by_hand():
    # pairs that agree: all three, then one of three; yes is used by (1 + 2/3) / 2
    found = agreement([["yes", "yes", "yes"], ["yes", "no", "yes"]], categories=YES_NO, draws=2)
    yes = 5 / 6
    chance, spread = yes**2 + (1 - yes) ** 2, 2 * yes * (1 - yes)

    assert values(found) == pytest.approx(
        (2 / 3, (2 / 3 - chance) / (1 - chance), (2 / 3 - spread) / (1 - spread))
    )


@pytest.mark.parametrize(
    ("prevalence", "kappa", "ac1"), [(0.5, 0.74, 0.74), (0.8, 0.645, 0.79), (0.95, 0.35, 0.84)]
)
def test_kappa_falls_with_prevalence_and_ac1_does_not(prevalence, kappa, ac1):
    """Raters right 93 times in 100, in as many items as it takes for shares to be what they should be."""
    rng = np.random.default_rng(1)
    truth = rng.random(40_000) < prevalence
    right = rng.random((40_000, 3)) < 0.93
    rows = [["yes" if t == r else "no" for r in row] for t, row in zip(truth, right, strict=True)]
    found = agreement(rows, categories=YES_NO, draws=2)

    assert found.kappa.value == pytest.approx(kappa, abs=0.012)
    assert found.ac1.value == pytest.approx(ac1, abs=0.012)


def test_cohens_kappa_of_two_raters_by_hand():
    rows = two_by_two(20, 5, 10, 15)
    chance = (25 * 30 + 25 * 20) / 50**2

    for rater in (0, 1):
        found = agreement_of(rows, rater, categories=YES_NO, draws=2)
        assert found.raw.value == pytest.approx(35 / 50)
        assert found.kappa.value == pytest.approx((35 / 50 - chance) / (1 - chance))
        assert found.ac1.value == pytest.approx(agreement(rows, categories=YES_NO, draws=2).ac1.value)


def test_one_rater_with_a_group_by_hand():
    # of the others, one half says the same on the first item, all on the second; on the third there is nobody else
    rows = [["yes", "yes", "no"], ["no", "no", None], ["yes", None, None], [None, "no", "yes"]]
    found = agreement_of(rows, 0, categories=YES_NO, draws=2)
    chance = 0.5 * 0.25 + 0.5 * 0.75

    assert (found.items, found.single, found.ratings) == (2, 1, 3)
    assert found.raw.value == pytest.approx(0.75)
    assert found.kappa.value == pytest.approx((0.75 - chance) / (1 - chance))
    assert dict(found.shares) == {"yes": 0.5, "no": 0.5}


def test_a_rater_who_answers_by_chance_stands_out():
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 2, 500)
    careful = [np.where(rng.random(500) < 0.95, truth, 1 - truth) for _ in range(3)]
    columns = [*careful, rng.integers(0, 2, 500)]
    rows = [[YES_NO[c[i]] for c in columns] for i in range(500)]
    found = [agreement_of(rows, rater, categories=YES_NO) for rater in range(4)]

    assert found[3].ac1.low < 0 < found[3].ac1.high
    assert all(f.ac1.low > 0.3 for f in found[:3])


# --- intervals --------------------------------------------------------------------------------------------


def simulated(rng, items, accuracy=0.93, raters=3, prevalence=0.67):
    truth = rng.random(items) < prevalence
    right = rng.random((items, raters)) < accuracy
    return [["yes" if t == r else "no" for r in row] for t, row in zip(truth, right, strict=True)]


def test_intervals_hold_the_true_numbers_as_often_as_they_say():
    yes = 0.67 * 0.93 + 0.33 * 0.07
    raw = 0.93**2 + 0.07**2
    truths = (
        raw,
        (raw - yes**2 - (1 - yes) ** 2) / (2 * yes * (1 - yes)),
        (raw - 2 * yes * (1 - yes)) / (1 - 2 * yes * (1 - yes)),
    )
    rng = np.random.default_rng(3)
    held, ses = np.zeros(3), []
    for _ in range(200):
        found = agreement(simulated(rng, 100), categories=YES_NO, draws=500)
        numbers = (found.raw, found.kappa, found.ac1)
        held += [e.low <= t <= e.high for e, t in zip(numbers, truths, strict=True)]
        ses.append(found.kappa.se)

    # 200 runs: 95 % less three standard errors is 90 %
    assert (held / 200 >= 0.90).all()
    # 100 items of three raters give kappa a standard deviation between .05 and .08
    assert 0.05 <= np.mean(ses) <= 0.08


def test_items_that_belong_together_make_the_interval_wider():
    rng = np.random.default_rng(4)
    rows = [row for row in simulated(rng, 40) for _ in range(10)]
    clusters = [number // 10 for number in range(400)]
    alone = agreement(rows, categories=YES_NO)
    together = agreement(rows, categories=YES_NO, clusters=clusters)

    assert values(alone) == pytest.approx(values(together))
    assert together.kappa.se > 2 * alone.kappa.se


def test_an_interval_is_that_of_its_seed():
    rows = simulated(np.random.default_rng(5), 60)

    assert agreement(rows, categories=YES_NO, seed=1) == agreement(rows, categories=YES_NO, seed=1)
    assert agreement(rows, categories=YES_NO, seed=1) != agreement(rows, categories=YES_NO, seed=2)


def test_no_interval_is_made_of_what_does_not_vary():
    found = agreement([["yes", "yes"]] * 30 + [["no", "no"]] * 30, categories=YES_NO)

    assert (found.raw.value, found.raw.se, found.raw.low, found.raw.high) == (1.0, 0.0, None, None)
    assert (found.kappa.value, found.kappa.low) == (1.0, None)


def test_no_interval_is_given_where_many_samples_have_no_number():
    # one no among twelve items is not in about a third of the samples
    found = agreement([["yes", "yes"]] * 11 + [["yes", "no"]], categories=YES_NO)

    assert found.kappa.value < 0
    assert (found.kappa.se, found.kappa.low, found.kappa.high) == (None, None, None)
    assert found.ac1.low < found.ac1.value


# --- what cannot be known ---------------------------------------------------------------------------------


def test_where_all_ratings_are_the_same_kappa_is_not_known_and_ac1_is_one():
    found = agreement([["yes", "yes", None]] * 4, categories=YES_NO)

    assert values(found) == (1.0, None, 1.0)


@pytest.mark.parametrize("rows", [[], [[]], [["yes", None], [None, "no"]], [[None, None]]])
def test_without_two_ratings_of_an_item_nothing_is_known(rows):
    found = agreement(rows, categories=YES_NO)

    assert values(found) == (None, None, None)
    assert found.items == 0
    assert found.single == sum(any(row) for row in rows)


def test_a_rater_who_is_alone_agrees_with_nobody():
    found = agreement_of([["yes", None], [None, "no"]], 0, categories=YES_NO)

    assert values(found) == (None, None, None)
    assert (found.items, found.single) == (0, 1)


@pytest.mark.parametrize(
    ("rows", "more", "words"),
    [
        ([["yes", "maybe"]], {}, "maybe"),
        ([["yes"], ["yes", "no"]], {}, "one column for each rater"),
        ([["yes", "no"]], {"categories": ("yes",)}, "two different categories"),
        ([["yes", "no"]], {"categories": ("yes", "yes")}, "two different categories"),
        ([["yes", "no"]], {"clusters": [1, 2]}, "one cluster for each item"),
        ([["yes", "no"]], {"level": 1.0}, "a level between 0 and 1"),
    ],
)
def test_what_cannot_be_rated_is_refused(rows, more, words):
    with pytest.raises(ValueError, match=words):
        agreement(rows, **({"categories": YES_NO} | more))


def test_a_rater_who_is_not_there_is_refused():
    with pytest.raises(ValueError, match="a rater from 0 to 1"):
        agreement_of([["yes", "no"]], 2, categories=YES_NO)


# --- what always holds ------------------------------------------------------------------------------------

ROWS = st.integers(2, 4).flatmap(
    lambda raters: st.lists(
        st.lists(st.sampled_from(["a", "b", "c", None]), min_size=raters, max_size=raters),
        min_size=1,
        max_size=12,
    )
)


@given(ROWS, st.randoms(use_true_random=False))
def test_neither_the_order_of_items_nor_of_raters_nor_the_names_of_categories_matter(rows, random):
    before = values(agreement(rows, categories="abc", draws=2))
    columns = list(range(len(rows[0])))
    random.shuffle(columns)
    other = {"a": "z", "b": "x", "c": "y", None: None}
    shuffled = [[other[row[c]] for c in columns] for row in rows]
    random.shuffle(shuffled)
    after = values(agreement(shuffled, categories="xyz", draws=2))

    for one, two in zip(before, after, strict=True):
        assert one == two if one is None else two == pytest.approx(one)


@given(ROWS)
def test_numbers_stay_in_their_ranges(rows):
    found = agreement(rows, categories="abc", draws=50)

    if found.raw is not None:
        assert 0 <= found.raw.value <= 1
        assert found.ac1.value <= 1
        assert found.kappa is None or found.kappa.value <= 1 + 1e-9
    for number in (found.raw, found.kappa, found.ac1):
        if number is not None and number.low is not None:
            assert number.low <= number.high
    assert found.ratings == 0 or math.isclose(sum(s for _, s in found.shares), 1)


@given(ROWS)
def test_an_item_that_was_rated_once_changes_no_raw_agreement(rows):
    alone = ["a"] + [None] * (len(rows[0]) - 1)
    before, after = (agreement(r, categories="abc", draws=2).raw for r in (rows, [*rows, alone]))

    assert (before is None) == (after is None)
    assert before is None or after.value == pytest.approx(before.value)


@given(ROWS)
def test_the_agreements_of_single_raters_average_to_that_of_all_where_nothing_is_missing(rows):
    full = [[value or "a" for value in row] for row in rows]
    each = [agreement_of(full, rater, categories="abc", draws=2).raw.value for rater in range(len(full[0]))]

    assert np.mean(each) == pytest.approx(agreement(full, categories="abc", draws=2).raw.value)
