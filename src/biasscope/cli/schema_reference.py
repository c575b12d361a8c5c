"""The page on `report.json` as Markdown, made from the published schemas: every key with what it holds and means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from biasscope.report.schemas import file_name, published

INTRO = """# report.json

`biasscope discover` and `biasscope measure` leave `report.json` in the run folder, beside `report.md` and `report.html`. It is
the object that `--json` prints, also of a run that is not finished (`complete` says so). Folders of earlier programs call it
`summary.json`; `biasscope show` and `biasscope report` read it under that name where there is no `report.json`. This page is made
from the schemas by `make docs`.

- Effects and their intervals are in the `unit` beside them: `fraction` of verdicts (0.05 is 5 points), `log-odds`, or `score`, steps
  of the judge's own scale. Rates and shares are fractions in [0, 1], never per cent.
- What is not known is null, never 0. Why is said by `reason`, `reasons`, `status` or `missing`.
- A list keeps its order. Texts are as they were: names and definitions of discovered biases are a model's words, so escape them
  for where they are shown.

## Versions

`schema_version` names the schema: `biasscope.discover/1` is
[biasscope.discover-1.json](schemas/biasscope.discover-1.json). Within a version a later program may **add** keys; it removes
none, and none changes its type, unit or meaning. So pass over keys that you do not know. Anything else is a new version, and a
program that reads older ones only says so.

The schemas are JSON Schema, draft 2020-12:

```python
import json
from pathlib import Path

import jsonschema

schema = json.loads(Path("docs/schemas/biasscope.measure-1.json").read_text(encoding="utf-8"))
report = json.loads(Path("runs/mine/report.json").read_text(encoding="utf-8"))
jsonschema.validate(report, schema)
```

In Python `biasscope.api.show(Path("runs/mine"))` reads the same file as an object with these keys as attributes.
"""

PAGES = (
    ("biasscope.discover/1", "A discovery", "Written by `biasscope discover`."),
    ("biasscope.measure/1", "A measurement", "Written by `biasscope measure`, with or without a gate."),
    ("biasscope.benchmark/1", "A hardened benchmark", "Written by `biasscope benchmark build` and `biasscope benchmark filter`."),
    ("biasscope.audit/1", "An audit", "Printed by `biasscope audit --json` for one judge in one log; nothing is written."),
    ("biasscope.audits/1", "Several audits", "Printed by `biasscope audit --json` for several judges or logs."),
    ("biasscope.compare/1", "A comparison of runs", "Printed by `biasscope compare --json`; nothing is written."),
    ("biasscope.ablate/1", "Variants of a discovery", "`ablation.json` of the discovery, and printed by `biasscope ablate --json`."),
    ("biasscope.mitigation/1", "Fixes of a judge", "Written by `biasscope mitigate judge`, and printed with `--json`."),
    ("biasscope.training-data/1", "Training data", "Written by `biasscope mitigate data`, and printed with `--json`."),
    ("biasscope.rank/1", "A ranking", "Written by `biasscope benchmark rank`, and printed with `--json`."),
)  # fmt: skip
"""What has a section: the version of its schema, a heading, and where it comes from."""


def schema_reference() -> str:
    """The whole page; what several objects hold is told where it comes up first."""
    schemas = published()
    headings = {schemas[version]["title"]: title for version, title, _ in PAGES}
    told = set(headings)
    parts = [INTRO]
    for version, title, origin in PAGES:
        made = schemas[version]
        parts.append(f"\n## {title}\n\n{origin} Schema: [{version}](schemas/{file_name(version)}).\n\n")
        parts.append(f"{_text(made)}\n\n{_table(made, headings)}")
        for name in _reached(made, told):
            inner = made["$defs"][name]
            parts.append(f"\n### {name}\n\n{_text(inner)}\n\n{_table(inner, headings)}")
    return "".join(parts)


def _text(made: dict[str, Any]) -> str:
    return str(made["description"]).replace("``", "`")


def _reached(made: dict[str, Any], told: set[str]) -> Iterator[str]:
    """Definitions that the object holds and that no earlier section has told, outermost first."""
    waiting = list(_named(made["properties"]))
    while waiting:
        name = waiting.pop(0)
        if name not in told:
            told.add(name)
            yield name
            waiting += _named(made["$defs"][name]["properties"])


def _named(value: Any) -> Iterator[str]:
    """Names of the definitions that a part of a schema refers to."""
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"].rpartition("/")[2]
        for inner in value.values():
            yield from _named(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _named(inner)


def _table(made: dict[str, Any], headings: Mapping[str, str]) -> str:
    rows = [
        f"| `{key}` | {_kind(field, headings)} | {field['description']} |"
        for key, field in made["properties"].items()
    ]
    return "\n".join(["| key | holds | means |", "|---|---|---|", *rows]) + "\n"


def _kind(field: dict[str, Any], headings: Mapping[str, str]) -> str:
    """What a key holds, in words; an object as a link to its section."""
    if "$ref" in field:
        name = field["$ref"].rpartition("/")[2]
        return f"[{name}](#{headings.get(name, name).lower().replace(' ', '-')})"
    if "anyOf" in field:
        kinds = ["a word" if "const" in one or "enum" in one else _kind(one, headings) for one in field["anyOf"]]
        return " or ".join(dict.fromkeys(kinds))
    if "const" in field:
        return f"`{field['const']}`"
    if "enum" in field:
        return "a word"
    if field["type"] == "array":
        inner = field.get("prefixItems")
        if inner:
            return f"[{', '.join(_kind(one, headings) for one in inner)}]"
        return f"list of {_kind(field['items'], headings)}"
    if field["type"] == "object":
        return f"{_kind(field['additionalProperties'], headings)} by key"
    return {"boolean": "true or false", "string": "text"}.get(field["type"], str(field["type"]))
