"""The real program: in this process where speed matters, as a process where exit codes and signals do."""

import contextlib
import io
import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from dataclasses import dataclass
from pathlib import Path

import pytest

from biasscope.cli import main

PAIRS = ("--discovery", "objective:12?seed=1", "--validation", "objective:30?seed=2")
SMALL = (*PAIRS, "--iterations", "1")
FOUND = ("--discovery", "objective:40?seed=1", "--validation", "objective:40?seed=2", "--iterations", "1")
STRONG = ("biases=self_verification@3,analogy@3,apology@3,emoji@3,flattery@3;noise=0.5", "teacher;side=1")
"""A judge and a teacher of whom little data shows a lot."""
PLANTED = ("--judge", "planted:two-biases", "--teacher", "planted:teacher")


@dataclass(frozen=True)
class Done:
    """How a command ended and what it said."""

    code: int
    out: str
    err: str

    @property
    def json(self):
        """The one object on stdout."""
        return json.loads(self.out)

    def refuses(self, *words, code=2):
        """Check that one line says what is wrong and another what to do, that stdout is empty, and the words."""
        lines = self.err.splitlines()
        errors = [line for line in lines if line.startswith("Error: ")]
        hints = [line for line in lines if line.startswith("Hint: ")]
        assert len(errors) == len(hints) == 1, self.err
        assert lines[-2:] == [errors[0], hints[0]]
        assert "Traceback" not in self.err
        assert "Usage:" not in self.err
        assert self.out == ""
        assert self.code == code, self.err
        for word in words:
            assert word in errors[0] + "\n" + hints[0]
        return self


def run_here(*arguments) -> Done:
    """Run a command in this process."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), pytest.raises(SystemExit) as ended:
        main([str(a) for a in arguments])
    return Done(ended.value.code, out.getvalue(), err.getvalue())


def launch(*arguments, **settings) -> subprocess.Popen:
    """Start the program as a process."""
    settings = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | settings
    command = [sys.executable, "-m", "biasscope", *(str(a) for a in arguments)]
    return subprocess.Popen(command, **settings)


def finish(process: subprocess.Popen) -> Done:
    """Wait for a process that ends by itself."""
    out, err = process.communicate(timeout=120)
    return Done(process.returncode, out, err)


class Server:
    """A planted server of its own, as a process."""

    def __init__(self, *options):
        self.process = launch("planted-server", "--port", 0, *options)
        said = self.process.stdout.readline()
        found = re.search(r"http://\S+", said)
        assert found, said + self.process.stderr.read()
        self.url = found[0]

    def stats(self):
        with urllib.request.urlopen(self.url.removesuffix("/v1") + "/stats", timeout=30) as answer:
            return json.loads(answer.read())

    def models(self, judge="two-biases", teacher="teacher"):
        return ("--judge", f"openai:{judge}", "--teacher", f"openai:{teacher}",
                "--judge-url", self.url, "--teacher-url", self.url)  # fmt: skip

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        return finish(self.process)


@contextlib.contextmanager
def serving(*options):
    server = Server(*options)
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="session", autouse=True)
def _as_a_user_starts_it():
    """Tests that run in the background ignore SIGINT, and children would inherit that."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(autouse=True)
def _a_plain_place(tmp_path, monkeypatch):
    """Every test has a folder of its own, no key and a narrow window."""
    monkeypatch.chdir(tmp_path)
    for name in list(os.environ):
        if name.startswith("OPENAI_") or name in ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2] / "src"))
