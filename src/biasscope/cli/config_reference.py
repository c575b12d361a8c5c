"""The page on configuration files as Markdown: every setting with its values and default, taken from the models.

What a setting means stands in `config_meanings`; one without a meaning, or a meaning without a setting, raises ValueError, so that
neither can be forgotten.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from biasscope.cli.config_meanings import MEANINGS
from biasscope.config import (
    Adjustment,
    BenchmarkIdentity,
    BiasPolicy,
    DataSpec,
    Execution,
    GatePolicy,
    Identity,
    JudgeSpec,
    MeasureExecution,
    MeasureIdentity,
    MitigateIdentity,
    ModelExecution,
    ModelSpec,
    RankIdentity,
    TrainingDataIdentity,
)

INTRO = """# Configuration files

Made from the settings themselves by `make docs`. `--config FILE` of `biasscope discover`, `measure`, `benchmark build`, `benchmark rank`,
`mitigate judge` and `mitigate data` takes TOML or JSON with two parts:

- **identity** determines results: data, models, rule, seeds. A folder that was started with another identity is refused,
  and the differing fields are named; only `iterations` may be raised.
- **execution** is how fast and how far: caps, timeouts, prices. It may change between two starts.

Options on the command line win over the file. What a run was started with stands in its `config.json`, which is a
configuration file itself. A key that is not known is refused with the likeliest name. Paths count from the working folder.

A discovery, `discover.toml`:

```toml
[identity]
rule = "default"
iterations = 2
confirm = true

[identity.judge]
spec = "openai:MODEL"
mode = "label"

[identity.teacher]
spec = "openai:STRONGER_MODEL"
url = "http://localhost:8000/v1"

[identity.data]
discovery = "objective:400?seed=1"
validation = "pairs.jsonl"

[execution]
max_calls = 20000
ledger = "replies.db"

[execution.judge]
max_in_flight = 16
price = [0.15, 0.60]
```

```
biasscope discover runs/mine --config discover.toml --dry-run
```

A measurement of two judges that are asked in different ways, `measure.toml`:

```toml
[identity]
data = "pairs.jsonl"
biases = ["length", "authority"]

[[identity.judges]]
spec = "openai:MODEL"

[[identity.judges]]
spec = "python:mine.py:judge"
revision = "2"

[execution.by_judge."openai:MODEL"]
key_variable = "OTHER_KEY"
```

```
biasscope measure runs/two --config measure.toml
```
"""

Section = tuple[str, type[BaseModel], str]
SECTIONS: tuple[Section, ...] = (
    ("`[identity]` of a discovery", Identity, "Read by `biasscope discover`."),
    ("`[identity.data]`", DataSpec, "Either `data`, or `discovery` and `validation`. Sources: [data](data.md)."),
    ("`[identity]` of a measurement", MeasureIdentity, "Read by `biasscope measure`."),
    (
        "`[identity]` of a benchmark",
        BenchmarkIdentity,
        "Read by `biasscope benchmark build`. `[execution]` is that of a discovery.",
    ),
    (
        "`[identity]` of a ranking",
        RankIdentity,
        "Read by `biasscope benchmark rank`. Beside it a table `[related]` says why a judge, by its spec, is ranked apart; it may "
        "change between two starts. `[execution]` is that of a measurement.",
    ),
    (
        "`[identity]` of training data",
        TrainingDataIdentity,
        "Read by `biasscope mitigate data`. Beside it `licence`, the licence of the pairs for the card, may change between two starts. "
        "`[execution]` is that of a discovery.",
    ),
    (
        "`[identity]` of a mitigation",
        MitigateIdentity,
        "Read by `biasscope mitigate judge`. `judge` may be left out: it is that of the run. `[execution]` is that of a "
        "measurement.",
    ),
    (
        "`[identity.judge]`, `[[identity.judges]]`",
        JudgeSpec,
        "The judge under measurement and how it is asked: [judges](judges.md).",
    ),
    (
        "`[identity.judge.adjustment]`",
        Adjustment,
        "Fitted and written by `biasscope mitigate judge`: [mitigation](mitigation.md).",
    ),
    (
        "`[identity.teacher]`, `[[identity.writers]]`",
        ModelSpec,
        "Models that rewrite, name and merge. Writers rotate over pairs in place of the teacher.",
    ),
    ("`[execution]` of a discovery", Execution, ""),
    ("`[execution]` of a measurement", MeasureExecution, ""),
    (
        "`[execution.judge]`, `[execution.teacher]`",
        ModelExecution,
        "How an endpoint or a program is called. None of this is part of what a reply is stored under.",
    ),
    ("`[gate]` of a policy file", GatePolicy, "Read by `biasscope measure --gate`: [gate](gate.md)."),
    ("`[gate.bias.ID]` of a policy file", BiasPolicy, "What is asked of one bias; `position` is the slot bias."),
)


def config_reference() -> str:
    """The whole page; raises ValueError where settings and meanings do not match."""
    return INTRO + "".join(_section(*section) for section in SECTIONS)


def _section(title: str, model: type[BaseModel], text: str) -> str:
    fields, meanings = model.model_fields, MEANINGS[model]
    if unmatched := sorted(fields.keys() ^ meanings.keys()):
        raise ValueError(f"{model.__name__}: {', '.join(unmatched)} in only one of settings and meanings")
    rows = (
        f"| `{name}` | {values(field)} | {_default(field)} | {meanings[name]} |\n"
        for name, field in fields.items()
    )
    lead = f"{text}\n\n" if text else ""
    return f"\n## {title}\n\n{lead}| key | values | default | meaning |\n|---|---|---|---|\n{''.join(rows)}"


def values(field: FieldInfo) -> str:
    """What a setting may be, in words: the values of a choice, else the kind of value with its bounds."""
    words = " or ".join(dict.fromkeys(_words(field.annotation)))
    bounds = [
        f"{word} {getattr(bound, name):g}"
        for bound in field.metadata
        for kind, name, word in ((Ge, "ge", "from"), (Gt, "gt", "above"), (Le, "le", "to"), (Lt, "lt", "below"))
        if isinstance(bound, kind)
    ]
    return " ".join([words, *bounds])


_KINDS = {str: "text", int: "whole number", float: "number", bool: "true or false"}


def _words(annotation: Any) -> Iterator[str]:
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin in (Union, UnionType):
        for one in inner:
            if one is not NoneType:
                yield from _words(one)
    elif origin is Literal:
        yield from (f"`{value}`" for value in inner)
    elif origin is dict:
        yield "table of tables"
    elif origin is tuple:
        several = {str: "list of texts", float: "two numbers"}
        yield several.get(inner[0], "list of tables")
    else:
        yield _KINDS.get(annotation, "table")


def _default(field: FieldInfo) -> str:
    default = field.default
    if field.is_required():
        return "required"
    if default in (None, (), {}) or isinstance(default, BaseModel):
        return "none"
    return f"`{str(default).lower() if isinstance(default, bool) else default}`"
