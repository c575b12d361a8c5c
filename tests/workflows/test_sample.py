"""As many pairs as a budget of time allows."""

import pytest

from biasscope.workflows.sample import choose_sample, in_order

from ..fakes import pair, pairs


class World:
    """A clock that a block of pairs moves on, and calls that it pays for."""

    def __init__(self, seconds=1.0, free=0):
        self.now, self.calls, self.seconds, self.free = 100.0, 0, seconds, free
        self.seen = []

    async def measure(self, block):
        self.seen += block
        if len(self.seen) > self.free:
            self.calls += len(block)
            self.now += self.seconds * len(block)

    async def choose(self, count, minutes):
        return await choose_sample(pairs(count), minutes, self.measure, lambda: self.calls, lambda: self.now)


@pytest.mark.parametrize(
    ("count", "minutes", "chosen"),
    [(200, 1.0, 60), (200, 0.1, 20), (40, 10.0, 40), (200, 2.0, 120)],
)
async def test_the_speed_on_the_first_pairs_says_how_many_fit(count, minutes, chosen):
    world = World()
    sample = await world.choose(count, minutes)

    assert (sample.pairs, sample.available, sample.seconds_per_pair) == (chosen, count, 1.0)
    assert len(world.seen) == 8
    assert sample.minutes_needed == pytest.approx(chosen / 60)


async def test_what_the_ledger_answers_says_nothing_about_the_speed():
    world = World(seconds=2.0, free=8)
    sample = await world.choose(200, 1.0)

    assert len(world.seen) == 16
    # 16 pairs are done after 16 of 60 seconds, and 22 more fit into the rest
    assert (sample.pairs, sample.seconds_per_pair) == (38, 2.0)


async def test_where_nothing_must_be_paid_all_pairs_are_taken():
    sample = await World(free=99).choose(30, 0.01)

    assert (sample.pairs, sample.seconds_per_pair, sample.minutes_needed) == (30, None, None)


def test_pairs_come_in_an_order_of_their_own_with_the_mix_of_the_whole():
    of = [pair(f"p{k}", domain="a" if k < 30 else "b") for k in range(60)]
    taken = in_order(of, 1)

    assert taken == in_order(of[::-1], 1) != in_order(of, 2)
    assert abs(sum(p.domain == "a" for p in taken[:20]) - 10) <= 1
