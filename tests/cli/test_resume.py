"""A run survives whatever ends it, pays for nothing twice, and finds the same over a bad line as over a good one."""

import json
import signal
import sqlite3
import time

import pytest

from biasscope.models import chat

from .conftest import FOUND, SMALL, STRONG, finish, launch, run_here, serving

IN_FLIGHT = 4


def rows(run):
    """How many replies the ledger of a folder holds; none before there is one."""
    if not (run / "replies.db").exists():
        return 0
    with sqlite3.connect(f"file:{run}/replies.db?mode=ro", uri=True) as ledger:
        try:
            return ledger.execute("SELECT count(*) FROM replies").fetchone()[0]
        except sqlite3.OperationalError:  # the file is there, its tables are not yet
            return 0


def wait_for_rows(process, run, count):
    while rows(run) < count:
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.005)


def results(run):
    """What a run found, byte by byte."""
    return {name: (run / name).read_bytes() for name in ("library.jsonl", "trials.jsonl", "iterations.jsonl")}


def paid(summary):
    return summary["calls"]["judge"] + summary["calls"]["teacher"]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """A run without any trouble: what it found and how many calls it took."""
    run = tmp_path_factory.mktemp("undisturbed") / "run"
    with serving() as server:
        done = run_here("discover", run, *server.models(*STRONG), *FOUND, "--json")
        assert done.code == 0
        stats = server.stats()
    assert (stats["served"], stats["repeated"]) == (paid(done.json), 0)
    assert done.json["status"] == "found"
    return results(run), paid(done.json)


def test_a_killed_run_continues_and_repeats_no_answered_call(tmp_path, undisturbed):
    found, calls = undisturbed
    run = tmp_path / "run"
    with serving() as server:
        command = ("discover", run, *server.models(*STRONG), *FOUND, "--max-in-flight", IN_FLIGHT, "--json")
        process = launch(*command)
        wait_for_rows(process, run, calls // 2)
        process.kill()
        assert finish(process).code == -signal.SIGKILL
        kept = rows(run)
        assert kept < calls

        done = run_here(*command)
        assert done.code == 0
        assert paid(done.json) == calls - kept
        assert done.json["calls"]["replayed"] >= kept
        stats = server.stats()
        assert stats["distinct"] == calls
        assert stats["repeated"] <= 2 * IN_FLIGHT  # what was called, or answered and not yet written, at the kill
        assert results(run) == found

        again = run_here(*command)
        assert paid(again.json) == 0
        assert server.stats() == stats
        assert results(run) == found
    starts = json.loads((run / "manifest.json").read_text())["starts"]
    assert [start["status"] for start in starts] == ["running", "finished", "finished"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_waits_for_what_is_paid_and_says_how_to_continue(tmp_path, number):
    run = tmp_path / "run"
    with serving("--latency-ms", 40) as server:
        command = ("discover", run, *server.models(), *SMALL, "--json")
        process = launch(*command, "--quiet")
        wait_for_rows(process, run, 30)
        process.send_signal(number)
        done = finish(process).refuses(
            "interrupted", "Everything answered so far is kept", "same command", code=130
        )
        assert done.err.startswith("Waiting for the calls in flight")
        assert server.stats()["served"] == rows(run)

        assert run_here(*command).code == 0
        stats = server.stats()
        assert stats["repeated"] == 0
        assert stats["distinct"] == rows(run)
    starts = json.loads((run / "manifest.json").read_text())["starts"]
    assert [start["status"] for start in starts] == ["stopped", "finished"]


def test_a_second_interruption_waits_for_nothing(tmp_path):
    run = tmp_path / "run"
    with serving("--hang", 1) as server:
        process = launch("discover", run, *server.models(), *SMALL)
        while server.stats()["peak"] == 0:
            assert process.poll() is None
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        while not process.stderr.readline().startswith("Waiting for the calls in flight"):
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        finish(process).refuses("interrupted", code=130)


TROUBLE = ("--server-errors", 0.05, "--rate-limits", 0.05, "--retry-after", 0, "--truncated", 0.02)
REFUSED = ("--refuse", "temperature", "--refuse", "seed")


@pytest.mark.parametrize("trouble", [TROUBLE, REFUSED], ids=["faults", "refused parameters"])
def test_a_bad_line_changes_no_result(tmp_path, undisturbed, trouble, monkeypatch):
    monkeypatch.setattr(chat, "FIRST_WAIT_S", 0.01)
    found, calls = undisturbed
    with serving(*trouble) as server:
        done = run_here("discover", "run", *server.models(*STRONG), *FOUND, "--max-in-flight", 32, "--json")
        stats = server.stats()

    assert done.code == 0
    assert results(tmp_path / "run") == found
    assert paid(done.json) == calls
    assert stats["served"] == stats["distinct"] == calls
    if trouble is TROUBLE:
        assert min(stats["faults"][name] for name in ("server_error", "rate_limit", "truncated")) >= 10
    else:
        assert 0 < stats["refused"] < 100  # found out once, by those that were under way
