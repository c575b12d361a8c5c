"""Calibration: what the rule, and the rules it replaces, do on simulated judges whose truth is known.

It spreads runs over processes and adds them up. Run k is drawn from its name, so that it is the same whatever the
number of runs, of processes, or the rule. No model is called.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Literal, TypeVar

from biasscope import seeds
from biasscope.errors import UsageError
from biasscope.stats.rules import RULES
from biasscope.stats.simulation.alternatives import ALTERNATIVES, AlternativeName
from biasscope.stats.simulation.score import Characteristics, Measure, Outcome, acceptance, characteristics
from biasscope.stats.simulation.shipped import shipped
from biasscope.stats.simulation.world import MIDDLE, SUITES, JudgeWorld, Simulated, Suite, draw

T = TypeVar("T")
RuleName = Literal["default", "fast", "thorough", "fixed", "paper"]
SHAM = SUITES["null-20"]
"""Candidates without any effect that every run also tries by themselves."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What is simulated: a suite of candidates on judges of one world, tried by one rule.

    Raises UsageError for what does not fit together.
    """

    suite: Suite = SUITES["20-10-10"]
    rule: RuleName = "default"
    runs: int = 200
    pairs: int = 620
    graded: bool = False
    iterations: int = 1
    seed: int = 0
    world: JudgeWorld = MIDDLE

    def __post_init__(self) -> None:
        most = min(len(self.suite.sizes), len(SHAM.sizes))
        if self.runs < 2:
            raise UsageError(f"{self.runs} run has no Monte-Carlo error", hint="Ask for at least 2 --runs.")
        if self.rule == "paper" and (self.graded or self.iterations > 1):
            raise UsageError(
                "the published rule knows neither margins nor a correction over iterations",
                hint="Leave out --graded and --iterations, or take another --rule.",
            )
        if not 1 <= self.iterations <= most:
            raise UsageError(
                f"{self.iterations} iterations cannot share {most} candidates",
                hint=f"Give --iterations from 1 to {most}.",
            )
        fewest = max(rule.fewest for rule in RULES.values())
        if self.pairs < fewest:
            raise UsageError(f"{self.pairs} pairs decide nothing", hint=f"Give at least {fewest} --pairs.")


@dataclass(frozen=True, slots=True)
class Calibration:
    """What was measured: the rule, the share of runs in which it accepted a sham, and the rules beside it."""

    setup: Setup
    measured: Characteristics
    sham_acceptance: Measure
    alternatives: Mapping[AlternativeName, Characteristics]


@dataclass(frozen=True, slots=True)
class _Run:
    ours: Outcome
    sham: Outcome
    others: Mapping[AlternativeName, Outcome]


def calibrate(
    setup: Setup, *, workers: int | None = None, on_run: Callable[[int], None] | None = None
) -> Calibration:
    """Simulate all runs and score them. `workers` are processes (the cores of this one by default).

    `on_run` is told how many runs are done.
    """
    done: list[_Run] = []
    for run in spread(partial(_run, setup), setup.runs, workers or available_cores()):
        done.append(run)
        if on_run is not None:
            on_run(len(done))
    return Calibration(
        setup=setup,
        measured=characteristics([run.ours for run in done]),
        sham_acceptance=acceptance([run.sham for run in done]),
        alternatives=MappingProxyType(
            {name: characteristics([run.others[name] for run in done]) for name in done[0].others}
        ),
    )


def available_cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def simulate_runs(setup: Setup, *, workers: int | None = None) -> list[Outcome]:
    """What the rule by itself does in each run, without the rules beside it."""
    return list(spread(partial(_ours, setup), setup.runs, workers or available_cores()))


def spread(one: Callable[[int], T], runs: int, workers: int) -> Iterator[T]:
    """The results of runs 0 to `runs` - 1, in their order, made by that many processes."""
    workers = min(workers, runs)
    if workers == 1:
        yield from map(one, range(runs))
        return
    # Processes of their own start: a fork would copy whatever threads and locks this one has.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_leave_interrupts_to_the_parent)
    try:
        yield from pool.map(one, range(runs), chunksize=max(1, min(10, runs // (4 * workers))))
    finally:
        pool.shutdown(cancel_futures=True)


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _ours(setup: Setup, number: int) -> Outcome:
    seed = seeds.derive_seed("calibration", setup.seed, number)
    return _decide(setup, draw(setup.world, setup.suite, pairs=setup.pairs, seed=seed))


def _run(setup: Setup, number: int) -> _Run:
    seed = seeds.derive_seed("calibration", setup.seed, number)
    drawn = draw(setup.world, setup.suite, pairs=setup.pairs, seed=seed)
    sham = draw(setup.world, SHAM, pairs=setup.pairs, seed=seed)
    others = {name: rule(drawn) for name, rule in ALTERNATIVES.items() if name != setup.rule}
    return _Run(_decide(setup, drawn), _decide(setup, sham), others)


def _decide(setup: Setup, drawn: Simulated) -> Outcome:
    if setup.rule == "paper":
        return ALTERNATIVES["paper"](drawn)
    return shipped(setup.world, drawn, RULES[setup.rule], graded=setup.graded, batches=setup.iterations)
