"""The GitHub Action calls the command with options that exist, and lets no input become a word of its script."""

import re
from pathlib import Path

import pytest
import typer

from biasscope.cli.app import app
from biasscope.workflows.gate import EXIT_CODES

TEXT = (Path(__file__).parents[1] / "action.yml").read_text(encoding="utf-8")


def test_every_option_exists():
    command = typer.main.get_command(app).commands["measure"]
    known = {option for parameter in command.params for option in parameter.opts}
    script = TEXT[TEXT.index("words=") :]

    assert set(re.findall(r'"(--[\w-]+)=', script)) == {"--data", "--gate", "--junit", "--summary", "--judge"}
    assert set(re.findall(r"(--[\w-]+)=", script)) <= known


def test_inputs_reach_scripts_through_the_environment_alone():
    for script in re.findall(r"run: (?:\|\n((?: {8}.*\n)+)|(.+))", TEXT):
        assert "${{" not in "".join(script)
    inputs = set(re.findall(r"^  ([\w-]+):$", TEXT[TEXT.index("inputs:") : TEXT.index("outputs:")], re.MULTILINE))
    assert set(re.findall(r"\$\{\{ inputs\.([\w-]+) \}\}", TEXT)) == inputs


@pytest.mark.parametrize(("outcome", "code"), EXIT_CODES.items())
def test_every_exit_code_has_its_outcome(outcome, code):
    assert f"{code}) outcome={outcome} ;;" in TEXT
