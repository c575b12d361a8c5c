"""The pages say what is so: commands parse, configurations load, links lead somewhere, outputs are those that come."""

import contextlib
import io
import re
import shlex
import tomllib
from pathlib import Path
from typing import get_args

import pytest
import typer

from biasscope import ask, errors
from biasscope.cli import main
from biasscope.cli.app import app
from biasscope.config import MeasureConfig, PolicyFile, RankConfig, RunConfig
from biasscope.datasets import fields
from biasscope.datasets.bias_files import read_bias_file
from biasscope.rundir import parse_as

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = {
    p.relative_to(ROOT).as_posix(): p.read_text(encoding="utf-8")
    for p in (
        *sorted(DOCS.glob("**/*.md")),
        *sorted(ROOT.glob("*.md")),
        *sorted(ROOT.glob("examples/**/*.md")),
        *sorted(ROOT.glob("design/*.md")),
    )
}
FENCE = re.compile(r"^( *)```([^\n`]*)\n(.*?)^\1```[ ]*$", re.MULTILINE | re.DOTALL)
EXAMPLE = re.compile(r"^```python\n((?:(?!```).*\n)*)```\n\nprints\n\n```\n((?:(?!```).*\n)*)```$", re.MULTILINE)
"""Code with what it prints; the names of one example are known to the next."""
EVERY_PAGE = pytest.mark.parametrize("page", PAGES)


def blocks(page, language=None):
    found = [(name.strip(), text) for _, name, text in FENCE.findall(PAGES[page])]
    return [text for name, text in found if language is None or name == language]


def prose(page):
    return FENCE.sub("", PAGES[page])


def known_commands(command=None, path=()):
    command = command or typer.main.get_command(app)
    inner = getattr(command, "commands", {})
    if not inner:
        yield " ".join(path), command
    for name, one in inner.items():
        yield from known_commands(one, (*path, name))


COMMANDS = dict(known_commands())


def shown_commands(page):
    """What stands in blocks as `biasscope ...`, in words; usage lines name an argument in brackets, which is left out."""
    for block in blocks(page):
        for line in block.replace("\\\n", " ").splitlines():
            words = shlex.split(line, comments=True) if re.match(r"\s*(\$ )?biasscope \w", line) else []
            if words:
                yield [w for w in words[words.index("biasscope") + 1 :] if not w.startswith("[")]


@EVERY_PAGE
def test_a_command_in_a_block_can_be_typed_as_it_stands(page):
    for words in shown_commands(page):
        name = next((n for n in COMMANDS if words[: len(n.split())] == n.split()), None)
        assert name is not None, words
        # Parses and checks every value, and runs nothing; a word that does not fit raises.
        COMMANDS[name].make_context(name, words[len(name.split()) :])


def test_the_pages_show_every_command():
    shown = {
        n
        for page in PAGES
        for words in shown_commands(page)
        for n in COMMANDS
        if words[: len(n.split())] == n.split()
    }
    assert shown == set(COMMANDS)


@EVERY_PAGE
def test_a_configuration_on_a_page_loads(page, tmp_path):
    for text in blocks(page, "toml"):
        values = tomllib.loads(text)
        if "bias" in values:
            (tmp_path / "mine.toml").write_text(text, encoding="utf-8")
            assert read_bias_file(tmp_path / "mine.toml")
        elif "gate" in values:
            assert parse_as(PolicyFile, values, source=page)
        else:
            named = values["identity"]
            of = RankConfig if "benchmark" in named else MeasureConfig if "judges" in named else RunConfig
            assert parse_as(of, values, source=page)


def anchors(page):
    headings = re.findall(r"^#+ +(.+?) *$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}


@EVERY_PAGE
def test_a_link_leads_to_a_file_and_a_heading_that_exist(page):
    links = re.findall(r"\]\(([^()\s]+)\)", prose(page))
    for link in (one for one in links if not re.match(r"[a-z]+:", one)):
        path, _, anchor = link.partition("#")
        target = (ROOT / page).parent / path if path else ROOT / page
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(target.resolve().relative_to(ROOT).as_posix()), link


def test_every_page_is_in_the_navigation_once():
    trees = [line for block in blocks("docs/index.md", "{toctree}") for line in block.splitlines()]
    named = [line for line in trees if line and not line.startswith(":")]
    pages = [p.relative_to(DOCS).with_suffix("").as_posix() for p in DOCS.glob("**/*.md")]
    assert sorted(named) == sorted(set(pages) - {"index"}), "docs/index.md names the pages in its toctrees"


@EVERY_PAGE
def test_no_page_names_a_place_on_the_machine_where_it_was_written(page):
    assert re.findall(r"(?<![\w.:/])(?:/(?:home|root|work|tmp|Users|opt|mnt)/|[A-Z]:\\)\S*", PAGES[page]) == []


def below(error):
    return {error, *(one for sub in error.__subclasses__() for one in below(sub))}


def test_troubleshooting_has_a_row_for_every_error_that_is_raised_and_every_reason():
    rows = set(re.findall(r"^\| `(\w+)` \|", PAGES["docs/troubleshooting.md"], re.MULTILINE))
    raised = {e.__name__ for e in below(errors.BiasscopeError) if e.__module__ == errors.__name__}
    assert rows == raised - {"BiasscopeError", "ProviderError"} | set(get_args(ask.Reason))


def test_the_page_on_data_names_every_reason_why_a_row_is_skipped():
    page = PAGES["docs/data.md"]
    assert [reason for reason in get_args(fields.Reason) if f"`{reason}`" not in page] == []


def run(words):
    out = io.StringIO()
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(io.StringIO()),
        pytest.raises(SystemExit) as end,
    ):
        main(words)
    assert end.value.code == 0
    return out.getvalue()


@pytest.mark.parametrize("first", [("discover", "runs/try"), ("power", "--pairs")], ids=" ".join)
def test_what_is_asked_before_anything_is_paid_prints_what_the_page_shows(first):
    command = next(words for words in shown_commands("docs/cost.md") if tuple(words[:2]) == first)
    assert run(command) in blocks("docs/cost.md")


def test_the_first_measurement_prints_what_the_page_shows_and_python_goes_on_from_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = next(words for words in shown_commands("docs/start.md") if words[:2] == ["measure", "runs/first"])
    assert run(command) in blocks("docs/start.md")

    examples = EXAMPLE.findall(PAGES["docs/python.md"])
    assert len(examples) >= 4
    names = {}
    for code, printed in examples:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(code, "docs/python.md", "exec"), names)
        assert out.getvalue() == printed
