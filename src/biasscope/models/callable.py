"""A judge that is a Python function: found or given, called in this process, its return value handed on as an answer.

Knows imports, signatures, threads and deadlines. What an answer may be is for `parsing.program`.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from biasscope.ask import Reply, Request
from biasscope.config import ModelExecution, ModelSpec
from biasscope.errors import ProgramFailed, UsageError
from biasscope.models.lookup import Function, find_function, source_hash
from biasscope.models.programs import Failed, ProgramModel, first_line
from biasscope.parsing.program import FIELDS

IN_FLIGHT_ASYNC = 8
"""Calls at once of an async function; any other is called once at a time, since it may not bear more."""

WRITE_IT = "Write python:path/to/file.py:FUNCTION or python:package.module:FUNCTION."
IN_PROCESS = "python:in-process:"
"""Before the name of a function that exists in one process and is nowhere to be imported from."""


def open_callable(spec: ModelSpec, execution: ModelExecution) -> CallableModel:
    """Import the function that a spec names; raises UsageError where there is none that could be a judge.

    A path counts from the working folder, and modules are found there too.
    """
    if spec.spec.startswith(IN_PROCESS):
        raise UsageError(
            f"{spec.spec} is a function of the program that began this run, and no other process has it",
            hint="Run that program again; or put the function into a file, which is another judge: "
            "python:path/to/file.py:FUNCTION.",
        )
    place, _, name = spec.spec.partition(":")[2].rpartition(":")
    if not place or not name.isidentifier():
        raise UsageError(f"{spec.spec!r} names no function", hint=WRITE_IT)
    function, sources = find_function(place, name, WRITE_IT)
    by_name = _takes_fields(function, name)
    identity: dict[str, object] = {"provider": "python", "function": name, "sources": sources}
    return CallableModel(spec, execution, function, by_name, name, identity)


def open_function(spec: ModelSpec, execution: ModelExecution, function: Function) -> CallableModel:
    """A function object under the name that its spec states; raises UsageError for one that could not be a judge.

    It is known by that name, by its own source text where there is any, and by the declared revision.
    """
    name = spec.spec.removeprefix(IN_PROCESS)
    by_name, source = _takes_fields(function, name), source_hash(function)
    identity: dict[str, object] = {
        "provider": "python",
        "function": name,
        "in_process": True,
        "sources": [] if source is None else [source],
    }
    return CallableModel(spec, execution, function, by_name, name, identity)


class CallableModel(ProgramModel):
    """A function: called in a thread, or awaited where it is async."""

    def __init__(
        self,
        spec: ModelSpec,
        execution: ModelExecution,
        function: Function,
        by_name: bool,
        name: str,
        identity: dict[str, object],
    ) -> None:
        self._is_async = inspect.iscoroutinefunction(function)
        at_once = IN_FLIGHT_ASYNC if self._is_async else 1
        super().__init__(spec, execution, name, identity, max_in_flight=at_once)
        self._function = function
        self._by_name = by_name
        self._slots = asyncio.Semaphore(self.max_in_flight)

    async def answer(self, case: dict[str, Any], request: Request) -> Reply:
        """Call the function; what it raises, and no answer within the deadline, is `Failed`."""
        arguments, named = _arguments(self._function, self._name, case) if self._by_name else ((case,), {})

        def call() -> object:
            return self._function(*arguments, **named)

        if not self._is_async:
            await self._take_slot()
        return Reply(_as_json(await self._within(self._awaited(call))))

    async def _awaited(self, call: Callable[[], object]) -> object:
        value = call() if self._is_async else await self._in_thread(call)
        return await value if inspect.isawaitable(value) else value

    async def _in_thread(self, call: Callable[[], object]) -> object:
        """Call in a thread that a program which never returns cannot keep the process alive with."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[object] = loop.create_future()

        def settle(value: object, error: Failed | None) -> None:
            self._slots.release()
            if done.done():  # nobody waits any more
                return
            if error is None:
                done.set_result(value)
            else:
                done.set_exception(error)

        def run() -> None:
            value, failed = None, None
            try:
                value = _called(call)
            except Failed as error:
                failed = error
            with suppress(RuntimeError):  # the loop may have been closed meanwhile
                loop.call_soon_threadsafe(settle, value, failed)

        threading.Thread(target=run, name="judge", daemon=True).start()
        return await done

    async def _take_slot(self) -> None:
        """Wait for a call that outlived its deadline; raises ProgramFailed where it does not end either."""
        try:
            async with asyncio.timeout(self._timeout_s):
                await self._slots.acquire()
        except TimeoutError:
            raise ProgramFailed(
                f"{self._spec} still works on a case that it had {self._timeout_s:g} s for",
                hint="Give it more time (timeout_s under [execution.judge]), or let it give up by itself.",
            ) from None


def _called(call: Callable[[], object]) -> object:
    """What it returns; whatever ends a thread, also an interrupt, is a failure of the call."""
    try:
        return call()
    except BaseException as error:
        raise Failed(first_line(error)) from error


def _as_json(value: object) -> str:
    """The answer as JSON text; scalars of numpy and torch are the numbers that they hold."""
    try:
        return json.dumps(value, ensure_ascii=False, default=_scalar)
    except Exception as error:  # what it holds is asked for its number, and may raise anything
        raise Failed(f"it returned {type(value).__name__}, which is no answer: {first_line(error)}") from error


def _scalar(value: object) -> object:
    item = getattr(value, "item", None)
    if not callable(item):
        raise TypeError(f"{type(value).__name__} is not JSON")
    return item()


def _takes_fields(function: Function, name: str) -> bool:
    """Whether a function names fields of a case; else it takes the whole case. Raises UsageError for neither."""
    parameters = _parameters(function)
    if parameters is None:
        return False
    required = [p for p in parameters if p.default is p.empty and p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)]
    unknown = [p.name for p in required if p.name not in FIELDS or p.kind is p.POSITIONAL_ONLY]
    takes_any = any(p.kind is p.VAR_KEYWORD or p.name in FIELDS for p in parameters)
    if not unknown and takes_any:
        return True
    if (
        len(required) <= 1
        and not (required and required[0].kind is inspect.Parameter.KEYWORD_ONLY)
        and parameters
    ):
        return False
    wanted = f"asks for {unknown[0]!r}, which a judge is not given" if unknown else "takes no argument"
    raise UsageError(
        f"{name}() {wanted}",
        hint=f"It may name any of {', '.join(FIELDS)}, or take the whole case as one argument.",
    )


def _parameters(function: Function) -> list[inspect.Parameter] | None:
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # written in another language than Python
        return None


def _arguments(
    function: Function, name: str, case: dict[str, object]
) -> tuple[tuple[object, ...], dict[str, object]]:
    """What of a case a function names, by name; raises ProgramFailed where this kind of case does not hold it."""
    parameters = _parameters(function) or []
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return (), case
    wanted = [p for p in parameters if p.name in FIELDS]
    lacking = [p.name for p in wanted if p.name not in case and p.default is p.empty]
    if lacking:
        other = "pointwise" if case["kind"] == "pairwise" else "pairwise"
        raise ProgramFailed(
            f"{name}() asks for {lacking[0]!r}, which a {case['kind']} judge is not given",
            hint=f'If it is a {other} judge, say so: kind = "{other}" under [identity.judge], or --judge-kind {other}.',
        )
    return (), {p.name: case[p.name] for p in wanted if p.name in case}
