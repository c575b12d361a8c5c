"""What every run needs: models that are closed again, and a folder with its ledger, bound by its first reply."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from biasscope.config import AnyConfig, ModelExecution, ModelSpec
from biasscope.engine import Engine, Event
from biasscope.ledger import Ledger
from biasscope.models.base import Model
from biasscope.models.callable import open_function
from biasscope.models.lookup import Function
from biasscope.models.open import open_model
from biasscope.rundir import RunDir


@asynccontextmanager
async def opened(
    *specs: tuple[ModelSpec, ModelExecution], functions: Mapping[str, Function] | None = None
) -> AsyncIterator[list[Model]]:
    """Open models and close every one of them at the end, whatever happens.

    Equal specs share one model, so that a judge that is its own teacher is loaded once. `functions` are judges that are
    objects of this process, by the spec that names them.
    """
    given = functions or {}
    models: dict[tuple[ModelSpec, ModelExecution], Model] = {}
    try:
        for spec, execution in specs:
            if (spec, execution) not in models:
                function = given.get(spec.spec)
                models[spec, execution] = (
                    open_model(spec, execution) if function is None else open_function(spec, execution, function)
                )
        yield [models[wanted] for wanted in specs]
    finally:
        for model in models.values():
            await model.close()


@contextmanager
def entered(
    run: Path, config: AnyConfig, data: Mapping[str, str], on_event: Callable[[Event], None] | None
) -> Iterator[tuple[RunDir, Engine]]:
    """Enter a run folder to start or continue it, with an engine on its ledger; errors as for `RunDir.enter`.

    `data` maps names of data to hashes of their content; `on_event` hears every event of the engine.
    """
    with RunDir.enter(run, config, data=data) as folder, Ledger.open(folder.ledger_path) as ledger:
        yield folder, Engine(ledger, max_calls=config.execution.max_calls, on_event=_binding(folder, on_event))


def _binding(folder: RunDir, listener: Callable[[Event], None] | None) -> Callable[[Event], None]:
    """Listen for the first reply, which binds the folder to its identity, and pass every event on."""
    waiting = [folder.bind]

    def take(event: Event) -> None:
        count = event.count
        if waiting and count.written + count.answered + count.missing:
            waiting.pop()()
        if listener is not None:
            listener(event)

    return take
