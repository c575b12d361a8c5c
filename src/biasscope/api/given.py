"""A judge as Python gives it: a spec, a table of settings, or a function object with the spec that names it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from biasscope.api.options import listed
from biasscope.config import ModelSpec
from biasscope.errors import ConfigError
from biasscope.models.callable import IN_PROCESS
from biasscope.models.lookup import Function, place_of

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]{0,79}")


@dataclass(frozen=True, slots=True)
class Named:
    """A judge that is a function of this process, under a name that stands for all that it does.

    For what cannot be imported: a function of a notebook or a script, a closure, a method, an object that is called. The
    name is part of the judge's identity, and so is the source text of the function where Python knows it. What the
    function uses (a prompt, a model, a variable) is not seen: give another name when that changes, or verdicts from
    before count as answers. At most 80 letters, digits and ``_ . + -``.
    """

    function: Callable[..., object]
    name: str

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise ConfigError(
                f"a judge is a function, got {type(self.function).__name__}", hint="Give a function."
            )
        if not isinstance(self.name, str) or not _NAME.fullmatch(self.name):
            raise ConfigError(
                f"{self.name!r} cannot name a judge",
                hint="At most 80 letters, digits and _ . + -, such as 'short-first-1'.",
            )

    @property
    def spec(self) -> str:
        """The spec under which it stands in configurations and results."""
        return IN_PROCESS + self.name


def judges_given(judge: Any) -> tuple[list[Any], dict[str, Function]]:
    """The judges as specs or tables, and the functions among them that only this process has, by spec.

    Raises ConfigError for a function that no name stands for, and for two under one name.
    """
    functions: dict[str, Function] = {}
    judges = [_judge(one, functions) for one in listed(judge)]
    return judges, functions


def _judge(judge: Any, functions: dict[str, Function]) -> Any:
    if isinstance(judge, Mapping):
        return {**judge, "spec": _judge(judge["spec"], functions)} if "spec" in judge else judge
    if isinstance(judge, Named):
        if functions.setdefault(judge.spec, judge.function) is not judge.function:
            raise ConfigError(f"two judges are named {judge.name!r}", hint="Give each a name of its own.")
        return judge.spec
    if isinstance(judge, str | ModelSpec) or not callable(judge):
        return judge
    place = place_of(judge)
    if place is None:
        shown = getattr(judge, "__name__", type(judge).__name__)
        raise ConfigError(
            f"the judge {shown} cannot be imported from anywhere, so that nothing says what it is",
            hint='Give it a name that stands for all that it does: biasscope.Named(judge, "my-judge-1").',
        )
    return f"python:{place}"
