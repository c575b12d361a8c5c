"""A trial that has stopped, on fakes, and what it is followed up with."""

from collections import Counter
from dataclasses import replace

from biasscope.stats.rules import RULES
from biasscope.steps.followups import Bench
from biasscope.steps.judge import Table
from biasscope.steps.validate import TrialDesign, validate_candidates

from ..fakes import FakeJudge, NamingWriter, bias

CALM = bias()
LOUD = bias("Loud bias")


def once(neutrals=1):
    """Every pair, one look, however few there are."""
    return TrialDesign(replace(RULES["fixed"], fewest=1, neutral_plan=((1.0, neutrals),)))


def falls_for(*arms):
    return FakeJudge(lambda s: "rejected" if s.arm in arms else "chosen")


async def stopped(judge, visited, fresh=(), *, of=CALM, neutrals=1, table=None, writer=None):
    """A trial that stopped after these pairs, and what it is followed up with."""
    bench = Bench(judge, writer or NamingWriter(), None, Table() if table is None else table)
    (tested,) = await validate_candidates(judge, bench.writer, bench.table, visited, [of], once(neutrals))
    judge.seen.clear()
    return bench, replace(tested, visited=tuple(visited), unvisited=tuple(fresh))


def cells(judge):
    return Counter((s.pair.id, s.arm, s.order) for s in judge.seen)
