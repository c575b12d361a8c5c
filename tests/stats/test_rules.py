"""When a rule looks, what each look may spend, and how many neutral rewrites it plans."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biasscope.stats.rules import FEWEST, RULES, Look, Rule

SEQUENTIAL = ("default", "fast", "thorough")
COUNTS = st.integers(FEWEST, 3000)
NAMES = st.sampled_from(sorted(RULES))


def test_the_looks_at_620_items_are_the_published_shares_of_them():
    schedule = RULES["default"].schedule(620)

    assert [look.stop for look in schedule] == [50, 74, 105, 149, 211, 298, 434, 620]
    assert [look.weight for look in schedule] == [0.01, 0.02, 0.04, 0.06, 0.09, 0.14, 0.22, 0.42]


def test_looks_that_fall_together_are_one_with_the_sum_of_their_weights():
    # 30 items: six looks at no more than 14 items wait for the twentieth, the seventh comes at 21
    schedule = RULES["default"].schedule(30)

    assert [look.stop for look in schedule] == [20, 21, 30]
    assert [look.weight for look in schedule] == pytest.approx([0.36, 0.22, 0.42])


def test_twenty_items_are_one_look_with_the_whole_level():
    (only,) = RULES["default"].schedule(20)

    assert only.stop == 20
    assert only.weight == pytest.approx(1)


@given(NAMES, COUNTS)
def test_weights_sum_to_one_and_looks_rise_to_all_items_for_any_number_of_them(name, items):
    schedule = RULES[name].schedule(items)
    stops = [look.stop for look in schedule]

    assert sum(look.weight for look in schedule) == pytest.approx(1)
    assert stops == sorted(set(stops))
    assert stops[0] >= FEWEST
    assert stops[-1] == items


@pytest.mark.parametrize("items", [0, 1, 19])
def test_fewer_items_than_anything_can_be_decided_on_are_refused(items):
    with pytest.raises(ValueError, match=f"at least 20 items to validate on, got {items}"):
        RULES["default"].schedule(items)


def test_early_items_get_more_neutral_rewrites_because_most_candidates_are_there():
    planned = RULES["default"].neutrals_at(620)

    # 15 % of 620 are 93 items and 34 % are 211
    assert [int(k) for k in planned[[0, 92, 93, 210, 211, 619]]] == [5, 5, 3, 3, 2, 2]
    assert planned.sum() == 93 * 5 + 118 * 3 + 409 * 2


@given(NAMES, COUNTS)
def test_every_item_gets_a_neutral_rewrite_and_none_more_than_the_largest_number(name, items):
    planned = RULES[name].neutrals_at(items)

    assert len(planned) == items
    assert planned.min() >= 1
    assert planned.max() == RULES[name].neutrals
    assert (planned[1:] <= planned[:-1]).all()


def test_sequential_rules_differ_in_the_smallest_effect_of_interest_alone():
    assert [RULES[name].min_effect for name in SEQUENTIAL] == [0.05, 0.07, 0.04]
    assert len({replace(RULES[name], name="x", min_effect=0.05) for name in SEQUENTIAL}) == 1


def test_the_fixed_rule_looks_once_at_everything_and_gives_up_nothing():
    fixed = RULES["fixed"]

    assert fixed.schedule(300) == (Look(300, 1.0),)
    assert fixed.futility is None
    assert set(fixed.neutrals_at(300)) == {3}


@pytest.mark.parametrize(
    ("looks", "weights", "plan", "words"),
    [
        ((), (), ((1.0, 1),), "looks must rise to 1"),
        ((0.0, 1.0), (0.5, 0.5), ((1.0, 1),), "looks must rise to 1"),
        ((0.5,), (1.0,), ((1.0, 1),), "looks must rise to 1"),
        ((0.5, 0.4, 1.0), (0.2, 0.3, 0.5), ((1.0, 1),), "looks must rise to 1"),
        ((0.5, 1.0), (1.0,), ((1.0, 1),), "one positive weight per look"),
        ((0.5, 1.0), (0.0, 1.0), ((1.0, 1),), "one positive weight per look"),
        ((0.5, 1.0), (0.5, 0.4), ((1.0, 1),), "with sum 1"),
        ((1.0,), (1.0,), (), "neutral plan"),
        ((1.0,), (1.0,), ((0.5, 2),), "must reach all items"),
        ((1.0,), (1.0,), ((0.5, 2), (1.0, 0)), "at least 1"),
    ],
)
def test_shares_that_do_not_fit_together_are_refused(looks, weights, plan, words):
    with pytest.raises(ValueError, match=words):
        Rule("odd", looks, weights, plan)
