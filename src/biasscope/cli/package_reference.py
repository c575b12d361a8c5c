"""What the package itself offers, as the first part of the page on Python: examples, functions with their settings, results."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

import typer
from typer.core import TyperGroup

import biasscope
from biasscope.api.arguments import DiscoverSettings, MeasureSettings, in_python
from biasscope.api.plots import DiscoverPlots, MeasurePlots
from biasscope.api.result import AuditResult, DiscoverResult, MeasureResult, Result
from biasscope.cli.app import app

INTRO = """# Python

Made from signatures and docstrings by `make docs`. `import biasscope` has the commands as functions: the same options by the
same names, the same folders, the same results.

```python
import biasscope

result = biasscope.measure(
    "planted:biases=authority@3",
    data="objective:60?seed=1",
    biases=["authority", "sentiment"],
    run="runs/first",
)
for name, status, effect, p, n in result.effects.select("name", "status", "effect", "p", "n").rows():
    print(f"{name}: {status}, {effect:+.3f}, p = {p:.4f}, n = {n}")
```

prints

```
Position bias: not_shown, +0.017, p = 0.7539, n = 60
Authority bias: accepted, +0.367, p = 0.0000, n = 60
Sentiment bias: not_shown, -0.013, p = 0.6898, n = 60
```

This is the first measurement of [start](start.md): where its folder is there, nothing is asked again. Without `run` the folder
is `biasscope-runs/measure-HASH`, the same for the same settings and data, so that the same call continues what it began. A
notebook shows a result as a table; nothing is printed while a run works, and `on_event` and `on_seen` hear how it goes.

```python
again = biasscope.load("runs/first")
print(again == result, again.missing.height, again.report)
print(again.plot.available)
again.plot.forest().save("forest.json")
```

prints

```
True 0 runs/first/report.html
('forest', 'slots')
```

A judge may be a function ([what it is given](judges.md#a-program-as-the-judge)). One of a module is known by where it can be
imported from. Any other has a name that you give it, which stands for all that it does:

```python
def longer(first: str, second: str) -> str:
    return "first" if len(first) > len(second) else "second"


own = biasscope.measure(
    biasscope.Named(longer, "longer-1"), data="objective:60?seed=1", biases="length,authority"
)
for name, status, effect in own.effects.select("name", "status", "effect").rows():
    print(f"{name}: {status}, {effect:+.3f}")
```

prints

```
Position bias: not_shown, +0.000
Length bias: accepted, +0.462
Authority bias: no_signal, +0.008
```

Names that are no setting, and values that do not fit, are refused with a hint before anything is paid:

```python
try:
    biasscope.measure("planted:fair", data="objective:60?seed=1", bias="length")
except biasscope.BiasscopeError as error:
    print(f"{error}. {error.hint}")
```

prints

```
measure has no argument 'bias'. Did you mean biases?
```
"""

TYPES = """
## Functions of the package

What is left out, or None, is what the command takes without the option. `File` is a path, as text or as a `Path`; `Model` a spec or
the fields of `ModelSpec` as a table or an object, and `OneJudge` the same with those of `JudgeSpec`, or a function.
"""

FUNCTIONS: tuple[tuple[Callable[..., Any], str, type | None], ...] = (
    (biasscope.measure, "measure", MeasureSettings),
    (biasscope.discover, "discover", DiscoverSettings),
    (biasscope.audit, "audit", None),
    (biasscope.load, "load", None),
)
"""Functions with the command whose options they take, and the settings that go beyond their signature."""
RESULTS = (Result, MeasureResult, DiscoverResult, AuditResult, MeasurePlots, DiscoverPlots, biasscope.Named)


def package_reference(function_text: Callable[..., str]) -> str:
    """The part of the page; `function_text` renders a function with its signature and docstring under a name."""
    parts = [INTRO, TYPES]
    for function, command, settings in FUNCTIONS:
        parts.append(function_text(function, f"biasscope.{function.__name__}"))
        if settings is not None:
            parts += ["\nSettings:\n\n", *_settings(command, settings)]
    parts.append("\n## Results of the package\n")
    return "".join([*parts, *map(_class, RESULTS)])


def _settings(command: str, settings: type) -> Iterator[str]:
    """A line for each setting: its type, and what the option of the command says."""
    root = typer.main.get_command(app)
    assert isinstance(root, TyperGroup)
    help_of = {str(p.name): str(getattr(p, "help", "")) for p in root.commands[command].params}
    for name, annotation in settings.__annotations__.items():
        kind = str(getattr(annotation, "__forward_arg__", annotation)).removesuffix(" | None")
        yield f"- `{name}: {kind}`: {in_python(help_of[name], help_of)}\n"


def _class(of: type) -> str:
    """A class with its docstring, and a line for each of its attributes and methods."""
    bases = [base for base in of.__mro__ if base.__module__.startswith("biasscope.")]
    fields = {n: a for base in reversed(bases) for n, a in inspect.get_annotations(base).items()}
    listed = [f"- `{name}: {kind}`\n" for name, kind in fields.items() if not name.startswith("_")]
    own = [(name, value) for name, value in vars(of).items() if not name.startswith("_")]
    listed += [line for name, value in own if (line := _member(name, value))]
    return f"\n### {of.__name__}\n\n{_text(of)}\n\n{''.join(listed)}"


def _member(name: str, value: object) -> str:
    """A property or method in one paragraph of a list; nothing for anything else."""
    if isinstance(value, property) and value.fget is not None:
        return f"- `{name}: {value.fget.__annotations__['return']}`: {' '.join(_text(value.fget).split())}\n"
    if not inspect.isfunction(value):
        return ""
    parameters = [p for p in inspect.signature(value).parameters.values() if p.name != "self"]
    taken = ", ".join(f"{p.name}: {p.annotation} = {p.default!r}" for p in parameters)
    return f"- `{name}({taken}) -> {value.__annotations__['return']}`: {' '.join(_text(value).split())}\n"


def _text(of: Any) -> str:
    return textwrap.dedent(inspect.getdoc(of) or "").replace("``", "`")
