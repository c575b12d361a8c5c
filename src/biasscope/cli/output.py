"""Where words go: text for people, one JSON object for programs, errors in one line with a hint."""

from __future__ import annotations

import io
import shlex
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pydantic import BaseModel
    from rich.console import Console

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout and nothing else there.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Show no progress.")]


def console(*, stderr: bool = False) -> Console:
    """A console that shows text as it is: no markup, no emoji codes, and no line breaks of its own in a pipe."""
    from rich.console import Console

    shown = Console(stderr=stderr, highlight=False, emoji=False, markup=False)
    shown.soft_wrap = not shown.is_terminal
    return shown


def print_hanging(shown: Console, lead: str, text: str) -> None:
    """Print text behind a lead; on a terminal, lines that follow begin below the text and not below the lead."""
    if not shown.is_terminal:
        shown.print(f"{lead}{text}", soft_wrap=True)
        return
    rest = " " * len(lead)
    lines = textwrap.wrap(text, max(20, shown.width - len(lead)), break_long_words=False, break_on_hyphens=False)
    for number, line in enumerate(lines):
        shown.print(f"{rest if number else lead}{line}", soft_wrap=True)


def print_json(value: BaseModel) -> None:
    """Print a model as indented JSON; text stays readable, as UTF-8."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    sys.stdout.write(value.model_dump_json(indent=2) + "\n")


def report_line(run: str) -> str:
    """Where the report of a run is, or how to have one: a run that was stopped leaves none."""
    page = Path(run) / "report.html"
    return f"Report: {page}" if page.exists() else f"Report: biasscope report {shlex.quote(run)} makes it"


def complain(message: str, hint: str = "") -> None:
    """Say what stopped the command, in one line, and what to do about it, in another."""
    errors = console(stderr=True)
    for word, text in (("Error:", message), ("Hint:", hint)):
        if text:
            errors.print(word, style="bold red" if word == "Error:" else "bold", end=" ", soft_wrap=True)
            errors.print(" ".join(text.split()), soft_wrap=True)


def require_command(context: typer.Context) -> None:
    """Show the help of a group that was named without a command, and end as a wrong usage."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), err=True)
        raise typer.Exit(2)
