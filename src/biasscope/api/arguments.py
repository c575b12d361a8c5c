"""The arguments of the plain functions: option names of the command line, their types, and the way errors call them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, TypedDict

from biasscope.api.given import Named
from biasscope.api.options import DISCOVER, JUDGE, MEASURE, NEGATED
from biasscope.config import JudgeMode, JudgeSpec, ModelSpec, Rule
from biasscope.errors import BiasscopeError, UsageError

File = str | Path
"""A path."""
Model = str | Mapping[str, Any] | ModelSpec
"""A spec such as ``openai:MODEL``, or a table or object with the fields of `ModelSpec`."""
OneJudge = str | Mapping[str, Any] | ModelSpec | JudgeSpec | Named | Callable[..., object]
"""A spec, a table or object with the fields of `JudgeSpec`, or a function."""

SOURCE = "the arguments"
"""What errors call the place where settings come from."""
FACES = {
    "json": "to_json() of the result is what --json prints.",
    "quiet": "Nothing is printed; on_event hears how it goes.",
    "dry_run": "biasscope.api.make_plan says what a discovery takes.",
}
"""Options of the command line that say how something is shown, with what there is in their place."""


class Settings(TypedDict, total=False):
    """Settings of every measurement and discovery; left out or None is what the command line takes without the option."""

    teacher_url: str | None
    limit: int | None
    judge_url: str | None
    judge_mode: JudgeMode | None
    judge_prompt: File | None
    judge_kind: Literal["pairwise", "pointwise"] | None
    scale: str | None
    reference: bool | None
    samples: int | None
    judge_tokens: int | None
    judge_temperature: float | None
    null_control: int | None
    max_calls: int | None
    max_in_flight: int | None
    ledger: File | None
    seed: int | None
    config: File | None


class MeasureSettings(Settings, total=False):
    """Settings of a measurement."""

    rewrites: File | None
    teacher: Model | None
    sides: Literal["rejected", "chosen", "both"] | None
    minutes: float | None
    rule: Literal["fixed", "default", "fast", "thorough"] | None
    neutrals: int | None
    junit: File | None
    summary: File | None


class DiscoverSettings(Settings, total=False):
    """Settings of a discovery."""

    proposer: Literal["teacher", "features", "both"] | None
    writer: Model | list[Model] | None
    rule: Rule | None
    preset: Literal["default", "paper"] | None
    rewrites: Literal["teacher", "rules"] | None
    iterations: int | None
    validate: Literal["early", "late"] | None
    no_deeper_explain: bool | None
    confirm: bool | None
    one_side: bool | None
    equal_length: Literal["truncate", "condense"] | None


def refuse_unknown(function: str, given: Collection[str], known: Collection[str]) -> None:
    """Raise UsageError for the first name that is no setting of a function, with the nearest one that is."""
    name = next((n for n in given if n not in known), None)
    if name is None:
        return
    close = get_close_matches(name.lower().replace("-", "_"), known, n=1)
    guess = f"Did you mean {close[0]}?" if close else f"There are {', '.join(sorted(known))}."
    raise UsageError(f"{function} has no argument {name!r}", hint=FACES.get(name, guess))


@contextmanager
def told_in_python(known: Collection[str]) -> Iterator[None]:
    """Let an error call settings by the names that they have in Python, and show its hint below it in a traceback."""
    try:
        yield
    except BiasscopeError as error:
        error.args = (in_python(str(error), known),)
        error.hint = in_python(error.hint, known)
        if error.hint:
            error.add_note(f"Hint: {error.hint}")
        raise


_OPTION = re.compile(
    r"--(?P<name>[a-z][a-z-]*)"
    # A value is quoted, or has a sign or a capital that a word of the sentence has not, or is a choice.
    r"(?:[ =](?:'(?P<quoted>[^']*)'|(?P<plain>(?=[^\s,;()]*[:/A-Z])[^\s,;()]*[^\s,;:().])|"
    r"(?P<choice>(?:pairwise|pointwise|reason|label|paper|default|features|teacher|rules|data)\b)))?"
)
_PLACES = {path: name for places in (MEASURE, DISCOVER, NEGATED) for name, path in places.items()}
_FIELDS = {field: name for name, field in JUDGE.items()}


def in_python(text: str, known: Collection[str]) -> str:
    """A sentence with options and settings by their names in Python: ``--judge-kind pointwise`` is ``judge_kind="pointwise"``."""

    def named(found: re.Match[str]) -> str:
        name = found["name"].replace("-", "_")
        if name not in known:
            return found[0]
        value = next((v for v in (found["quoted"], found["plain"], found["choice"]) if v is not None), None)
        return name if value is None else f'{name}="{value}"'

    return _SETTING.sub(_argument, _OPTION.sub(named, text))


_SETTING = re.compile(rf"(?<={SOURCE}: )identity\.[a-z_]+(?:\.[0-9a-z_]+)*")


def _argument(found: re.Match[str]) -> str:
    """A dotted setting as the argument that it was given by; itself where there is none."""
    path = found[0]
    judge = re.fullmatch(r"identity\.(?:judge|judges\.\d+)\.([a-z_]+)", path)
    return _FIELDS.get(judge[1], path) if judge else _PLACES.get(path, path)
