"""What is said while a run works, where there is no terminal."""

import pytest

from biasscope.cli.progress import PLAIN_EVERY_S, Progress
from biasscope.engine import Count, Event


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def test_a_plain_line_comes_every_fifteen_seconds(clock, capsys):
    with Progress(clock=clock) as progress:
        for second in range(61):
            clock.now = 100.0 + second
            progress.event(Event("judge", "judge", Count(asked=1000, answered=10 * second, paid=10 * second)))
    lines = capsys.readouterr().err.splitlines()

    assert PLAIN_EVERY_S == 15
    assert lines == [
        "judge judging 150 of 1,000; 10.0 calls/s, 15 s so far, about 1 min 25 s left for these",
        "judge judging 300 of 1,000; 10.0 calls/s, 30 s so far, about 1 min 10 s left for these",
        "judge judging 450 of 1,000; 10.0 calls/s, 45 s so far, about 55 s left for these",
        "judge judging 600 of 1,000; 10.0 calls/s, 1 min 00 s so far, about 40 s left for these",
    ]


def test_only_what_is_under_way_is_named(clock, capsys):
    with Progress(clock=clock) as progress:
        progress.event(Event("teacher", "rewrite", Count(asked=5, answered=4, missing=1, paid=5)))
        clock.now += 8000
        progress.event(Event("judge", "judge", Count(asked=2, replayed=1, answered=1)))
        clock.now += 15
        progress.event(Event("judge", "judge", Count(asked=2, replayed=2, answered=2)))
    first, second = capsys.readouterr().err.splitlines()

    assert first.startswith("judge judging 1 of 2; 0.0 calls/s, 2 h 13 min so far")
    assert second.startswith("between two steps; ")


def test_quiet_shows_nothing_but_what_must_be_said(clock, capsys):
    with Progress(quiet=True, clock=clock) as progress:
        progress.line("a plan")
        clock.now += 100
        progress.event(Event("judge", "judge", Count(asked=2)))
        progress.say("a warning")

    assert capsys.readouterr().err == "a warning\n"
