"""The benchmarks of `make bench` run and say what they should; how fast anything is, no test asks."""

import asyncio
import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _benchmarks_are_found(monkeypatch):
    monkeypatch.syspath_prepend(ROOT)


def run(monkeypatch, capsys, tmp_path, *names):
    from benchmarks.__main__ import main

    target = tmp_path / "found.json"
    monkeypatch.setattr(sys, "argv", ["benchmarks", *names, "--size", "smoke", "--json", str(target)])
    main()
    return json.loads(target.read_text()), capsys.readouterr().out


@pytest.mark.parametrize(
    "names",
    [("start", "client", "replay", "orchestration", "prefix"), ("schedule", "growth")],
    ids=["speed", "scale"],
)
def test_a_smoke_run_prints_an_object_for_each_benchmark_and_a_table_of_all_ratios(
    monkeypatch, capsys, tmp_path, names
):
    found, said = run(monkeypatch, capsys, tmp_path, *names)
    printed = [json.loads(line) for line in said.splitlines() if line.startswith('{"name"')]

    assert [b["name"] for b in found["benchmarks"]] == [b["name"] for b in printed] == list(names)
    assert found["machine"]["cores"] >= 1
    for benchmark in printed:
        assert bool(benchmark["ratios"]) != bool(benchmark["skipped"])
        assert all(ratio["value"] > 0 for ratio in benchmark["ratios"])
        assert said.count(f"| {benchmark['name']} |") == max(1, len(benchmark["ratios"]))


def test_a_benchmark_that_does_not_exist_is_refused(monkeypatch, capsys, tmp_path):
    with pytest.raises(SystemExit):
        run(monkeypatch, capsys, tmp_path, "speeed")
    assert "no benchmark is called speeed; there are start, client" in capsys.readouterr().err


def test_virtual_time_passes_by_waiting_alone(tmp_path):
    from benchmarks.virtual_time import TimelessLedger, run_in_virtual_time

    from biasscope.ask import Reply

    async def work():
        loop = asyncio.get_running_loop()
        with TimelessLedger.open(tmp_path / "replies.db") as ledger:
            put = ledger.put("b1:key", Reply("yes"), kind="judge", fingerprint={})
            await asyncio.gather(asyncio.sleep(3600), asyncio.sleep(60), put)
        return loop.time()

    assert run_in_virtual_time(work()) == pytest.approx(3600)


def test_the_ideal_fills_all_slots_between_joins_and_merges_one_after_the_other():
    from benchmarks.planted_run import Trace

    from biasscope.workflows.stages import StageSeen

    now = [0.0]
    trace = Trace(lambda: now[0])
    for at, stage in ((0.0, "perturb"), (3.0, "judge"), (5.0, "merge"), (9.0, "trials")):
        now[0] = at
        trace.see(StageSeen(stage, 1))
    trace.calls = [(0.0, 2.0), (0.0, 1.0), (3.0, 1.0), (5.0, 0.5), (6.0, 0.5), (9.0, 4.0), (9.0, 1.0)]

    # Perturbing and judging are one part: 4 seconds of calls in two slots; then 1 of merging, and the longest call.
    assert trace.ideal(2) == pytest.approx(2 + 1 + 4)


def test_a_target_is_met_from_above_or_from_below_and_a_figure_without_one_is_neither():
    from benchmarks.results import Ratio, Result, table

    ratios = (Ratio("cost", 1.2, 1.3), Ratio("speed", 900, 1000, at_most=False, unit=" /s"), Ratio("seen", 3.0))
    shown = table([Result("one", ratios), Result("two", skipped="no weights")])

    assert [r.met for r in ratios] == [True, False, None]
    assert "| one | cost | 1.2 | ≤ 1.3 | yes |" in shown
    assert "| one | speed | 900 /s | ≥ 1,000 /s | **no** |" in shown
    assert "| two | not measured: no weights |  |  |  |" in shown
