"""As many pairs as a budget of time allows."""

import asyncio

import pytest

from biasscope.workflows.sample import Budget, Spent, choose_sample, in_order

from ..fakes import pair, pairs


class World:
    """A clock that a block of pairs moves on, and calls that it pays for; `seconds` a pair, or by how many were seen."""

    def __init__(self, seconds=1.0, free=0, stops_after=None):
        self.now, self.calls, self.free, self.stops_after = 100.0, 0, free, stops_after
        self.seconds = seconds if callable(seconds) else lambda _: seconds
        self.seen, self.blocks, self.kept, self.told = [], [], [], []

    async def measure(self, block):
        self.blocks.append(len(block))
        for one in block:
            if self.stops_after is not None and len(self.seen) >= self.stops_after:
                raise asyncio.CancelledError
            self.seen.append(one)
            if len(self.seen) > self.free:
                self.calls += 1
                self.now += self.seconds(len(self.seen))

    async def choose(self, count, minutes, *, spent=None, **settings):
        budget = Budget(
            minutes,
            self.measure,
            lambda: self.calls,
            lambda: self.now,
            keep=self.kept.append,
            tell=self.told.append,
            **settings,
        )
        return await choose_sample(pairs(count), budget, spent)


TABLE = pytest.mark.parametrize(
    ("count", "minutes", "chosen"),
    [(200, 1.0, 60), (200, 0.1, 20), (40, 10.0, 40), (200, 2.0, 120)],
)


@TABLE
async def test_pairs_are_taken_until_the_budget_is_spent_and_at_least_the_fewest(count, minutes, chosen):
    world = World()
    sample = await world.choose(count, minutes)

    assert (sample.pairs, sample.available, sample.seconds_per_pair) == (chosen, count, 1.0)
    assert world.seen == pairs(count)[:chosen]
    assert sample.minutes_needed == pytest.approx(chosen / 60)


@TABLE
async def test_where_a_rule_stops_early_the_speed_on_the_first_pairs_says_how_many(count, minutes, chosen):
    world = World()
    sample = await world.choose(count, minutes, whole=False)

    assert (sample.pairs, sample.available, sample.seconds_per_pair) == (chosen, count, 1.0)
    assert len(world.seen) == 8


async def test_a_block_takes_a_quarter_of_what_is_left_and_at_the_end_a_pair():
    world = World()
    await world.choose(200, 1.0)

    # 52 seconds are left after the eight pairs that tell the speed, then 39, 30, 23, 18 ...
    assert world.blocks[:7] == [4, 4, 13, 9, 7, 5, 4]
    assert world.blocks[-1] == 1


@pytest.mark.parametrize("later", [2.0, 4.0])
async def test_the_budget_is_kept_when_calls_become_slower(later):
    world = World(seconds=lambda n: 1.0 if n <= 25 else later)
    sample = await world.choose(500, 3.0)

    assert 180 - 2 * later <= world.now - 100 <= 180
    assert sample.pairs == len(world.seen)
    assert sample.minutes_needed == pytest.approx((world.now - 100) / 60)


async def test_when_calls_become_faster_more_pairs_are_taken():
    sample = await World(seconds=lambda n: 1.0 if n <= 25 else 0.25).choose(900, 1.0)

    # the speed on the first pairs alone would have said 60
    assert sample.pairs >= 150


async def test_that_the_fewest_pairs_do_not_fit_is_told_as_soon_as_the_speed_is_known():
    world = World()
    await world.choose(200, 0.1)
    first, known = world.told[:2]

    assert (first.fewest_minutes, first.over) == (None, 0)
    assert (known.pairs, known.available, known.minutes) == (8, 200, 0.1)
    assert known.spent_minutes == pytest.approx(8 / 60)
    assert known.fewest_minutes == pytest.approx(20 / 60)
    assert known.over == pytest.approx(14 / 60)
    assert world.blocks == [4, 4, 12]


async def test_a_budget_that_has_room_for_the_fewest_is_not_over():
    world = World()
    await world.choose(200, 1.0)

    assert [seen.over for seen in world.told] == [0] * len(world.told)
    assert world.told[-1].fewest_minutes is None


@pytest.mark.parametrize(("at_once", "first"), [(1, [4, 4]), (6, [6, 6]), (40, [8])])
async def test_blocks_keep_all_calls_in_flight_busy(at_once, first):
    world = World(seconds=0.1)
    await world.choose(1000, 1.0, at_once=at_once)

    assert world.blocks[: len(first)] == first
    assert min(world.blocks[len(first) :]) >= at_once
    assert world.now - 100 <= 60


async def test_where_a_full_block_does_not_fit_only_what_is_lacking_is_taken():
    world = World()
    sample = await world.choose(200, 0.5, at_once=30)

    assert (world.blocks, sample.pairs) == ([8, 12], 20)


async def test_what_the_ledger_answers_says_nothing_about_the_speed():
    world = World(seconds=2.0, free=8)
    sample = await world.choose(200, 1.0)

    # 16 pairs are done after 16 of 60 seconds, and 22 more fit into the rest
    assert (sample.pairs, sample.seconds_per_pair) == (38, 2.0)


async def test_where_nothing_must_be_paid_all_pairs_are_taken():
    sample = await World(free=99).choose(30, 0.01)

    assert (sample.pairs, sample.seconds_per_pair, sample.minutes_needed) == (30, None, None)


async def test_what_was_spent_is_kept_after_each_block():
    world = World()
    await world.choose(40, 10.0)

    assert world.kept[:2] == [Spent(4, 4.0, 4, 4.0), Spent(8, 8.0, 8, 8.0)]
    assert world.kept[-1].pairs == 40


@pytest.mark.parametrize("stops_after", [2, 13, 30])
async def test_a_run_that_was_interrupted_goes_on_with_what_is_left_of_its_budget(stops_after):
    stopped = World(stops_after=stops_after)
    with pytest.raises(asyncio.CancelledError):
        await stopped.choose(200, 1.0)
    spent = stopped.kept[-1]
    again = World()
    sample = await again.choose(200, 1.0, spent=spent)

    assert spent.seconds == stops_after
    assert again.seen == pairs(200)[spent.pairs : sample.pairs]
    # what was measured in the block that was interrupted is measured again, and its time is gone
    assert sample.pairs == 60 - (stops_after - spent.pairs)
    assert spent.seconds + again.now - 100 == pytest.approx(60)


async def test_nothing_is_spent_where_no_reply_came():
    world = World(stops_after=0)
    with pytest.raises(asyncio.CancelledError):
        await world.choose(200, 1.0)

    assert world.kept == [Spent()]


def test_pairs_come_in_an_order_of_their_own_with_the_mix_of_the_whole():
    of = [pair(f"p{k}", domain="a" if k < 30 else "b") for k in range(60)]
    taken = in_order(of, 1)

    assert taken == in_order(of[::-1], 1) != in_order(of, 2)
    assert abs(sum(p.domain == "a" for p in taken[:20]) - 10) <= 1
