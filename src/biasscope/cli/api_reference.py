"""The page on the Python interface as Markdown: functions and what they give back, from signatures and docstrings."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any, get_args, get_type_hints

from pydantic import BaseModel

from biasscope import api, datasets
from biasscope.cli.package_reference import package_reference
from biasscope.datasets import DataReport, Loaded, LoadedLibrary, LoadedRewrites, Skip
from biasscope.report.audited import AuditOut
from biasscope.report.measured import MeasuredOut
from biasscope.report.outputs import CatalogueOut, ReportOut
from biasscope.report.summary import Summary
from biasscope.workflows.plan import Cost, Plan

INTRO = """
## The functions behind them: `biasscope.api`

What the command line calls too. Runs are async there, for a program with a loop of its own:

```python
import asyncio
from pathlib import Path

from biasscope import api
from biasscope.config import JudgeSpec, MeasureConfig, MeasureIdentity

identity = MeasureIdentity(
    judges=(JudgeSpec(spec="planted:biases=authority@3"),),
    data="objective:60?seed=1",
    biases=("authority", "sentiment"),
)
found = asyncio.run(api.measure(Path("runs/first"), MeasureConfig(identity=identity)))
print(*(effect.name for effect in found.judges[0].effects), sep=", ")
```

prints

```
Position bias, Authority bias, Sentiment bias
```

Nothing there prints; what stops a run is raised as an error of `biasscope.errors` ([troubleshooting](troubleshooting.md)).
Configurations are the models of `biasscope.config`, field by field those of a [configuration file](configuration.md).
Results are frozen; `found.model_dump_json()` is what `--json` prints, by the schemas in `docs/schemas/`.
"""

Functions = tuple[str, tuple[Callable[..., Any], ...]]
FUNCTIONS: tuple[Functions, ...] = (
    ("Measuring known biases", (api.measure, api.load_measure, api.read_policy)),
    ("Discovering biases", (api.discover, api.load_data, api.make_plan, api.summarise)),
    ("Verdicts that exist already", (api.audit,)),
    ("Looking", (api.show, api.report, api.write_tables, api.catalogue_of, api.first_look)),
    ("Opening models", (api.opened,)),
    ("Reading data (`biasscope.datasets`)", (
        datasets.load, datasets.check, datasets.load_rewrites, datasets.load_library, datasets.twins,
        datasets.shared_questions,
    )),
)  # fmt: skip
WRITTEN = (MeasuredOut, Summary, AuditOut)
"""Results that have a page of their own, since they are written too."""
WRITTEN_INTRO = """
## What `measure`, `discover` and `audit` give

`MeasuredOut`, `Summary` and `AuditOut` of `biasscope.report`, with the keys of [report.json](report-json.md) as attributes: what is a
list there is a tuple, and null is None.
"""
RESULTS: tuple[tuple[str, type], ...] = (
    ("What `report` gives", ReportOut),
    ("What `catalogue_of` gives", CatalogueOut),
)
VALUES = (
    api.MeasureData, api.Data, Plan, Cost, api.FirstLook, Loaded, LoadedRewrites, LoadedLibrary, Skip, DataReport,
)  # fmt: skip
"""What functions take or give besides: dataclasses."""


def api_reference() -> str:
    """The whole page; what `biasscope.api` offers and no section here names is told in its own sections all the same."""
    named = {one.__name__ for _, group in FUNCTIONS for one in group} | {one.__name__ for one in VALUES}
    others = [getattr(api, name) for name in api.__all__ if name not in named]
    functions: tuple[Functions, ...] = (
        *FUNCTIONS,
        ("Besides", tuple(one for one in others if inspect.isfunction(one))),
    )
    parts = [package_reference(_function), INTRO]
    for title, group in functions:
        parts += [f"\n## {title}\n"] if group else []
        parts += [_function(one) for one in group]
    parts.append(WRITTEN_INTRO)
    told: set[type] = set()
    for written in WRITTEN:
        told.update(_reached(written, set()))
    for title, root in RESULTS:
        parts.append(f"\n## {title}\n")
        parts += [_fields(one) for one in _reached(root, told)]
    parts.append("\n## Other values\n")
    parts += [_fields(one) for one in (*VALUES, *(one for one in others if inspect.isclass(one)))]
    return "".join(parts)


def _function(function: Callable[..., Any], name: str = "") -> str:
    """A function with its signature, on several lines where it is long, and its docstring; `name` heads it."""
    signature = inspect.signature(function)
    begun = f"{'async ' if inspect.iscoroutinefunction(function) else ''}def {function.__name__}("
    parameters, ended = list(_parameters(signature)), f") -> {signature.return_annotation}"
    line = begun + ", ".join(parameters) + ended
    if len(line) > MOST_COLUMNS:
        line = begun + "\n" + "".join(f"    {parameter},\n" for parameter in parameters) + ended
    return f"\n### {name or function.__name__}\n\n```python\n{line}\n```\n\n{_text(function)}\n"


MOST_COLUMNS = 100


def _parameters(signature: inspect.Signature) -> Iterator[str]:
    """Parameters as they are written in the source, where annotations are texts."""
    kinds = [parameter.kind for parameter in signature.parameters.values()]
    for place, parameter in enumerate(signature.parameters.values()):
        if parameter.kind is parameter.KEYWORD_ONLY and not {parameter.kind, parameter.VAR_POSITIONAL} & {
            *kinds[:place]
        }:
            yield "*"
        star = (
            "**"
            if parameter.kind is parameter.VAR_KEYWORD
            else "*" * (parameter.kind is parameter.VAR_POSITIONAL)
        )
        default = parameter.default
        shown = f"{default.__module__}.{default.__name__}" if callable(default) else repr(default)
        given = "" if default is parameter.empty else f" = {shown}"
        yield f"{star}{parameter.name}: {parameter.annotation}{given}"


def _reached(root: type[Any], told: set[type[Any]]) -> Iterator[type[Any]]:
    """A result and the values inside it that no other part of the page has told, outermost first."""
    waiting = [root]
    while waiting:
        one = waiting.pop(0)
        if one in told:
            continue
        told.add(one)
        yield one
        hints = get_type_hints(one)
        inner = [found for name in _names(one) for found in _types(hints[name])]
        waiting += [t for t in inner if issubclass(t, BaseModel) or is_dataclass(t)]


def _names(of: type[Any]) -> list[str]:
    if issubclass(of, BaseModel):
        return list(of.model_fields)
    return [field.name for field in fields(of)]


def _types(annotation: Any) -> Iterator[type[Any]]:
    if isinstance(annotation, type) and not get_args(annotation):
        yield annotation
    for inner in get_args(annotation):
        yield from _types(inner)


def _fields(of: type[Any]) -> str:
    """A class with its docstring and its fields with their types, as they are written in the source."""
    written: dict[str, str] = {}
    for base in reversed(of.__mro__):
        written |= inspect.get_annotations(base)
    # Python keeps annotations with single quotes, and the formatter, which looks into pages too, wants double ones.
    listed = "".join(f"    {name}: {written[name]}\n" for name in _names(of)).replace("'", '"')
    return f"\n### {of.__name__}\n\n{_text(of)}\n\n```python\nclass {of.__name__}:\n{listed}```\n"


def _text(of: Any) -> str:
    """The docstring of a function or class; double backticks become single ones, as in the other pages."""
    text = inspect.getdoc(of) or ""
    return textwrap.dedent(text).replace("``", "`")
