"""The command tree, and how a command ends: 0 done, 1 it could not go on, 2 usage, 3 to 5 a gate, 130 interrupted.

Commands import what they need when they run: `--help` must not wait for numpy.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Sequence
from typing import Annotated, NoReturn

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from biasscope import __version__
from biasscope.cli import (
    ablate,
    audit,
    benchmark,
    calibrate,
    catalogue,
    compare,
    data,
    discover,
    measure,
    mitigate,
    models,
    planted_server,
    power,
    quickstart,
    report,
    show,
)
from biasscope.cli.output import complain, require_command
from biasscope.errors import BiasscopeError

INTERRUPTED = 130

app = typer.Typer(
    name="biasscope", add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None,
    epilog="Start with: biasscope quickstart",
)  # fmt: skip


def _version(value: bool) -> None:
    if value:
        typer.echo(f"biasscope {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Discover, measure and mitigate the biases of LLM judges."""
    del version  # its callback has printed it and ended the command
    require_command(context)


app.command("quickstart")(quickstart.quickstart)
app.command("discover", epilog=discover.EXAMPLE)(discover.discover)
app.command("measure", epilog=measure.EXAMPLE)(measure.measure)
app.command("audit", epilog=audit.EXAMPLE)(audit.audit)
app.command("show")(show.show)
app.command("report")(report.report)
app.command("compare")(compare.compare)
app.command("ablate", epilog=ablate.EXAMPLE)(ablate.ablate)
app.command("catalogue")(catalogue.catalogue)
app.command("power")(power.power)
app.command("calibrate")(calibrate.calibrate)
app.add_typer(benchmark.app, name="benchmark")
app.add_typer(mitigate.app, name="mitigate")
app.add_typer(data.app, name="data")
app.add_typer(models.app, name="models")
app.command("planted-server")(planted_server.planted_server)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit with its code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a narrow encoding must not end a run
    try:
        code = _run(words)
        sys.stdout.flush()
    except BiasscopeError as error:
        complain(str(error), error.hint or f"See {_command(words)} --help.")
        code = error.exit_code
    except TyperException as error:
        complain(_plainly(error.format_message()), f"See {_command(words)} --help.")
        code = error.exit_code
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains while it ends
        code = 1
    except OSError as error:
        where = f": {error.filename}" if error.filename else ""
        complain(f"{error.strerror or error}{where}", "Check the path, its permissions and the free space.")
        code = 1
    sys.exit(code)


def _run(words: list[str]) -> int:
    """Run the command; Typer turns an interruption into its code and a `typer.Exit` into the code it names."""
    code = app(args=words, prog_name="biasscope", standalone_mode=False)
    if code == INTERRUPTED:
        complain("interrupted")
    return code if isinstance(code, int) else 0


def _command(words: list[str]) -> str:
    """Name the command that words lead to, as far as it exists."""
    command, path = typer.main.get_command(app), ["biasscope"]
    for word in words:
        if not isinstance(command, TyperGroup) or word not in command.commands:
            break
        command = command.commands[word]
        path.append(word)
    return " ".join(path)


def _plainly(message: str) -> str:
    """Take the parser's inner words out of a message about a value."""
    message = re.sub(r"Value error, |, unable to parse string as an? \w+", "", message)
    return message.replace("Input should be", "must be")
