"""The command reference as Markdown, made from the commands' own help: `python -m biasscope.cli.reference DOCS`.

It also writes the schema of each command's JSON and the pages on it, on configuration files and on Python. A test compares
all of them with what is in `docs/`.
"""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperArgument, TyperGroup, TyperOption

from biasscope.cli.api_reference import api_reference
from biasscope.cli.app import app
from biasscope.cli.config_reference import config_reference
from biasscope.cli.schema_reference import schema_reference
from biasscope.report.schemas import file_name, published

INTRO = """# Commands

Made from the commands' own help by `make docs`. Every command with `--json` prints one object on stdout and nothing else
there; its schema is in `docs/schemas/`, named by the version that stands in it ([report.json](report-json.md)). Exit codes: 0
done, 1 the run could not go on, 2 usage, 130 interrupted; of `measure --gate` also 3 biased, 4 inconclusive, 5 broken instrument.
"""


def reference() -> str:
    """The whole page."""
    root = typer.main.get_command(app)
    assert isinstance(root, TyperGroup)
    return INTRO + "".join(_sections(root, "biasscope"))


def _sections(group: TyperGroup, path: str) -> Iterator[str]:
    for name, command in group.commands.items():
        if isinstance(command, TyperGroup):
            yield from _sections(command, f"{path} {name}")
        else:
            yield _section(command, f"{path} {name}")


def _section(command: Any, path: str) -> str:
    arguments = [p for p in command.params if isinstance(p, TyperArgument)]
    options = [p for p in command.params if isinstance(p, TyperOption) and p.name != "help"]
    context = typer.Context(command)
    words = [str(a.metavar) if a.required else f"[{a.metavar}]" for a in arguments]
    needed = [f"{o.opts[0]} {o.metavar or o.display_type(context)}" for o in options if o.required]
    usage = " ".join([path, *words, *needed, *(["[OPTIONS]"] if options else [])])
    lines = [f"\n## {path}", "", " ".join((command.help or "").split()), "", "```", usage, "```", ""]
    lines += [f"- `{a.metavar}`: {a.help}{_default(a)}" for a in arguments]
    lines += [
        f"- `{o.opts[0]}{'' if o.is_flag else ' ' + (o.metavar or o.display_type(context))}`: {o.help}{_default(o)}"
        for o in options
    ]
    if command.epilog:
        lines += ["", *(_epilog(command.epilog))]
    return "\n".join(lines).rstrip() + "\n"


def _epilog(text: str) -> Iterator[str]:
    """The end of a help text: what keeps its lines there (after a `\\b`) is a block of code here."""
    for paragraph in text.split("\n\n"):
        if paragraph.startswith("\b\n"):
            yield from ("```", textwrap.dedent(paragraph.removeprefix("\b\n")), "```")
        else:
            yield paragraph
        yield ""


def _default(parameter: TyperArgument | TyperOption) -> str:
    known = parameter.default not in (None, False, ()) and not parameter.required
    return f" Default: `{parameter.default}`." if known else ""


def write(docs: Path) -> None:
    """Write the pages and the schemas."""
    (docs / "schemas").mkdir(parents=True, exist_ok=True)
    pages = {
        "cli.md": reference(),
        "configuration.md": config_reference(),
        "python.md": api_reference(),
        "report-json.md": schema_reference(),
    }
    for page, text in pages.items():
        (docs / page).write_text(text, encoding="utf-8")
    for version, schema in published().items():
        text = json.dumps(schema, indent=2) + "\n"
        (docs / "schemas" / file_name(version)).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
