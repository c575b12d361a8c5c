"""Sides of a trait: as often one as the other in every group, the same in any order, and no side longer for it."""

import random

import pytest

from biasscope.stats.side_balance import MOST_DROPPED, TOLERANCE, Added, balance_sides


def drawn(count, *, groups=3, chosen=10.0, rejected=10.0, seed=1):
    luck = random.Random(seed)
    return [
        Added(f"row{n}", f"bias{n % groups}", round(luck.gauss(chosen, 5)), round(luck.gauss(rejected, 5)))
        for n in range(count)
    ]


def counts(rows, sides):
    """(on chosen, on rejected) by group."""
    return {
        group: tuple(
            sum(row.group == group and row.id in side for row in rows) for side in (sides.chosen, sides.rejected)
        )
        for group in {row.group for row in rows}
    }


@pytest.mark.parametrize("count", [1, 2, 3, 7, 20, 101])
@pytest.mark.parametrize("groups", [1, 2, 5])
@pytest.mark.parametrize("more", [0, 6])
def test_a_trait_stands_on_either_side_equally_often_in_every_group_and_over_all(count, groups, more):
    rows = drawn(count, groups=groups, chosen=10 + more)
    sides = balance_sides(rows)
    assert all(abs(one - other) <= 1 for one, other in counts(rows, sides).values())
    assert abs(len(sides.chosen) - len(sides.rejected)) <= 1
    assert sides.chosen | sides.rejected | sides.dropped == {row.id for row in rows}
    assert len(sides.chosen) + len(sides.rejected) + len(sides.dropped) == count


def test_the_same_rows_give_the_same_sides_in_any_order_and_another_seed_gives_others():
    rows = drawn(60)
    once = balance_sides(rows, seed=3)
    random.Random(5).shuffle(rows)
    assert balance_sides(rows, seed=3) == once
    assert balance_sides(rows, seed=4).chosen != once.chosen


def added(rows, sides):
    by_id = {row.id: row for row in rows}
    return sum(by_id[i].chosen for i in sides.chosen) - sum(by_id[i].rejected for i in sides.rejected)


def test_what_is_said_of_the_lengths_is_what_the_sides_add():
    rows = drawn(61, chosen=14)
    sides = balance_sides(rows)
    assert sides.kept == pytest.approx(added(rows, sides) / (61 - len(sides.dropped)))


def test_rows_exchange_sides_until_the_trait_adds_alike_and_none_is_dropped_where_that_suffices():
    rows = drawn(120, chosen=12, rejected=10)
    sides = balance_sides(rows)
    assert abs(sides.kept) < 0.1 < abs(sides.drawn)
    assert not sides.dropped


def test_rows_are_dropped_two_by_two_where_one_side_is_longer_throughout():
    rows = [Added(f"r{n}", "length", 40.0 if n % 10 == 0 else 3.0, 3.0) for n in range(100)]
    sides = balance_sides(rows)
    assert abs(sides.kept) <= TOLERANCE
    hopeless = [Added(f"r{n}", "length", 50.0 + n % 3, 1.0) for n in range(100)]
    cut = balance_sides(hopeless)
    assert len(cut.dropped) <= MOST_DROPPED * 100
    assert len(cut.chosen) == len(cut.rejected)


def test_what_is_dropped_are_the_two_rows_that_bring_the_whole_closest_to_nothing():
    rows = [Added(f"r{n}", "length", 1.0, 1.0) for n in range(20)] + [
        Added("a", "far", 60.0, 3.0),
        Added("b", "far", 57.0, 2.0),
    ]
    sides = balance_sides(rows)
    assert sides.dropped == {"a", "b"}
    assert sides.kept == 0


def test_nothing_gives_nothing_and_an_id_that_comes_twice_is_refused():
    empty = balance_sides([])
    assert (empty.chosen, empty.rejected, empty.drawn, empty.kept) == (frozenset(), frozenset(), 0.0, 0.0)
    with pytest.raises(ValueError, match="ids of their own"):
        balance_sides([Added("a", "x", 1, 1), Added("a", "x", 2, 2)])
