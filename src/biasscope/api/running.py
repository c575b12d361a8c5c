"""What every run needs: models that are closed again, and a folder bound by its first reply."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from biasscope.config import ModelExecution, ModelSpec
from biasscope.engine import Event
from biasscope.models.base import Model
from biasscope.models.open import open_model
from biasscope.rundir import RunDir


@asynccontextmanager
async def opened(*specs: tuple[ModelSpec, ModelExecution]) -> AsyncIterator[list[Model]]:
    """Open models and close every one of them at the end, whatever happens.

    Equal specs share one model, so that a judge that is its own teacher is loaded once.
    """
    models: dict[tuple[ModelSpec, ModelExecution], Model] = {}
    try:
        for spec, execution in specs:
            if (spec, execution) not in models:
                models[spec, execution] = open_model(spec, execution)
        yield [models[wanted] for wanted in specs]
    finally:
        for model in models.values():
            await model.close()


def binding(folder: RunDir, listener: Callable[[Event], None] | None) -> Callable[[Event], None]:
    """Listen for the first reply, which binds the folder to its identity, and pass every event on."""
    waiting = [folder.bind]

    def take(event: Event) -> None:
        count = event.count
        if waiting and count.written + count.answered + count.missing:
            waiting.pop()()
        if listener is not None:
            listener(event)

    return take
