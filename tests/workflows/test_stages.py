"""Stages are told in their order, looks come inside of them, and who watches changes nothing."""

import pytest

from biasscope import api
from biasscope.config import DataSpec, JudgeSpec, MeasureConfig, MeasureIdentity
from biasscope.steps.watching import LookSeen
from biasscope.workflows.sample import BudgetSeen
from biasscope.workflows.stages import JudgeSeen, StageSeen, stages_of

from .conftest import config

SMALL = DataSpec(discovery="objective:20?seed=1", validation="objective:24?seed=2")


async def watched(folder, settled):
    seen = []
    summary = await api.discover(folder, settled, on_seen=seen.append)
    return seen, summary


async def test_a_discovery_tells_its_stages_and_looks_and_the_same_is_found(first_run):
    folder, settled, alone = first_run
    seen, summary = await watched(folder, settled)
    stages = [s for s in seen if isinstance(s, StageSeen)]

    assert summary.model_copy(update={"calls": alone.calls}) == alone
    assert tuple(s.stage for s in stages) == stages_of(settled.identity)
    assert [s.iteration for s in stages] == [0, *[1] * 6, *[0] * 4]
    looks = [s for s in seen[seen.index(StageSeen("trials", 1)) :] if isinstance(s, LookSeen)]
    assert seen[seen.index(StageSeen("trials", 1)) + 1] == looks[0]
    first = [s for s in looks if s.iteration == 1]
    assert [s.look for s in first] == list(range(len(first)))
    assert {c.bias.id for c in first[0].candidates} == {t.id for t in alone.trials}
    # what went on at the end of the run, beside everything that was tried, stopped later
    ended = {c.bias.id: c for s in looks for c in s.candidates}
    assert {i: (c.look, c.visited) for i, c in ended.items()} == {t.id: (t.look, t.visited) for t in alone.trials}


@pytest.mark.parametrize(
    "changes",
    [
        {"preset": "paper", "rule": "paper", "holdout_share": 0.0, "iterations": 2},
        {"proposer": "both"},
        {"proposer": "features"},
        {"rule": "paper"},
        {"null_control": 1},
    ],
    ids=" ".join,
)
async def test_every_way_of_discovering_goes_through_its_stages(tmp_path, changes):
    settled = config(data=SMALL, **({"evidence_limit": 8, "holdout_share": 0.0} | changes))
    seen, _ = await watched(tmp_path / "run", settled)
    of = stages_of(settled.identity)
    told = [s for s in seen if isinstance(s, StageSeen)]

    for iteration in {s.iteration for s in told}:
        places = [of.index(s.stage) for s in told if s.iteration == iteration]
        assert places == sorted(set(places))
    assert {s.stage for s in told} == set(of)
    assert (told[0], told[-1]) == (StageSeen("baseline"), StageSeen("report"))
    sham = [s for s in seen if isinstance(s, LookSeen) and s.candidates[0].bias.origin == "sham"]
    assert bool(sham) == ("null_control" in changes)


async def test_a_measurement_tells_its_judges_and_their_stages(tmp_path):
    identity = MeasureIdentity(
        judges=(JudgeSpec(spec="planted:fair"), JudgeSpec(spec="planted:stuck")),
        data="objective:24?seed=1",
        biases=("authority", "sentiment"),
        minutes=5.0,
    )
    seen = []
    await api.measure(tmp_path / "run", MeasureConfig(identity=identity), on_seen=seen.append)
    of = stages_of(identity)

    assert [s.stage for s in seen if isinstance(s, StageSeen)] == [*of, *of[1:]]
    assert [s for s in seen if isinstance(s, JudgeSeen)] == [
        JudgeSeen(1, 2, "planted:fair", 24),
        JudgeSeen(2, 2, "planted:stuck", 24),
    ]
    assert [s.pairs for s in seen if isinstance(s, BudgetSeen)][-1] == 24
    looks = [s for s in seen if isinstance(s, LookSeen)]
    assert [(s.look, s.looks, s.visited) for s in looks] == [(0, 1, 0), (1, 1, 24)] * 2
