"""Rules of the house that no linter keeps."""

import ast
import io
import re
import shlex
import tokenize
import tomllib
from pathlib import Path

import pytest
import typer

from biasscope import __version__
from biasscope.cli.app import app

ROOT = Path(__file__).parents[1]
SOURCES = {
    p.relative_to(ROOT).as_posix(): p.read_text(encoding="utf-8") for p in sorted(ROOT.glob("src/**/*.py"))
}
TREES = {name: ast.parse(text) for name, text in SOURCES.items()}
PAGES = [
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
    *sorted(ROOT.glob("docs/*.md")),
    *sorted(ROOT.glob("examples/**/*.md")),
]

MOST_LINES = 350
MOST_LINES_OF_A_FUNCTION = 50
"""Of its body: what it takes and what it promises (signature, docstring) is not counted."""


def nodes(*kinds):
    return [(name, node) for name, tree in TREES.items() for node in ast.walk(tree) if isinstance(node, kinds)]


def test_a_file_has_one_subject():
    assert {n: len(t.splitlines()) for n, t in SOURCES.items() if len(t.splitlines()) > MOST_LINES} == {}


def test_a_function_fits_a_screen():
    def lines(function):
        body = function.body[1:] if ast.get_docstring(function) is not None else function.body
        return function.end_lineno - body[0].lineno + 1 if body else 0

    long = {f"{name}: {f.name}": lines(f) for name, f in nodes(ast.FunctionDef, ast.AsyncFunctionDef)}
    assert {name: count for name, count in long.items() if count > MOST_LINES_OF_A_FUNCTION} == {}


def test_only_the_command_line_prints():
    printing = {
        name for name, call in nodes(ast.Call) if isinstance(call.func, ast.Name) and call.func.id == "print"
    }
    writing = {
        name
        for name, node in nodes(ast.Attribute)
        if ast.unparse(node) in ("sys.stdout.write", "sys.stderr.write", "typer.echo")
    }
    assert {name for name in printing | writing if not name.startswith("src/biasscope/cli/")} == set()


def test_a_broad_except_only_lets_the_error_pass_on():
    broad = (None, "Exception", "BaseException")
    swallowed = [
        f"{name}:{handler.lineno}"
        for name, handler in nodes(ast.ExceptHandler)
        if (handler.type and ast.unparse(handler.type)) in broad and not isinstance(handler.body[-1], ast.Raise)
    ]
    assert swallowed == []


def test_an_exception_from_a_check_has_its_reason_beside_it():
    bare = re.compile(r"#\s*(?:type:\s*ignore(?:\[[\w\-, ]+\])?|noqa(?::\s*[A-Z0-9, ]+)?)\s*$")
    found = [
        f"{name}:{token.start[0]} {token.string}"
        for name, text in SOURCES.items()
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.COMMENT and bare.search(token.string)
    ]
    assert found == []


def test_every_module_and_everything_public_says_what_it_is():
    missing = [name for name, tree in TREES.items() if not ast.get_docstring(tree)]
    for name, tree in TREES.items():
        for node in tree.body:
            public = (
                isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.name[0] != "_"
            )
            if public and not ast.get_docstring(node):
                missing.append(f"{name}: {node.name}")
    assert missing == []


def test_no_module_is_a_drawer():
    drawers = {"utils", "util", "helpers", "helper", "manager", "handler", "common", "misc"}
    assert [name for name in SOURCES if drawers & {Path(name).stem, *Path(name).parent.parts}] == []


def test_every_prompt_is_filled_somewhere():
    names = {p.stem for p in ROOT.glob("src/biasscope/prompts/*.md")}
    plain = {node.value for _, node in nodes(ast.Constant) if isinstance(node.value, str)}
    # A name such as f"judge_{mode}" stands for all that fit it.
    shapes = [
        "".join(re.escape(v.value) if isinstance(v, ast.Constant) else r"\w+" for v in string.values)
        for name, string in nodes(ast.JoinedStr)
        if name.startswith("src/biasscope/judges/")
    ]
    unused = {n for n in names - plain if not any(re.fullmatch(shape, n) for shape in shapes)}
    assert len(names) >= 10
    assert unused == set()


def test_the_version_is_said_once():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == __version__


def commands(command=None, path=()):
    command = command or typer.main.get_command(app)
    inner = getattr(command, "commands", None)
    if inner is None:
        yield " ".join(path), command
    for name, one in (inner or {}).items():
        yield from commands(one, (*path, name))


COMMANDS = dict(commands())


@pytest.mark.parametrize("name", COMMANDS)
def test_the_changelog_names_every_command(name):
    assert re.search(rf"`(biasscope )?{name}\b", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_a_page_shows_only_commands_and_options_that_exist(page):
    text = page.read_text(encoding="utf-8").replace("\\\n", " ")
    fenced = re.findall(
        r"^ *(?:\$ )?biasscope (.+)$", "\n".join(re.findall(r"```.*?```", text, re.DOTALL)), re.MULTILINE
    )
    inline = re.findall(r"`biasscope ([^`]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    for shown in [*fenced, *(" ".join(i.split()) for i in inline)]:
        words = shlex.split(shown, comments=True)
        name = next((n for n in COMMANDS if words[: len(n.split())] == n.split()), None)
        if name is None:
            groups = {n.split()[0] for n in COMMANDS}
            assert words[0] in groups or words[0].startswith(("-", "[")) or words[0].isupper(), shown
            continue
        known = {option for parameter in COMMANDS[name].params for option in parameter.opts}
        assert {w.partition("=")[0] for w in words if w.startswith("--")} <= known | {"--help"}, shown
