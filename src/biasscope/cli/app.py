"""The command tree, and how a run ends: 0 done, 1 ours, 2 usage, 130 interrupted; one line and a hint."""

from __future__ import annotations

import sys
from typing import NoReturn

import typer
from rich.console import Console
from typer.exceptions import TyperException

from biasscope import __version__
from biasscope.cli import data, discover, models, planted_server, quickstart, show
from biasscope.errors import BiasscopeError

app = typer.Typer(
    name="biasscope",
    help="Discover, measure and mitigate the biases of LLM judges.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version(value: bool) -> None:
    if value:
        typer.echo(f"biasscope {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
) -> None:
    """Discover, measure and mitigate the biases of LLM judges."""


app.command("discover")(discover.discover)
app.command("show")(show.show)
app.command("quickstart")(quickstart.quickstart)
app.command("planted-server")(planted_server.planted_server)
app.add_typer(models.app, name="models")
app.add_typer(data.app, name="data")


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and exit with its code."""
    errors = Console(stderr=True, highlight=False, soft_wrap=True)
    try:
        code = app(args=arguments, standalone_mode=False)
    except BiasscopeError as error:
        _say(errors, str(error), error.hint)
        code = error.exit_code
    except typer.Abort:
        code = 130
    except TyperException as error:
        _say(errors, error.format_message(), _usage_hint(error))
        code = error.exit_code
    except (KeyboardInterrupt, EOFError):
        _say(errors, "interrupted", "Everything answered so far is kept; the same command continues.")
        code = 130
    except BrokenPipeError:
        sys.stderr.close()
        code = 0
    sys.exit(code if isinstance(code, int) else 0)


def _usage_hint(error: TyperException) -> str:
    context = getattr(error, "ctx", None)
    return f"See {context.command_path} --help." if context is not None else "See biasscope --help."


def _say(console: Console, message: str, hint: str) -> None:
    console.print(f"[bold red]Error:[/] {_plain(message)}")
    if hint:
        console.print(f"[bold]Hint:[/] {_plain(hint)}")


def _plain(text: str) -> str:
    """One line, without markup of its own."""
    return " ".join(text.split()).replace("[", "\\[")
