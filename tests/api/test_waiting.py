"""Ctrl-C in a script and where a loop is running: calls in flight are kept, and the same call goes on."""

import asyncio
import logging
import os
import signal
import threading
from pathlib import Path

import pytest

import biasscope
from biasscope.api.waiting import WAITING, run_anywhere

from .conftest import PAIRS


@pytest.fixture(autouse=True)
def _as_a_user_starts_it():
    """Tests that run in the background ignore SIGINT."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    signal.signal(signal.SIGINT, before)


def press(times=1):
    for _ in range(times):
        os.kill(os.getpid(), signal.SIGINT)


class Impatient:
    """A judge in the midst of whose tenth call somebody presses Ctrl-C."""

    def __init__(self):
        self.calls = 0

    def __call__(self, first, second):
        self.calls += 1
        if self.calls == 10:
            press()
        return "first" if len(first) > len(second) else "second"


def stopped_and_continued(judge, caplog):
    named = biasscope.Named(judge, "impatient")
    with caplog.at_level(logging.WARNING, "biasscope"), pytest.raises(KeyboardInterrupt):
        biasscope.measure(named, data=PAIRS, biases=["length"], run="run")
    kept = judge.calls
    found = biasscope.measure(named, data=PAIRS, biases=["length"], run="run")

    assert [r.message for r in caplog.records] == [WAITING]
    assert 10 <= kept < judge.calls
    assert found.summary.complete
    assert found.calls.judge == judge.calls - kept, "what was answered before is not asked again"
    assert '"stopped"' in Path("run/manifest.json").read_text(encoding="utf-8")


def test_in_a_script_ctrl_c_waits_for_the_calls_in_flight_and_the_same_call_continues(caplog):
    stopped_and_continued(Impatient(), caplog)


async def test_where_a_loop_is_running_ctrl_c_does_the_same(caplog):
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    stopped_and_continued(Impatient(), caplog)
    signal.signal(signal.SIGINT, before)
    await asyncio.sleep(0)  # the loop is as it was


def test_a_second_ctrl_c_drops_what_is_waited_for():
    said = []

    async def work():
        press(2)
        try:
            await asyncio.Event().wait()
        finally:
            said.append("ended")

    with pytest.raises(KeyboardInterrupt):
        run_anywhere(work(), said.append)
    assert said == [WAITING, "ended"]


async def test_what_work_returns_and_raises_comes_through():
    async def returns():
        return threading.current_thread().name

    async def raises():
        raise TimeoutError("its own")

    assert run_anywhere(returns(), print).startswith("biasscope")
    with pytest.raises(TimeoutError, match="its own"):
        run_anywhere(raises(), print)


def test_outside_the_main_thread_a_run_is_a_run():
    async def work():
        return "done"

    results = []
    thread = threading.Thread(target=lambda: results.append(run_anywhere(work(), print)))
    thread.start()
    thread.join(20)
    assert results == ["done"]


def test_a_handler_of_the_program_stays_in_its_place():
    heard = []
    signal.signal(signal.SIGINT, lambda *_: heard.append(1))

    async def work():
        press()
        await asyncio.sleep(0)
        return "done"

    assert run_anywhere(work(), print) == "done"
    assert heard == [1]
    signal.signal(signal.SIGINT, signal.default_int_handler)
