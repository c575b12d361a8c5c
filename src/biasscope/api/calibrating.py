"""Calibration through texts beside the simulation of the same world: do prompts, parsers and checks change anything?"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from biasscope import seeds
from biasscope.config import ModelExecution, ModelSpec
from biasscope.engine.direct import Direct
from biasscope.errors import UsageError
from biasscope.models.open import open_model
from biasscope.models.planted.suite import TEXT_WORLD
from biasscope.stats.rules import RULES
from biasscope.stats.simulation.score import Characteristics, Outcome, characteristics
from biasscope.workflows.calibrate import Setup, available_cores, simulate_runs, spread
from biasscope.workflows.calibrate_text import calibrate_text

SIMULATED_RUNS = 200
"""Simulated judges of the same world beside those of the texts, at least."""
_SEEDS = 10_000


@dataclass(frozen=True, slots=True)
class TextCalibration:
    """What the rule did on texts, and on simulated scores of the same world."""

    setup: Setup
    texts: Characteristics
    simulated: Characteristics


def calibrate_texts(
    setup: Setup, *, workers: int | None = None, on_run: Callable[[int], None] | None = None
) -> TextCalibration:
    """Run the rule through the prompts, parsers, checks and steps of a run, on planted models of the suite.

    Raises UsageError for the published rule and for several iterations, which texts are not tried with.
    """
    if setup.rule == "paper" or setup.iterations > 1:
        raise UsageError(
            "--text tries the shipped rules in one iteration",
            hint="Leave out --iterations, or take another --rule.",
        )
    done: list[Outcome] = []
    for outcome in spread(partial(_text_run, setup), setup.runs, workers or available_cores()):
        done.append(outcome)
        if on_run is not None:
            on_run(len(done))
    beside = replace(setup, world=TEXT_WORLD, runs=max(SIMULATED_RUNS, setup.runs))
    return TextCalibration(setup, characteristics(done), characteristics(simulate_runs(beside, workers=workers)))


def _text_run(setup: Setup, number: int) -> Outcome:
    seed = seeds.pick(_SEEDS, "calibration-text", setup.seed, number)
    return asyncio.run(_one(setup, seed))


async def _one(setup: Setup, seed: int) -> Outcome:
    specs = (f"planted:suite={setup.suite.name};seed={seed}", f"planted:suite-writer;seed={seed}")
    judge, writer = (open_model(ModelSpec(spec=spec), ModelExecution()) for spec in specs)
    try:
        found = await calibrate_text(
            Direct(judge),
            Direct(writer),
            pairs=setup.pairs,
            rule=RULES[setup.rule],
            mode="label" if setup.graded else "reason",
        )
    finally:
        await judge.close()
        await writer.close()
    return found.outcome
