"""What a person sees who asks for help, or types something that does not exist."""

import subprocess
import sys

import pytest
import typer
from typer.core import TyperArgument, TyperGroup, TyperOption

from biasscope import __version__
from biasscope.cli.app import app

from .conftest import finish, launch, run_here


def commands(command=None, path=()):
    command = command or typer.main.get_command(app)
    yield path, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from commands(inner, (*path, name))


PATHS = dict(commands())
NAMES = [" ".join(path) for path in PATHS]


def test_the_commands_are_those_of_the_documentation():
    assert sorted(NAMES) == [
        "", "ablate", "audit", "benchmark", "benchmark agreement", "benchmark build", "benchmark filter", "benchmark publish",
        "benchmark rank", "benchmark review", "calibrate", "catalogue", "compare", "data", "data check", "discover", "measure",
        "mitigate", "mitigate data", "mitigate judge", "mitigate train", "models", "models fetch", "models list", "planted-server", "power", "quickstart", "report", "show",
    ]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_every_command_has_help_that_fits_80_columns(name):
    done = run_here(*name.split(), "--help")

    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"Usage: biasscope {name}".rstrip() + " [OPTIONS]")
    assert max(len(line) for line in done.out.splitlines()) <= 80


@pytest.mark.parametrize("path", PATHS, ids=NAMES)
def test_every_command_argument_and_option_says_what_it_is_for(path):
    command = PATHS[path]

    assert (command.help or command.callback.__doc__ or "").strip()
    for parameter in command.params:
        assert isinstance(parameter, TyperArgument | TyperOption)
        assert (parameter.help or "").strip().endswith("."), parameter.name


def test_short_descriptions_are_not_cut_off():
    for name, command in PATHS.items():
        if isinstance(command, TyperGroup):
            assert "..." not in run_here(*name, "--help").out.partition("Commands:")[2]


def test_the_module_is_the_program_and_knows_its_version():
    assert finish(launch("--version")).out == f"biasscope {__version__}\n"


@pytest.mark.parametrize("group", [(), ("models",), ("data",), ("benchmark",)])
def test_without_a_command_the_help_is_shown_as_a_wrong_usage(group):
    done = run_here(*group)

    assert done.code == 2
    assert done.out == ""
    assert done.err == run_here(*group, "--help").out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["discove"], ["No such command 'discove'", "discover", "See biasscope --help."]),
        (["models", "lst"], ["No such command 'lst'", "list", "See biasscope models --help."]),
        (["--nope"], ["No such option: --nope", "See biasscope --help."]),
        (["discover", "run", "--juge", "x"], ["--juge", "--judge", "See biasscope discover --help."]),
        (["discover"], ["Missing argument 'RUN'", "See biasscope discover --help."]),
        (["discover", "run", "extra"], ["unexpected extra argument", "extra"]),
        (["discover", "run", "--judge"], ["'--judge' requires an argument", "See biasscope discover --help."]),
        (["discover", "run", "--iterations", "0"], ["'--iterations': must be greater than or equal to 1"]),
        (["discover", "run", "--iterations", "x"], ["'--iterations': must be a valid integer\n"]),
        (["discover", "run", "--rule", "foo"], ["'--rule': 'foo' is not one of 'default', "]),
        (["discover", "run", "--null-control", "21"], ["'--null-control': must be less than or equal to 20"]),
        (["discover", "run", "--null-control", "-1"], ["'--null-control': must be greater than or equal to 0"]),
        (["discover", "run", "--equal-length", "cut"], ["'cut' is not one of 'truncate', 'condense'"]),
        (["calibrate", "--runs", "1"], ["'--runs': must be greater than or equal to 2"]),
        (["calibrate", "--rule", "paper", "--graded"], ["the published rule knows neither margins nor"]),
        (["calibrate", "--table", "--json"], ["the table is Markdown, of simulated judges"]),
        (["power", "--pairs", "50", "--data", "x"], ["--data and --pairs both say how many pairs there are"]),
        (["power", "--effect", "0"], ["--effect must be above 0, got 0"]),
        (["power", "--graded", "-1"], ["--graded must be above 0, got -1"]),
        (["quickstart", "--pairs", "19"], ["'--pairs': must be greater than or equal to 20"]),
        (["planted-server", "--refuse", "foo"], ["'--refuse': 'foo' is not one of 'temperature'"]),
        (["planted-server", "--hang", "2"], ["'--hang': must be less than or equal to 1"]),
        (["planted-server", "--hang", "0.6", "--truncated", "0.6"], ["sum to more than 1"]),
    ],
)
def test_a_wrong_word_is_named_in_one_line(words, said):
    run_here(*words).refuses(*said)


def test_help_does_not_wait_for_the_libraries_of_a_run():
    loaded = (
        "import sys\nfrom biasscope.cli import main\ntry: main(['discover', '--help'])\n"
        "except SystemExit: print([m for m in ('numpy', 'scipy', 'polars', 'openai', 'aiohttp') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)

    assert done.stdout.splitlines()[-1] == "[]"
